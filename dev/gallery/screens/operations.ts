// User operations.
import { danger, warning } from '../../../src/ui/warnings';
import { encodeIntents } from '../../../src/eth/account-calls';
import type { UserOperation } from '../../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../../src/operation/view';
import type { UserOperationView } from '../../../src/operation/view';
import { decodeOperation } from '../../../src/operation/warnings';
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

const viewOf = (
  changes: Partial<UserOperation> = {},
): Omit<UserOperationView, 'translate'> => {
  const shown = { ...operation, ...changes };
  const { calls } = decodeOperation(shown, '0.7');
  return {
    title: 'userOperation.title',
    origin: SITE,
    chain: MAINNET,
    entryPoint: '0.7',
    operation: shown,
    calls,
    warnings: [],
  };
};

const gas = (amount: number): string => amount.toString(16).padStart(32, '0');

/** Screens of user operations. */
export const operationScreens: Screen[] = screensOf(UserOperationConfirmation, {
  'that pays': viewOf(),
  'of a batch': {
    ...viewOf({
      callData: encodeIntents('0.7', [
        { to: TOKEN, value: 0n, data: TRANSFER },
        { to: FRIEND, value: COIN, data: '0x' },
      ]),
    }),
    title: 'userOperation.batch',
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
      danger('alert.upgrade', { calls: [1, 3] }),
      danger('alert.burn', { calls: [2], value: { coins: COIN } }),
      warning('alert.replay', { hash: `0x${'ab'.repeat(32)}` }),
      warning('alert.gasLimit', {
        field: { label: 'field.callGas' },
        gas: 90_000_000n,
        bound: 30_000_000n,
      }),
      warning('alert.sponsor', {
        reason: { text: 'I do not pay for this. '.repeat(12) },
      }),
    ],
  },
  'that cannot be read': viewOf({ callData: `0x12345678${'00ff'.repeat(200)}` }),
});
