// How large a built file is.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

/** Say a file's size in words, as it is and compressed. */
export async function describeSize(path: string): Promise<string> {
  const content = await readFile(path);
  return `${content.length} bytes, ${gzipSync(content).length} gzipped`;
}
