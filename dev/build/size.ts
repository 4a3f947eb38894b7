// How large a built file is, and how large the bundle may be.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

/** Bytes of a file, as it is and compressed. */
export type Weight = { raw: number; gzipped: number };

/** What the snap's bundle should weigh at most; our own modules alone are 330,000 of it. */
export const bundleBudget: Weight = { raw: 400_000, gzipped: 120_000 };

/** What it weighs at most, so that it does not grow unseen. */
export const bundleCeiling: Weight = { raw: 582_000, gzipped: 201_000 };

/** What the insight snap's bundle weighs at most. */
export const insightCeiling: Weight = { raw: 200_000, gzipped: 75_000 };

/** Weigh what a file holds. */
export function weigh(content: Buffer): Weight {
  return { raw: content.length, gzipped: gzipSync(content, { level: 9 }).length };
}

/** Say a file's size in words, as it is and compressed. */
export async function describeSize(path: string): Promise<string> {
  const { raw, gzipped } = weigh(await readFile(path));
  return `${raw} bytes, ${gzipped} gzipped`;
}
