// The clients of a bundler (ERC-7769) and of a paymaster service (ERC-7677): requests, validation
// of answers, and explanations of refusals.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeErrorResult, parseAbi } from 'viem';

import {
  BundlerError,
  createBundlerClient,
  createHttpTransport,
  createPaymasterClient,
  createPaymasterEndpoint,
} from '../../../packages/client/src';
import type {
  AbsentMethods,
  BundlerClient,
  KnownOperation,
} from '../../../packages/client/src';
import { toBundlerForm } from '../../../packages/client/src/bundler-schema';
import { entryPoints, entryPointVersions } from '../../../src/core/entry-points';
import { InvalidParamsError } from '../../../src/core/errors';
import { OTHER } from '../../fixtures/eth/owner';
import { plain, sponsored, toInternal } from '../../fixtures/eth/user-operation';
import {
  answer06,
  answer07,
  createPaymasterBench,
  createServiceBench,
  HASH,
  OTHER_HASH,
  packedWith,
  target06,
  target07,
  SERVICE_URL,
} from '../../support/bundler-bench';
import type { ServiceBench } from '../../support/bundler-bench';
import { errorOf, failureOf } from '../../support/error-of';
import {
  answering,
  unreachableServer,
  createFakeNetwork,
  inTurn,
} from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { refuses } from '../../support/fake-node';
import type { RpcFault } from '../../support/fake-node';
import { without } from '../../support/without';

const { entryPoint } = entryPoints['0.7'];
const operation = toInternal(sponsored, '0.7');

type Bench = ServiceBench & { bundler: BundlerClient; absent: AbsentMethods };

function setup(answers: object = {}, server?: Server): Bench {
  const bench = createServiceBench(answers as never, server);
  const absent: AbsentMethods = new Set();
  return { ...bench, absent, bundler: createBundlerClient(bench.transport, absent) };
}

const invalid = (method: string, reason: string): string =>
  `${method} at ${SERVICE_URL} gave an invalid answer: ${reason}`;

const encodeRevert = (reason: string): string =>
  encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    errorName: 'Error',
    args: [reason],
  });

describe('the bundler format of an operation', () => {
  // The format would omit these fields although the signed hash covers them: the bundler would
  // receive a different operation.
  it.each([
    { initCode: '0x12' },
    { initCode: `0x${'11'.repeat(19)}` },
    { paymasterAndData: '0x12' },
    { paymasterAndData: OTHER },
    { paymasterAndData: `${OTHER}${'00'.repeat(31)}` },
  ] as const)('is refused before any request for %j', async (fields) => {
    const { bundler, sent } = setup();
    const short = { ...toInternal(plain, '0.7'), ...fields };
    expect(() => toBundlerForm(short, '0.8')).toThrow(InvalidParamsError);
    await expect(bundler.estimate(short, '0.7')).rejects.toThrow(InvalidParamsError);
    expect(sent()).toStrictEqual([]);
  });

  it("has the paymaster's signature in its own field", () => {
    const paymaster = {
      paymaster: OTHER,
      paymasterVerificationGasLimit: 1n,
      paymasterPostOpGasLimit: 0n,
      paymasterData: '0x56',
      paymasterSignature: '0x1234',
    } as const;
    expect(
      toBundlerForm(toInternal({ ...plain, paymaster }, '0.9'), '0.9'),
    ).toMatchObject({
      paymasterData: '0x56',
      paymasterSignature: '0x1234',
    });
  });
});

describe("a bundler's chain id and entry points", () => {
  it('are fetched in a single request', async () => {
    const answers = { eth_chainId: '0x7a69', eth_supportedEntryPoints: [entryPoint] };
    const { bundler, sent } = setup(answers);
    const support = { chainId: 31_337n, entryPoints: [entryPoint] };
    expect(await bundler.fetchSupport()).toStrictEqual(support);
    expect(sent()).toStrictEqual([['eth_chainId', 'eth_supportedEntryPoints']]);
    expect(bundler.label).toBe(SERVICE_URL);
  });

  it('are rejected if there are more than 100 entry points', async () => {
    const all = Array<string>(101).fill(entryPoint);
    const { bundler } = setup({ eth_chainId: '0x1', eth_supportedEntryPoints: all });
    await expect(bundler.fetchSupport()).rejects.toThrow(
      invalid(
        'eth_supportedEntryPoints',
        'result must be an array of 0 to 100 entries.',
      ),
    );
  });
});

