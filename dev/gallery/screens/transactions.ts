// Screens of transactions, batches of calls, and user operations.
import { encodeFunctionData, zeroHash } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';

import { CallsStatusView } from '../../../src/calls/status';
import { CallsConfirmation, type CallsView } from '../../../src/calls/view';
import { findImplementation, implementations } from '../../../src/core/authorization';
import { entryPoints } from '../../../src/core/entry-points';
import type {
  Authorization,
  Transaction,
  UserOperation,
} from '../../../src/core/payload';
import { encodeIntents, readCallData } from '../../../src/eth/account-calls';
import {
  toOthersAuthorization,
  toOwnAuthorization,
  withOwnNonce,
} from '../../../src/eth/delegation';
import { ZERO_ADDRESS, type Hex } from '../../../src/eth/hex';
import { DUMMY_SIGNATURE } from '../../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../../src/operation/view';
import type { UserOperationView } from '../../../src/operation/view';
import { decodeOperation } from '../../../src/operation/warnings';
import { findAct } from '../../../src/review/act';
import { findWarnings } from '../../../src/review/findings';
import { warnOfOutcome } from '../../../src/review/outcome';
import { readCall } from '../../../src/review/read';
import type { BalanceChanges } from '../../../src/review/simulate';
import type { FeeSectionView } from '../../../src/transaction/fee-editor';
import { TransactionConfirmation } from '../../../src/transaction/view';
import type { TransactionView } from '../../../src/transaction/view';
import type { Frame } from '../../../src/ui/confirmation';
import { danger, info, warning } from '../../../src/ui/warnings';
import { screensOf, type Screen } from '../screen';
import { FRIEND, MAINNET, OWN, SITE, SMART, SPENDER, TOKEN } from './people';

const word = (value: string): string => value.replace('0x', '').padStart(64, '0');

export const PAYMENT: Transaction = {
  from: OWN,
  to: FRIEND,
  value: 1_250_000_000_000_000_000n,
  data: '0x',
  chainId: 1n,
  nonce: 42n,
  gasLimit: 21_000n,
  type: '0x2',
  maxFeePerGas: 22_083_436_402n,
  maxPriorityFeePerGas: 100_000_000n,
  accessList: [],
};

const DELEGATE = implementations[0]?.address ?? ZERO_ADDRESS;

export const TRANSFER: Hex = `0xa9059cbb${word(FRIEND)}${word((250_000_000).toString(16))}`;

const TRANSFER_TO_SELF: Hex = `0xa9059cbb${word(OWN)}${word((250_000_000).toString(16))}`;

const UNLIMITED: Hex = `0x095ea7b3${word(SPENDER)}${'f'.repeat(64)}`;

const CALL = { ...PAYMENT, to: TOKEN, value: 0n, gasLimit: 65_000n };

const view = {
  origin: SITE,
  chain: MAINNET,
  warnings: [],
  isNonceOpen: false,
} as const;

type State = Omit<TransactionView, 'translate' | 'call'> & { frame?: Partial<Frame> };

function decodeAll(states: Record<string, Partial<State>>) {
  return Object.fromEntries(
    Object.entries(states).map(([name, given]) => {
      const state: State = { ...view, transaction: PAYMENT, ...given };
      const call = readCall(state.transaction);
      const warnings = [
        ...findWarnings([call]),
        ...warnOfOutcome(state.simulation, [call], state.chain),
        ...state.warnings,
      ];
      return [name, { ...state, call, warnings }] as const;
    }),
  );
}

const gwei = (amount: bigint): bigint => amount * 10n ** 9n;

const fees: FeeSectionView = {
  options: [
    { name: 'low', fee: 18_489_342_117n, wait: { min: 15_000, max: 60_000 } },
    { name: 'medium', fee: 22_083_436_402n, wait: { min: 15_000, max: 30_000 } },
    { name: 'high', fee: 31_677_530_687n, wait: { min: 15_000, max: 15_000 } },
  ],
  value: 'medium',
  inputs: [],
  source: 'gas-api',
  age: 4_000,
};

const balance = 3n * 10n ** 18n;

const pending = `0x${'5e'.repeat(32)}` as const;

const replacement = { hash: pending, transaction: PAYMENT };

export const changing = (
  changes: BalanceChanges['changes'],
  approvals: BalanceChanges['approvals'] = [],
): BalanceChanges => ({
  changes,
  approvals,
  others: [],
  controls: [],
  notShown: [],
  more: 0,
  units: new Map(),
  balances: new Map(),
});

