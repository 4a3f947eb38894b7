import type { SentTransaction } from '../../../src/state/sent-transaction';
import { createLedgerBench } from '../../support/ledger-bench';
import { refusalOf } from '../../support/refusal';
import { hashOf, pendingOf, SENT } from '../../support/sent-transactions';

const settledOf = (n: number): SentTransaction => ({
  ...SENT,
  hash: hashOf(n),
  sentAt: n,
});

const many = (count: number, make: (n: number) => SentTransaction): SentTransaction[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

const hashesOf = (sent: readonly SentTransaction[]): string[] =>
  sent.map(({ hash }) => hash);

describe('reading what was sent', () => {
  it('lists the newest first, and what is pending oldest first', async () => {
    const all = [pendingOf(2), settledOf(1), pendingOf(4), pendingOf(3)];
    const { ledger } = createLedgerBench(all);
    const [second, first, fourth, third] = all;
    expect(await ledger.list()).toStrictEqual([fourth, third, second, first]);
    expect(await ledger.listPending()).toStrictEqual([second, third, fourth]);
  });

  it('finds by the hash, also in other case', async () => {
    const sent = pendingOf(0xabc);
    const { ledger } = createLedgerBench([sent, pendingOf(1)]);
    expect(await ledger.find(sent.hash)).toStrictEqual(sent);
    const upper = `0x${sent.hash.slice(2).toUpperCase()}` as const;
    expect(await ledger.find(upper)).toStrictEqual(sent);
    expect(await ledger.find(hashOf(2))).toBeUndefined();
  });
});

describe('keeping what is about to be sent', () => {
  it('stores it beside the others', async () => {
    const { ledger, stored } = createLedgerBench([settledOf(1)]);
    await ledger.add(pendingOf(2));
    expect(stored()).toStrictEqual([settledOf(1), pendingOf(2)]);
  });

  it('forgets the oldest that is settled when there are a hundred', async () => {
    const before = [pendingOf(1), ...many(100, (n) => settledOf(n + 1)).slice(0, 99)];
    const { ledger } = createLedgerBench(before);
    await ledger.add(pendingOf(200));
    const kept = hashesOf(await ledger.list());
    expect(kept).toHaveLength(100);
    expect(kept).toContain(hashOf(1));
    expect(kept).not.toContain(hashOf(2));
    expect(kept).toContain(hashOf(3));
  });

  it('refuses one more when a hundred are pending, and stores nothing', async () => {
    const { ledger, backend } = createLedgerBench(many(100, pendingOf));
    expect(await refusalOf(ledger.add(pendingOf(101)))).toStrictEqual({
      code: -32005,
      message:
        '100 transactions that were sent are pending; wait until some are included.',
    });
    expect(backend.saves).toBe(0);
  });

  it('changes nothing of what is pending already, though there are a hundred', async () => {
    const { ledger, backend, stored } = createLedgerBench(many(100, pendingOf));
    const undo = await ledger.add(pendingOf(1, { sentAt: 999, origin: 'x' }));
    await undo();
    expect(backend.saves).toBe(0);
    expect(stored()).toStrictEqual(many(100, pendingOf));
  });

  it('makes what was dropped pending again', async () => {
    const dropped = { ...settledOf(1), status: 'dropped' as const };
    const { ledger, stored } = createLedgerBench([dropped]);
    await ledger.add(pendingOf(1, { sentAt: 9 }));
    expect(stored()).toStrictEqual([pendingOf(1, { sentAt: 9 })]);
  });

  it('keeps nothing if it was written, and nobody said so', async () => {
    const { ledger, backend, stored } = createLedgerBench([settledOf(1)]);
    const { save } = backend;
    backend.save = async (document) => {
      await save(document);
      backend.save = save;
      throw new Error('Its answer was lost.');
    };
    await expect(ledger.add(pendingOf(2))).rejects.toThrow('Its answer was lost.');
    expect(hashesOf(stored())).toStrictEqual([hashOf(1)]);
  });

  it('keeps nothing if it cannot be written', async () => {
    const { ledger, backend, stored } = createLedgerBench();
    backend.failNextSave = new Error('disk full');
    await expect(ledger.add(pendingOf(1))).rejects.toThrow(new Error('disk full'));
    expect(await ledger.list()).toStrictEqual([]);
    await ledger.add(pendingOf(2));
    expect(stored()).toStrictEqual([pendingOf(2)]);
  });
});

describe('undoing it', () => {
  it('forgets what was never sent', async () => {
    const { ledger, stored } = createLedgerBench([settledOf(1)]);
    const undo = await ledger.add(pendingOf(2));
    await undo();
    expect(stored()).toStrictEqual([settledOf(1)]);
  });

  it('restores what was there before', async () => {
    const dropped = { ...settledOf(1), status: 'dropped' as const };
    const { ledger, stored } = createLedgerBench([dropped]);
    const undo = await ledger.add(pendingOf(1, { sentAt: 9 }));
    await undo();
    expect(stored()).toStrictEqual([dropped]);
  });

  it('leaves what has been settled meanwhile', async () => {
    const { ledger, stored } = createLedgerBench();
    const undo = await ledger.add(pendingOf(1));
    await ledger.update([settledOf(1)]);
    await undo();
    expect(stored()).toStrictEqual([settledOf(1)]);
  });

  it('leaves what somebody else had sent before, whatever became of it', async () => {
    const { ledger, stored } = createLedgerBench([pendingOf(1)]);
    const undo = await ledger.add(pendingOf(1, { sentAt: 9 }));
    await undo();
    expect(stored()).toStrictEqual([pendingOf(1)]);
  });
});

describe('storing new states', () => {
  it('takes those that are pending until now, in one write', async () => {
    const { ledger, backend, stored } = createLedgerBench([
      pendingOf(1),
      pendingOf(2),
      settledOf(3),
    ]);
    const late = { ...settledOf(3), status: 'replaced' as const };
    const changed = [settledOf(1), pendingOf(2, { absentSince: 5 }), late];
    const taken = await ledger.update([...changed, settledOf(4)]);
    expect(taken).toStrictEqual(changed.slice(0, 2));
    expect(stored()).toStrictEqual([...changed.slice(0, 2), settledOf(3)]);
    expect(backend.saves).toBe(1);
  });

  it('writes nothing where there is nothing to take', async () => {
    const { ledger, backend } = createLedgerBench([settledOf(1)]);
    expect(await ledger.update([settledOf(1)])).toStrictEqual([]);
    expect(await ledger.update([])).toStrictEqual([]);
    expect(backend.saves).toBe(0);
  });

  it('gives one poll alone what two of them have found', async () => {
    const { ledger } = createLedgerBench([pendingOf(1)]);
    const both = [ledger.update([settledOf(1)]), ledger.update([settledOf(1)])];
    expect(await Promise.all(both)).toStrictEqual([[settledOf(1)], []]);
  });
});
