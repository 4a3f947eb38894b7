// Optional fields: null, an empty list and an absent field mean the same, because clients use all
// three.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { createCallsBench, sendCallsParam } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { refusalOf } from '../support/refusal';
import { DAPP } from '../support/test-app';
import { AUTHORIZATION, TO, transactions } from '../support/transactions';

type Fields = Record<string, Json>;

type Request = { method: string; params: Json };

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

function withNulls(given: Fields, names: readonly string[]): Fields {
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...given };
}

/** Sends a request as a site, and returns the answer with everything sent to servers. */
async function asSite(request: (bench: CallsBench) => Request): Promise<unknown> {
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

async function asMetaMask(request: (bench: CallsBench) => Request): Promise<Json> {
  const bench = await createCallsBench();
  const { grants } = bench.app.services;
  const [eoa] = await grants.list(DAPP);
  const target = { account: eoa?.id ?? '', scope: 'eip155:1' };
  return callersOf(bench.app).submit({ ...request(bench), ...target });
}

describe('a transaction', () => {
  const signing =
    (fields: Fields, from?: string) =>
    ({ address }: CallsBench): Request => ({
      method: 'eth_signTransaction',
      params: [{ from: from ?? address, ...fields }],
    });

  it.each(Object.entries(transactions))(
    'of type %s has the same signature with null for absent fields, over both routes',
    async (_type, fields) => {
      const nulls = withNulls(fields, transactionFields);
      for (const send of [asSite, asMetaMask]) {
        expect(await send(signing(nulls))).toStrictEqual(await send(signing(fields)));
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
    for (const send of [asSite, asMetaMask]) {
      const signed = await send(signing({ ...fields, ...lists }));
      expect(signed).toStrictEqual(await send(signing(fields)));
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
  ])('is sent with the recipient and the data of %j', async (fields) => {
    const { send, signed } = await createCallsBench();
    await send(fields);
    const [{ to, data } = {}] = signed();
    const given = [fields.data, fields.input];
    expect({ to, data }).toStrictEqual({
      to: fields.to === TO ? TO : undefined,
      data: given.find((each) => typeof each === 'string' && each.length > 2),
    });
  });

  it.each<[Fields, string]>([
    [{ to: null, data: '0x' }, `: ${EMPTY_CREATION}`],
    [{ to: null }, `: ${EMPTY_CREATION}`],
    [{ to: '', data: '', input: null }, `: ${EMPTY_CREATION}`],
    [{ to: '0x', input: '0x' }, `: ${EMPTY_CREATION}`],
    [
      { to: TO, data: '0x12', input: '0x34' },
      ': data and input differ; give only one of them.',
    ],
    [
      { to: TO, data: '0x', input: '0x34' },
      ': data and input differ; give only one of them.',
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
  ])('is rejected with an error that gives the reason: %j', async (fields, reason) => {
    const request = ({ address }: CallsBench): Request => ({
      method: 'eth_signTransaction',
      params: [{ from: address, value: '0x1', ...fields }],
    });
    const refusal = {
      code: -32602,
      message: `eth_signTransaction: params[0]${reason}`,
    };
    for (const send of [asSite, asMetaMask]) {
      expect(await refusalOf(send(request))).toStrictEqual(refusal);
    }
  });
});

describe('calls', () => {
  it('are sent unchanged with null for absent fields', async () => {
    const request =
      (batch: Fields, call: Fields) =>
      ({ address }: CallsBench): Request => ({
        method: 'wallet_sendCalls',
        params: [sendCallsParam(address, { id: '1', calls: [call], ...batch })],
      });
    const bare = await asSite(request({}, { to: TO }));
    const nulls = withNulls({ to: TO }, ['value', 'data', 'capabilities']);
    expect(await asSite(request({ capabilities: null }, nulls))).toStrictEqual(bare);
    const call = { to: TO, value: null, data: '', capabilities: { x: null } };
    const capabilities = { paymasterService: null, other: null };
    expect(await asSite(request({ capabilities }, call))).toStrictEqual(bare);
  });

  it('accept null for their ID, sender and paymaster context', async () => {
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

describe('the user operation method', () => {
  it.each(['eth_prepareUserOperation', 'eth_sendUserOperation'])(
    '%s accepts intents whose fields are null or absent, but no empty contract creation',
    async (method) => {
      const request = (intent: Fields) => (): Request => ({ method, params: [intent] });
      const expected = await asSite(request({ to: TO, value: '0x0', data: '0x' }));
      for (const fields of [{}, { value: null, data: null }, { data: '' }]) {
        expect(await asSite(request({ to: TO, ...fields }))).toStrictEqual(expected);
      }
      expect(await refusalOf(asSite(request({ to: null, data: '0x' })))).toStrictEqual({
        code: -32602,
        message: `${method}: params[0]: ${EMPTY_CREATION}`,
      });
    },
  );

  it.each(['eth_estimateUserOperationGas', 'eth_sendUserOperation'])(
    '%s fills null fields, and accepts null for the EntryPoint',
    async (method) => {
      const request =
        (fields: Fields, ...others: Json[]) =>
        ({ smart }: CallsBench): Request => ({
          method,
          params: [{ sender: smart.address, callData: '0x', ...fields }, ...others],
        });
      const nulls = withNulls({}, operationFields);
      const bare = await asSite(request({}));
      expect(await asSite(request(nulls, null))).toStrictEqual(bare);
    },
  );
});

describe('a look-up', () => {
  it('is sent to the node without null and empty params', async () => {
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
