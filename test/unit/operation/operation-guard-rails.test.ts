import { entryPointVersions } from '../../../src/core/entry-points';
import type { UserOperation } from '../../../src/core/payload';
import { encodeIntents } from '../../../src/eth/account-calls';
import type { Hex } from '../../../src/eth/hex';
import type { GasFork } from '../../../src/eth/intrinsic-gas';
import {
  computePreVerificationGas,
  gasLimitsOf,
} from '../../../src/eth/operation-cost';
import { DUMMY_SIGNATURE as signature } from '../../../src/eth/user-operation';
import { fetchOperationMeasures } from '../../../src/operation/measures';
import { gasLabels } from '../../../src/operation/warnings';
import type { TextKey } from '../../../src/ui/i18n';
import { danger, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { createFeeBench } from '../../support/fee-bench';
import { FEE_ANSWERS, FETCHED_LEVELS } from '../../support/fees';
import { findWarnings } from '../../support/operation-warnings';
import {
  INTENT,
  OPERATION,
  packPaymaster,
  PAYMASTER,
  SENDER,
} from '../../support/plain-operation';

const HIGH = FETCHED_LEVELS.high.maxFeePerGas;
const HASH: Hex = `0x${'ab'.repeat(32)}`;
const INIT_CODE: Hex = '0x00000000000000000000000000000000000000bb5fbfb9cf';

/** Call data without a value, so that an operation costs only gas. */
const FREE = encodeIntents('0.7', [{ ...INTENT, value: 0n }]);

describe('guard rails for user operations', () => {
  it('find nothing in a plain operation, even if data is missing', () => {
    const deployed = { isDeployed: true, blockGasLimit: 36_000_000n };
    expect(findWarnings({}, deployed)).toStrictEqual([]);
    const deploying = { isDeployed: false, ownInitCode: INIT_CODE };
    expect(findWarnings({ initCode: INIT_CODE }, deploying)).toStrictEqual([]);
    expect(findWarnings({ initCode: INIT_CODE })).toStrictEqual([]);
  });

  it.each(entryPointVersions)(
    'find nothing in a plain operation for EntryPoint %s',
    (version) => {
      expect(findWarnings({}, { version })).toStrictEqual([]);
    },
  );

  it('find a paymaster that the EntryPoint refuses', () => {
    const refused = [warning('alert.paymaster')];
    const version06 = { version: '0.6' } as const;
    expect(findWarnings({ paymasterAndData: '0xab' }, version06)).toStrictEqual(
      refused,
    );
    expect(findWarnings({ paymasterAndData: PAYMASTER })).toStrictEqual(refused);
    expect(findWarnings({ paymasterAndData: PAYMASTER }, version06)).toStrictEqual([]);
  });

  it('find a priority fee above the maximum fee', () => {
    expect(findWarnings({ maxPriorityFeePerGas: HIGH })).toStrictEqual([]);
    expect(findWarnings({ maxPriorityFeePerGas: HIGH + 1n })).toStrictEqual([
      warning('alert.priority', { priority: { fee: HIGH + 1n }, fee: { fee: HIGH } }),
    ]);
  });

  it('report that fees or the balance could not be checked', () => {
    const unchecked = [warning('alert.unchecked')];
    expect(findWarnings({}, { levels: undefined })).toStrictEqual(unchecked);
    expect(findWarnings({}, { balance: undefined })).toStrictEqual(unchecked);
  });

  it('find init code for a deployed account, and missing init code for an undeployed one', () => {
    const initCode = INIT_CODE;
    expect(findWarnings({ initCode }, { isDeployed: true })).toStrictEqual([
      warning('alert.deployed'),
    ]);
    const ignored = { isDeployed: true, version: '0.9' } as const;
    expect(findWarnings({ initCode }, ignored)).toStrictEqual([]);
    expect(findWarnings({}, { isDeployed: false })).toStrictEqual([
      warning('alert.undeployed'),
    ]);
  });

  it("find init code that differs from the account's own", () => {
    const facts = { isDeployed: false, ownInitCode: INIT_CODE };
    const upperCase = INIT_CODE.toUpperCase().replace('0X', '0x') as Hex;
    expect(findWarnings({ initCode: upperCase }, facts)).toStrictEqual([]);
    expect(findWarnings({ initCode: `${INIT_CODE}00` }, facts)).toStrictEqual([
      warning('alert.factory'),
    ]);
  });

  it("find an earlier signature for the nonce, and the paymaster's message", () => {
    const facts = { replaced: { hash: HASH }, sponsorFailure: 'No more today.' };
    expect(findWarnings({}, facts)).toStrictEqual([
      warning('alert.replay', { hash: HASH }),
      warning('alert.sponsor', { reason: { text: 'No more today.' } }),
    ]);
    expect(findWarnings({}, { sponsorFailure: '' })).toStrictEqual([
      warning('alert.sponsor', { reason: { text: '' } }),
    ]);
  });
});

describe('guard rails for costs', () => {
  const shortfall = (cost: bigint, balance: bigint): Warning[] => [
    warning('alert.balance', { cost: { coins: cost }, balance: { coins: balance } }),
  ];

  it('find a cost above the balance plus the deposit', () => {
    const cost = 350_000n * HIGH;
    const facts = { balance: cost - 5n, deposit: 5n };
    expect(findWarnings({ callData: FREE }, facts)).toStrictEqual([]);
    expect(findWarnings({ callData: FREE }, { ...facts, deposit: 4n })).toStrictEqual(
      shortfall(cost, cost - 1n),
    );
    expect(findWarnings({ callData: FREE }, { balance: 0n })).toStrictEqual(
      shortfall(cost, 0n),
    );
  });

  it('include the values of the calls, which a deposit does not cover', () => {
    const gasCost = 350_000n * HIGH;
    const deposit = gasCost + INTENT.value;
    expect(findWarnings({}, { balance: INTENT.value, deposit })).toStrictEqual([]);
    const cost = gasCost + INTENT.value;
    expect(findWarnings({}, { balance: INTENT.value - 1n, deposit })).toStrictEqual(
      shortfall(cost, cost - 1n),
    );
  });

  it('exclude gas that a paymaster pays for', () => {
    const changes = { paymasterAndData: packPaymaster(PAYMASTER) };
    expect(findWarnings(changes, { balance: INTENT.value })).toStrictEqual([]);
    expect(findWarnings(changes, { balance: 0n, deposit: 10n ** 24n })).toStrictEqual(
      shortfall(INTENT.value, 0n),
    );
    const refused = { paymasterAndData: PAYMASTER, callData: FREE };
    expect(findWarnings(refused, { balance: 0n })).toStrictEqual([
      warning('alert.paymaster'),
    ]);
  });

  it('exclude values of unreadable calls', () => {
    const changes = { callData: '0xdeadbeef' as Hex };
    expect(findWarnings(changes, { balance: 350_000n * HIGH })).toStrictEqual([
      danger('alert.opaque'),
    ]);
  });

  it('list their warnings together, in a fixed order', () => {
    const changes = {
      initCode: INIT_CODE,
      maxFeePerGas: 4n * HIGH,
      maxPriorityFeePerGas: 5n * HIGH,
      callGasLimit: 40_000_000n,
    };
    const facts = {
      isDeployed: true,
      ownInitCode: '0x00' as Hex,
      replaced: { hash: HASH },
      sponsorFailure: 'no',
      balance: 0n,
      levels: undefined,
    };
    expect(findWarnings(changes, facts).map(({ key }) => key)).toStrictEqual([
      'alert.priority',
      'alert.factory',
      'alert.deployed',
      'alert.replay',
      'alert.sponsor',
      'alert.gasLimit',
      'alert.balance',
      'alert.unchecked',
    ]);
  });
});

describe('guard rails for gas', () => {
  const beyond = (label: TextKey, gas: bigint, bound: bigint): Warning =>
    warning('alert.gasLimit', { field: { label }, gas, bound });

  it('find a limit above its bound', () => {
    const bounds = [
      ['callGasLimit', 30_000_000n],
      ['verificationGasLimit', 5_000_000n],
    ] as const;
    for (const [field, bound] of bounds) {
      const gas = bound + 1n;
      expect(findWarnings({ [field]: bound })).toStrictEqual([]);
      expect(findWarnings({ [field]: gas })).toStrictEqual([
        beyond(gasLabels[field], gas, bound),
      ]);
    }
  });

  it('find paymaster gas above its bound', () => {
    const bound = 5_000_000n;
    const atBound = packPaymaster(PAYMASTER, bound, bound);
    expect(findWarnings({ paymasterAndData: atBound })).toStrictEqual([]);
    const above = packPaymaster(PAYMASTER, bound + 1n, bound + 2n);
    expect(findWarnings({ paymasterAndData: above })).toStrictEqual([
      beyond('field.paymasterVerificationGas', bound + 1n, bound),
      beyond('field.paymasterPostOpGas', bound + 2n, bound),
    ]);
  });

  it("find a limit above twice the node's estimate", () => {
    const nodeGas = { callGasLimit: 50_000n, verificationGasLimit: 100_000n };
    expect(findWarnings({}, { nodeGas })).toStrictEqual([]);
    const estimate = 49_999n;
    const lower = { callGasLimit: estimate, verificationGasLimit: undefined };
    expect(findWarnings({}, { nodeGas: lower })).toStrictEqual([
      warning('alert.gasEstimate', {
        field: { label: 'field.callGas' },
        gas: 100_000n,
        estimate,
      }),
    ]);
    // A node cannot estimate the calls of an account without code.
    const absent = { nodeGas: lower, isDeployed: false };
    expect(findWarnings({}, absent)).toStrictEqual([warning('alert.undeployed')]);
  });

  /** Computes our own estimate, which depends on the bytes of preVerificationGas itself. */
  const ownOf = (changes: Partial<UserOperation>, fork: GasFork = 'prague'): bigint =>
    computePreVerificationGas(
      { ...OPERATION, signature, maxFeePerGas: HIGH, ...changes },
      { version: '0.7', fork },
    );

  it('find preVerificationGas above twice our own estimate', () => {
    const fitting = { preVerificationGas: 85_000n };
    const gas = 110_000n;
    const [least, estimate] = [ownOf(fitting), ownOf({ preVerificationGas: gas })];
    expect([least * 2n > 85_000n, estimate * 2n < gas]).toStrictEqual([true, true]);
    expect(findWarnings(fitting)).toStrictEqual([]);
    expect(findWarnings({ preVerificationGas: gas })).toStrictEqual([
      warning('alert.preVerificationGas', { gas, estimate }),
    ]);
  });

  it("follow the chain's gas rules", () => {
    const fitting = { preVerificationGas: 110_000n };
    const estimate = ownOf(fitting);
    expect(findWarnings(fitting)).toStrictEqual([
      warning('alert.preVerificationGas', { gas: 110_000n, estimate }),
    ]);
    expect(ownOf(fitting, 'amsterdam') * 2n).toBeGreaterThan(110_000n);
    expect(findWarnings(fitting, { fork: 'amsterdam' })).toStrictEqual([]);
  });

  it("include the cost of a long operation's bytes", () => {
    const callData: Hex = `0x${'ab'.repeat(10_000)}`;
    const preVerificationGas = 2n * ownOf({ callData }) - 1_000n;
    expect(findWarnings({ callData, preVerificationGas })).toStrictEqual([
      danger('alert.opaque'),
    ]);
  });

  it('convert a data fee to gas at the price that the bundler receives', () => {
    const fees = { maxFeePerGas: 4_000n, maxPriorityFeePerGas: 1_000n };
    const levels = { ...FETCHED_LEVELS, estimatedBaseFee: 1_000n };
    // The data fee pays for a million gas at the base fee plus the priority fee.
    const facts = { levels, dataFee: 2_000_000_000n };
    const fitting = { ...fees, preVerificationGas: 2_080_000n };
    expect(findWarnings(fitting, facts)).toStrictEqual([]);
    const above = { ...fees, preVerificationGas: 2_120_000n };
    expect(findWarnings(above, facts)).toStrictEqual([
      warning('alert.preVerificationGas', {
        gas: 2_120_000n,
        estimate: ownOf(above) + 1_000_000n,
      }),
    ]);
    // A bundler receives at most the maximum fee.
    expect(findWarnings({ ...above, maxFeePerGas: 1_000n }, facts)).toStrictEqual([]);
    const free = { ...above, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    expect(findWarnings(free, facts)).toStrictEqual([]);
  });

  it('add up the data fees of the chain and its operator', async () => {
    const word = (wei: bigint): Hex => `0x${wei.toString(16).padStart(64, '0')}`;
    const { chainOf } = createFeeBench(undefined, {
      ...FEE_ANSWERS,
      eth_getBalance: '0x0',
      eth_getCode: '0x60',
      eth_call: ([call]) => {
        const { data } = call as { data: Hex };
        if (data.startsWith('0x49948e0e')) return word(1_000n);
        return word(data.startsWith('0x275aedd2') ? BigInt(`0x${data.slice(10)}`) : 0n);
      },
    });
    const account = { address: OPERATION.sender, entryPoint: '0.7', owner: SENDER };
    const facts = await fetchOperationMeasures(OPERATION, account as never, {
      chainId: 8453n,
      chain: chainOf(8453n),
      findFork: async () => Promise.resolve('prague'),
      feeLevels: async () => Promise.resolve(FETCHED_LEVELS),
      readPrice: undefined,
    });
    const limits = gasLimitsOf(OPERATION, '0.7').map(([, gas]) => gas);
    expect(facts.dataFee).toBe(1_000n + limits.reduce((one, other) => one + other));
  });

  it('allow a preVerificationGas of 20 million if it covers base-layer fees', () => {
    const bound = 20_000_000n;
    const facts = { paysDataInGas: true };
    expect(findWarnings({ preVerificationGas: bound }, facts)).toStrictEqual([]);
    const above = { preVerificationGas: bound + 1n };
    expect(findWarnings(above, facts)).toStrictEqual([
      warning('alert.preVerificationGas', { gas: bound + 1n, estimate: ownOf(above) }),
    ]);
  });
});
