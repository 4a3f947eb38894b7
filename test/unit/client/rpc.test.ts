// The methods of a node: requests, validation of answers, errors, and methods that may be missing.
import { encodeErrorResult, parseAbi } from 'viem';

import {
  createNodeClient,
  createRpcClient,
  nodeSchema,
  RpcError,
} from '../../../packages/client/src';
import type { AbsentMethods, RpcCall } from '../../../packages/client/src';
import { findInclusion, isNearHeadOnly } from '../../../packages/client/src/rpc/heads';
import {
  ABSENT_MS,
  createAbsentMethods,
} from '../../../packages/client/src/rpc/rpc-client';
import { isRollup, createMethodNaming } from '../../../packages/client/src/rpc/schema';
import { block, pendingBlock } from '../../fixtures/client/block';
import {
  capabilities,
  fork,
  history,
  simulatedCall,
} from '../../fixtures/client/method-parts';
import { methodRows } from '../../fixtures/client/method-rows';
import { receipt, transaction } from '../../fixtures/client/node-answers';
import { failureOf } from '../../support/error-of';
import { without } from '../../support/without';

const HASH = `0x${'ab'.repeat(32)}` as const;
const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const OTHER_ADDRESS = `0x${'0c'.repeat(20)}`;
const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;
const ZERO_BLOOM = `0x${'00'.repeat(256)}`;
const NO_POSITION = { blockHash: null, blockNumber: null, transactionIndex: null };
const UNCLE = 'eth_getUncleByBlockHashAndIndex';
const RECEIPT = 'eth_getTransactionReceipt';
const TRANSACTION = 'eth_getTransactionByHash';

function setup(
  results: Record<string, unknown> = {},
  chainId?: bigint,
  absent?: AbsentMethods,
) {
  const sent: RpcCall[] = [];
  const request = async (call: RpcCall): Promise<unknown> => {
    sent.push(call);
    const result = results[call.method];
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  };
  const node = createNodeClient({ label: 'It', request }, chainId, absent);
  return {
    node,
    sent,
    ask: async (method: string, params: unknown = [HASH], signal?: AbortSignal) =>
      node.request(method as never, params as never, { signal }) as Promise<unknown>,
  };
}

const isAccepted = async (method: string, result: unknown, params?: unknown) =>
  setup({ [method]: result })
    .ask(method, params ?? methodRows[method as 'eth_call'].params[0])
    .then(
      () => true,
      () => false,
    );

describe.each(Object.entries(methodRows))('%s', (name, row) => {
  it('sends valid params, and refuses invalid ones without a request', async () => {
    for (const params of row.params) {
      const { ask, sent } = setup({ [name]: row.results[0] });
      await ask(name, params).catch(() => undefined);
      expect(sent.map((call) => call.params)).toStrictEqual([params]);
    }
    for (const params of [...row.badParams, undefined]) {
      const { node, sent } = setup({ [name]: row.results[0] });
      const { message, code } = await failureOf(async () =>
        node.request(name as never, params as never),
      );
      expect(code).toBe(-32602);
      expect(message).toMatch(
        RegExp(`^${name}: params.* (?:must be|is not expected)`, 'u'),
      );
      expect(sent).toStrictEqual([]);
    }
  });

  it('returns valid results, and rejects invalid ones', async () => {
    for (const result of row.results) {
      expect(await setup({ [name]: result }).ask(name, row.params[0])).toStrictEqual(
        result,
      );
    }
    for (const result of [...row.bad, undefined]) {
      const { ask } = setup({ [name]: result });
      const failure = await failureOf(async () => ask(name, row.params[0]));
      expect(failure).toMatchObject({ name: 'InvalidResponseError', code: -32002 });
      expect(failure.message).toContain(`${name} at It gave an invalid answer: result`);
    }
  });
});