describe('an estimate', () => {
  const GAS = {
    callGasLimit: '0x1',
    verificationGasLimit: '0x2',
    preVerificationGas: '0x3',
  };
  const method = 'eth_estimateUserOperationGas';
  const limits = (check: unknown, postOp: unknown): object => ({
    paymasterVerificationGasLimit: check,
    paymasterPostOpGasLimit: postOp,
  });

  it.each<[object, object]>([
    [GAS, {}],
    [{ callGasLimit: 1, verificationGasLimit: '2', preVerificationGas: '0x03' }, {}],
    [{ ...GAS, verificationGas: '0x2', validUntil: 7 }, {}],
    [{ ...GAS, ...limits(null, null) }, {}],
    [{ ...GAS, ...limits('0x4', '0x0') }, limits(4n, 0n)],
  ])('is read from %j', async (answer, others) => {
    const { bundler } = setup({ [method]: answer });
    expect(await bundler.estimate(operation, '0.7')).toStrictEqual({
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
      ...others,
    });
  });

  it.each([-1, '-0x1', 1.5, 2 ** 53, `0x1${'0'.repeat(16)}`, null, {}])(
    'is rejected with the gas limit %j',
    async (callGasLimit) => {
      const { bundler } = setup({ [method]: { ...GAS, callGasLimit } });
      await expect(bundler.estimate(operation, '0.7')).rejects.toThrow(
        invalid(method, 'result.callGasLimit must be a quantity below 2^64'),
      );
    },
  );

  it.each(entryPointVersions)(
    'is requested in the format of EntryPoint %s',
    async (version) => {
      const { bundler, node } = setup({ [method]: GAS });
      const own = toInternal(sponsored, version);
      await bundler.estimate(own, version);
      const params = [toBundlerForm(own, version), entryPoints[version].entryPoint];
      expect(node.calls[0]?.params).toStrictEqual(params);
    },
  );
});

describe('sending an operation', () => {
  const method = 'eth_sendUserOperation';
  const sending = { version: '0.7', hash: HASH } as const;

  it.each([HASH, `0x${'AB'.repeat(32)}`])(
    'returns its hash if the bundler answers %s',
    async (answer) => {
      const { bundler, node } = setup({ [method]: answer });
      expect(await bundler.send(operation, sending)).toBe(HASH);
      const params = [toBundlerForm(operation, '0.7'), entryPoint];
      expect(node.calls[0]?.params).toStrictEqual(params);
    },
  );

  it('fails if the bundler returns the hash of a different operation', async () => {
    const { bundler } = setup({ [method]: OTHER_HASH });
    expect(await failureOf(async () => bundler.send(operation, sending))).toStrictEqual(
      {
        name: 'InvalidResponseError',
        code: -32002,
        message:
          invalid(
            method,
            `it returned the hash ${OTHER_HASH} for the operation ${HASH}. `,
          ) + 'It may have been carried out: check before you send it again.',
        context: { mayBeDone: true },
      },
    );
  });

  it.each<[string, Bench]>([
    ['InvalidResponseError', setup({ [method]: 'ok' })],
    ['NetworkError', setup({}, unreachableServer)],
  ])(
    'is tried once, and has an unknown outcome after %s',
    async (name, { bundler, sent }) => {
      const failing = bundler.send(operation, sending);
      await expect(failing).rejects.toMatchObject({
        name,
        context: { mayBeDone: true },
      });
      expect(sent()).toStrictEqual([[method]]);
    },
  );
});

const BLOCK = `0x${'b1'.repeat(32)}`;
const TRANSACTION = `0x${'71'.repeat(32)}`;

