// What may be left out of a request may be null as well, and lists may be empty: clients write
// absence in each of these ways. Answers, signatures and transactions are the same.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { createCallsBench, batchFrom } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { refusalOf } from '../support/refusal';
import { DAPP } from '../support/test-app';
import { AUTHORIZATION, TO, transactions } from '../support/transactions';

type Fields = Record<string, Json>;

type Request = { method: string; params: Json };

/** Every optional field of a transaction. */
const transactionFields = [
  'to',
  'type',
  'chainId',
  'nonce',
  'value',
  'data',
  'input',
  'gas',
  'gasLimit',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'accessList',
  'maxFeePerBlobGas',
  'blobVersionedHashes',
  'authorizationList',
  'blobs',
  'commitments',
  'proofs',
  'sidecars',
];

const operationFields = [
  'nonce',
  'initCode',
  'factory',
  'factoryData',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'paymasterAndData',
  'paymaster',
  'paymasterData',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
  'signature',
];

const EMPTY_CREATION =
  'a contract creation (no "to") needs data; without code it burns its value.';

/** Writes null for each of some fields that an object leaves out. */
function withNulls(given: Fields, names: readonly string[]): Fields {
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...given };
}

/** Asks as a site does; the answer, what was sent to servers, and what was signed of it. */
async function askAsSite(request: (bench: CallsBench) => Request): Promise<unknown> {
  const bench = await createCallsBench();
  const { method, params } = request(bench);
  const answer = await bench.call(method, params);
  const { wallet, network } = bench.edges;
  return {
    answer,
    pool: [...bench.pool.values()],
    operations: [...bench.operations.values()],
    asked: wallet.calls.map(({ method: name, params: own }) => [name, own]),
    sent: network.sent.map(({ body }) => body),
  };
}

/** Asks as MetaMask does. */
async function askAsMetaMask(request: (bench: CallsBench) => Request): Promise<Json> {
  const bench = await createCallsBench();
  const { grants } = bench.app.services;
  const [eoa] = await grants.list(DAPP);
  const place = { account: eoa?.id ?? '', scope: 'eip155:1' };
  return callersOf(bench.app).submit({ ...request(bench), ...place });
}

describe('a transaction', () => {
  const signing =
    (fields: Fields, from?: string) =>
    ({ address }: CallsBench): Request => ({
      method: 'eth_signTransaction',
      params: [{ from: from ?? address, ...fields }],
    });

  it.each(Object.entries(transactions))(
    'of type %s has the same signature with null for absent fields, by either route',
    async (_type, fields) => {
      const whole = withNulls(fields, transactionFields);
      for (const ask of [askAsSite, askAsMetaMask]) {
        expect(await ask(signing(whole))).toStrictEqual(await ask(signing(fields)));
      }
    },
  );

  it.each<[string, Fields]>([
    ['legacy', { accessList: [], blobVersionedHashes: [], authorizationList: [] }],
    ['EIP-2930', { blobVersionedHashes: [], authorizationList: [] }],
    ['EIP-1559', { blobVersionedHashes: [], authorizationList: [] }],
    ['EIP-4844', { authorizationList: [] }],
    ['EIP-7702', { blobVersionedHashes: [] }],
    ['EIP-7702', { authorizationList: [{ ...AUTHORIZATION, v: null }] }],
  ])('of type %s has the same signature with empty lists', async (type, lists) => {
    const fields = transactions[type as keyof typeof transactions];
    for (const ask of [askAsSite, askAsMetaMask]) {
      const signed = await ask(signing({ ...fields, ...lists }));
      expect(signed).toStrictEqual(await ask(signing(fields)));
    }
  });

  it.each<Fields>([
    { data: '', to: TO },
    { input: '', to: TO },
    { data: '', input: '', to: TO },
    { data: '0x', input: '', to: TO },
    { data: '0x12ab', input: '', to: TO },
    { data: '', input: '0x12ab', to: TO },
    { data: '0x12ab', input: '0x12AB', to: TO },
    { to: '', data: '0x60' },
    { to: '0x', input: '0x60' },
    { to: null, data: '0x60', input: '0x60' },
  ])('is sent with the fields of %j', async (fields) => {
    const { send, signed } = await createCallsBench();
    await send(fields);
    const [{ to, data } = {}] = signed();
    const given = [fields.data, fields.input];
    const said = given.find((each) => typeof each === 'string' && each.length > 2);
    expect({ to, data }).toStrictEqual({
      to: fields.to === TO ? TO : undefined,
      data: said,
    });
  });

  it.each<[Fields, string]>([
    [{ to: null, data: '0x' }, `: ${EMPTY_CREATION}`],
    [{ to: null }, `: ${EMPTY_CREATION}`],
    [{ to: '', data: '', input: null }, `: ${EMPTY_CREATION}`],
    [{ to: '0x', input: '0x' }, `: ${EMPTY_CREATION}`],
    [
      { to: TO, data: '0x12', input: '0x34' },
      ': data and input differ; give one of them.',
    ],
    [
      { to: TO, data: '0x', input: '0x34' },
      ': data and input differ; give one of them.',
    ],
    [
      { to: TO, type: '0x0', accessList: [{ address: TO, storageKeys: [] }] },
      ': type 0x0 does not support accessList; types that do: 0x1, 0x2, 0x3, 0x4.',
    ],
    [
      { to: TO, type: '0x4', authorizationList: [] },
      ': type 0x4 needs authorizationList.',
    ],
    [
      { from: null, to: TO },
      '.from must be a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31).',
    ],
    [{ to: TO, colour: null }, '.colour is not expected here.'],
  ])('is rejected with the reason: %j', async (fields, reason) => {
    const asking = ({ address }: CallsBench): Request => ({
      method: 'eth_signTransaction',
      params: [{ from: address, value: '0x1', ...fields }],
    });
    const refusal = {
      code: -32602,
      message: `eth_signTransaction: params[0]${reason}`,
    };
    for (const ask of [askAsSite, askAsMetaMask]) {
      expect(await refusalOf(ask(asking))).toStrictEqual(refusal);
    }
  });
});

