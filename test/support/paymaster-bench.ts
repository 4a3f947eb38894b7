// A paymaster's service of tests, and what it answers.
import { concat, numberToHex } from 'viem';

import { createPaymasterClient } from '../../src/client';
import type { PaymasterClient } from '../../src/client';
import { createServiceBench } from './bundler-bench';
import type { ServiceBench } from './bundler-bench';

const PAYMASTER = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

/** An answer for EntryPoint 0.7 and later. */
export const answer07 = {
  paymaster: PAYMASTER,
  paymasterData: '0xc0ffee',
  paymasterVerificationGasLimit: '0x7530',
  paymasterPostOpGasLimit: '0x1',
};

/** An answer for EntryPoint 0.6. */
export const answer06 = { paymasterAndData: `${PAYMASTER}c0ffee` };

/** What {@link answer07} is on chain, with these limits. */
export function packedWith(verification: bigint, postOp: bigint): string {
  return concat([
    PAYMASTER,
    numberToHex(verification, { size: 16 }),
    numberToHex(postOp, { size: 16 }),
    '0xc0ffee',
  ]);
}

/** Where the operations of tests go. */
export const place07 = { version: '0.7', chainId: 5n } as const;
export const place06 = { version: '0.6', chainId: 5n } as const;

/** Create a client of a service that answers by method. */
export function createPaymasterBench(
  answers: object,
): ServiceBench & { paymaster: PaymasterClient } {
  const bench = createServiceBench(answers as never);
  return { ...bench, paymaster: createPaymasterClient(bench.transport) };
}
