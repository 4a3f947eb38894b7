// Files that are shipped beside the bundle (the manifest's `source.files`).

/** Read a text file; null if it is not there. */
export async function readFile(path: string): Promise<string | null> {
  return snap.request({ method: 'snap_getFile', params: { path, encoding: 'utf8' } });
}