export const price = { usd: 345_678_000_000n, age: 720_000 };

const paying: Partial<State> = {
  balance,
  fees,
  price,
  simulation: changing([{ token: ZERO_ADDRESS, amount: -PAYMENT.value }]),
};

const OTHERS = { authority: FRIEND, nonce: 7n };

const delegating = (
  authorizationList: Authorization[],
  changes: Partial<Pick<Transaction, 'to' | 'gasLimit' | 'data'>> = {},
): Partial<State> => ({
  isNonceOpen: true,
  title: 'delegation.delegate',
  transaction: {
    ...PAYMENT,
    to: OWN,
    value: 0n,
    gasLimit: 55_255n,
    type: '0x4',
    authorizationList,
    ...changes,
  },
});

const delegatingTo = (address: Hex): Partial<State> =>
  delegating(withOwnNonce([toOwnAuthorization(1n, address)], PAYMENT.nonce));

const states: Record<string, Partial<State>> = {
  'that pays': paying,
  'that speeds up': {
    title: 'transaction.speedUp',
    warnings: [info('replacement.speedUp')],
    transaction: {
      ...PAYMENT,
      maxFeePerGas: gwei(29n),
      maxPriorityFeePerGas: gwei(2n),
    },
    replacement: { ...replacement, action: 'speedUp' },
  },
  'that cancels': {
    title: 'transaction.cancel',
    warnings: [warning('replacement.cancel')],
    transaction: { ...PAYMENT, to: OWN, value: 0n, maxFeePerGas: gwei(29n) },
    replacement: { ...replacement, action: 'cancel' },
  },
  'that transfers a token': {
    transaction: { ...CALL, data: TRANSFER },
    simulation: changing([{ token: TOKEN, amount: -250_000_000n }]),
    price,
  },
  'that swaps': {
    transaction: { ...PAYMENT, to: SPENDER, data: '0x3593564c' },
    balance,
    price,
    simulation: changing([
      { token: ZERO_ADDRESS, amount: -1_250_000_000_000_000_000n },
      { token: TOKEN, amount: 4_303_120_000n },
    ]),
  },
  'that gives a collection away': {
    transaction: { ...CALL, to: SMART, data: '0x12345678' },
    simulation: {
      ...changing(
        [
          { token: SMART, id: 4711n, amount: -1n },
          { token: FRIEND, id: 12n, amount: -250n },
        ],
        [{ token: SMART, spender: SPENDER }],
      ),
      more: 38,
    },
  },
  'that approves without limit': {
    isNonceOpen: true,
    transaction: { ...CALL, data: UNLIMITED },
    simulation: {
      ...changing([], [{ token: TOKEN, spender: SPENDER, amount: 2n ** 256n - 1n }]),
      balances: new Map([[TOKEN, 4_303_120_000n]]),
    },
    price,
  },
  'that creates a contract': {
    transaction: { ...PAYMENT, to: null, value: 0n, data: `0x60${'0a'.repeat(400)}` },
  },
  'that delegates': {
    transaction: {
      ...PAYMENT,
      type: '0x4',
      authorizationList: [
        {
          chainId: 0n,
          address: SPENDER,
          nonce: 1n,
          yParity: 1n,
          // FRIEND made this signature.
          r: 0x110c20516fc1cf4ef3de3cd878cbe91cdfadcd363316c824b5e9e26b7ba2fb02n,
          s: 0x5f75ebc10e9496f8ae2a9b71ab0648e899eb7ed3c5e46c5820e21d2ee16c3e53n,
        },
      ],
    },
  },
  'that is revoked': {
    ...delegatingTo(ZERO_ADDRESS),
    title: 'delegation.revoke',
    delegation: { address: DELEGATE, implementation: findImplementation(DELEGATE) },
  },
  'that is revoked, and another account pays': {
    ...delegating([toOthersAuthorization(1n, OTHERS)], {
      to: FRIEND,
    }),
    title: 'delegation.revoke',
    delegation: { address: SPENDER, implementation: undefined },
  },
  'that is replaced, and tokens move to the account that pays': {
    ...delegating([toOthersAuthorization(1n, { ...OTHERS, address: DELEGATE })], {
      to: entryPoints['0.9'].entryPoint,
      gasLimit: 455_255n,
      data: encodeFunctionData({
        abi: entryPoint08Abi,
        functionName: 'handleOps',
        args: [
          [
            {
              sender: FRIEND,
              nonce: 0n,
              initCode: '0x',
              preVerificationGas: 0n,
              accountGasLimits: zeroHash,
              gasFees: zeroHash,
              paymasterAndData: '0x',
              signature: DUMMY_SIGNATURE,
              callData: encodeIntents('0.9', [
                { to: TOKEN, value: 0n, data: TRANSFER_TO_SELF },
              ]),
            },
          ],
          OWN,
        ],
      }),
    }),
    title: 'rescue.move',
    delegation: { address: SPENDER, implementation: undefined },
  },
};