describe('the receipt of an operation', () => {
  const method = 'eth_getUserOperationReceipt';
  const receipt = {
    userOpHash: HASH,
    sender: OTHER,
    nonce: '0x07',
    success: true,
    actualGasUsed: '0x10',
    actualGasCost: '0x20',
    logs: [],
    receipt: { transactionHash: TRANSACTION, blockHash: BLOCK, blockNumber: '0x5' },
  };
  const find = async (answer: unknown): Promise<unknown> =>
    setup({ [method]: answer }).bundler.findReceipt(HASH);

  it('is null until a block includes the operation', async () => {
    const missing = refuses({ code: -32602, message: 'UserOperation not found' });
    expect(await find(null)).toBeNull();
    expect(await find(missing)).toBeNull();
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ paymaster: OTHER, entryPoint }, {}],
    [{ userOpHash: `0x${'AB'.repeat(32)}` }, { userOpHash: `0x${'AB'.repeat(32)}` }],
    [{ success: false }, { success: false }],
    [{ reason: encodeRevert('too poor') }, {}],
  ])(
    'is read with %j, and its raw form is kept unchanged',
    async (fields, expected) => {
      const answer = { ...receipt, ...fields };
      const details = { nonce: 7n, actualGasUsed: 16n, actualGasCost: 32n };
      expect(await find(answer)).toStrictEqual({
        ...without(receipt, 'logs', 'receipt'),
        ...receipt.receipt,
        ...details,
        ...expected,
        raw: answer,
      });
    },
  );

  const bigNumber = (hex: string): object => ({ type: 'BigNumber', hex });

  it.each<[object, object]>([
    [{ nonce: 7, actualGasUsed: '16', actualGasCost: bigNumber('0x20') }, {}],
    [{ actualGasCost: { _hex: '0x20', _isBigNumber: true } }, {}],
    [{ receipt: { ...receipt.receipt, blockNumber: 5 } }, {}],
    [{ receipt: { ...receipt.receipt, status: 1, to: '0x0' } }, { status: '0x1' }],
    ...['true', 1, '1', '0x1', '0x01', bigNumber('0x1')].map(
      (success): [object, object] => [{ success }, { success: true }],
    ),
    ...['false', 0, '0', '0x0', '0x'.padEnd(66, '0')].map(
      (success): [object, object] => [{ success }, { success: false }],
    ),
  ])('is normalized if it has %j', async (fields, expected) => {
    const found = await find({ ...receipt, nonce: '0x7', ...fields });
    const { status, ...flags } = expected as { status?: string; success?: boolean };
    const usual = { ...receipt, nonce: '0x7', ...flags };
    expect(found).toMatchObject({
      nonce: 7n,
      actualGasUsed: 16n,
      actualGasCost: 32n,
      success: usual.success,
      blockNumber: '0x5',
      raw: { ...usual, ...(status && { receipt: { status, to: null } }) },
    });
  });

  it.each([null, '', '0x', '0x0', `0x${'00'.repeat(32)}`])(
    'is null while its block hash is %j',
    async (blockHash) => {
      const waiting = { ...receipt.receipt, blockHash };
      expect(await find({ ...receipt, receipt: waiting })).toBeNull();
    },
  );

  it.each<[unknown, string]>([
    [{ ...receipt, receipt: '0x' }, 'result.receipt must be an object.'],
    [{ ...receipt, success: 'perhaps' }, 'result.success must be true or false.'],
    [{ ...receipt, success: null }, 'result.success must be true or false.'],
    [
      { ...receipt, userOpHash: OTHER_HASH },
      `it is about the operation ${OTHER_HASH}, not ${HASH}.`,
    ],
    [[receipt], 'result must be an object.'],
    ...(
      ['userOpHash', 'sender', 'nonce', 'success', 'actualGasCost', 'receipt'] as const
    ).map((name): [unknown, string] => [
      without(receipt, name),
      `result.${name} is missing`,
    ]),
  ])('is refused with a missing or invalid field (case %#)', async (answer, reason) => {
    await expect(find(answer)).rejects.toThrow(invalid(method, reason));
  });
});

describe('an operation looked up by its hash', () => {
  const method = 'eth_getUserOperationByHash';
  const found = {
    userOperation: { sender: OTHER, nonce: '0x7', callData: '0x' },
    entryPoint,
    blockNumber: '0x5',
    transactionHash: TRANSACTION,
  };
  const find = async (answer: unknown, known?: KnownOperation): Promise<unknown> =>
    setup({ [method]: answer }).bundler.findOperation(HASH, known);

  it('is refused if it is not the known one', async () => {
    const known = { sender: OTHER, nonce: 7n } as const;
    const lower = { sender: OTHER.toLowerCase(), nonce: '7' };
    const own = { ...found, userOperation: lower };
    expect(await find(own, known)).toStrictEqual(own);
    expect(await find(null, known)).toBeNull();
    const other = `it is about another operation: nonce 7 of ${OTHER}.`;
    for (const each of [
      { ...known, nonce: 8n },
      { ...known, sender: entryPoint },
    ]) {
      await expect(find(found, each)).rejects.toThrow(invalid(method, other));
    }
  });

  it.each([
    found,
    { ...found, blockNumber: null, transactionHash: null },
    without(found, 'blockNumber'),
    // https://github.com/bcnmy/docs/pull/244
    { ...without(found, 'userOperation'), ...found.userOperation },
  ])('is returned unchanged: %j', async (answer) => {
    expect(await find(answer)).toStrictEqual(answer);
  });

  it('is null if it is unknown, and refused if it is incomplete', async () => {
    expect(await find(null)).toBeNull();
    await expect(find({ entryPoint })).rejects.toThrow(
      invalid(method, 'result.userOperation is missing: it must be an object.'),
    );
  });
});

