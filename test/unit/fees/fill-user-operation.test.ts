import { encodeIntents } from '../../../src/eth/account-calls';
import { entryPointVersions } from '../../../src/eth/entry-point';
import { DUMMY_SIGNATURE } from '../../../src/eth/user-operation';
import { breaking } from '../../support/fake-fetch';
import { askedOf, refuses } from '../../support/fake-node';
import { MARKET } from '../../support/fill-bench';
import {
  CALL_DATA,
  createOperationBench,
  GAS_PRICE,
  LIMITS,
  partsOf,
  simulated,
} from '../../support/fill-operation-bench';
import { smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { TO } from '../../support/transactions';

const levels = (): Promise<typeof MARKET> => Promise.resolve(MARKET);

const GIVEN = {
  nonce: 3n,
  initCode: `0x${'fa'.repeat(20)}01`,
  callGasLimit: 1n,
  verificationGasLimit: 2n,
  preVerificationGas: 0n,
  maxFeePerGas: 5n,
  maxPriorityFeePerGas: 6n,
  paymasterAndData: `0x${'bb'.repeat(60)}`,
} as const;

describe('an operation of which only the calls are there', () => {
  it('is filled for an estimate, at what gas costs now', async () => {
    const { fill } = createOperationBench();
    expect(await fill()).toStrictEqual({
      operation: {
        sender: smartRecord().address,
        nonce: 7n,
        initCode: '0x',
        callData: CALL_DATA,
        ...LIMITS,
        maxFeePerGas: GAS_PRICE,
        maxPriorityFeePerGas: GAS_PRICE,
        paymasterAndData: '0x',
        signature: DUMMY_SIGNATURE,
      },
      state: { isDeployed: true, nonce: 7n, callGas: 0n, gasPrice: GAS_PRICE },
      paymasterGas: {},
    });
  });

  it('takes one request to the node and one to the bundler', async () => {
    const { fill, askedBy } = createOperationBench();
    await fill();
    const [batch, ...others] = askedBy('node');
    expect(batch?.sort()).toStrictEqual([
      'eth_call',
      'eth_estimateGas',
      'eth_gasPrice',
      'eth_getCode',
    ]);
    expect(others).toStrictEqual([]);
    expect(askedBy('bundler')).toStrictEqual([['eth_estimateUserOperationGas']]);
  });

  it('takes one more to the node where that simulates it', async () => {
    const { fill, askedBy } = createOperationBench({
      node: { eth_simulateV1: simulated({ gas: 50_000 }, { gas: 60_000 }) },
      bundler: {
        eth_estimateUserOperationGas: refuses({ code: -32601, message: 'unknown' }),
      },
    });
    await fill();
    expect(askedBy('node').slice(1)).toStrictEqual([['eth_simulateV1']]);
    expect(askedBy('bundler')).toHaveLength(1);
  });

  it('gets the fees of the level, at least what the bundler asks for', async () => {
    const { fill, askedBy } = createOperationBench({
      bundler: { rundler_maxPriorityFeePerGas: '0xbebc200' },
    });
    const { operation } = await fill({}, { fees: { levels, level: 'medium' } });
    const { maxFeePerGas, maxPriorityFeePerGas } = MARKET.medium;
    expect(operation).toMatchObject({
      maxFeePerGas: maxFeePerGas - maxPriorityFeePerGas + 200_000_000n,
      maxPriorityFeePerGas: 200_000_000n,
    });
    expect(askedBy('bundler')).toHaveLength(2);
  });

  it('gets a maximum that covers what gas costs, where its priority fee is given', async () => {
    const { fill } = createOperationBench();
    const low = await fill({ maxPriorityFeePerGas: 1n });
    const high = await fill({ maxPriorityFeePerGas: GAS_PRICE + 1n });
    expect([low, high].map(({ operation }) => operation.maxFeePerGas)).toStrictEqual([
      GAS_PRICE,
      GAS_PRICE + 1n,
    ]);
  });

  it('gets the nonce that is free from the count on', async () => {
    const { fill } = createOperationBench();
    const findNonce = (count: bigint): bigint => count + 2n;
    expect((await fill({}, { findNonce })).operation.nonce).toBe(9n);
  });

  it('gets the nonce of the key that was asked for', async () => {
    const { fill, nodeSide } = createOperationBench();
    await fill({}, { nonceKey: 0xabcn });
    const asked = nodeSide.calls.find(({ method }) => method === 'eth_call');
    expect(JSON.stringify(asked?.params)).toContain('abc"');
  });

  it('is what deploys the account while it has no code', async () => {
    const { fill } = createOperationBench({ node: { eth_getCode: '0x' } });
    const { operation } = await fill();
    expect(partsOf(operation.initCode).factory).toBe(smartRecord().factory);
  });
});

describe('what is given', () => {
  it('is never altered, and nothing is estimated if nothing is left open', async () => {
    const { fill, paymaster, paymasterSide, bundlerSide } = createOperationBench({
      bundler: { rundler_maxPriorityFeePerGas: '0xbebc200' },
    });
    const fees = { levels, level: 'medium' } as const;
    const findNonce = (): bigint => 99n;
    const sources = { fees, findNonce, paymaster };
    const { operation, ...rest } = await fill(GIVEN, sources);
    expect(operation).toStrictEqual({
      sender: smartRecord().address,
      callData: CALL_DATA,
      signature: DUMMY_SIGNATURE,
      ...GIVEN,
    });
    expect(Object.keys(rest)).toStrictEqual(['state', 'paymasterGas']);
    expect(askedOf(bundlerSide)).toStrictEqual([]);
    expect(askedOf(paymasterSide)).toStrictEqual([]);
  });

  it.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const)(
    'of %s stands beside the limits that were found',
    async (name) => {
      const { fill, bundlerSide } = createOperationBench();
      const { operation } = await fill({ [name]: 1n });
      expect(operation).toMatchObject({ ...LIMITS, [name]: 1n });
      expect(bundlerSide.calls[0]?.params[0]).toHaveProperty(name, '0x1');
    },
  );

  it('may say that nobody else pays', async () => {
    const { fill, paymaster, paymasterSide } = createOperationBench();
    const { operation } = await fill({ paymasterAndData: '0x' }, { paymaster });
    expect(operation.paymasterAndData).toBe('0x');
    expect(askedOf(paymasterSide)).toStrictEqual([]);
  });

  it.each([
    ['maxFeePerGas', 5n, { maxFeePerGas: 5n, maxPriorityFeePerGas: 5n }],
    [
      'maxPriorityFeePerGas',
      5n,
      {
        maxFeePerGas: MARKET.low.maxFeePerGas - MARKET.low.maxPriorityFeePerGas + 5n,
        maxPriorityFeePerGas: 5n,
      },
    ],
  ])('of %s alone gets the other one', async (name, fee, expected) => {
    const { fill } = createOperationBench();
    const fees = { levels, level: 'low' } as const;
    expect((await fill({ [name]: fee }, { fees })).operation).toMatchObject(expected);
  });
});

describe('calls of an account without code', () => {
  it.each(entryPointVersions)('of %s get their gas from the node', async (version) => {
    const account = smartRecord({ entryPoint: version });
    const call = { to: TO, value: 0n, data: '0x' } as const;
    const { fill, askedBy } = createOperationBench({ node: { eth_getCode: '0x' } });
    const { operation } = await fill(
      { callData: encodeIntents(version, [call, call, call]) },
      { account },
    );
    // Three times 21,000 and what the account adds, with a fifth on top.
    expect(operation.callGasLimit).toBe(219_600n);
    expect(askedBy('node')).toHaveLength(1);
  });
});

describe('servers that do not answer', () => {
  it.each([
    ['node', 'eth_getCode'],
    ['bundler', 'eth_estimateUserOperationGas'],
  ] as const)('of the %s are named', async (name, method) => {
    const { fill, network } = createOperationBench();
    network.serve(`https://${name}.example`, breaking);
    const { code, message } = await refusalOf(fill());
    expect(code).toBe(-32002);
    expect(message).toContain(`${method} at https://${name}.example`);
  });
});
