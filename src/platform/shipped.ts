// The files that are shipped beside the bundle. MetaMask reads, hashes, encodes and stores all of
// them when it installs a snap, and each kilobyte takes its time: they are compressed.
/** Their folder in that of the manifest. */
export const SHIPPED = 'dist/files';

/** Names the shipped form of a text file. */
export function toShippedPath(path: string): string {
  return `${SHIPPED}/${path}.deflate`;
}

/**
 * Reads a text out of its shipped form.
 *
 * @param base64 - What MetaMask gives.
 * @throws {Error} If it is damaged.
 */
export async function readShipped(base64: string): Promise<string> {
  // Evaluated when a file is first read: it fills tables, which many workers never need.
  const { inflateSync } = await import(/* webpackMode: "eager" */ 'fflate');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder(undefined, { fatal: true }).decode(inflateSync(bytes));
}