describe('the lowest fees that a bundler accepts', () => {
  const METHODS = [
    'pimlico_getUserOperationGasPrice',
    'zd_getUserOperationGasPrice',
    'skandha_getGasPrice',
    'biconomy_getGasFeeValues',
    'rundler_maxPriorityFeePerGas',
  ];
  const price = (max: number, priority: number): object => ({
    maxFeePerGas: `0x${max.toString(16)}`,
    maxPriorityFeePerGas: `${priority}`,
  });
  const fees = (max: bigint, priority: bigint): object => ({
    maxFeePerGas: max,
    maxPriorityFeePerGas: priority,
  });
  const levels = { slow: price(20, 2), standard: price(30, 3), fast: price(40, 4) };

  it.each<[object, object]>([
    [{ pimlico_getUserOperationGasPrice: levels }, fees(20n, 2n)],
    [{ zd_getUserOperationGasPrice: { standard: price(30, 3) } }, fees(30n, 3n)],
    [{ skandha_getGasPrice: price(5, 1) }, fees(5n, 1n)],
    [{ biconomy_getGasFeeValues: levels }, fees(20n, 2n)],
    [{ rundler_maxPriorityFeePerGas: '0x9' }, { maxPriorityFeePerGas: 9n }],
    [
      { skandha_getGasPrice: price(50, 4), rundler_maxPriorityFeePerGas: '0x9' },
      fees(50n, 9n),
    ],
    [
      { skandha_getGasPrice: price(50, 1), pimlico_getUserOperationGasPrice: levels },
      fees(50n, 2n),
    ],
    // A failure of one method is ignored if another one answers.
    [
      {
        skandha_getGasPrice: price(5, 1),
        pimlico_getUserOperationGasPrice: refuses({ code: -32005, message: 'later' }),
      },
      fees(5n, 1n),
    ],
  ])('are the highest that any method requires: %j', async (answers, expected) => {
    expect(await setup(answers).bundler.findFloor()).toStrictEqual(expected);
  });

  it('are requested with all methods at once, but not again with missing methods', async () => {
    const { bundler, transport, absent, sent } = setup({
      skandha_getGasPrice: price(5, 1),
    });
    await bundler.findFloor();
    await createBundlerClient(transport, absent).findFloor();
    await createBundlerClient(transport).findFloor();
    expect(sent()).toStrictEqual([METHODS, ['skandha_getGasPrice'], METHODS]);
  });

  it.each<[object, string[][]]>([
    [{}, []],
    [
      { skandha_getGasPrice: refuses({ code: -32000, message: 'no' }) },
      [['skandha_getGasPrice']],
    ],
    [{ skandha_getGasPrice: { fast: '1 gwei' } }, [['skandha_getGasPrice']]],
    [
      { rundler_maxPriorityFeePerGas: `0x1${'0'.repeat(30)}` },
      [['rundler_maxPriorityFeePerGas']],
    ],
  ])('are unknown if the bundler does not return them: %j', async (answers, again) => {
    const { bundler, sent } = setup(answers);
    expect(await bundler.findFloor()).toBeUndefined();
    expect(await bundler.findFloor()).toBeUndefined();
    expect(sent()).toStrictEqual([METHODS, ...again]);
  });

  it.each<[string, Server]>([
    ['unknown', answering({ error: 'unknown method' }, 499)],
    ['NetworkError', unreachableServer],
    ['HttpStatusError', answering({}, 500)],
    ['RateLimitError', answering({}, 429)],
  ])(
    'have the outcome %s if the server returns one error for all methods',
    async (name, server) => {
      const outcome = await setup({}, server)
        .bundler.findFloor()
        .catch((error: Error) => error.name);
      expect(outcome ?? 'unknown').toBe(name);
    },
  );
});

