import { createIndices } from '../../../src/accounts/indices';
import type { Indices } from '../../../src/accounts/indices';
import type { AccountRecord } from '../../../src/state/account-record';
import { createGate, settle } from '../../support/gate';
import { derivedRecord, importedRecord, smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const EOA = { type: 'eip155:eoa' } as const;
const SMART = { type: 'eip155:erc4337' } as const;

type Bench = { indices: Indices; records: AccountRecord[] };

function setup(...records: AccountRecord[]): Bench {
  const indices = createIndices(async () => {
    await settle();
    return [...records];
  });
  return { indices, records };
}

const give = (index: number): Promise<number> => Promise.resolve(index);

describe('the next free index', () => {
  it.each([
    ['0 where nothing is', [], 0],
    ['the first after those that are taken', [derivedRecord(0), derivedRecord(1)], 2],
    ['that of a gap', [derivedRecord(0), derivedRecord(2)], 1],
    ['not moved by imports', [importedRecord()], 0],
    ['not moved by smart accounts', [smartRecord()], 0],
    ['not moved by another source', [derivedRecord(0, 'second')], 0],
  ] as [string, AccountRecord[], number][])('is %s', async (_what, records, index) => {
    const { indices } = setup(...records);
    expect(await indices.withNext(EOA, give)).toBe(index);
  });

  it('is counted by type and by entropy source', async () => {
    const second = { kind: 'derived', index: 0, entropySource: 'second' } as const;
    const { indices } = setup(smartRecord(), smartRecord({ key: second, salt: '0x1' }));
    const source = { entropySource: 'second' };
    expect(await indices.withNext(SMART, give)).toBe(1);
    expect(await indices.withNext({ ...SMART, ...source }, give)).toBe(1);
    expect(await indices.withNext({ ...EOA, ...source }, give)).toBe(0);
    expect(await indices.withNext({ ...SMART, entropySource: 'third' }, give)).toBe(0);
  });

  it('is used once: what using it answers is the result, whatever it is', async () => {
    const { indices } = setup();
    const used: number[] = [];
    const results: unknown[] = [null, false, 0, ''];
    for (const result of results) {
      const answer = await indices.withNext(EOA, (index) => {
        used.push(index);
        return Promise.resolve(result);
      });
      expect(answer).toBe(result);
    }
    expect(used).toStrictEqual([0, 0, 0, 0]);
  });
});

describe('numbers in use', () => {
  it('are fifty for fifty calls at once', async () => {
    const { indices } = setup(derivedRecord(1));
    const { opened, open } = createGate();
    const given: number[] = [];
    const calls = Array.from({ length: 50 }, () =>
      indices.withNext(EOA, async (index) => {
        given.push(index);
        await opened;
        return index;
      }),
    );
    await settle();
    await settle();
    const expected = [0, ...Array.from({ length: 49 }, (_, index) => index + 2)];
    expect(given).toStrictEqual(expected);
    open();
    expect(await Promise.all(calls)).toStrictEqual(expected);
  });

  it('are in use in their own space only', async () => {
    const { indices } = setup();
    const { opened, open } = createGate();
    const spaces = [
      EOA,
      SMART,
      { ...EOA, entropySource: 'undefined' },
      { ...EOA, entropySource: '' },
      { ...SMART, entropySource: 'second' },
    ];
    const calls = spaces.map((space) =>
      indices.withNext(space, async (index) => {
        await opened;
        return index;
      }),
    );
    await settle();
    open();
    expect(await Promise.all(calls)).toStrictEqual([0, 0, 0, 0, 0]);
  });

  it('are free again once they were used without an account', async () => {
    const { indices } = setup();
    expect(await indices.withNext(EOA, give)).toBe(0);
    expect(await indices.withNext(EOA, give)).toBe(0);
  });

  it('are free again if using them failed, which the caller learns', async () => {
    const { indices } = setup();
    const fail = (): Promise<never> => Promise.reject(new Error('declined'));
    await expect(indices.withNext(EOA, fail)).rejects.toThrow(new Error('declined'));
    expect(await indices.withNext(EOA, give)).toBe(0);
  });

  it('are taken by nobody if the accounts cannot be listed', async () => {
    const lists = [
      () => Promise.reject(new Error('locked')),
      () => Promise.resolve([]),
    ];
    const indices = createIndices(async () => lists.shift()?.() ?? []);
    await expect(indices.withNext(EOA, give)).rejects.toThrow(new Error('locked'));
    expect(await indices.withNext(EOA, give)).toBe(0);
  });
});

describe('numbers that do not serve', () => {
  it('are passed over, and free for others meanwhile', async () => {
    const { indices } = setup(derivedRecord(1));
    const tried: number[] = [];
    const result = await indices.withNext(EOA, (index) => {
      tried.push(index);
      return Promise.resolve(index < 3 ? undefined : `account ${index}`);
    });
    expect(result).toBe('account 3');
    expect(tried).toStrictEqual([0, 2, 3]);
    expect(await indices.withNext(EOA, give)).toBe(0);
  });

  it('are followed by none that was taken meanwhile', async () => {
    const { indices, records } = setup();
    const { opened, open } = createGate();
    const tried: number[] = [];
    const searching = indices.withNext(EOA, async (index) => {
      tried.push(index);
      await opened;
      return index === 0 ? undefined : index;
    });
    await settle();
    await indices.withNext(EOA, (index) => {
      records.push(derivedRecord(index));
      return give(index);
    });
    open();
    expect(await searching).toBe(2);
    expect(tried).toStrictEqual([0, 2]);
  });

  it('end the search after a hundred', async () => {
    const { indices } = setup(derivedRecord(7));
    const tried: number[] = [];
    const search = indices.withNext(EOA, (index) => {
      tried.push(index);
      return Promise.resolve(undefined);
    });
    expect(await refusalOf(search)).toStrictEqual({
      code: -32002,
      message: 'No free index was found in 100 attempts; name one.',
    });
    const expected = Array.from({ length: 101 }, (_, index) => index);
    expect(tried).toStrictEqual(expected.filter((index) => index !== 7));
  });

  it('still leave one for the hundredth attempt', async () => {
    const { indices } = setup();
    const use = (index: number): Promise<number | undefined> =>
      Promise.resolve(index < 99 ? undefined : index);
    expect(await indices.withNext(EOA, use)).toBe(99);
  });
});
