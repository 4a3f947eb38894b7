// User operations for every EntryPoint, prepared, patched, signed, estimated and sent for sites and
// for MetaMask. viem judges the signatures.
import {
  EthBaseUserOperationStruct,
  EthUserOperationPatchStruct,
} from '@metamask/keyring-api';
import { strictMask } from '@metamask/keyring-utils';
import type { Json } from '@metamask/utils';
import { decodeFunctionData, getAddress, parseAbi, concat, numberToHex } from 'viem';
import type { Hex } from 'viem';
import {
  getUserOperationHash,
  getUserOperationTypedData,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { entryPoints, entryPointVersions } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { DUMMY_SIGNATURE } from '../../src/eth/user-operation';
import { callersOf } from '../support/callers';
import { ownerKeyOfIndex } from '../support/entropy';
import { calledMethods, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { storeChains } from '../support/given';
import {
  BUNDLER_URL,
  createOperationBench,
  ESTIMATE,
  answerContractCalls,
} from '../support/operation-bench';
import type { OperationBenchOptions } from '../support/operation-bench';
import { operationOf, toViemOperation } from '../support/operations';
import {
  failingPaymasters,
  packedOf,
  payingPaymaster,
  PAYMASTER,
  answerOf,
  paymastersFailingFinally,
} from '../support/paymaster-answers';
import { expectRefusal, refusalOf } from '../support/refusal';
import { listActivity } from '../support/sent-transactions';
import { createAccount, refuse } from '../support/test-app';
import { TO } from '../support/transactions';
import { textOf, warningsOf, writeView } from '../support/view';
import { without } from '../support/without';

const PREPARE = 'eth_prepareUserOperation';
const PATCH = 'eth_patchUserOperation';
const SIGN = 'eth_signUserOperation';
const ESTIMATE_GAS = 'eth_estimateUserOperationGas';
const SEND = 'eth_sendUserOperation';

const intent = { to: TO, value: '0x1', data: '0xa9059cbb' };

/** The gas limits of operations, from {@link ESTIMATE}. */
const LIMITS = {
  callGasLimit: '0x1d4c0',
  verificationGasLimit: '0x46500',
  preVerificationGas: '0xd6d8',
};

const execute = parseAbi(['function execute(address,uint256,bytes)']);

async function setup(options: OperationBenchOptions = {}) {
  const bench = await createOperationBench(options);
  const submit = async (method: string, params: Json, scope = '') => {
    const asked = { account: bench.id, method, params, scope };
    const answer = await callersOf(bench.app).submit(asked);
    return (answer as { result: Json }).result;
  };
  return { ...bench, submit };
}

/** Signs {@link operationOf} with viem. */
async function signElsewhere(sender: string, version: EntryPointVersion, chainId = 1) {
  const account = privateKeyToAccount(ownerKeyOfIndex(0, version));
  const userOperation = toViemOperation(sender);
  const at = { chainId, entryPointAddress: entryPoints[version].entryPoint };
  if (version !== '0.6' && version !== '0.7') {
    return account.signTypedData(getUserOperationTypedData({ ...at, userOperation }));
  }
  const raw = getUserOperationHash({
    ...at,
    entryPointVersion: version,
    userOperation,
  } as Parameters<typeof getUserOperationHash>[0]);
  return account.signMessage({ message: { raw } });
}

describe.each(entryPointVersions)('a user operation for EntryPoint %s', (version) => {
  it("is prepared, patched and signed as MetaMask's structs require", async () => {
    const { address, call, submit, shown, edges } = await setup({ version });
    const prepared = await submit(PREPARE, [intent]);
    expect(strictMask(prepared, EthBaseUserOperationStruct)).toBe(prepared);
    const { callData, ...others } = prepared as { callData: Hex };
    expect(others).toStrictEqual({
      nonce: '0x7',
      initCode: '0x',
      gasLimits: LIMITS,
      dummyPaymasterAndData: '0x',
      dummySignature: DUMMY_SIGNATURE,
      bundlerUrl: BUNDLER_URL,
    });
    const { args } = decodeFunctionData({ abi: execute, data: callData });
    expect(args).toStrictEqual([getAddress(TO), 1n, intent.data]);
    const operation = operationOf(address);
    edges.wallet.calls.length = 0;
    const patch = await submit(PATCH, [operation]);
    expect(strictMask(patch, EthUserOperationPatchStruct)).toBe(patch);
    expect(patch).toStrictEqual({ paymasterAndData: '0x' });
    const signature = await signElsewhere(address, version);
    expect(await submit(SIGN, [operation])).toBe(signature);
    expect([shown(), edges.wallet.calls]).toStrictEqual([[], []]);
    const { entryPoint } = entryPoints[version];
    for (const params of [
      [operation],
      [operation, entryPoint],
      { scope: 'eip155:1', params: [operation] },
    ]) {
      expect(await call(SIGN, params)).toBe(signature);
    }
    const view = writeView(shown()[0]);
    for (const part of ['https://dapp.example', address, 'Ethereum', '0.0007 ETH']) {
      expect(view).toContain(part);
    }
  });

  it('is filled in, confirmed, signed, sent and tracked', async () => {
    const bench = await setup({ version });
    const before = bench.edges.network.sent.length;
    const hash = await bench.call(SEND, [intent]);
    expect(bench.edges.network.sent.length - before).toBe(3);
    const [sent = {}] = bench.sent();
    expect(sent).toMatchObject({
      sender: bench.address,
      nonce: '0x7',
      initCode: '0x',
      paymasterAndData: '0x',
      ...LIMITS,
    });
    const data = sent.callData as Hex;
    const { args } = decodeFunctionData({ abi: execute, data });
    expect(args).toStrictEqual([getAddress(TO), 1n, intent.data]);
    expect(bench.shown()).toHaveLength(1);
    const { signature, ...content } = sent;
    expect(await bench.submit(SIGN, [{ ...content, signature: '0x' }])).toBe(signature);
    expect(await listActivity(bench.app)).toMatchObject([
      {
        hash,
        entryPoint: version,
        from: bench.address,
        to: TO,
        value: '0x1',
        nonce: '0x7',
        status: 'pending',
      },
    ]);
  });

  it('is rejected for a different sender or EntryPoint', async () => {
    const { address, submit, call, shown } = await setup({ version });
    const other = version === '0.6' ? '0.7' : '0.6';
    const { entryPoint } = entryPoints[other];
    for (const method of [PATCH, SIGN]) {
      expect(await refusalOf(submit(method, [operationOf(TO)]))).toStrictEqual({
        code: -32602,
        message: `sender is ${TO}, but the request is for the account ${address}.`,
      });
      const submitting = submit(method, [operationOf(address), entryPoint]);
      expect(await refusalOf(submitting)).toStrictEqual({
        code: -32602,
        message:
          `The entry point is ${entryPoint}, but the account ${address} is for ` +
          `${entryPoints[version].entryPoint} (version ${version}).`,
      });
    }
    const sending = call(SEND, [{ callData: '0x' }, entryPoint]);
    await expectRefusal(sending, -32602);
    expect(shown()).toStrictEqual([]);
  });

  it('can have several intents, with values from EntryPoint 0.7 on', async () => {
    const { submit } = await setup({ version });
    const plain = { to: TO, data: '0x12' };
    expect(await submit(PREPARE, [plain, plain])).toHaveProperty('callData');
    const creation = submit(PREPARE, [intent, { ...intent, to: null }]);
    if (version !== '0.6') return expect(await creation).toHaveProperty('callData');
    return expect((await refusalOf(creation)).message).toContain('carries no values');
  });
});

describe('a user operation', () => {
  it.each<[string[], string, string, number | RegExp]>([
    [['eip155:137'], '', '0x1', 137],
    [['eip155:1', 'eip155:137'], 'eip155:137', '0x1', 137],
    [['eip155:1', 'eip155:137'], '', '0x89', 137],
    [
      ['eip155:5', 'eip155:6'],
      '',
      '0x1',
      /serves eip155:5, eip155:6, not eip155:1\.$/u,
    ],
  ])('is for the right chain (account %j, scope %j, wallet %s): %s', async (...row) => {
    const [scopes, scope, ownChain, expected] = row;
    const { app, edges } = await setup();
    const options = { type: 'eip155:erc4337', entryPoint: '0.6', index: 0, scopes };
    edges.wallet.answers.eth_call = '0x';
    const { id, address } = await createAccount(app, options);
    edges.wallet.answers.eth_chainId = ownChain;
    const asked = { account: id, method: SIGN, params: [operationOf(address)], scope };
    const signing = callersOf(app).submit(asked);
    if (typeof expected !== 'number') {
      await expect(signing).rejects.toThrow(expected);
      return;
    }
    const signature = await signElsewhere(address, '0.6', expected);
    expect(await signing).toHaveProperty('result', signature);
  });

  it("reveals the bundler's URL and key only to MetaMask", async () => {
    const bench = await setup();
    const key = 'k3y-of-the-user-0123456789abcdef';
    const bundlerUrl = `${BUNDLER_URL}/k3y`;
    await storeChains(bench.app, { 'eip155:1': { bundlerUrl, bundlerApiKey: key } });
    const url = `${bundlerUrl}/${key}`;
    expect(await bench.submit(PREPARE, [intent])).toHaveProperty('bundlerUrl', url);
    const forSite = await bench.call(PREPARE, [intent]);
    expect(forSite).toHaveProperty('bundlerUrl', BUNDLER_URL);
    expect(JSON.stringify(forSite)).not.toContain(key);
    delete bench.bundler.answers[ESTIMATE_GAS];
    bench.edges.wallet.answers.eth_call = '0x';
    const { message } = await refusalOf(bench.call(PREPARE, [intent]));
    expect(message).not.toContain(key);
    await storeChains(bench.app, {});
    for (const method of [PREPARE, SEND]) {
      expect(await refusalOf(bench.call(method, [intent]))).toStrictEqual({
        code: -32002,
        message:
          'No bundler is configured for eip155:1. Configure one with tollkeeper_setChain.',
      });
    }
  });

  it.each<[string, Json, string]>([
    [PREPARE, [], ' must be an array of 1 to 100 entries.'],
    [PREPARE, [intent, { ...intent, to: '0x12' }], '[1].to must be a 20-byte address'],
    [PREPARE, [{ ...intent, from: TO }], '[0].from is not expected here.'],
    [PATCH, [], '[0] is missing: it must be an object.'],
    [SIGN, [operationOf(TO), TO, 1], '[2] is not expected here.'],
    ...Object.keys(operationOf(TO)).map((name): [string, Json, string] => {
      return [SIGN, [without(operationOf(TO), name)], `[0].${name} is missing:`];
    }),
  ])(
    'is rejected if it is malformed: %s, case %#',
    async (method, ...[params, reason]) => {
      const { submit } = await setup();
      await expectRefusal(submit(method, params), -32602, `${method}: params${reason}`);
    },
  );

  it.each<Json>([
    [],
    [{ callGasLimit: '0x1' }],
    [{ callData: '0x' }, entryPoints['0.7'].entryPoint, 7],
    [{ callData: '0x', more: 1 }],
    { nonceKey: `0x1${'0'.repeat(48)}`, params: [intent] },
    { nonceKey: '0x1', selfSponsored: true, params: [intent] },
    Array<Json>(101).fill(intent),
    [{ callData: '0x', signature: `0x${'12'.repeat(65)}` }],
  ])('is not sent if it is malformed, case %#', async (params) => {
    const bench = await setup();
    await expectRefusal(bench.call(SEND, params), -32602);
    expect(bench.shown()).toHaveLength(0);
  });
});

describe('eth_estimateUserOperationGas', () => {
  const noBudget = {
    pm_getPaymasterStubData: refuses({ code: -32001, message: 'budget spent' }),
  };

  it('estimates intents and operations as when sending, without a dialog', async () => {
    const { call, shown, sent, address, estimated } = await setup();
    expect(await call(ESTIMATE_GAS, [intent])).toStrictEqual(LIMITS);
    const operation = operationOf(address, { callGasLimit: '0x1' });
    expect(await call(ESTIMATE_GAS, [operation])).toStrictEqual(LIMITS);
    expect(estimated()[1]).toMatchObject({ nonce: '0x7', maxFeePerGas: '0x77359400' });
    expect([shown(), sent()]).toStrictEqual([[], []]);
  });

  it('skips the paymaster for self-sponsored operations, and otherwise reports why it does not pay', async () => {
    const { call, address, paymaster, estimated } = await setup({
      paymaster: noBudget,
    });
    const operation = { sender: address, callData: '0xb61d27f6' };
    const stub = { ...operation, signature: DUMMY_SIGNATURE };
    expect(await call(ESTIMATE_GAS, [stub])).toStrictEqual(LIMITS);
    const selfSponsored = [{ callData: '0xb61d27f6', paymasterAndData: '0x' }];
    expect(await call(ESTIMATE_GAS, selfSponsored)).toStrictEqual(LIMITS);
    expect(estimated()).toMatchObject([
      { paymasterAndData: '0x' },
      { paymasterAndData: '0x' },
    ]);
    expect(paymaster.calls).toStrictEqual([]);
    const words = ['budget spent', 'paymasterAndData is "0x"'];
    await expectRefusal(call(ESTIMATE_GAS, [operation]), -32001, ...words);
  });
});

describe('eth_sendUserOperation', () => {
  const floor = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x12a05f200' };
  const deployment = { factory: TO, factoryData: '0x12' };

  it.each<[string, Json, Record<string, Json>, OperationBenchOptions?]>([
    [
      "accepts the unpacked form, and the account's EntryPoint",
      [{ callData: '0x', ...deployment }, entryPoints['0.7'].entryPoint],
      { initCode: `${TO}12` },
    ],
    [
      'uses a nonce with the requested key',
      { nonceKey: '0x5', params: [intent] },
      { nonce: '0x50000000000000007' },
    ],
    [
      "raises the fees to the bundler's minimum",
      [intent],
      floor,
      {
        bundler: { pimlico_getUserOperationGasPrice: { slow: floor, standard: floor } },
      },
    ],
    [
      'uses no paymaster if paymasterAndData is empty',
      [{ callData: '0x', paymasterAndData: '0x' }],
      { paymasterAndData: '0x' },
      { paymaster: payingPaymaster() },
    ],
  ])('%s', async (_what, params, ...[expected, options]) => {
    const bench = await setup(options);
    await bench.call(SEND, params);
    expect(bench.sent()).toMatchObject([expected]);
    expect(calledMethods(bench.paymaster)).toStrictEqual([]);
  });

  it('lets the configured paymaster pay, and names it', async () => {
    const bench = await setup({ paymaster: payingPaymaster() });
    await bench.call(SEND, [intent]);
    const [stub, data] = ['00', '12'].map((each) => packedOf('0.7', each));
    expect(bench.estimated()).toMatchObject([{ paymasterAndData: stub }]);
    expect(bench.sent()).toMatchObject([{ paymasterAndData: data }]);
    const view = writeView(bench.shown());
    for (const part of ['Patron', PAYMASTER]) expect(view).toContain(part);
    const { calls } = bench.paymaster;
    expect(calls[0]?.params.slice(2)).toStrictEqual(['0x1', { plan: 7 }]);
  });

  it('deploys an account without code', async () => {
    const { call, sent, shown, submit } = await setup({ node: { eth_getCode: '0x' } });
    await call(SEND, [intent]);
    const { initCode } = sent()[0] ?? {};
    expect(initCode).toMatch(/^0x\w{150,}$/u);
    expect(await submit(PREPARE, [intent])).toMatchObject({ initCode });
    expect(writeView(shown())).toContain('Deploys');
  });

  it('explains that replacing an operation differs from replacing a transaction', async () => {
    const { call } = await setup();
    const params = [await call(SEND, [intent]), { action: 'cancel' }];
    const { message } = await refusalOf(call('tollkeeper_replaceTransaction', params));
    expect(message).toContain(
      'to replace it, send another with the same nonce, using eth_sendUserOperation',
    );
  });

  it('sends a signed operation unchanged, without a dialog', async () => {
    const bench = await setup();
    const operation = operationOf(bench.address);
    const signature = await bench.submit(SIGN, [operation]);
    const changed = { ...operation, nonce: '0x8', signature };
    await expect(bench.call(SEND, [changed])).rejects.toThrow(
      `params[0].signature is not by ${bench.address}'s owner, or not for this operation.`,
    );
    // Empty fields may be omitted, as in the unpacked form.
    const entries = Object.entries(operation).filter(([, value]) => value !== '0x');
    const unpacked = { ...Object.fromEntries(entries), signature };
    const hash = await bench.call(SEND, [unpacked, entryPoints['0.7'].entryPoint]);
    expect(bench.sent()).toStrictEqual([{ ...operation, signature }]);
    expect(await listActivity(bench.app)).toMatchObject([{ hash, status: 'pending' }]);
    expect(bench.shown()).toHaveLength(0);
    await bench.call(SEND, [
      { ...operation, nonce: '0x9', signature: DUMMY_SIGNATURE },
    ]);
    expect(bench.shown()).toHaveLength(1);
  });

  it('warns about a sent or signed operation with the same nonce', async () => {
    const bench = await setup();
    const operation = without(operationOf(bench.address), 'signature');
    const hash = (await bench.call(SEND, [operation])) as Hex;
    await bench.call(SEND, [{ ...operation, maxFeePerGas: '0x87359400' }]);
    await bench.call(SIGN, [operationOf(bench.address, { nonce: '0x8' })]);
    await bench.call(SIGN, [operationOf(bench.address, { nonce: '0x8' })]);
    await bench.call(SIGN, [
      operationOf(bench.address, { nonce: '0x8', callData: '0x' }),
    ]);
    const warnings = bench.shown().map((view) => warningsOf(view).join());
    expect(warnings.map((each) => /same nonce|this nonce/u.test(each))).toStrictEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(warnings.map((each) => each.includes(hash)).indexOf(true)).toBe(1);
  });
});

describe('a bundler', () => {
  it.each<[string, NodeAnswers, string]>([
    ['a different chain', { eth_chainId: '0x5' }, 'is for eip155:5'],
    [
      'other EntryPoints',
      { eth_supportedEntryPoints: [entryPoints['0.6'].entryPoint] },
      `does not serve the account's EntryPoint ${entryPoints['0.7'].entryPoint}`,
    ],
  ])('is reported before sending if it serves %s', async (_which, bundler, words) => {
    const bench = await setup({ bundler });
    await expectRefusal(bench.call(SEND, [intent]), -32002, words);
    expect([bench.shown(), bench.sent()]).toStrictEqual([[], []]);
  });
});

describe('a paymaster that does not pay', () => {
  /** Estimates self-sponsored operations, and refuses sponsored ones. */
  const refusing = (code: number, message: string): NodeAnswers => ({
    [ESTIMATE_GAS]: ([operation]: Json[]) =>
      Object.hasOwn(operation as object, 'paymaster')
        ? refuses({ code, message })()
        : ESTIMATE,
  });
  const rows = [
    ...failingPaymasters.map(({ how, words, ...options }) => ({ how, words, options })),
    ...[
      [-32501, 'no'] as const,
      // The code is generic; the message blames the paymaster.
      [-32500, 'AA33 reverted: too short'] as const,
    ].map(([code, words]) => ({
      how: `is refused by the bundler: ${words}`,
      words,
      options: { paymaster: payingPaymaster(), bundler: refusing(code, words) },
    })),
  ];

  it.each(rows)(
    'is reported with the reason, and the user can pay or refuse: $how',
    async ({ words, options }) => {
      const bench = await setup(options);
      const { answer } = bench.edges.dialogs;
      bench.edges.dialogs.answer = refuse;
      await expectRefusal(bench.call(SEND, [intent]), 4001);
      expect(bench.sent()).toStrictEqual([]);
      bench.edges.dialogs.answer = answer;
      await bench.call(SEND, [intent]);
      expect(warningsOf(bench.shown()[0]).join('\n')).toContain(words);
      expect(writeView(bench.shown()[0])).toContain(textOf('self'));
      expect(bench.sent()).toMatchObject([{ paymasterAndData: '0x' }]);
    },
  );

  it.each<[number, NodeAnswers]>([
    [-32521, refusing(-32521, 'busy')],
    [-32000, refusing(-32000, 'busy')],
    // Self-sponsored operations are refused as well.
    [-32500, { [ESTIMATE_GAS]: refuses({ code: -32500, message: 'AA25 bad nonce' }) }],
  ])('is not blamed for other refusals: %j', async (code, bundler) => {
    const bench = await setup({ paymaster: payingPaymaster(), bundler });
    await expectRefusal(bench.call(SEND, [intent]), code);
    expect(bench.shown()).toStrictEqual([]);
  });

  it('does not prevent a patch without a paymaster, or with another', async () => {
    const { submit, address, paymaster } = await setup({
      paymaster: payingPaymaster(),
    });
    expect(await submit(PATCH, [operationOf(address)])).toStrictEqual({
      paymasterAndData: '0x',
    });
    expect(calledMethods(paymaster)).toStrictEqual([]);
    const other = await setup();
    const paymasterAndData = packedOf('0.7', '99');
    const draft = operationOf(other.address, { paymasterAndData });
    expect(await other.submit(PATCH, [draft])).toStrictEqual({ paymasterAndData });
  });

  it.each(failingPaymasters.slice(0, 3))(
    'is reported by a patch: $how',
    async (row) => {
      const { paymaster, node, words } = row;
      const { submit, address } = await setup({ paymaster, node });
      const draft = operationOf(address, { paymasterAndData: packedOf('0.7', '00') });
      await expect(submit(PATCH, [draft])).rejects.toThrow(words);
    },
  );
});

const payment = { to: TO, value: '0x1', data: '0x' };

async function sendPayment(options: OperationBenchOptions) {
  const bench = await createOperationBench(options);
  await bench.call(SEND, [payment]);
  return bench;
}

/** Gas limits of 29.9 million each, which a paymaster must not set. */
const GREEDY = {
  callGasLimit: '0x1c83c60',
  verificationGasLimit: '0x1c83c60',
  preVerificationGas: '0x1c83c60',
};

/** Packs paymaster fields for EntryPoint 0.7 and later, independently of the snap. */
function pack(checkGas: bigint, postOpGas: bigint, data: Hex): Hex {
  const gas = [checkGas, postOpGas].map((each) => numberToHex(each, { size: 16 }));
  return concat([PAYMASTER as Hex, ...gas, data]);
}

const tripleIfSponsored: NodeAnswers = {
  [ESTIMATE_GAS]: ([operation]: Json[]) => {
    const { paymaster, paymasterAndData = '0x' } = operation as Record<string, Json>;
    const isSponsored = paymaster !== undefined || paymasterAndData !== '0x';
    if (!isSponsored) return ESTIMATE;
    return {
      callGasLimit: '0x493e0',
      verificationGasLimit: '0x927c0',
      preVerificationGas: '0x249f0',
    };
  },
};

describe('a paymaster', () => {
  it.each(entryPointVersions)(
    'changes only its own gas limits, whether final or not (%s)',
    async (version) => {
      for (const isFinal of [true, false]) {
        const stub = { ...answerOf(version, '34'), ...GREEDY, isFinal };
        const data = { ...answerOf(version, '12'), ...GREEDY };
        const bench = await sendPayment({
          version,
          paymaster: { pm_getPaymasterStubData: stub, pm_getPaymasterData: data },
        });
        const paymasterAndData = packedOf(version, isFinal ? '34' : '12');
        expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData }]);
      }
    },
  );

  it('changes no gas limits in a patch', async () => {
    const pm_getPaymasterData = { ...answerOf('0.7', '12'), ...GREEDY };
    const paymaster = { ...payingPaymaster(), pm_getPaymasterData };
    const { call, address } = await createOperationBench({ paymaster });
    const draft = operationOf(address, { paymasterAndData: packedOf('0.7', '00') });
    expect(await call('eth_patchUserOperation', [draft])).toStrictEqual({
      paymasterAndData: packedOf('0.7', '12'),
    });
  });

  it.each(paymastersFailingFinally)(
    'leaves no gas limits behind if it fails: $how',
    async ({ paymaster, node, words }) => {
      const bench = await sendPayment({ paymaster, node, bundler: tripleIfSponsored });
      expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: '0x' }]);
      const view = writeView(bench.shown());
      expect(view).toContain(words);
      expect(view).toContain(textOf('payer.fallback'));
    },
  );

  it('does not pay if its contract does not answer', async () => {
    const eth_call = (params: Json[]): Json => {
      const plain = answerContractCalls()(params) as string;
      if (plain.length === 66) return plain;
      return refuses('header not found')();
    };
    const bench = await sendPayment({
      paymaster: payingPaymaster(),
      node: { eth_call },
    });
    expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: '0x' }]);
    expect(writeView(bench.shown())).toContain('Its contract could not be asked');
  });

  it('leaves no gas limits behind if it fails after its final answer', async () => {
    const stub = { ...answerOf('0.7', '34'), ...GREEDY, isFinal: true };
    const [, failure] = paymastersFailingFinally;
    const bench = await sendPayment({
      paymaster: { pm_getPaymasterStubData: stub },
      node: failure?.node ?? {},
      bundler: tripleIfSponsored,
    });
    expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: '0x' }]);
  });
});