describe("a bundler's refusal", () => {
  const AT = `eth_estimateUserOperationGas at ${SERVICE_URL} failed:`;
  const estimateWith = (fault: RpcFault) => async (): Promise<unknown> =>
    setup({ eth_estimateUserOperationGas: refuses(fault) }).bundler.estimate(
      operation,
      '0.7',
    );

  it("is explained, followed by the bundler's message", async () => {
    const fault = { code: -32500, message: "AA21 didn't pay prefund", data: { a: 1 } };
    const error = await errorOf(estimateWith(fault));
    expect(error).toBeInstanceOf(BundlerError);
    expect(error).toMatchObject({ aaCode: 'AA21', revertReason: undefined });
    expect(await failureOf(estimateWith(fault))).toStrictEqual({
      name: 'BundlerError',
      code: -32500,
      message:
        `${AT} the account cannot pay for the gas. Fund it, or use a paymaster. ` +
        "The bundler said: AA21 didn't pay prefund.",
      context: { data: { a: 1 }, aaCode: 'AA21' },
    });
  });

  it("quotes the contract's reason, unless the bundler's message repeats it", async () => {
    const data = encodeRevert('AA31 paymaster deposit too low');
    const { message, context } = await failureOf(
      estimateWith({ code: -32521, message: 'execution reverted', data }),
    );
    expect(message).toContain('The contract said: AA31 paymaster deposit too low.');
    expect(context).toMatchObject({ data, aaCode: 'AA31' });
    const repeated = 'AA31 paymaster deposit too low';
    const other = await failureOf(
      estimateWith({ code: -32521, message: repeated, data }),
    );
    expect(other.message).not.toContain('The contract said');
  });

  it('is explained for every code that the contracts emit', async () => {
    const emitted = ['0.6', '0.7', '0.8', '0.9'].flatMap((version) => {
      const folder = `node_modules/@account-abstraction/contracts-${version}/core`;
      return readdirSync(folder).flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/"(AA\d\d)\b/gu),
      ]);
    });
    expect(emitted.length).toBeGreaterThan(50);
    for (const message of new Set(emitted.map(([, code = '']) => code))) {
      const failure = await failureOf(estimateWith({ code: -32000, message }));
      expect(failure.message.replace(AT, '')).toMatch(
        new RegExp(`^ [^.]+\\. [^.]+\\. The bundler said: ${message}\\.$`, 'u'),
      );
    }
  });

  it.each<[number, string, string]>([
    [-32500, 'rejected', 'the account refused the operation.'],
    [-32501, 'rejected', 'the paymaster refused the operation.'],
    [-32502, 'banned opcode', 'breaks the rules for code'],
    [
      -32503,
      'expires soon',
      'the operation has expired, is about to expire, or is not yet valid.',
    ],
    [-32504, 'throttled', 'is banned or throttled'],
    [-32505, 'stake too low', 'has too little stake.'],
    [-32506, 'aggregator', 'the signature aggregator is not supported.'],
    [-32507, 'invalid signature', "the signature is not the owner's"],
    [-32508, 'balance', 'the paymaster cannot pay for all operations it has approved.'],
    [-32521, 'execution reverted', 'the calls of the operation fail.'],
    [-32602, 'replacement underpriced', 'To replace it, raise both fees by'],
    [-32602, 'replacement fee too low', 'To replace it, raise both fees by'],
    [-32602, 'maxFeePerGas must be higher to replace', 'To replace it, raise'],
    [-32602, 'Already known', 'the bundler already has this operation'],
    [-32602, 'duplicate operation', 'the bundler already has this operation'],
    [-32602, 'maxFeePerGas must be at least 5', 'the fees are lower than'],
    [-32602, 'maxPriorityFeePerGas too low', 'the fees are lower than'],
    [-32602, 'preVerificationGas is not enough', 'preVerificationGas is too low'],
    [-32602, 'preVerificationGas: below 5', 'preVerificationGas is too low'],
  ])(
    'is explained for the code %s and the message %j',
    async (code, message, words) => {
      const failure = await failureOf(estimateWith({ code, message }));
      expect(failure).toMatchObject({ name: 'BundlerError', code, context: {} });
      expect(failure.message).toContain(words);
      expect(failure.message).toContain(`The bundler said: ${message}.`);
    },
  );

  it('is explained without a message, and truncated if its message is long', async () => {
    const [none, much] = ['', `AA24 ${'x'.repeat(1_000)}`].map(async (message) =>
      failureOf(estimateWith({ code: -32508, message })),
    );
    expect((await none)?.message).toMatch(/Try again later, or without it\.$/u);
    expect((await much)?.message.length).toBeLessThan(600);
  });

  it.each<[number, string]>([
    [-32602, 'Missing/invalid field nonce'],
    [-32601, 'the method does not exist'],
    [-32000, 'AA00 unknown'],
    [-32000, '0xAA21AA21'],
    [-32000, 'toString'],
  ])('is passed on for the code %s and the message %j', async (code, message) => {
    expect(await failureOf(estimateWith({ code, message }))).toStrictEqual({
      name: 'RpcError',
      code,
      message: `${AT} ${message}.`,
      context: {},
    });
  });
});

