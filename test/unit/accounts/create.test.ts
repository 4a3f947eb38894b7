import { privateKeyToAddress } from 'viem/accounts';

import type { Hex } from '../../../src/eth/hex';
import { createBench, indexOf } from '../../support/create-bench';
import { keyOfIndex } from '../../support/entropy';
import { createGate, settle } from '../../support/gate';
import { lower } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const KEY = '1f'.repeat(32);
const IMPORTED = 'Tollkeeper (imported)';

const addressOf = (index: number, source?: string): Hex =>
  lower(privateKeyToAddress(keyOfIndex(index, source)));

describe('creating a derived account', () => {
  it('stores the address of its key and where the key comes from, but no key', async () => {
    const { create, repository } = createBench();
    const { record, isNew } = await create();
    expect(isNew).toBe(true);
    expect(record).toStrictEqual({
      type: 'eip155:eoa',
      id: record.id,
      address: addressOf(0),
      key: { kind: 'derived', index: 0 },
    });
    expect(await repository.list()).toStrictEqual([record]);
  });

  it('takes the next free index, filling gaps first', async () => {
    const { create, remove } = createBench();
    const first = await create();
    await create({ index: 2 });
    expect(indexOf(await create())).toBe(1);
    expect(indexOf(await create())).toBe(3);
    await remove(first.record);
    expect(indexOf(await create())).toBe(0);
  });

  it('gives the account that is there for an index that exists', async () => {
    const { create, repository } = createBench();
    const { record } = await create({ index: 5 });
    expect(await create({ index: 5 })).toStrictEqual({ record, isNew: false });
    expect(await repository.list()).toHaveLength(1);
  });

  it('counts each entropy source by itself', async () => {
    const { create } = createBench();
    await create();
    const { record } = await create({ entropySource: 'second' });
    expect(record).toMatchObject({
      address: addressOf(0, 'second'),
      key: { kind: 'derived', index: 0, entropySource: 'second' },
    });
  });

  it('passes over the index whose key was imported', async () => {
    const { create } = createBench();
    await create({ privateKey: keyOfIndex(0) });
    expect(indexOf(await create())).toBe(1);
  });

  it('passes over what the primary source holds when it is named outright', async () => {
    const { create } = createBench();
    await create();
    expect(indexOf(await create({ entropySource: 'primary' }))).toBe(1);
  });

  it('gives fifty accounts made at once fifty indices', async () => {
    const { create, repository } = createBench();
    const made = await Promise.all(Array.from({ length: 50 }, () => create()));
    expect(made.every(({ isNew }) => isNew)).toBe(true);
    const indices = made.map(indexOf).sort((one, other) => one - other);
    expect(indices).toStrictEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(await repository.list()).toHaveLength(50);
  });

  it('gives the index to the next one if MetaMask does not take the account', async () => {
    const { create, metamask, repository } = createBench();
    metamask.take = () => Promise.reject(new Error('declined'));
    await expect(create()).rejects.toThrow(new Error('declined'));
    expect(await repository.list()).toStrictEqual([]);
    metamask.take = () => Promise.resolve();
    expect(indexOf(await create())).toBe(0);
  });

  it('gives an index to no other account while MetaMask asks its user', async () => {
    const { create, metamask } = createBench();
    const { opened, open } = createGate();
    metamask.take = () => opened;
    const waiting = create();
    await settle();
    const next = create();
    await settle();
    open();
    expect(indexOf(await waiting)).toBe(0);
    expect(indexOf(await next)).toBe(1);
  });

  it('makes one account of an index that is asked for twice at once', async () => {
    const { create, repository } = createBench();
    const [one, other] = await Promise.all([
      create({ index: 0 }),
      create({ index: 0 }),
    ]);
    expect([one.isNew, other.isNew].sort()).toStrictEqual([false, true]);
    expect(one.record).toStrictEqual(other.record);
    expect(await repository.list()).toHaveLength(1);
  });
});

describe('importing an account', () => {
  it.each([KEY, `0x${KEY}`])('stores its key', async (privateKey) => {
    const { create } = createBench();
    const { record, isNew } = await create({ privateKey });
    expect(isNew).toBe(true);
    expect(record).toMatchObject({
      address: lower(privateKeyToAddress(`0x${KEY}`)),
      key: { kind: 'imported', privateKey: `0x${KEY}` },
    });
  });

  it.each([
    [
      'an import made twice',
      [{ privateKey: KEY }, { privateKey: `0x${KEY}` }],
      IMPORTED,
    ],
    [
      'an import of a derived account',
      [{ index: 0 }, { privateKey: keyOfIndex(0) }],
      'Tollkeeper 1',
    ],
    [
      'a derivation of an imported one',
      [{ privateKey: keyOfIndex(0) }, { index: 0 }],
      IMPORTED,
    ],
  ])('refuses %s', async (_what, [first, second], name) => {
    const { create, repository } = createBench();
    const { record } = await create(first);
    expect(await refusalOf(create(second))).toStrictEqual({
      code: -32602,
      message: `An account with the address ${record.address} exists already: ${name} (${record.id}).`,
    });
    expect(await repository.list()).toStrictEqual([record]);
  });
});
