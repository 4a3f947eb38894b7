// Look-ups by sites: stored receipts, chains and refusals.
import type { Json } from '@metamask/utils';

import { gasAnswer } from '../fixtures/client/gas-answer';
import { methodRows } from '../fixtures/client/method-rows';
import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import { answering, serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import { storeActivity, storeChains } from '../support/given';
import { createOperationBench } from '../support/operation-bench';
import { HASH, RECEIPT, TRANSACTION as FOUND } from '../support/receipts';
import { expectRefusal, refusalOf } from '../support/refusal';
import { foundOperation, pendingOperation } from '../support/sent-operations';
import { hashOf } from '../support/sent-transactions';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  OTHER_SITE,
} from '../support/test-app';
import { without } from '../support/without';

const GET_RECEIPT = 'eth_getTransactionReceipt';

const GET_OPERATION_RECEIPT = 'eth_getUserOperationReceipt';

const OTHER_CHAIN = 'eip155:5';

/** Stores receipts of a transaction and an operation, and makes servers refuse to look them up. */
async function setup() {
  const bench = await createCallsBench();
  const { edges, operations, smart, bundler } = bench;
  const transaction = await bench.send();
  bench.mine(transaction);
  const calls = [{ to: smart.address, value: '0x1' }];
  await bench.sendCalls({ from: smart.address, calls });
  const [operation = '0x'] = operations.keys();
  bench.include(operation);
  const answerBefore = edges.wallet.answers.eth_call;
  edges.wallet.answers.eth_call = `0x${'f'.repeat(64)}`;
  await bench.poll(3_000);
  edges.wallet.answers.eth_call = answerBefore ?? null;
  const broken = refuses('out of order');
  Object.assign(edges.wallet.answers, {
    [GET_RECEIPT]: broken,
    eth_getTransactionByHash: broken,
  });
  bundler.answers[GET_OPERATION_RECEIPT] = broken;
  return { ...bench, transaction, operation };
}

describe('a stored receipt', () => {
  it('is returned for a hash in any case, but only to a site with access to the account', async () => {
    const { app, call, transaction, send, edges } = await setup();
    const { rpc } = callersOf(app);
    const hash = transaction as string;
    const upper = `0x${hash.slice(2).toUpperCase()}`;
    expect(await call(GET_RECEIPT, [upper])).toStrictEqual({
      ...RECEIPT,
      transactionHash: hash,
    });
    edges.wallet.answers.eth_getTransactionByHash = null;
    const pending = await send({ value: '0x2' });
    for (const [origin, unavailable] of [
      [OTHER_SITE, hash],
      [DAPP, `0x${'11'.repeat(32)}`],
      [DAPP, pending],
    ] as const) {
      expect(await refusalOf(rpc(origin, GET_RECEIPT, [unavailable]))).toStrictEqual({
        code: -32000,
        message: `${GET_RECEIPT} at the wallet's node failed: out of order.`,
      });
    }
    await app.services.grants.revoke(DAPP);
    await expectRefusal(call(GET_RECEIPT, [hash]), -32000);
  });

  it('is not returned to a site with access only to another account', async () => {
    const { app, call, transaction, operation, smart } = await setup();
    const { grants } = app.services;
    const [ordinary] = await grants.list(DAPP);
    await grants.set(DAPP, [smart.id]);
    await expectRefusal(call(GET_RECEIPT, [transaction]), -32000);
    expect(await call(GET_OPERATION_RECEIPT, [operation])).toHaveProperty(
      'userOpHash',
      operation,
    );
    await grants.set(DAPP, [ordinary?.id ?? '']);
    await expectRefusal(call(GET_OPERATION_RECEIPT, [operation]), -32000);
    expect(await call(GET_RECEIPT, [transaction])).toHaveProperty('status', '0x1');
  });

  it('is not used for another method, or if the node answers', async () => {
    const { call, transaction, edges } = await setup();
    await expectRefusal(call('eth_getTransactionByHash', [transaction]), -32000);
    edges.wallet.answers[GET_RECEIPT] = { ...RECEIPT, gasUsed: '0x1' };
    expect(await call(GET_RECEIPT, [transaction])).toHaveProperty('gasUsed', '0x1');
  });

  it('is not returned by the method for the other kind of receipt', async () => {
    const { call, transaction, operation } = await setup();
    const requests = [
      call(GET_OPERATION_RECEIPT, [transaction]),
      call(GET_RECEIPT, [operation]),
    ];
    const refusals = await Promise.all(requests.map(refusalOf));
    expect(refusals).toMatchObject([{ code: -32000 }, { code: -32000 }]);
  });

  it('is not used for a user operation without a bundler', async () => {
    const { call, app, transaction } = await setup();
    await storeChains(app, {});
    const request = call(GET_OPERATION_RECEIPT, [transaction]);
    await expectRefusal(request, -32002, 'No bundler is configured');
  });

  it.each([GET_RECEIPT, GET_OPERATION_RECEIPT])(
    'is not returned if the request names another chain: %s',
    async (method) => {
      const { app, edges, transaction, operation } = await setup();
      const other = createFakeNode({ [method]: refuses('no') });
      const url = 'https://other-chain.example';
      edges.network.serve(url, serving(other));
      await storeChains(app, { [OTHER_CHAIN]: { rpcUrl: url, bundlerUrl: url } });
      const hash = method === GET_RECEIPT ? transaction : operation;
      const ask = async (): Promise<Json> =>
        callersOf(app).rpc(DAPP, method, { scope: OTHER_CHAIN, params: [hash] });
      await expectRefusal(ask(), -32000);
      other.answers[method] = null;
      other.answers.eth_getTransactionByHash = null;
      expect(await ask()).toBeNull();
    },
  );
});

