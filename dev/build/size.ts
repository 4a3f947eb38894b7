// Measures built files, and limits their sizes.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

export type Weight = { raw: number; gzipped: number };

/** Tests enforce these limits, and `npm run docs` writes them into the docs. */
export const ceilings = {
  'keyring snap': { raw: 876_000, gzipped: 296_000 },
  'insight snap': { raw: 392_000, gzipped: 132_000 },
  client: { raw: 157_000, gzipped: 59_000 },
  provider: { raw: 17_500, gzipped: 7_000 },
  playwright: { raw: 4_000, gzipped: 2_000 },
  testing: { raw: 893_000, gzipped: 312_000 },
  viem: { raw: 7_000, gzipped: 3_000 },
  wagmi: { raw: 10_000, gzipped: 4_000 },
  'development page, one visit': { raw: 41_000, gzipped: 17_000 },
} satisfies Record<string, Weight>;

export function weigh(content: Buffer): Weight {
  return { raw: content.length, gzipped: gzipSync(content, { level: 9 }).length };
}

export async function describeSize(path: string): Promise<string> {
  const { raw, gzipped } = weigh(await readFile(path));
  return `${raw} bytes, ${gzipped} gzipped`;
}