const call = (changes: object = {}, isEstimated = true) => ({
  transaction: { ...PAYMENT, ...changes },
  isEstimated,
});

export const toBatch = (
  transactions: CallsView['transactions'],
): Omit<CallsView, 'translate'> => ({
  origin: SITE,
  account: OWN,
  chain: MAINNET,
  warnings: [],
  transactions,
  calls: transactions.map(({ transaction }) => readCall(transaction)),
});

const TWO = toBatch([
  call(),
  call({ to: TOKEN, value: 0n, data: TRANSFER, nonce: 43n }, false),
]);

const HASH = `0x${'a1b2c3d4'.repeat(8)}` as const;
const payment = findAct([readCall(PAYMENT)], { chain: MAINNET, warnings: [] });

const status = { id: `0x${'7e'.repeat(32)}`, chain: MAINNET };

const COIN = 10n ** 18n;

export const operation: UserOperation = {
  sender: SMART,
  nonce: 12n,
  initCode: '0x',
  callData: encodeIntents('0.7', [{ to: FRIEND, value: COIN / 2n, data: '0x' }]),
  callGasLimit: 80_000n,
  verificationGasLimit: 120_000n,
  preVerificationGas: 48_500n,
  maxFeePerGas: 22_083_436_402n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
  signature: '0x',
};

const viewOf = (changes: Partial<UserOperation> = {}) => {
  const shown = { ...operation, ...changes };
  const { calls } = decodeOperation(shown, (data) => readCallData('0.7', data));
  return {
    origin: SITE,
    chain: MAINNET,
    entryPoint: '0.7',
    operation: shown,
    calls,
    warnings: [],
  } satisfies Omit<UserOperationView, 'translate'>;
};

const gas = (amount: number): string => amount.toString(16).padStart(32, '0');

export const transactionScreens: Screen[] = [
  ...screensOf(TransactionConfirmation, decodeAll(states)),
  ...screensOf(CallsConfirmation, {
    several: {
      ...TWO,
      warnings: [warning('warning.notAtomic')],
      price,
      simulation: changing([
        { token: ZERO_ADDRESS, amount: -1_250_000_000_000_000_000n },
        { token: TOKEN, amount: -250_000_000n },
      ]),
    },
  }),
  ...screensOf(CallsStatusView, {
    'that failed in part': {
      ...status,
      status: 600,
      sent: [
        { hash: HASH, carriedBy: HASH, state: 'included', act: payment },
        { hash: HASH, carriedBy: HASH, state: 'failed', act: payment },
        { hash: HASH, carriedBy: HASH, state: 'dropped', act: payment },
      ],
    },
  }),
  ...screensOf(UserOperationConfirmation, {
    'that pays': {
      ...viewOf(),
      price,
      simulation: changing([{ token: ZERO_ADDRESS, amount: -COIN / 2n }]),
    },
    'that deploys and is sponsored': {
      ...viewOf({
        initCode: `${SPENDER}${'5f'.repeat(68)}`,
        paymasterAndData: `${TOKEN}${gas(60_000)}${gas(9_000)}`,
      }),
      sponsor: { name: 'A generous site, which calls itself so at some length' },
    },
    'that is dangerous': {
      ...viewOf(),
      warnings: [
        danger('alert.upgrade'),
        danger('alert.disputed', { address: FRIEND }),
        warning('alert.replay', { hash: `0x${'ab'.repeat(32)}` }),
        warning('alert.gasLimit', {
          field: { label: 'field.callGas' },
          gas: 90_000_000n,
          bound: 30_000_000n,
        }),
        warning('alert.sponsor', {
          reason: `${'I do not pay for this. '.repeat(12).slice(0, 45)}…`,
        }),
      ],
    },
  }),
];