describe("the gas limit of a paymaster's check", () => {
  const stub = without(answerOf('0.7', '00'), 'paymasterVerificationGasLimit');

  const paymaster = {
    pm_getPaymasterStubData: stub,
    pm_getPaymasterData: without(
      answerOf('0.7', '12'),
      'paymasterVerificationGasLimit',
      'paymasterPostOpGasLimit',
    ),
  };

  const estimating = (more: Record<string, Json>): NodeAnswers => ({
    [ESTIMATE_GAS]: { ...ESTIMATE, ...more },
  });

  const checked = estimating({ paymasterVerificationGasLimit: '0x7530' });

  const limits = (check: string | null, postOp: string | null) => ({
    paymasterVerificationGasLimit: check,
    paymasterPostOpGasLimit: postOp,
  });

  it('is estimated by the bundler if the paymaster service omits it', async () => {
    const bundler = estimating(limits('0x7530', '0x1'));
    const bench = await sendPayment({ paymaster, bundler });
    const packed = pack(36_000n, 0x6000n, '0x12');
    expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: packed }]);
    // The paymaster service signs the limits that are sent.
    const asked = bench.paymaster.calls.map(({ params }) => params[0]);
    expect(asked[1]).toMatchObject(limits('0x8ca0', '0x6000'));
  });

  it('is estimated even if all gas limits of the account are given', async () => {
    const bench = await createOperationBench({ paymaster, bundler: checked });
    const given = { callGasLimit: '0x1', verificationGasLimit: '0x2' };
    const operation = { callData: '0x', ...given, preVerificationGas: '0x3' };
    await bench.call(SEND, [operation]);
    const paymasterAndData = pack(36_000n, 0x6000n, '0x12');
    expect(bench.sent()).toMatchObject([{ ...operation, paymasterAndData }]);
  });

  it('has a default if the bundler does not estimate it either', async () => {
    const bench = await sendPayment({ paymaster });
    const paymasterAndData = pack(300_000n, 0x6000n, '0x12');
    expect(bench.sent()).toMatchObject([{ paymasterAndData }]);
  });

  it("is the service's value even if the bundler estimates more", async () => {
    const bundler = estimating(limits('0x1c83c60', '0x1c83c60'));
    const bench = await sendPayment({ paymaster: payingPaymaster(), bundler });
    expect(bench.sent()).toMatchObject([{ paymasterAndData: packedOf('0.7', '12') }]);
  });

  it('keeps its default if the data is final, because the data is signed for it', async () => {
    const final = { pm_getPaymasterStubData: { ...stub, isFinal: true } };
    const bench = await sendPayment({ paymaster: final, bundler: checked });
    const paymasterAndData = pack(300_000n, 0x6000n, '0x00');
    expect(bench.sent()).toMatchObject([{ paymasterAndData }]);
  });

  const own = (address: string): Json =>
    operationOf(address, { paymasterAndData: pack(1n, 2n, '0xc0ffee') });

  it('is returned to sites that request an estimate with their own paymaster', async () => {
    const bundler = estimating(limits('0x7530', '0x64'));
    const { call, address } = await createOperationBench({ bundler });
    expect(await call(ESTIMATE_GAS, [own(address)])).toStrictEqual({
      ...LIMITS,
      ...limits('0x8ca0', '0x78'),
    });
  });

  it.each([{}, limits(null, null)])(
    "is the site's value if the bundler estimates none: %j",
    async (more) => {
      const bundler = estimating(more);
      const { call, address } = await createOperationBench({ bundler });
      expect(await call(ESTIMATE_GAS, [own(address)])).toStrictEqual({
        ...LIMITS,
        ...limits('0x1', '0x2'),
      });
    },
  );

  it("is returned in estimates with the chain's paymaster", async () => {
    const bench = await createOperationBench({ paymaster, bundler: checked });
    expect(await bench.call(ESTIMATE_GAS, [payment])).toStrictEqual({
      ...LIMITS,
      ...limits('0x8ca0', '0x6000'),
    });
    expect(calledMethods(bench.paymaster)).toStrictEqual(['pm_getPaymasterStubData']);
  });

  it('is not returned for EntryPoint 0.6, which has none', async () => {
    const { call } = await createOperationBench({ version: '0.6', bundler: checked });
    expect(await call(ESTIMATE_GAS, [payment])).toStrictEqual(LIMITS);
  });

  it('must fit into 64 bits', async () => {
    const bundler = estimating({
      paymasterVerificationGasLimit: `0x1${'0'.repeat(16)}`,
    });
    await expectRefusal(sendPayment({ paymaster, bundler }), -32002);
  });
});
