// Events of a provider, as Node's EventEmitter has them. A page has none.
import type { Listener } from './eip1193';

// Names that nobody else has.

/** Draw some bytes, in hex without `0x`. */
export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Tells all who listen. */
export type Emit = (event: string, value: unknown) => void;

/** Who listens, and telling them. */
export type Emitter = {
  on: (event: string, listener: Listener) => void;
  /** Listens to the next event only. */
  once: (event: string, listener: Listener) => void;
  /** Removes the listener that was added last, if it was added more than once. */
  removeListener: (event: string, listener: Listener) => void;
  /** Removes the listeners of an event, or of all. */
  removeAllListeners: (event?: string) => void;
  emit: Emit;
  hasListeners: (event: string) => boolean;
};

type Entry = { listener: Listener; isOnce: boolean };

/** Create an emitter; a listener that throws keeps no other from hearing. */
export function createEmitter(): Emitter {
  const entries = new Map<string, Entry[]>();
  const of = (event: string): Entry[] => entries.get(event) ?? [];
  const add = (event: string, entry: Entry): void => {
    entries.set(event, [...of(event), entry]);
  };
  const remove = (event: string, isWanted: (entry: Entry) => boolean): void => {
    const all = of(event);
    const index = all.findLastIndex(isWanted);
    if (index >= 0) entries.set(event, all.toSpliced(index, 1));
  };
  return {
    on: (event, listener) => add(event, { listener, isOnce: false }),
    once: (event, listener) => add(event, { listener, isOnce: true }),
    removeListener: (event, listener) =>
      remove(event, (entry) => entry.listener === listener),
    removeAllListeners: (event) => {
      if (event === undefined) entries.clear();
      else entries.delete(event);
    },
    hasListeners: (event) => of(event).length > 0,
    emit: (event, value) => {
      for (const entry of of(event)) {
        if (entry.isOnce) remove(event, (each) => each === entry);
        try {
          (entry.listener as (each: unknown) => void)(value);
        } catch (error) {
          // Its author finds it where errors that nobody catches are shown.
          setTimeout(() => {
            throw error;
          });
        }
      }
    },
  };
}