const SUGGESTED = 'gas_suggestedGasFees';

const PERCENTILE = 'gas_baseFeePercentile';

const LEVELS = 'tollkeeper_getFeeLevels';

const LINEA = 'eip155:59144';

/** Sets up the wallet on chain 1, and a node and a gas API for chain 5. No site has a grant. */
async function setupChains() {
  const app = createTestApp();
  const { edges } = app;
  Object.assign(edges.wallet.answers, {
    [GET_RECEIPT]: RECEIPT,
    eth_getTransactionByHash: FOUND,
  });
  const node = createFakeNode({
    eth_getTransactionByHash: { ...FOUND, chainId: '0x5' },
    eth_gasPrice: '0x7',
  });
  edges.network.serve('https://node.example', serving(node));
  const gas = 'https://gas.example/networks/5';
  edges.network.serve(`${gas}/suggestedGasFees`, answering(gasAnswer));
  const percentile = { baseFeePercentile: '23.227829059' };
  edges.network.serve(`${gas}/baseFeePercentile`, answering(percentile));
  const rpcUrl = 'https://node.example';
  await storeChains(app, {
    'eip155:5': { rpcUrl, gasBaseUrl: 'https://gas.example' },
    'eip155:6': { rpcUrl },
    [LINEA]: { rpcUrl },
  });
  return {
    ...callersOf(app),
    app,
    edges,
    /** Node of chains 5 and 6, which have no base fee, and of Linea. */
    node,
  };
}

const feeLevels = {
  source: 'fee-history',
  ageMs: 0,
  estimatedBaseFee: '0x3b9aca00',
  low: { maxFeePerGas: '0x59777140', maxPriorityFeePerGas: '0xf4240' },
  medium: { maxFeePerGas: '0x65ec8780', maxPriorityFeePerGas: '0x989680' },
  high: { maxFeePerGas: '0x7d2b7500', maxPriorityFeePerGas: '0x5f5e100' },
};

