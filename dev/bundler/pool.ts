// The operations that wait for a bundle, or for the block that has it.
import type { Hex } from 'viem';

import { RpcFailure } from '../stack/json-rpc';
import type { EntryPoint, Operation } from './operation';

/** An operation that was taken. */
export type Entry = { hash: Hex; operation: Operation; entryPoint: EntryPoint };

/** The pool; one operation for a sender's nonce. */
export type Pool = {
  /** @throws {RpcFailure} -32602 if the operation may not join. */
  check: (entry: Entry) => void;
  /** Checks again, since others may have come meanwhile, and adds. */
  add: (entry: Entry) => void;
  /** Takes those that wait: until they are put back nothing can replace them. */
  take: () => Entry[];
  /** Puts back what was taken. */
  putBack: (entries: Entry[]) => void;
  /** Gives up what the EntryPoint refuses. */
  drop: (entries: Entry[]) => void;
  /** Makes room: these are in blocks. They are still found. */
  settle: (entries: Entry[]) => void;
  find: (hash: Hex) => Entry | undefined;
};

type Slot = Entry & { isTaken: boolean };

/** Create an empty pool. */
export function createPool(): Pool {
  const slots = new Map<string, Slot>();
  const settled = new Map<Hex, Entry>();
  const check = (entry: Entry): void => checkAgainst(slots.get(toKey(entry)), entry);
  const drop = (entries: Entry[]): void => {
    for (const entry of entries) slots.delete(toKey(entry));
  };
  return {
    check,
    add: (entry) => {
      check(entry);
      slots.set(toKey(entry), { ...entry, isTaken: false });
    },
    take: () => {
      const waiting = [...slots.values()].filter(({ isTaken }) => !isTaken);
      for (const slot of waiting) slot.isTaken = true;
      return waiting;
    },
    putBack: (entries) => {
      for (const entry of entries) {
        const slot = slots.get(toKey(entry));
        if (slot) slot.isTaken = false;
      }
    },
    drop,
    settle: (entries) => {
      drop(entries);
      for (const entry of entries) settled.set(entry.hash, entry);
    },
    find: (hash) =>
      settled.get(hash) ?? [...slots.values()].find((slot) => slot.hash === hash),
  };
}

function toKey({ operation, entryPoint }: Entry): string {
  return `${entryPoint.version} ${operation.sender} ${operation.nonce}`;
}

function checkAgainst(other: Slot | undefined, { hash, operation }: Entry): void {
  if (!other) return;
  if (other.hash === hash) throw toRefusal('already known');
  if (other.isTaken) {
    throw toRefusal('another operation with this nonce is in a bundle already');
  }
  const isEnough = (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).every(
    (name) => operation[name] * 10n >= other.operation[name] * 11n,
  );
  if (isEnough) return;
  throw toRefusal(
    'replacement underpriced: both fees must be 10 % above those of the operation that waits',
  );
}

function toRefusal(message: string): RpcFailure {
  return new RpcFailure({ code: -32602, message });
}