describe('a call', () => {
  it('is marked as idempotent or not, and has its signal', async () => {
    const { ask, sent } = setup({ eth_chainId: '0x1', eth_sendRawTransaction: HASH });
    const { signal } = new AbortController();
    await ask('eth_chainId', [], signal);
    await ask('eth_sendRawTransaction', ['0x02']);
    expect(sent).toStrictEqual([
      { method: 'eth_chainId', params: [], idempotent: true, signal },
      {
        method: 'eth_sendRawTransaction',
        params: ['0x02'],
        idempotent: false,
        signal: undefined,
      },
    ]);
    const nonIdempotent = Object.entries(nodeSchema).filter(
      ([, { idempotent }]) => !idempotent,
    );
    expect(nonIdempotent.map(([name]) => name)).toStrictEqual([
      'eth_sendRawTransaction',
      'eth_sendRawTransactionSync',
      'eth_subscribe',
      'eth_unsubscribe',
    ]);
  });

  it('counts as possibly executed if it is not idempotent and its answer is invalid', async () => {
    const { ask } = setup({ eth_sendRawTransaction: null });
    expect(
      await failureOf(async () => ask('eth_sendRawTransaction', ['0x02'])),
    ).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        'eth_sendRawTransaction at It gave an invalid answer: ' +
        'result must be a 32-byte value in hex (0x and 64 digits). ' +
        'It may have been carried out: check before you send it again.',
      context: { mayBeDone: true },
    });
  });

  it.each(['eth_mine', 'toString', '__proto__', '', 7, null, undefined, 1n, {}])(
    'is rejected for the unknown method %p',
    async (method) => {
      const { node, sent } = setup();
      const client = createRpcClient(nodeSchema, {
        ...node,
        request: async () => Promise.resolve(null),
      });
      for (const { request } of [node, client]) {
        await expect(request(method as never, [] as never)).rejects.toMatchObject({
          name: 'UnsupportedMethodError',
          message: 'The client does not know this method.',
        });
      }
      expect(sent).toStrictEqual([]);
    },
  );

  it('is rejected with the block tag safe, and the error recommends finalized', async () => {
    const method = 'eth_getUncleByBlockNumberAndIndex';
    await expect(setup().ask(method, ['safe', '0x0'])).rejects.toHaveProperty(
      'message',
      `${method}: params[0] must be a block number in hex, or one of latest, earliest, ` +
        'pending, finalized (safe is not served: use finalized).',
    );
  });

  it('is sent without leading zeros, which strict nodes reject', async () => {
    const { ask, sent } = setup();
    await ask('eth_call', [{ value: '0x00', gas: '0x05208' }, '0x0010']).catch(() => 0);
    await ask('eth_feeHistory', ['0x05', 'latest', []]).catch(() => 0);
    expect(sent.map(({ params }) => params)).toStrictEqual([
      [{ value: '0x0', gas: '0x5208' }, '0x10'],
      ['0x5', 'latest', []],
    ]);
  });

  it.each<[bigint | undefined, string]>([
    [59_144n, 'linea_estimateGas'],
    [59_141n, 'linea_estimateGas'],
    [1n, 'rollup_estimateGas'],
    [-59_144n, 'rollup_estimateGas'],
    [undefined, 'rollup_estimateGas'],
  ])('to estimate gas on chain %s uses the method %s', async (chainId, method) => {
    const { ask, sent } = setup({ [method]: {}, eth_chainId: '0x1' }, chainId);
    await expect(ask('rollup_estimateGas', [{}])).rejects.toThrow(
      new RegExp(`^${method} at It gave an invalid answer: `, 'u'),
    );
    await ask('eth_chainId', []);
    expect(sent.map((call) => call.method)).toStrictEqual([method, 'eth_chainId']);
    expect(createMethodNaming(chainId)('rollup_estimateGas')).toBe(method);
    expect(createMethodNaming(chainId)('eth_estimateGas')).toBe('eth_estimateGas');
    expect(isRollup(chainId ?? 0n)).toBe(method.startsWith('linea'));
  });
});

