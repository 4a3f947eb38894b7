// An in-memory state backend that can fail, in place of the wallet's storage.
import type { Json } from '@metamask/utils';

import type { Backend } from '../../src/core/vault';

export type MemoryBackend = Backend & {
  /** The stored document; null if nothing was saved yet. */
  document: Json;
  failNextLoad?: Error | undefined;
  failNextSave?: Error | undefined;
  loads: number;
  saves: number;
};

/** Creates a backend that copies documents when it loads and saves them, as JSON does. */
export function createMemoryBackend(document: unknown = null): MemoryBackend {
  const backend: MemoryBackend = {
    document: copy(document),
    loads: 0,
    saves: 0,
    load: async () => {
      backend.loads += 1;
      const error = backend.failNextLoad;
      backend.failNextLoad = undefined;
      await tick();
      if (error) throw error;
      return copy(backend.document);
    },
    save: async (next) => {
      backend.saves += 1;
      const error = backend.failNextSave;
      backend.failNextSave = undefined;
      await tick();
      if (error) throw error;
      backend.document = copy(next);
    },
  };
  return backend;
}

// Takes a turn of the event loop, as real storage does, so that the same races occur.
async function tick(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function copy(document: unknown): Json {
  return JSON.parse(JSON.stringify(document)) as Json;
}