const STUB = 'pm_getPaymasterStubData';
const DATA = 'pm_getPaymasterData';
const ADVICE = 'Ask the paymaster, or send the operation without one.';

const fetchStub = async (
  answer: object,
  version: '0.6' | '0.7' | '0.8' | '0.9' = '0.7',
): Promise<object> =>
  createPaymasterBench({ [STUB]: answer }).paymaster.fetchStub(
    toInternal(plain, version),
    {
      version,
      chainId: 5n,
    },
  );

describe('a paymaster service', () => {
  it.each(entryPointVersions)(
    'receives an operation in the format of EntryPoint %s, unsigned',
    async (version) => {
      const { paymaster, node } = createPaymasterBench({ [STUB]: {} });
      const operation = toInternal({ ...sponsored, signature: '0x12' }, version);
      const context = { policyId: 'mine' };
      const target = { version, chainId: 31n };
      await expect(
        paymaster.fetchStub(operation, { ...target, context }),
      ).rejects.toThrow();
      const form = without(toBundlerForm(operation, version), 'signature');
      const params = [form, entryPoints[version].entryPoint, '0x1f', context];
      expect(node.calls).toMatchObject([{ method: STUB, params }]);
      expect(node.calls[0]?.params).toStrictEqual(params);
    },
  );

  it('receives an empty context if none is given', async () => {
    const { paymaster, node } = createPaymasterBench({ [DATA]: answer07 });
    await paymaster.fetchData(toInternal(plain, '0.7'), target07);
    expect(node.calls[0]?.params.slice(2)).toStrictEqual(['0x5', {}]);
    expect(paymaster.label).toBe(SERVICE_URL);
  });

  it('receives a request again if the connection breaks', async () => {
    const network = createFakeNetwork();
    network.serve(
      SERVICE_URL,
      inTurn(unreachableServer, answering({ id: 1, result: answer06 })),
    );
    const services = { sleep: async () => Promise.resolve() };
    const endpoint = createPaymasterEndpoint(SERVICE_URL);
    const transport = createHttpTransport(endpoint, { ...network, services });
    const paymaster = createPaymasterClient(transport);
    const { isFinal } = await paymaster.fetchData(toInternal(plain, '0.6'), target06);
    expect([isFinal, network.sent.length]).toStrictEqual([true, 2]);
  });
});

