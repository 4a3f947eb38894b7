// What was sent, over a document in memory.
import { createLedger } from '../../src/activity/ledger';
import type { Ledger } from '../../src/activity/ledger';
import { openPrivateStore } from '../../src/state/private-state';
import type { PrivateState } from '../../src/state/private-state';
import type { SentTransaction } from '../../src/state/sent-transaction';
import { createMemoryBackend } from './memory-backend';
import type { MemoryBackend } from './memory-backend';
import { stateOf } from './stored-accounts';

/** Access to what was sent, and what stands behind it. */
export type LedgerBench = {
  ledger: Ledger;
  backend: MemoryBackend;
  /** List what is stored, in the order of the document. */
  stored: () => SentTransaction[];
};

/** Open a document in which something was sent. */
export function createLedgerBench(sent: readonly SentTransaction[] = []): LedgerBench {
  const activity = Object.fromEntries(sent.map((each) => [each.hash, each]));
  const backend = createMemoryBackend({ ...stateOf({}), activity });
  return {
    ledger: createLedger(openPrivateStore(backend)),
    backend,
    stored: () => Object.values((backend.document as PrivateState).activity),
  };
}
