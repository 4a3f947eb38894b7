// A store of the smallest document there is, over a backend in memory.
import { literal, number, object } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { Store } from '../../src/state/store';
import { createMemoryBackend } from './memory-backend';
import type { MemoryBackend } from './memory-backend';

/** The document: a number that is counted up. */
export type Counter = { version: 1; count: number };

/** The store, and where it keeps the document. */
export type CounterStore = { backend: MemoryBackend; store: Store<Counter> };

/** Open a store over what is stored. */
export function createCounterStore(document: Json = null): CounterStore {
  const backend = createMemoryBackend(document);
  const struct = object({ version: literal(1), count: number() });
  const empty: Counter = { version: 1, count: 0 };
  const store = new Store<Counter>(
    { name: 'counter', struct, migrations: [], empty },
    backend,
  );
  return { backend, store };
}

/** Change the document: one more. */
export function addOne(counter: Counter): Counter {
  return { ...counter, count: counter.count + 1 };
}