describe('a sponsorship', () => {
  const packed = { paymasterAndData: packedWith(30_000n, 1n), isFinal: false };

  it('keeps paymasterAndData for EntryPoint 0.6, and packs the fields for later ones', async () => {
    expect(await fetchStub(answer06, '0.6')).toStrictEqual({
      ...answer06,
      isFinal: false,
    });
    expect(await fetchStub(answer07, '0.7')).toStrictEqual(packed);
    expect(await fetchStub(answer07, '0.8')).toStrictEqual(packed);
  });

  it.each<[object, object]>([
    [{ isFinal: true }, { isFinal: true }],
    [{ isFinal: null }, {}],
    [{ sponsor: { name: 'Ann' } }, { sponsor: { name: 'Ann' } }],
    [{ sponsor: { name: 'Ann', icon: 'data:,' } }, { sponsor: { name: 'Ann' } }],
    [{ sponsor: { name: 'x'.repeat(101) } }, {}],
    [{ sponsor: null }, {}],
    [{ callGasLimit: 1, verificationGasLimit: '0x2' }, {}],
    // The service leaves the limit to the bundler, whose estimate needs a starting value.
    [
      { paymasterVerificationGasLimit: null },
      { paymasterAndData: packedWith(300_000n, 1n), isCheckGasAssumed: true },
    ],
  ])('is read with %j', async (fields, expected) => {
    expect(await fetchStub({ ...answer07, ...fields })).toStrictEqual({
      ...packed,
      ...expected,
    });
  });

  it('keeps the limits of the stub if the final answer omits them', async () => {
    const { paymaster } = createPaymasterBench({
      [DATA]: without(
        answer07,
        'paymasterVerificationGasLimit',
        'paymasterPostOpGasLimit',
      ),
    });
    const data = await paymaster.fetchData(toInternal(sponsored, '0.7'), target07);
    expect(data.paymasterAndData).toBe(packedWith(60_000n, 0n));
  });
});

describe('a paymaster that does not pay', () => {
  it.each([
    ['policy is used up.', 'It said: policy is used up.'],
    ['', 'It did not say why.'],
  ])('is reported with its message: %j', async (message, reason) => {
    const fault = { code: -32501, message, data: { policy: 1 } };
    const { paymaster } = createPaymasterBench({ [DATA]: refuses(fault) });
    const label = `${DATA} at ${SERVICE_URL}`;
    await expect(
      paymaster.fetchData(toInternal(plain, '0.7'), target07),
    ).rejects.toMatchObject({
      name: 'PaymasterError',
      code: -32501,
      message: `${label}: the paymaster does not pay. ${reason} ${ADVICE}`,
      context: { data: { policy: 1 } },
      label,
    });
  });

  it.each<['0.6' | '0.7', object]>([
    ['0.6', {}],
    ['0.6', { paymasterAndData: null }],
    ['0.6', { paymasterAndData: '0x' }],
    ['0.6', { paymasterAndData: `0x${'00'.repeat(40)}` }],
    ['0.6', answer07],
    ['0.7', {}],
    ['0.7', { ...answer07, paymaster: null }],
    ['0.7', { ...answer07, paymaster: `0x${'00'.repeat(20)}` }],
    ['0.7', { paymasterAndData: packedWith(1n, 1n) }],
  ])('is recognized for EntryPoint %s by the answer %j', async (version, answer) => {
    const field = version === '0.6' ? 'paymasterAndData' : 'paymaster';
    expect(await failureOf(async () => fetchStub(answer, version))).toStrictEqual({
      name: 'PaymasterError',
      code: -32000,
      message:
        `${STUB} at ${SERVICE_URL}: the paymaster does not pay. ` +
        `It answered without ${field}. ${ADVICE}`,
      context: {},
    });
  });
});

describe('an unusable answer', () => {
  const GAS = 'a quantity below 2^64 (hex with 0x, decimal string, or safe integer)';
  const BYTES = 'at most 10000 bytes in hex (0x and an even number of digits)';
  const long = `0x${'12'.repeat(10_001)}`;
  const huge = `0x1${'0'.repeat(16)}`;

  it.each<[string, object]>([
    ['paymaster must be a 20-byte address in hex', { paymaster: '0x12' }],
    [`paymasterData must be ${BYTES}`, { paymasterData: '0x1' }],
    ['paymasterData is missing', { paymasterData: undefined }],
    ['paymasterPostOpGasLimit is missing', { paymasterPostOpGasLimit: null }],
    [`paymasterPostOpGasLimit must be ${GAS}`, { paymasterPostOpGasLimit: -1 }],
    [
      `paymasterVerificationGasLimit must be ${GAS}`,
      { paymasterVerificationGasLimit: huge },
    ],
    ['paymasterAndData must be at least 20 bytes long', { paymasterAndData: '0x12' }],
    [`paymasterAndData must be ${BYTES}`, { paymasterAndData: long }],
  ])('is refused: %s', async (reason, fields) => {
    const version = 'paymasterAndData' in fields ? '0.6' : '0.7';
    const answer = { ...answer07, ...fields };
    expect(await failureOf(async () => fetchStub(answer, version))).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        invalid(STUB, `result.${reason}. `) + 'Check that it is the right server.',
      context: {},
    });
  });
});
