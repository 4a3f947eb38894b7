// Files that are shipped beside the bundle (the manifest's `source.files`).
import { answered } from './answered';

/** Read a text file; null if it is not there. */
export async function readFile(path: string): Promise<string | null> {
  const method = 'snap_getFile';
  const params = { path, encoding: 'utf8' as const };
  return answered(method, snap.request({ method, params }));
}