describe('a look-up', () => {
  const withScope = { scope: 'eip155:5', params: [HASH] };
  const suggested = without(gasAnswer, 'version');
  const percentile = { baseFeePercentile: '23.227829059' };

  it.each<[string, unknown, Json]>([
    [GET_RECEIPT, [HASH], RECEIPT],
    ['eth_getTransactionByHash', { params: [HASH] }, FOUND],
    ['eth_getTransactionByHash', withScope, { ...FOUND, chainId: '0x5' }],
    [LEVELS, undefined, feeLevels],
    [LEVELS, [], feeLevels],
    [LEVELS, { scope: 'eip155:1', params: [] }, feeLevels],
    [SUGGESTED, ['0x5'], suggested],
    [SUGGESTED, { params: [5] }, suggested],
    [PERCENTILE, ['5'], percentile],
    [PERCENTILE, { scope: '0x5', params: ['eip155:5'] }, percentile],
    [PERCENTILE, ['0x1'], { baseFeePercentile: '1', source: 'fee-history' }],
  ])('is answered without a grant: %s %j', async (method, params, answer) => {
    const { rpc, edges } = await setupChains();
    expect(await rpc(DAPP, method, params)).toStrictEqual(answer);
    expect(await rpc(COMPANION, method, params)).toStrictEqual(answer);
    expect(edges.dialogs.shown).toStrictEqual([]);
  });

  // Nodes of other chains return transactions without a signature or a price, or with extra fields.
  it.each<[type: string, fields: Record<string, Json>]>([
    ['0x6', { frames: [{ mode: '0x0', target: HASH.slice(0, 42), data: '0x' }] }],
    ['0x79', { accountChanges: [], calls: [[]], nonceKey: '0x0' }],
    ['0x7b', { feeCurrency: `0x${'c3'.repeat(20)}`, maxFeePerGas: '0x1' }],
    ['0x7c', { feeCurrency: null, gatewayFee: '0x0', gatewayFeeRecipient: null }],
    [
      '0x7e',
      {
        sourceHash: HASH,
        mint: '0x0',
        isSystemTx: false,
        gasPrice: '0x0',
        v: '0x0',
      },
    ],
  ])('returns a transaction of type %s', async (type, fields) => {
    const { rpc, edges } = await setupChains();
    const answer = { ...FOUND, type, ...fields };
    edges.wallet.answers.eth_getTransactionByHash = answer;
    edges.wallet.answers[GET_RECEIPT] = { ...RECEIPT, type };
    const read = await rpc(DAPP, 'eth_getTransactionByHash', [HASH]);
    expect(read).toMatchObject({ hash: HASH, type, ...fields });
    expect(await rpc(DAPP, GET_RECEIPT, [HASH])).toHaveProperty('type', type);
  });

  it('falls back to the fee history without a gas API', async () => {
    const { rpc } = await setupChains();
    expect(await rpc(DAPP, SUGGESTED, ['0x1'])).toMatchObject({
      estimatedBaseFee: '1',
      low: { suggestedMaxFeePerGas: '1.501' },
      source: 'fee-history',
    });
  });

  const chain = 'must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").';
  const hash = 'a 32-byte value in hex (0x and 64 digits).';

  it.each<[string, unknown, string]>([
    [GET_RECEIPT, [], `params[0] is missing: it must be ${hash}`],
    [GET_RECEIPT, ['0x12'], `params[0] must be ${hash}`],
    [GET_RECEIPT, [HASH, 1], 'params[1] is not expected here.'],
    [GET_RECEIPT, HASH, 'params must be an array.'],
    [
      GET_RECEIPT,
      { hash: HASH },
      'params must be an array, or an object { account?, scope?, params }.',
    ],
    [GET_RECEIPT, { scope: 'mainnet', params: [HASH] }, `params.scope ${chain}`],
    [LEVELS, ['0x1'], 'params must be an empty array.'],
    [LEVELS, { params: [], chain: 1 }, 'params.chain is not expected here.'],
    [SUGGESTED, [], `params[0] is missing: it ${chain}`],
    [SUGGESTED, ['eip155:0'], `params[0] ${chain}`],
    [SUGGESTED, [1.5], `params[0] ${chain}`],
    ['eth_chainId', ['0x1'], 'params must be an empty array.'],
    ['rollup_estimateGas', [{ to: '0x1' }], 'params[0].to must be'],
    [
      'eth_getUncleByBlockNumberAndIndex',
      ['safe', '0x0'],
      'params[0] must be a block number in hex, or one of latest, earliest, pending, ' +
        'finalized (safe is not served: use finalized).',
    ],
  ])(
    'is rejected with the name of the param, before a request to a server: %s %j',
    async (method, params, reason) => {
      const { rpc, edges } = await setupChains();
      await expectRefusal(rpc(DAPP, method, params), -32602, `${method}: ${reason}`);
      expect([edges.wallet.calls, edges.network.sent]).toStrictEqual([[], []]);
    },
  );

  it.each<[string, Json, number, string]>([
    [
      'eth_getTransactionByHash',
      { scope: 'eip155:9', params: [HASH] },
      -32002,
      'MetaMask does not have the network eip155:9.',
    ],
    [
      PERCENTILE,
      { scope: 'eip155:1', params: ['0x5'] },
      -32602,
      'The request is for eip155:1, but its content is for eip155:5.',
    ],
    [LEVELS, { scope: 'eip155:6', params: [] }, -32000, 'no price today'],
    ['rollup_estimateGas', { scope: LINEA, params: [{}] }, -32601, 'linea_estimateGas'],
  ])('is rejected: %s %j', async (method, params, ...[code, reason]) => {
    const { rpc, node } = await setupChains();
    node.answers.eth_gasPrice = refuses('no price today');
    await expectRefusal(rpc(DAPP, method, params), code, reason);
  });

  it.each(
    (
      ['eth_getUncleByBlockHashAndIndex', 'eth_getUncleByBlockNumberAndIndex'] as const
    ).flatMap((method) =>
      methodRows[method].params.map((params) => [method, params as Json] as const),
    ),
  )("returns the node's answer unchanged: %s %j", async (method, params) => {
    const { rpc, node } = await setupChains();
    for (const result of methodRows[method].results as Json[]) {
      node.answers[method] = result;
      const answer = rpc(DAPP, method, { scope: LINEA, params });
      expect(await answer).toStrictEqual(result);
      expect(node.calls.at(-1)).toMatchObject({ method, params });
    }
  });

  it("uses the chain's own method name for a rollup's estimate", async () => {
    const { rpc, node } = await setupChains();
    const estimate = {
      gasLimit: '0x5208',
      baseFeePerGas: '0x7',
      priorityFeePerGas: '0x9',
    };
    node.answers.linea_estimateGas = estimate;
    const params = [{ value: '0x1' }];
    const answer = rpc(DAPP, 'rollup_estimateGas', { scope: LINEA, params });
    expect(await answer).toStrictEqual(estimate);
    expect(node.calls).toMatchObject([{ method: 'linea_estimateGas', params }]);
  });
});