describe('calls', () => {
  it('are sent the same with null for absent fields', async () => {
    const asking =
      (batch: Fields, call: Fields) =>
      ({ address }: CallsBench): Request => ({
        method: 'wallet_sendCalls',
        params: [batchFrom(address, { id: '1', calls: [call], ...batch })],
      });
    const bare = await askAsSite(asking({}, { to: TO }));
    const nulls = withNulls({ to: TO }, ['value', 'data', 'capabilities']);
    expect(await askAsSite(asking({ capabilities: null }, nulls))).toStrictEqual(bare);
    const ones = { value: null, data: '', capabilities: { x: null } };
    const capabilities = { paymasterService: null, other: null };
    expect(
      await askAsSite(asking({ capabilities }, { to: TO, ...ones })),
    ).toStrictEqual(bare);
  });

  it('accept null for their id, their sender and the context of a paymaster', async () => {
    const { app, sendCalls, operations, smart } = await createCallsBench();
    await app.services.grants.set(DAPP, [smart.id]);
    const url = 'https://paymaster.example/rpc';
    const { id } = await sendCalls({
      id: null,
      from: null,
      capabilities: { paymasterService: { url, context: null, optional: null } },
    });
    expect(id).toMatch(/^0x[0-9a-f]{64}$/u);
    expect([...operations.values()]).toMatchObject([
      {
        sender: smart.address,
        paymasterAndData: expect.stringMatching(/^0x.{40}/u) as string,
      },
    ]);
  });
});

describe('a user operation', () => {
  it.each(['eth_prepareUserOperation', 'eth_sendUserOperation'])(
    'for %s accepts intents with null or absent fields',
    async (method) => {
      const asking = (intent: Fields) => (): Request => ({ method, params: [intent] });
      const whole = await askAsSite(asking({ to: TO, value: '0x0', data: '0x' }));
      for (const intent of [{ to: TO }, { to: TO, value: null, data: null }]) {
        expect(await askAsSite(asking(intent))).toStrictEqual(whole);
      }
      expect(await askAsSite(asking({ to: TO, data: '' }))).toStrictEqual(whole);
      expect(
        await refusalOf(askAsSite(asking({ to: null, data: '0x' }))),
      ).toStrictEqual({
        code: -32602,
        message: `${method}: params[0]: ${EMPTY_CREATION}`,
      });
    },
  );

  it.each(['eth_estimateUserOperationGas', 'eth_sendUserOperation'])(
    'for %s is filled where it is null, and may have null for an entry point',
    async (method) => {
      const asking =
        (fields: Fields, ...others: Json[]) =>
        ({ smart }: CallsBench): Request => ({
          method,
          params: [{ sender: smart.address, callData: '0x', ...fields }, ...others],
        });
      const nulls = withNulls({}, operationFields);
      const bare = await askAsSite(asking({}));
      expect(await askAsSite(asking(nulls, null))).toStrictEqual(bare);
    },
  );
});

describe('a look-up', () => {
  it('asks the node without the omitted params', async () => {
    const { edges, call } = await createCallsBench();
    const estimate = {
      gasLimit: '0x1',
      baseFeePerGas: '0x2',
      priorityFeePerGas: '0x3',
    };
    edges.wallet.answers.rollup_estimateGas = estimate;
    const others = { gas: null, value: null, accessList: null, data: '', input: '' };
    for (const given of [{ to: TO }, { to: TO, from: null, ...others }]) {
      expect(await call('rollup_estimateGas', [given, null])).toStrictEqual(estimate);
      expect(edges.wallet.calls.at(-1)?.params).toStrictEqual([{ to: TO }]);
    }
    await call('rollup_estimateGas', [{ to: '0x', data: '0x60' }, 'latest']);
    expect(edges.wallet.calls.at(-1)?.params).toStrictEqual([
      { data: '0x60' },
      'latest',
    ]);
  });
});
