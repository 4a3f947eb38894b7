import { privateKeyToAddress } from 'viem/accounts';

import type { EntryPointVersion } from '../../../src/eth/entry-point';
import { entryPointVersions } from '../../../src/eth/entry-point';
import type { Hex } from '../../../src/eth/hex';
import { createBench, indexOf } from '../../support/create-bench';
import { ownerKeyOfIndex } from '../../support/entropy';
import { lower } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const FACTORY = '0x00000000000000000000000000000000000000ab';
const KEY = '1f'.repeat(32);

const ownerOf = (index: number, version: EntryPointVersion): Hex =>
  lower(privateKeyToAddress(ownerKeyOfIndex(index, version)));

describe('creating a smart account', () => {
  const smart = { type: 'eip155:erc4337' };
  const custom = { entryPoint: '0.6', factory: FACTORY };

  it('stores all that its address depends on, and its chains', async () => {
    const { create } = createBench();
    const { record } = await create({ ...smart, salt: '0x2a', scopes: ['eip155:5'] });
    expect(record).toStrictEqual({
      type: 'eip155:erc4337',
      id: record.id,
      address: record.address,
      owner: ownerOf(0, '0.7'),
      entryPoint: '0.7',
      factory: '0x91e60e0613810449d098b0b5ec8b51a0fe8c8985',
      salt: '0x2a',
      key: { kind: 'derived', index: 0 },
      scopes: ['eip155:5'],
    });
  });

  it('counts its indices apart from those of other accounts', async () => {
    const { create } = createBench();
    await create();
    expect(indexOf(await create(smart))).toBe(0);
    expect(indexOf(await create(smart))).toBe(1);
  });

  it('gives the account of each version at one index an owner of its own', async () => {
    const { create } = createBench();
    for (const version of entryPointVersions) {
      const { record } = await create({ ...smart, index: 3, entryPoint: version });
      expect(record).toHaveProperty('owner', ownerOf(3, version));
    }
  });

  it('takes the address that a custom factory gives', async () => {
    const { create, factory } = createBench();
    const { record } = await create({ ...smart, ...custom });
    expect(record).toMatchObject({ address: factory.address, factory: FACTORY });
  });

  it('may belong to an imported key', async () => {
    const { create } = createBench();
    const { record } = await create({ ...smart, privateKey: KEY });
    expect(record).toMatchObject({
      owner: lower(privateKeyToAddress(`0x${KEY}`)),
      key: { kind: 'imported', privateKey: `0x${KEY}` },
    });
  });

  it('is refused where the factory gives the address of another account', async () => {
    const { create, factory } = createBench();
    const { record } = await create({ index: 0 });
    factory.address = record.address;
    const placed = create({ ...smart, index: 0, ...custom });
    expect(await refusalOf(placed)).toStrictEqual({
      code: -32602,
      message: `An account with the address ${record.address} exists already: Tollkeeper 1 (${record.id}).`,
    });
  });
});
