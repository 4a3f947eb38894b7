import { describeEntry } from '../../../../dev/dapp/send/entry';
import type { Entry } from '../../../../dev/dapp/send/entry';

const one = { kind: 'transaction', hash: '0xaa', chainId: '0x1' } as const;
const other = { ...one, hash: '0xbb' } as const;

const pair = { sent: [one, other] };
const inBlock = { state: 'included', block: 7n } as const;

it.each<[string, Partial<Entry>, string]>([
  ['asked', {}, 'Asking: Waiting for MetaMask …'],
  ['refused', { failure: { code: 4001, message: 'No.' } }, 'Not sent: 4001: No.'],
  ['failed', { failure: { message: 'No.' } }, 'Not sent: No.'],
  ['sent', { sent: [one] }, 'Sent: Waiting for a block …'],
  ['included', { sent: [one], inclusion: inBlock }, 'Included: Included in block 7.'],
  [
    'reverted',
    { sent: [one], inclusion: { state: 'failed', block: 7n } },
    'Failed: Failed in block 7.',
  ],
  [
    'replaced elsewhere',
    { sent: [one], inclusion: { state: 'replaced' } },
    'Replaced: Replaced by another transaction.',
  ],
  [
    'dropped',
    { sent: [one], inclusion: { state: 'dropped' } },
    'Dropped: Dropped: the network does not know it any more.',
  ],
  [
    'lost from sight',
    { sent: [one], inclusion: { state: 'unknown' } },
    'Unknown: Nobody could say what became of it.',
  ],
  [
    'being cancelled',
    { ...pair, replacing: 'cancel' },
    'Sent: Being cancelled. Waiting for a block …',
  ],
  [
    'cancelled',
    { ...pair, replacing: 'cancel', inclusion: inBlock, included: 1 },
    'Included: Cancelled. Included in block 7.',
  ],
  [
    'sped up',
    { ...pair, replacing: 'speedUp', inclusion: inBlock, included: 1 },
    'Included: Sped up. Included in block 7.',
  ],
  [
    'too quick to be cancelled',
    { ...pair, replacing: 'cancel', inclusion: inBlock, included: 0 },
    'Included: It was quicker than its replacement. Included in block 7.',
  ],
])('says how it stands: %s', (_name, entry, expected) => {
  const { mark, words } = describeEntry({ id: 1, title: 'x', sent: [], ...entry });
  expect(`${mark}: ${words}`).toBe(expected);
});