describe('an answer', () => {
  const MAX_FEES = ['maxFeePerGas', 'maxPriorityFeePerGas'];
  const POSITION = ['blockHash', 'blockNumber', 'transactionIndex'];
  // Fields about the execution that a receipt may omit.
  const EXECUTION = ['cumulativeGasUsed', 'gasUsed', 'logs', 'status', 'type'];

  // Each row lists the fields that may be missing, because they are optional or other fields imply
  // them.
  it.each<[string, object, string[]]>([
    [UNCLE, block, ['totalDifficulty', 'mixHash', 'size', 'uncles']],
    // Without a position in a block, the receipt counts as missing, and the transaction as pending.
    [
      RECEIPT,
      receipt,
      [...POSITION, ...EXECUTION, 'contractAddress', 'logsBloom', 'transactionHash'],
    ],
    [
      TRANSACTION,
      transaction,
      [...POSITION, 'accessList', 'chainId', 'gasPrice', 'hash', 'v', ...MAX_FEES],
    ],
  ])(
    'may omit only derivable and optional fields: %s',
    async (method, whole, optional) => {
      for (const name of Object.keys(whole)) {
        const accepted = await isAccepted(method, without(whole, name as never));
        expect([name, accepted]).toStrictEqual([name, optional.includes(name)]);
      }
    },
  );

  it('may have null in some fields of a pending block, but not of other blocks', async () => {
    const unset = ['number', 'hash', 'nonce', 'logsBloom'];
    const isNull = [...unset, 'totalDifficulty', 'uncles', 'mixHash'];
    for (const name of Object.keys(block)) {
      const accepted = await isAccepted(UNCLE, { ...pendingBlock, [name]: null });
      expect([name, accepted]).toStrictEqual([name, isNull.includes(name)]);
    }
    for (const name of ['number', 'nonce', 'logsBloom']) {
      expect(await isAccepted(UNCLE, { ...block, [name]: null })).toBe(false);
    }
  });

  it.each<[string, object]>([
    [RECEIPT, { to: null, contractAddress: receipt.to }],
    [RECEIPT, { status: undefined, root: HASH }],
    [RECEIPT, { status: null, root: HASH }],
    [RECEIPT, { root: HASH }],
    [RECEIPT, { root: null }],
    [RECEIPT, { status: null, root: null }],
    [RECEIPT, { l1Fee: '0x1', l1Block: null }],
    // A checksum that depends on the chain (EIP-1191).
    [RECEIPT, { from: '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    [RECEIPT, { logs: Array(20_000).fill(receipt.logs[0]) }],
    [TRANSACTION, NO_POSITION],
    [TRANSACTION, { yParity: '0x1' }],
  ])('may have unusual fields: %s (case %#)', async (method, fields) => {
    const given = { ...(method === RECEIPT ? receipt : transaction), ...fields };
    expect(await setup({ [method]: given }).ask(method)).toStrictEqual(given);
  });

  const bigNumber = (hex: string): object => ({ type: 'BigNumber', hex });
  const creation = { to: null, contractAddress: OTHER_ADDRESS };
  it.each<[string, object, object]>([
    ...['0x0', '0x', ''].flatMap((to): [string, object, object][] => [
      [RECEIPT, { ...creation, to }, creation],
      [TRANSACTION, { to }, { to: null }],
    ]),
    [RECEIPT, { ...creation, to: ZERO_ADDRESS }, creation],
    [RECEIPT, { to: ZERO_ADDRESS }, { to: ZERO_ADDRESS }],
    [TRANSACTION, { to: ZERO_ADDRESS }, { to: ZERO_ADDRESS }],
    ...['0x', '', '0x0', ZERO_ADDRESS].map(
      (contractAddress): [string, object, object] => [
        RECEIPT,
        { contractAddress },
        { contractAddress: null },
      ],
    ),
    ...[true, 1, '1', '0x01', bigNumber('0x1')].map(
      (status): [string, object, object] => [RECEIPT, { status }, { status: '0x1' }],
    ),
    ...[false, 0, '0', '0x00', { _hex: '0x0' }].map(
      (status): [string, object, object] => [RECEIPT, { status }, { status: '0x0' }],
    ),
    [RECEIPT, { status: '' }, { status: null }],
    [RECEIPT, { status: null, root: '0x' }, { status: null, root: null }],
    [RECEIPT, { gasUsed: 21_000, type: 2 }, {}],
    [RECEIPT, { gasUsed: '21000', type: '2' }, {}],
    [RECEIPT, { gasUsed: bigNumber('0x5208'), blockNumber: { _hex: '0x10' } }, {}],
    [RECEIPT, { logs: [], logsBloom: '0x0' }, { logs: [] }],
    [RECEIPT, { logs: [], logsBloom: '' }, { logs: [] }],
    [RECEIPT, { logs: [{ ...receipt.logs[0], logIndex: 0 }] }, {}],
    [
      RECEIPT,
      { logs: null, logsBloom: ZERO_BLOOM },
      { logs: [], logsBloom: ZERO_BLOOM },
    ],
    [RECEIPT, { cumulativeGasUsed: null }, {}],
    [TRANSACTION, { gas: 21_000, nonce: '0', value: bigNumber('0x0') }, {}],
    [
      TRANSACTION,
      { accessList: [{ address: ZERO_ADDRESS, storageKeys: null }] },
      { accessList: [{ address: ZERO_ADDRESS, storageKeys: [] }] },
    ],
  ])('is normalized: %s with %j', async (method, odd, usual) => {
    const whole = method === RECEIPT ? receipt : transaction;
    const { ask } = setup({ [method]: { ...whole, ...odd } });
    expect(await ask(method)).toStrictEqual({ ...whole, ...usual });
  });

  it.each([null, undefined, '', '0x', '0x0', `0x${'00'.repeat(32)}`])(
    'is not a receipt but a pending transaction while the block hash is %j',
    async (blockHash) => {
      const { ask } = setup({
        [RECEIPT]: { ...receipt, blockHash },
        [TRANSACTION]: { ...transaction, blockHash },
        eth_sendRawTransactionSync: { ...receipt, blockHash },
      });
      expect(await ask(RECEIPT)).toBeNull();
      expect(await ask('eth_sendRawTransactionSync', ['0x02'])).toBeNull();
      expect(await ask(TRANSACTION)).toStrictEqual({ ...transaction, ...NO_POSITION });
    },
  );

  it.each([{ blockNumber: '0x11' }, { transactionIndex: '0x1' }])(
    'is not a receipt while its transaction has another position: %j',
    async (other) => {
      const { ask } = setup({
        [RECEIPT]: { ...receipt, blockHash: null },
        [TRANSACTION]: { ...transaction, ...other },
      });
      expect(await ask(RECEIPT)).toBeNull();
    },
  );

  it.each([
    { chainId: undefined, chainID: '0x01' },
    { chainId: null, chainID: '0x1' },
    { chainID: '0x5' },
  ])('has the right chain id despite %j', async (fields) => {
    const { ask } = setup({ [TRANSACTION]: { ...transaction, ...fields } });
    expect(await ask(TRANSACTION)).toStrictEqual(transaction);
  });

  it.each<[string, object, string]>([
    [RECEIPT, { blockHash: '0x12' }, 'blockHash must be a 32-byte'],
    [RECEIPT, { gasUsed: null, transactionIndex: '0x3' }, 'gasUsed must be a hex'],
    [TRANSACTION, { chainId: undefined, chainID: 'one' }, 'chainId must be a hex'],
    ...['0x', 1, null, `0x1${'0'.repeat(64)}`].map((r): [string, object, string] => [
      TRANSACTION,
      { r },
      'r must be a hex quantity, written as 32 bytes',
    ]),
  ])('is rejected with its path: %s with %j', async (method, fields, reason) => {
    const given = { ...(method === RECEIPT ? receipt : transaction), ...fields };
    await expect(setup({ [method]: given }).ask(method)).rejects.toThrow(
      `${method} at It gave an invalid answer: result.${reason}`,
    );
  });

  it.each(['0x1', '0xab', `0x${'ab'.repeat(31)}`, `0x${'0'.repeat(64)}`])(
    'has its signature padded to 32 bytes: %s',
    async (word) => {
      const { ask } = setup({ [TRANSACTION]: { ...transaction, r: word, s: word } });
      const whole = `0x${word.slice(2).padStart(64, '0')}`;
      expect(await ask(TRANSACTION)).toMatchObject({ r: whole, s: whole });
    },
  );

  /** Adds leading zeros to every quantity. Longer hex strings are data of a fixed length. */
  function withZeros(value: unknown, name = ''): unknown {
    if (typeof value === 'string') {
      const isQuantity = /^0x[0-9a-f]{1,10}$/u.test(value) && name !== 'extraData';
      return isQuantity ? value.replace('0x', '0x000') : value;
    }
    if (Array.isArray(value)) return value.map((each) => withZeros(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, withZeros(each, key)]),
    );
  }

  it.each<[string, unknown]>([
    [RECEIPT, receipt],
    [RECEIPT, { ...receipt, status: '0x0', type: '0x0' }],
    [TRANSACTION, transaction],
    [UNCLE, block],
    ['eth_feeHistory', { ...history, reward: [['0x1']] }],
    ['eth_chainId', '0x1'],
    ['eth_simulateV1', [{ calls: [simulatedCall] }]],
  ])('loses the leading zeros of quantities: %s', async (method, right) => {
    const { ask } = setup({ [method]: withZeros(right) });
    const [params] = methodRows[method as 'eth_call'].params;
    expect(await ask(method, params)).toStrictEqual(right);
  });

  it.each<[string, unknown, string]>([
    ...['eth_call', 'eth_getCode'].flatMap((method): [string, unknown, string][] => [
      ...[null, '', '0x0', '0X', '0X0', '0', ' 0x ', '\n'].map(
        (none): [string, unknown, string] => [method, none, '0x'],
      ),
      ...['60fe', '0X60fe', ' 0x60fe\n'].map((each): [string, unknown, string] => [
        method,
        each,
        '0x60fe',
      ]),
    ]),
    // Code of zeros does nothing, so it counts as empty; a zero word from a call is a number.
    ['eth_getCode', '0x00', '0x'],
    ['eth_getCode', `0x${'00'.repeat(32)}`, '0x'],
    ['eth_getCode', '0x0060', '0x0060'],
    ['eth_call', `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`],
    ...[null, '', '0x', '0x0', '0'].map((none): [string, unknown, string] => [
      'eth_getStorageAt',
      none,
      `0x${'00'.repeat(32)}`,
    ]),
    ['eth_getStorageAt', '0x12f', `0x${'0'.repeat(61)}12f`],
    ['eth_getStorageAt', '12F', `0x${'0'.repeat(61)}12F`],
  ])('is normalized for %s: %j becomes %s', async (method, given, read) => {
    const [params] = methodRows[method as 'eth_call'].params;
    expect(await setup({ [method]: given }).ask(method, params)).toBe(read);
  });

  it.each([null, '', '0x0', '0X'])(
    'may write empty bytes of a simulation as %j',
    async (none) => {
      const log = { address: receipt.from, topics: [HASH], data: none };
      const call = { ...simulatedCall, returnData: none, logs: [log] };
      const { ask } = setup({ eth_simulateV1: [{ calls: [call] }] });
      const [params] = methodRows.eth_simulateV1.params;
      expect(await ask('eth_simulateV1', params)).toMatchObject([
        { calls: [{ returnData: '0x', logs: [{ data: '0x' }] }] },
      ]);
    },
  );

  const many = (item: unknown): unknown[] => Array<unknown>(100_001).fill(item);
  const [log] = receipt.logs;
  const access = { address: receipt.from, storageKeys: [] };

  it.each<[string, string, number, object]>([
    [
      'eth_feeHistory',
      'baseFeePerGas',
      1_025,
      { ...history, baseFeePerGas: many('0x1') },
    ],
    ['eth_feeHistory', 'gasUsedRatio', 1_024, { ...history, gasUsedRatio: many(0.5) }],
    ['eth_feeHistory', 'reward', 1_024, { ...history, reward: many(['0x1']) }],
    ['eth_feeHistory', 'reward[0]', 100, { ...history, reward: [many('0x1')] }],
    [RECEIPT, 'logs', 100_000, { ...receipt, logs: many(log) }],
    [
      RECEIPT,
      'logs[0].topics',
      4,
      { ...receipt, logs: [{ ...log, topics: many(HASH) }] },
    ],
    [TRANSACTION, 'accessList', 100_000, { ...transaction, accessList: many(access) }],
    [UNCLE, 'uncles', 100, { ...block, uncles: many(HASH) }],
  ])('is rejected if a list is too long: %s with %s', async (...row) => {
    const [method, path, most, answer] = row;
    const [params] = methodRows[method as 'eth_call'].params;
    await expect(setup({ [method]: answer }).ask(method, params)).rejects.toThrow(
      `result.${path} must be an array of 0 to ${most} entries.`,
    );
  });
});

const toError = (code: unknown, message: string, data?: unknown): RpcError =>
  new RpcError({ label: 'a at It' }, { code, message, data });

describe('fetching an uncle', () => {
  const requests: [string, unknown[]][] = [
    ['eth_getUncleByBlockNumberAndIndex', ['0x3e8', '0x0']],
    ['eth_getUncleByBlockHashAndIndex', [HASH, '0x0']],
  ];
  const fetchOutcomes = async (error: Error): Promise<unknown[]> =>
    Promise.all(
      requests.map(async ([method, params]) =>
        setup({ [method]: error })
          .ask(method, params)
          .catch((thrown: unknown) => thrown),
      ),
    );

  it.each([
    [-32602, 'BlockOutOfRangeError: block height is 1 but requested was 1000'],
    [-32602, 'BlockOutOfRange'],
    [-32000, 'header not found'],
    [-32000, 'Header Not Found'],
    [-32000, 'block not found: 1000'],
    [-32000, 'header for hash not found'],
    [-32000, 'finalized block not found'],
    [-39001, 'Unknown block'],
    [-32001, 'Resource not found'],
    [-32001, `${HASH} could not be found`],
    [-32602, 'Block does not exist'],
    [-32000, 'could not find block'],
    [-32000, 'Received invalid block tag 1000. Latest block number is 5'],
  ])('returns null if the node answers %d %s', async (code, message) => {
    expect(await fetchOutcomes(toError(code, message))).toStrictEqual([null, null]);
    const balance = setup({ eth_getBalance: toError(code, message) });
    const params = methodRows.eth_getBalance.params[0];
    await expect(balance.ask('eth_getBalance', params)).rejects.toThrow(RpcError);
  });

  it.each([
    toError(-32601, 'the method eth_getUncleByBlockNumberAndIndex does not exist'),
    toError(-32601, 'method not found: block not found'),
    toError(-32602, 'invalid argument 0: hex string without 0x prefix'),
    toError(-32602, 'invalid block number'),
    toError(-32000, 'required historical state unavailable'),
    toError(-32000, 'pruned history unavailable'),
    toError(-32000, ''),
    new Error('header not found'),
  ])('fails if the node answers %s', async (error) => {
    expect(await fetchOutcomes(error)).toStrictEqual([error, error]);
  });
});

it.each([RECEIPT, TRANSACTION, 'eth_getBlockByNumber'])(
  '%s returns null if the node reports that nothing was found',
  async (method) => {
    const params = methodRows[method as 'eth_call'].params[0];
    const ask = async (error: Error): Promise<unknown> =>
      setup({ [method]: error }).ask(method, params);
    expect(await ask(toError(-32001, 'Resource not found'))).toBeNull();
    const refusal = toError(-32000, 'Not now');
    await expect(ask(refusal)).rejects.toBe(refusal);
  },
);

it('a request can be aborted while its answer is being completed', async () => {
  const abort = new AbortController();
  const reason = new Error('Enough.');
  const request = async ({ method }: RpcCall): Promise<unknown> => {
    if (method === RECEIPT) return Promise.resolve(without(receipt, 'from'));
    abort.abort(reason);
    return Promise.reject(reason);
  };
  const node = createNodeClient({ label: 'It', request });
  const asking = node.request(RECEIPT, [HASH], { signal: abort.signal });
  await expect(asking).rejects.toBe(reason);
});

describe("a server's error", () => {
  it.each<[unknown, number]>([
    ...[3, 4, 5, 6, -32000, -32005, -32500, -32599, -32600, -32601, -32602].map(
      (code): [number, number] => [code, code],
    ),
    ['-32601', -32601],
    // A server must not use the wallet's or the client's codes.
    ...[4001, 4100, -32603, -32700, -31999, 0, 1.5, NaN, '', null, undefined].map(
      (code): [unknown, number] => [code, -32000],
    ),
  ])('with the code %p gets the code %i', (code, own) => {
    expect(toError(code, 'No').code).toBe(own);
  });

  it.each([
    ['', 'failed.'],
    [' . ', 'failed.'],
    ['No', 'failed: No.'],
    ['No...\n', 'failed: No.'],
    ['x'.repeat(5_000), `failed: ${'x'.repeat(300)}.`],
  ])('ends with one full stop: %j', (message, end) => {
    expect(toError(3, message).message).toBe(`a at It ${end}`);
  });

  const abi = parseAbi(['error Error(string reason)', 'error Own(uint256 what)']);
  const REVERT = encodeErrorResult({
    abi,
    errorName: 'Error',
    args: ['Not the owner'],
  });
  const OWN = encodeErrorResult({ abi, errorName: 'Own', args: [7n] });

  it.each<[string, string, string, string | undefined]>([
    [
      'execution reverted',
      REVERT,
      'execution reverted (Not the owner)',
      'Not the owner',
    ],
    ['reverted: Not the owner', REVERT, 'reverted: Not the owner', 'Not the owner'],
    [
      'execution reverted',
      OWN,
      `execution reverted (custom error ${OWN.slice(0, 10)})`,
      undefined,
    ],
    [`reverted with ${OWN}`, OWN, `reverted with ${OWN}`, undefined],
  ])('states the reason once for %j with data %s', (...row) => {
    const [message, data, text, revertReason] = row;
    const error = toError(3, message, data);
    expect(error.message).toBe(`a at It failed: ${text}.`);
    expect(error.revertReason).toBe(revertReason);
    expect(error.context).toStrictEqual({
      data,
      ...(revertReason && { revertReason }),
    });
  });
});

describe('the inclusion of a transaction', () => {
  const known = {
    eth_getTransactionByHash: transaction,
    eth_getTransactionReceipt: null,
  };
  const unknown = { eth_getTransactionByHash: null, eth_getTransactionReceipt: null };
  const mined = { ...known, eth_getTransactionReceipt: receipt };
  const nearHead = { status: 'unknown', reason: 'near-head only' };
  /** Answers from a node that reports its oldest block with receipts. */
  const answersFor = (oldest: bigint | undefined): object => ({
    ...unknown,
    eth_capabilities: {
      ...capabilities,
      receipts: {
        disabled: oldest === undefined,
        ...(oldest !== undefined && { oldestBlock: `0x${oldest.toString(16)}` }),
      },
    },
  });

  it.each<[string, bigint, object, string | undefined, object]>([
    ['a receipt', 1n, mined, undefined, { status: 'included', receipt }],
    ['an old receipt', 97n, mined, '0x2000', { status: 'included', receipt }],
    ['no receipt yet', 1n, known, undefined, { status: 'pending' }],
    ['nothing', 1n, unknown, undefined, { status: 'absent' }],
    ['nothing within the window', 97n, unknown, '0x107f', { status: 'absent' }],
    ['nothing beyond the window', 97n, unknown, '0x1080', nearHead],
    ['nothing beyond the window', 204n, unknown, '0x2000', nearHead],
    [
      'nothing beyond the window that the node reports',
      97n,
      answersFor(0x1001n),
      '0x1001',
      nearHead,
    ],
    [
      'nothing within the window that the node reports',
      97n,
      answersFor(0x1000n),
      '0x2000',
      { status: 'absent' },
    ],
    [
      'nothing at a node without receipts',
      97n,
      answersFor(undefined),
      '0x1000',
      nearHead,
    ],
    // The nodes of this chain are archive nodes.
    ['nothing at an archive node', 56n, unknown, undefined, { status: 'absent' }],
  ])('is reported for %s on chain %s', async (...row) => {
    const [, chainId, results, head, inclusion] = row;
    const { node, sent } = setup({ ...results, eth_blockNumber: head });
    const { signal } = new AbortController();
    const tracked = { hash: HASH, sentAt: 0x1000n, chainId };
    expect(await findInclusion(node, tracked, { signal })).toStrictEqual(inclusion);
    expect(isNearHeadOnly(chainId)).toBe(head !== undefined);
    const signals = Array<AbortSignal>(head === undefined ? 2 : 4).fill(signal);
    expect(sent.map((call) => call.signal)).toStrictEqual(signals);
  });

  it.each<[string, object, object]>([
    [
      'an unreadable transaction',
      { ...transaction, value: '' },
      { status: 'included' },
    ],
    ['an error for the transaction', toError(-32000, 'busy'), { status: 'included' }],
    [
      'a pending transaction',
      { ...transaction, ...NO_POSITION },
      { status: 'included' },
    ],
    ['a different block', { ...transaction, blockHash: HASH }, { status: 'pending' }],
    [
      'a different transaction',
      { ...transaction, hash: OTHER_HASH },
      { status: 'included' },
    ],
  ])('is reported for a receipt and %s', async (_what, found, inclusion) => {
    const { node } = setup({ ...mined, eth_getTransactionByHash: found });
    const tracked = { hash: HASH, sentAt: 0n, chainId: 1n };
    expect(await findInclusion(node, tracked)).toMatchObject(inclusion);
  });

  it.each([
    {
      ...mined,
      eth_getTransactionReceipt: { ...receipt, transactionHash: OTHER_HASH },
    },
    { ...known, eth_getTransactionByHash: { ...transaction, hash: OTHER_HASH } },
  ])('fails if the node answers about another transaction', async (answers) => {
    const { node } = setup(answers);
    const tracked = { hash: HASH, sentAt: 0n, chainId: 1n };
    await expect(findInclusion(node, tracked)).rejects.toMatchObject({
      name: 'InvalidResponseError',
      message: `It gave an invalid answer: it is about the transaction ${OTHER_HASH}, not ${HASH}. Check that it is the right server.`,
    });
  });

  it('is reported for a hash in upper case', async () => {
    const hash = `0x${'AB'.repeat(32)}` as const;
    const { node } = setup(mined);
    const tracked = { hash, sentAt: 0n, chainId: 1n };
    expect(await findInclusion(node, tracked)).toHaveProperty('status', 'included');
  });

  it('fails if there is no receipt and no answer about the transaction', async () => {
    const { node } = setup({
      ...known,
      eth_getTransactionByHash: toError(-32000, 'busy'),
    });
    const tracked = { hash: HASH, sentAt: 0n, chainId: 1n };
    await expect(findInclusion(node, tracked)).rejects.toThrow('busy');
  });
});

describe('a method that may be missing', () => {
  const answer = { current: fork, next: null, last: null };

  it('returns its result if the server has it', async () => {
    const { node, sent } = setup({ eth_config: answer });
    expect(await node.tryRequest('eth_config', [])).toStrictEqual(answer);
    expect(await node.tryRequest('eth_config', [])).toStrictEqual(answer);
    expect(node.lacks('eth_config')).toBe(false);
    expect(sent).toHaveLength(2);
  });

  it.each<[number, string]>([
    [-32601, 'the method eth_config does not exist/is not available'],
    [-32601, ''],
    [-32604, 'Method not enabled'],
    [-32600, 'Unsupported method: eth_config on ETH_MAINNET'],
    [-32000, "Can't find method eth_config"],
    [4200, 'The method "eth_config" is not supported.'],
  ])('is requested only once if the server answers %i %s', async (code, message) => {
    const error = toError(code, message);
    const { node, sent } = setup({ eth_config: error });
    expect(await node.tryRequest('eth_config', [])).toBeUndefined();
    expect(node.lacks('eth_config')).toBe(true);
    expect(node.lacks('eth_chainId')).toBe(false);
    expect(await node.tryRequest('eth_config', [])).toBeUndefined();
    expect(sent).toHaveLength(1);
    // A required request is still sent.
    await expect(node.request('eth_config', [])).rejects.toBe(error);
  });

  it.each([
    toError(3, 'execution reverted: method not found'),
    toError(-32000, 'execution reverted: unknown method'),
    toError(-32005, 'Method rate exceeded'),
    toError(-32000, 'header not found'),
    new TypeError('the method is not available'),
  ])('fails with any other error, and is requested again: %s', async (error) => {
    const { node, sent } = setup({ eth_config: error });
    await expect(node.tryRequest('eth_config', [])).rejects.toBe(error);
    await expect(node.tryRequest('eth_config', [])).rejects.toBe(error);
    expect(sent).toHaveLength(2);
  });

  it('fails if its answer is invalid', async () => {
    const { node } = setup({ eth_config: { current: {} } });
    await expect(node.tryRequest('eth_config', [])).rejects.toThrow(
      'eth_config at It gave an invalid answer: result.current',
    );
  });

  it('is remembered by the name that the server uses', async () => {
    const absent = createAbsentMethods();
    const error = toError(-32601, '');
    const { node } = setup({ linea_estimateGas: error }, 59144n, absent);
    expect(await node.tryRequest('rollup_estimateGas', [{}])).toBeUndefined();
    expect(absent.has('linea_estimateGas')).toBe(true);
    expect(node.lacks('rollup_estimateGas')).toBe(true);
  });

  it('is requested again after a day', () => {
    let now = 5;
    const absent = createAbsentMethods(() => now);
    absent.add('eth_config');
    now += ABSENT_MS - 1;
    expect(absent.has('eth_config')).toBe(true);
    now += 1;
    expect(absent.has('eth_config')).toBe(false);
  });
});
