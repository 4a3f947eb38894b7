// Events of a provider, as Node's EventEmitter has them. A page has none.
import type { Listener } from './eip1193';

/** Tells all who listen. */
export type Emit = (event: string, value: unknown) => void;

/** Who listens, and telling them. */
export type Emitter = {
  on: (event: string, listener: Listener) => void;
  removeListener: (event: string, listener: Listener) => void;
  emit: Emit;
  hasListeners: (event: string) => boolean;
};

/** Create an emitter; a listener that throws keeps no other from hearing. */
export function createEmitter(): Emitter {
  const listeners = new Map<string, Listener[]>();
  const of = (event: string): Listener[] => listeners.get(event) ?? [];
  return {
    on: (event, listener) => {
      listeners.set(event, [...of(event), listener]);
    },
    removeListener: (event, listener) => {
      const all = of(event);
      const index = all.lastIndexOf(listener);
      if (index >= 0) listeners.set(event, all.toSpliced(index, 1));
    },
    hasListeners: (event) => of(event).length > 0,
    emit: (event, value) => {
      for (const listener of of(event)) {
        try {
          (listener as (each: unknown) => void)(value);
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
