import type { Json } from '@metamask/utils';

import type { Announced } from '../../../src/keyring/announce';
import { callersOf } from '../../support/callers';
import { createGate, settle } from '../../support/gate';
import { createKeyringBench } from '../../support/keyring-bench';
import type { KeyringBench } from '../../support/keyring-bench';
import { refusalOf } from '../../support/refusal';
import { COMPANION } from '../../support/test-app';

type Bench = KeyringBench & {
  range: (options: Record<string, Json>) => Promise<Announced>;
  rpc: (method: string) => Promise<Json>;
};

function setup(): Bench {
  const bench = createKeyringBench();
  const rpc = async (method: string, params: Json = []): Promise<Json> =>
    callersOf(bench.app).rpc(COMPANION, method, params);
  return Object.assign(bench, {
    rpc,
    range: async (options: Record<string, Json>) =>
      (await rpc('tollkeeper_createAccounts', [options])) as unknown as Announced,
  });
}

describe('creating a range of accounts', () => {
  it('creates each, and tells MetaMask of each', async () => {
    const { range, sides, metamask } = setup();
    const { accounts, declined, failed, skipped } = await range({ from: 2, count: 3 });
    expect(accounts.map(({ options }) => options.index)).toStrictEqual([2, 3, 4]);
    expect([declined, failed, skipped]).toStrictEqual([[], [], []]);
    expect(metamask.asked).toHaveLength(3);
    expect((await sides()).snap).toHaveLength(3);
  });

  it('gives the accounts that are there', async () => {
    const { create, range, metamask } = setup();
    const first = await create();
    const { accounts } = await range({ count: 2 });
    expect(accounts[0]).toStrictEqual(first);
    expect(accounts).toHaveLength(2);
    expect(metamask.asked).toHaveLength(2);
  });

  it('takes the options of smart accounts', async () => {
    const { range } = setup();
    const options = { type: 'eip155:erc4337', entryPoint: '0.8', salt: '0x7' };
    const { accounts } = await range({ count: 2, scopes: ['eip155:5'], ...options });
    expect(accounts).toMatchObject([
      { type: 'eip155:erc4337', scopes: ['eip155:5'], options: { salt: '0x7' } },
      { options: { index: 1, entryPoint: '0.8' } },
    ]);
  });

  it('leaves out what is declined, and says what', async () => {
    const { range, metamask, sides } = setup();
    let asked = 0;
    metamask.decide = () => Promise.resolve((asked += 1) !== 2);
    const { accounts, declined } = await range({ count: 3 });
    expect(accounts.map(({ options }) => options.index)).toStrictEqual([0, 2]);
    expect(declined).toMatchObject([{ name: 'Tollkeeper 2' }]);
    expect((await sides()).snap).toHaveLength(2);
  });

  it('tells how far it has come, and ends when it is cancelled', async () => {
    const { range, rpc, metamask } = setup();
    const { opened, open } = createGate();
    metamask.decide = async () => {
      await opened;
      return true;
    };
    expect(await rpc('tollkeeper_getProgress')).toBeNull();
    const creating = range({ count: 3 });
    await settle();
    expect(await rpc('tollkeeper_getProgress')).toStrictEqual({
      phase: 'announcing',
      done: 0,
      total: 3,
    });
    expect(await refusalOf(range({ count: 1 }))).toStrictEqual({
      code: -32005,
      message:
        'Accounts are being created or restored already; see tollkeeper_getProgress.',
    });
    expect(await rpc('tollkeeper_cancelProgress')).toBe(true);
    open();
    const { accounts, skipped } = await creating;
    expect(accounts).toHaveLength(1);
    expect(skipped).toMatchObject([{ name: 'Tollkeeper 2' }, { name: 'Tollkeeper 3' }]);
    expect(await rpc('tollkeeper_getProgress')).toBeNull();
    expect(await rpc('tollkeeper_cancelProgress')).toBe(false);
  });

  it('fails as a whole if the state fails, and can be asked for again', async () => {
    const { range, app, sides } = setup();
    app.edges.backend.failNextSave = new Error('The disk is full.');
    expect(await refusalOf(range({ count: 2 }))).toHaveProperty('code', -32603);
    expect((await range({ count: 2 })).accounts).toHaveLength(2);
    expect((await sides()).snap).toHaveLength(2);
  });

  it.each<[string, Record<string, Json>]>([
    ['.count is missing: it must be an integer from 1 to 100', {}],
    ['.count must be an integer from 1 to 100', { count: 101 }],
    ['.from must be an integer from 0 to 2147483647', { from: -1, count: 1 }],
    [
      ': the last index must be an integer from 0 to 2147483647',
      { from: 2147483647, count: 2 },
    ],
    ['.privateKey is not expected here', { count: 1, privateKey: '1f'.repeat(32) }],
    ['.index is not expected here', { count: 1, index: 1 }],
    ['.colour is not expected here', { count: 1, colour: 'red' }],
    [': salt is for accounts of type eip155:erc4337', { count: 1, salt: '0x1' }],
  ])('refuses what is wrong: params%s', async (reason, options) => {
    const { range, metamask } = setup();
    expect(await refusalOf(range(options))).toStrictEqual({
      code: -32602,
      message: `tollkeeper_createAccounts: params${reason}.`,
    });
    expect(metamask.asked).toStrictEqual([]);
  });
});
