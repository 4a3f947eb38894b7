// User operations.
import { encodeIntents } from '../../../src/eth/account-calls';
import type { UserOperation } from '../../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../../src/ui/confirm/user-operation';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { FRIEND, MAINNET, SITE, SMART, SPENDER, TOKEN } from './people';
import { TRANSFER } from './transactions';

const COIN = 10n ** 18n;

const operation: UserOperation = {
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

const view = {
  origin: SITE,
  chain: MAINNET,
  entryPoint: '0.7',
  operation,
  alerts: [],
} as const;

const gas = (amount: number): string => amount.toString(16).padStart(32, '0');

/** Screens of user operations. */
export const operationScreens: Screen[] = screensOf(UserOperationConfirmation, {
  'that pays': view,
  'of a batch': {
    ...view,
    title: 'userOperation.batch',
    operation: {
      ...operation,
      callData: encodeIntents('0.7', [
        { to: TOKEN, value: 0n, data: TRANSFER },
        { to: FRIEND, value: COIN, data: '0x' },
      ]),
    },
  },
  'that deploys and is sponsored': {
    ...view,
    sponsor: { name: 'A generous site, which calls itself so at some length' },
    operation: {
      ...operation,
      initCode: `${SPENDER}${'5f'.repeat(68)}`,
      paymasterAndData: `${TOKEN}${gas(60_000)}${gas(9_000)}`,
    },
  },
  'that is dangerous': {
    ...view,
    alerts: [
      { kind: 'upgrade', calls: [1, 3] },
      { kind: 'burn', calls: [2], value: COIN },
      { kind: 'replay', hash: `0x${'ab'.repeat(32)}` },
      { kind: 'gasLimit', field: 'callGasLimit', gas: 90_000_000n, bound: 30_000_000n },
      { kind: 'sponsor', reason: 'I do not pay for this. '.repeat(12) },
    ],
  },
  'that cannot be read': {
    ...view,
    operation: { ...operation, callData: `0x12345678${'00ff'.repeat(200)}` },
  },
});
