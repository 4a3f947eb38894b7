// Serves a built snap from its folder to MetaMask's own `local:` location, so that
// the manifest, the checksum and the files go through the checks of a real install.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Create a `fetch` that answers any URL with the file of that path in a folder.
 *
 * @param folder - The folder that holds `snap.manifest.json`.
 * @returns A function with the signature of `fetch`; 404 for what is not there.
 */
export function createFolderFetch(folder: string): typeof fetch {
  const root = path.resolve(folder);
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const file = path.join(root, decodeURIComponent(url.pathname));
    if (!file.startsWith(root + path.sep)) return new Response(null, { status: 404 });
    try {
      return new Response(new Uint8Array(await readFile(file)));
    } catch {
      return new Response(null, { status: 404 });
    }
  };
}
