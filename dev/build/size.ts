// Measures built files, and limits their sizes.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

export type Weight = { raw: number; gzipped: number };

/** Target for the snap's bundle; our own modules alone have 455,000 bytes. */
export const bundleBudget: Weight = { raw: 500_000, gzipped: 172_000 };

/** Maximum size of each file. Tests enforce it, and `npm run docs` writes it into the docs. */
export const ceilings = {
  'keyring snap': { raw: 658_000, gzipped: 238_000 },
  'insight snap': { raw: 195_000, gzipped: 75_000 },
  client: { raw: 133_000, gzipped: 51_500 },
  provider: { raw: 16_000, gzipped: 6_500 },
  playwright: { raw: 4_000, gzipped: 2_000 },
  testing: { raw: 684_000, gzipped: 246_000 },
  viem: { raw: 7_000, gzipped: 3_000 },
  wagmi: { raw: 1_000, gzipped: 1_000 },
  'development page, one visit': { raw: 204_000, gzipped: 73_000 },
} satisfies Record<string, Weight>;

export function weigh(content: Buffer): Weight {
  return { raw: content.length, gzipped: gzipSync(content, { level: 9 }).length };
}

export async function describeSize(path: string): Promise<string> {
  const { raw, gzipped } = weigh(await readFile(path));
  return `${raw} bytes, ${gzipped} gzipped`;
}
