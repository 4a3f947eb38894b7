// Keeps what was sent: asks for it, takes note of what became of it.
import { useCallback, useRef, useState } from 'preact/hooks';

import { toFailure } from '../components';
import type { Sent } from '../inclusion/find-inclusion';
import type { Entry } from './entry';

/** The list, and how it grows. */
export type Entries = {
  /** Newest first. */
  list: readonly Entry[];
  /** Have something sent; never fails. */
  begin: (title: string, ask: () => Promise<Sent>) => Promise<void>;
  change: (id: number, change: Partial<Entry>) => void;
};

/** Keep the list while the page is open. */
export function useEntries(): Entries {
  const [list, setList] = useState<readonly Entry[]>([]);
  const last = useRef(0);
  const change = useCallback((id: number, changed: Partial<Entry>): void => {
    setList((before) =>
      before.map((entry) => (entry.id === id ? { ...entry, ...changed } : entry)),
    );
  }, []);
  const begin = async (title: string, ask: () => Promise<Sent>): Promise<void> => {
    const id = (last.current += 1);
    setList((before) => [{ id, title, sent: [] }, ...before]);
    try {
      change(id, { sent: [await ask()] });
    } catch (error) {
      change(id, { failure: toFailure(error) });
    }
  };
  return { list, begin, change };
}