describe('a bundler look-up', () => {
  const BY_HASH = 'eth_getUserOperationByHash';
  const ENTRY_POINTS = 'eth_supportedEntryPoints';

  it("returns the bundler's answer unchanged, and rejects invalid params", async () => {
    const { call, bundler, app } = await createOperationBench();
    expect(await call(BY_HASH, [hashOf(1)])).toBeNull();
    expect(await call(GET_OPERATION_RECEIPT, [hashOf(1)])).toBeNull();
    const found = foundOperation(1) as Json;
    bundler.answers[BY_HASH] = found;
    expect(await call(BY_HASH, [hashOf(1)])).toStrictEqual(found);
    const { [ENTRY_POINTS]: supported } = bundler.answers;
    expect(await call(ENTRY_POINTS, [])).toStrictEqual(supported);
    const count = bundler.calls.length;
    for (const [name, params] of [
      [BY_HASH, []],
      [BY_HASH, ['0x12']],
      [GET_OPERATION_RECEIPT, [hashOf(1), 7]],
      [ENTRY_POINTS, [1]],
    ] as const) {
      await expectRefusal(call(name, params as never), -32602);
    }
    expect(bundler.calls).toHaveLength(count);
    await storeChains(app, {});
    await expectRefusal(call(BY_HASH, [hashOf(1)]), -32002);
  });
});

describe('a looked-up user operation of an account', () => {
  it('is refused if the bundler answers with another one', async () => {
    const { call, bundler, app } = await createOperationBench();
    await storeActivity(app, [pendingOperation(1)]);
    const method = 'eth_getUserOperationByHash';
    const { userOperation, ...found } = foundOperation(1);
    bundler.answers[method] = { ...found, userOperation };
    expect(await call(method, [hashOf(1)])).toMatchObject({ userOperation });
    const other = { ...userOperation, nonce: '0x8' };
    bundler.answers[method] = { ...found, userOperation: other };
    await expectRefusal(call(method, [hashOf(1)]), -32002, 'gave an invalid answer');
  });
});

describe('eth_chainId', () => {
  const smart = (salt: string, ...scopes: string[]): Record<string, Json> => ({
    type: 'eip155:erc4337',
    salt,
    scopes,
  });

  it.each<[string, Record<string, Json>[], string, Json]>([
    ['the default chain without a granted account', [], '0x1', []],
    ['the default chain if an account supports every chain', [{}], '0x1', []],
    ['the only chain of the account', [smart('0x0', 'eip155:5')], '0x5', []],
    [
      'the chain that all accounts share',
      [smart('0x0', 'eip155:5'), smart('0x1', 'eip155:5')],
      '0x5',
      [],
    ],
    [
      'the default chain if the account has several',
      [smart('0x0', 'eip155:5', 'eip155:1')],
      '0x1',
      [],
    ],
    [
      'the chain that the request names',
      [smart('0x0', 'eip155:5')],
      '0x1',
      { scope: 'eip155:1', params: [] },
    ],
  ])('is %s', async (_which, accounts, ...[chainId, params]) => {
    const { app, rpc } = await setupChains();
    Object.assign(app.edges.wallet.answers, { eth_call: '0x', eth_getCode: '0x' });
    for (const each of accounts) await createAccount(app, each);
    if (accounts.length > 0) await rpc(DAPP, 'eth_requestAccounts');
    expect(await rpc(DAPP, 'eth_chainId', params)).toBe(chainId);
  });
});
