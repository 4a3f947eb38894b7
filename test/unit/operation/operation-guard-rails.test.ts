import { encodeIntents } from '../../../src/eth/account-calls';
import type { Hex } from '../../../src/eth/hex';
import { entryPointVersions } from '../../../src/eth/user-operation';
import { danger, warning } from '../../../src/ui/warnings';
import { MARKET } from '../../support/fees';
import { findWarnings } from '../../support/operation-warnings';
import { INTENT, PAYMASTER, packPaymaster } from '../../support/plain-operation';

const HIGH = MARKET.high.maxFeePerGas;
const HASH: Hex = `0x${'ab'.repeat(32)}`;
const INIT_CODE: Hex = '0x00000000000000000000000000000000000000bb5fbfb9cf';

/** Call data without a value, so that gas is all that an operation costs. */
const FREE = encodeIntents('0.7', [{ ...INTENT, value: 0n }]);

describe('guard rails of user operations', () => {
  it('find nothing in a plain one, whatever is not known', () => {
    expect(findWarnings()).toStrictEqual([]);
    expect(
      findWarnings({}, { isDeployed: true, blockGasLimit: 36_000_000n }),
    ).toStrictEqual([]);
    const deploying = { isDeployed: false, ownInitCode: INIT_CODE };
    expect(findWarnings({ initCode: INIT_CODE }, deploying)).toStrictEqual([]);
    expect(findWarnings({ initCode: INIT_CODE })).toStrictEqual([]);
  });

  it.each(entryPointVersions)('find nothing in a plain one of %s', (version) => {
    expect(findWarnings({}, { version })).toStrictEqual([]);
  });

  it('find a paymaster that the EntryPoint refuses', () => {
    const refused = [warning('alert.paymaster')];
    const early = { version: '0.6' } as const;
    expect(findWarnings({ paymasterAndData: '0xab' }, early)).toStrictEqual(refused);
    expect(findWarnings({ paymasterAndData: PAYMASTER })).toStrictEqual(refused);
    expect(findWarnings({ paymasterAndData: PAYMASTER }, early)).toStrictEqual([]);
  });

  it('find a priority fee above the maximum fee', () => {
    expect(findWarnings({ maxPriorityFeePerGas: HIGH })).toStrictEqual([]);
    expect(findWarnings({ maxPriorityFeePerGas: HIGH + 1n })).toStrictEqual([
      warning('alert.priority', { priority: { fee: HIGH + 1n }, fee: { fee: HIGH } }),
    ]);
  });

  it('find that an account is deployed twice, or not at all', () => {
    const initCode = INIT_CODE;
    expect(findWarnings({ initCode }, { isDeployed: true })).toStrictEqual([
      warning('alert.deployed'),
    ]);
    const passedOver = { isDeployed: true, version: '0.9' } as const;
    expect(findWarnings({ initCode }, passedOver)).toStrictEqual([]);
    expect(findWarnings({}, { isDeployed: false })).toStrictEqual([
      warning('alert.undeployed'),
    ]);
  });

  it('find that another factory deploys it', () => {
    const facts = { isDeployed: false, ownInitCode: INIT_CODE };
    const capitals = INIT_CODE.toUpperCase().replace('0X', '0x') as Hex;
    expect(findWarnings({ initCode: capitals }, facts)).toStrictEqual([]);
    expect(findWarnings({ initCode: `${INIT_CODE}00` }, facts)).toStrictEqual([
      warning('alert.factory'),
    ]);
  });

  it('find what was signed before, and what the paymaster said', () => {
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

describe('guard rails of fees and costs', () => {
  it('find a cost above balance and deposit', () => {
    const cost = 350_000n * HIGH;
    const facts = { balance: cost - 5n, deposit: 5n };
    expect(findWarnings({ callData: FREE }, facts)).toStrictEqual([]);
    expect(findWarnings({ callData: FREE }, { ...facts, deposit: 4n })).toStrictEqual([
      warning('alert.balance', {
        cost: { coins: cost },
        balance: { coins: cost - 1n },
      }),
    ]);
    expect(findWarnings({ callData: FREE }, { balance: 0n })).toStrictEqual([
      warning('alert.balance', { cost: { coins: cost }, balance: { coins: 0n } }),
    ]);
  });

  it('count the values of the calls, which no deposit pays', () => {
    const gasCost = 350_000n * HIGH;
    const deposit = gasCost + INTENT.value;
    expect(findWarnings({}, { balance: INTENT.value, deposit })).toStrictEqual([]);
    const cost = gasCost + INTENT.value;
    expect(findWarnings({}, { balance: INTENT.value - 1n, deposit })).toStrictEqual([
      warning('alert.balance', {
        cost: { coins: cost },
        balance: { coins: cost - 1n },
      }),
    ]);
  });

  it('count no gas that another pays', () => {
    const changes = { paymasterAndData: packPaymaster(PAYMASTER) };
    expect(findWarnings(changes, { balance: INTENT.value })).toStrictEqual([]);
    expect(findWarnings(changes, { balance: 0n, deposit: 10n ** 24n })).toStrictEqual([
      warning('alert.balance', {
        cost: { coins: INTENT.value },
        balance: { coins: 0n },
      }),
    ]);
    const refused = { paymasterAndData: PAYMASTER, callData: FREE };
    expect(findWarnings(refused, { balance: 0n })).toStrictEqual([
      warning('alert.paymaster'),
    ]);
  });

  it('count no value of calls that cannot be read', () => {
    const changes = { callData: '0xdeadbeef' as Hex };
    expect(findWarnings(changes, { balance: 350_000n * HIGH })).toStrictEqual([
      danger('alert.opaque'),
    ]);
  });

  it('find what is worst first', () => {
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
