// What a site can look up of user operations, and on which chain.
import type { Json } from '@metamask/utils';

import { callersOf } from '../../support/callers';
import { askedOf } from '../../support/fake-node';
import { createOperationBench } from '../../support/operation-bench';
import { refusalOf } from '../../support/refusal';
import { foundOperation } from '../../support/sent-operations';
import { hashOf } from '../../support/sent-transactions';
import { createAccount, createTestApp, DAPP } from '../../support/test-app';

const BY_HASH = 'eth_getUserOperationByHash';

const RECEIPT = 'eth_getUserOperationReceipt';

const ENTRY_POINTS = 'eth_supportedEntryPoints';

describe('looking up a user operation', () => {
  it.each([BY_HASH, RECEIPT])('answers null where it is unknown: %s', async (name) => {
    const { call } = await createOperationBench();
    expect(await call(name, [hashOf(1)])).toBeNull();
  });

  it('answers what the bundler knows, as it tells it', async () => {
    const found = foundOperation(1) as Json;
    const { call } = await createOperationBench({ bundler: { [BY_HASH]: found } });
    expect(await call(BY_HASH, [hashOf(1)])).toStrictEqual(found);
  });

  it.each<[string, Json]>([
    [BY_HASH, []],
    [BY_HASH, ['0x12']],
    [RECEIPT, [hashOf(1), 7]],
    [ENTRY_POINTS, [1]],
    ['eth_chainId', ['0x1']],
  ])('refuses params that are malformed: %s %j', async (name, params) => {
    const { call, bundler } = await createOperationBench();
    expect(await refusalOf(call(name, params))).toHaveProperty('code', -32602);
    expect(askedOf(bundler)).toStrictEqual([]);
  });

  it.each([BY_HASH, RECEIPT])('needs a bundler: %s', async (name) => {
    const { app, call } = await createOperationBench();
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await refusalOf(call(name, [hashOf(1)]))).toStrictEqual({
      code: -32002,
      message:
        'No bundler is configured for eip155:1. Configure one with tollkeeper_setChain.',
    });
  });
});

describe('asking for the chain', () => {
  it('answers with the EntryPoints of its bundler', async () => {
    const { call, bundler } = await createOperationBench();
    expect(await call(ENTRY_POINTS, [])).toStrictEqual(
      bundler.answers.eth_supportedEntryPoints,
    );
  });

  /** The wallet is on chain 1; chain 5 has a node. */
  async function setup(
    options: Record<string, Json>[],
  ): Promise<(params?: Json) => Promise<Json>> {
    const app = createTestApp();
    const { rpc } = callersOf(app);
    Object.assign(app.edges.wallet.answers, { eth_call: '0x', eth_getCode: '0x' });
    await app.services.store.update((state) => ({
      ...state,
      chains: { 'eip155:5': { rpcUrl: 'https://node.example' } },
    }));
    for (const each of options) await createAccount(app, each);
    if (options.length > 0) await rpc(DAPP, 'eth_requestAccounts');
    return async (params = []) => rpc(DAPP, 'eth_chainId', params);
  }

  const smart = (salt: string, ...scopes: string[]): Record<string, Json> => ({
    type: 'eip155:erc4337',
    salt,
    scopes,
  });

  it.each<[string, Record<string, Json>[], string]>([
    ["the snap's own where no account was granted", [], '0x1'],
    ["the snap's own where an account has every chain", [{}], '0x1'],
    ['the only one of the account', [smart('0x0', 'eip155:5')], '0x5'],
    [
      'the one that all accounts share',
      [smart('0x0', 'eip155:5'), smart('0x1', 'eip155:5')],
      '0x5',
    ],
    [
      "the snap's own where there are several",
      [smart('0x0', 'eip155:5', 'eip155:1')],
      '0x1',
    ],
  ])('answers with %s', async (_which, options, chainId) => {
    expect(await (await setup(options))()).toBe(chainId);
  });

  it('answers with the one that is named outright', async () => {
    const ask = await setup([smart('0x0', 'eip155:5')]);
    expect(await ask({ scope: 'eip155:1', params: [] })).toBe('0x1');
  });
});
