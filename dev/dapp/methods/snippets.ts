// A request in all the forms in which it can be copied.
import { writeEthers } from './snippets/ethers';
import { writeRaw } from './snippets/raw';
import { toRequest } from './snippets/snippet';
import type { Subject } from './snippets/snippet';
import { writeViem } from './snippets/viem';

export { toRequest };
export type { Subject };

/** How a request can be shown. */
export type Tongue = 'json' | 'viem' | 'ethers' | 'raw';

type Titled = { id: Tongue; title: string };

/** The forms by name, with their titles. */
export const tongues: readonly [Titled, ...Titled[]] = [
  { id: 'json', title: 'Request (JSON)' },
  { id: 'viem', title: 'viem' },
  { id: 'ethers', title: 'ethers' },
  { id: 'raw', title: 'raw' },
];

const writers: Record<Tongue, (subject: Subject) => string> = {
  json: (subject) => JSON.stringify(toRequest(subject), null, 2),
  viem: writeViem,
  ethers: writeEthers,
  raw: writeRaw,
};

/** Write a request in one of its forms. */
export function writeSnippet(tongue: Tongue, subject: Subject): string {
  return writers[tongue](subject);
}
