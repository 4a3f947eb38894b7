// What can have become of what was sent, in words.
import type { TextKey } from './i18n';

/** What each state is called. */
export const stateKeys = {
  pending: 'sent.pending',
  included: 'sent.included',
  failed: 'sent.failed',
  replaced: 'sent.replaced',
  dropped: 'sent.dropped',
  unknown: 'sent.unknown',
} as const satisfies Record<string, TextKey>;

/** What can have become of what was sent. */
export type SentState = keyof typeof stateKeys;
