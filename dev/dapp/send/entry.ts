// What was sent from this page, in the order of sending, and where each stands.
import type { Failure } from '../components';
import type { Inclusion, Sent } from '../inclusion/find-inclusion';
import { describeInclusion } from '../inclusion/follow';
import type { Replacing } from './requests';

/** Something that the wallet was asked to send. */
export type Entry = {
  id: number;
  /** What it is, in words. */
  title: string;
  /** Why it was not sent. */
  failure?: Failure;
  /** It, and what was sent in its place. */
  sent: readonly Sent[];
  /** What the last of them is to do. */
  replacing?: Replacing;
  inclusion?: Inclusion;
  /** Which of those that were sent was included. */
  included?: number;
};

/** How an entry stands, for a mark and in words. */
export type Standing = {
  tone: 'good' | 'warn' | 'bad' | 'quiet';
  mark: string;
  words: string;
  isSettled: boolean;
};

const marks = {
  included: { tone: 'good', mark: 'Included' },
  failed: { tone: 'bad', mark: 'Failed' },
  replaced: { tone: 'warn', mark: 'Replaced' },
  dropped: { tone: 'bad', mark: 'Dropped' },
  unknown: { tone: 'warn', mark: 'Unknown' },
} as const;

/** Say how an entry stands. */
export function describeEntry(entry: Entry): Standing {
  const { failure, sent, inclusion, replacing } = entry;
  if (failure) {
    const code = failure.code === undefined ? '' : `${failure.code}: `;
    const words = `${code}${failure.message}`;
    return { tone: 'bad', mark: 'Not sent', words, isSettled: true };
  }
  if (sent.length === 0) {
    const words = 'Waiting for MetaMask …';
    return { tone: 'quiet', mark: 'Asking', words, isSettled: false };
  }
  if (!inclusion || inclusion.state === 'pending') {
    const words = replacing
      ? `${pendingWords[replacing]} Waiting for a block …`
      : 'Waiting for a block …';
    return { tone: 'warn', mark: 'Sent', words, isSettled: false };
  }
  const words = `${findOutcome(entry)}${describeInclusion(inclusion)}`;
  return { ...marks[inclusion.state], words, isSettled: true };
}

const pendingWords = { speedUp: 'Sped up.', cancel: 'Being cancelled.' };

function findOutcome({ replacing, sent, included }: Entry): string {
  if (!replacing || included === undefined) return '';
  if (included < sent.length - 1) return 'It was quicker than its replacement. ';
  return replacing === 'cancel' ? 'Cancelled. ' : 'Sped up. ';
}
