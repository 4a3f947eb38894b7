// A user operation in the snap's internal form, with one call and no paymaster.
import type { UserOperation } from '../../src/core/payload';
import { encodeIntents } from '../../src/eth/account-calls';
import type { Intent } from '../../src/eth/account-calls';
import { toPaddedHex } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import { TO } from './transactions';

export const SENDER: Hex = '0x00000000000000000000000000000000005a57a1';

export const PAYMASTER: Hex = '0x00000000000000000000000000000000000000aa';

/** A call with 0.25 ether, and only the selector of a transfer as data. */
export const INTENT: Intent = {
  to: TO,
  value: 250_000_000_000_000_000n,
  data: '0xa9059cbb',
};

/** 350,000 gas at 2 gwei. */
export const OPERATION: UserOperation = {
  sender: SENDER,
  nonce: 7n,
  initCode: '0x',
  callData: encodeIntents('0.6', [INTENT]),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
  signature: '0x',
};

/**
 * Packs `paymasterAndData` for 0.7 and later: the address, two gas limits, and two bytes of data.
 */
export function packPaymaster(
  paymaster: Hex,
  verificationGas = 500_000n,
  postOpGas = 60_000n,
): Hex {
  const [verification, postOp] = [verificationGas, postOpGas].map((gas) =>
    toPaddedHex(gas, 16).slice(2),
  );
  return `${paymaster}${verification ?? ''}${postOp ?? ''}00ff`;
}
