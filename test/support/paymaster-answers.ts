// Answers from paymaster services and their contracts.
import type { Json } from '@metamask/utils';

import type { EntryPointVersion } from '../../src/core/entry-points';
import { refuses } from './fake-node';
import type { NodeAnswers } from './fake-node';
import { answerContractCalls } from './operation-bench';

export const PAYMASTER = `0x${'ab'.repeat(20)}`;

const limits = `${'0'.repeat(28)}5000${'0'.repeat(28)}6000`;

export const answerOf = (version: EntryPointVersion, data: string) =>
  version === '0.6'
    ? { paymasterAndData: `${PAYMASTER}${data}` }
    : {
        paymaster: PAYMASTER,
        paymasterData: `0x${data}`,
        paymasterVerificationGasLimit: '0x5000',
        paymasterPostOpGasLimit: '0x6000',
      };

/** Creates paymasterAndData as it appears on chain. */
export const packedOf = (version: EntryPointVersion, data: string): string =>
  version === '0.6' ? `${PAYMASTER}${data}` : `${PAYMASTER}${limits}${data}`;

export const payingPaymaster = (version: EntryPointVersion = '0.7'): NodeAnswers => ({
  pm_getPaymasterStubData: {
    ...answerOf(version, '00'),
    sponsor: { name: 'Patron' },
    isFinal: false,
  },
  pm_getPaymasterData: answerOf(version, '12'),
});

const word = (value: bigint): string => value.toString(16).padStart(64, '0');

/** Answers contract calls like a paymaster whose validation returns this verdict. */
const deciding =
  (verdict: bigint) =>
  (params: Json[]): Json => {
    const plain = answerContractCalls()(params) as string;
    return plain.length === 66 ? plain : `0x${word(64n)}${word(verdict)}${word(0n)}`;
  };

/** A service that does not pay. `how` completes a test's title; `words` are part of the error. */
export type NotPaying = {
  how: string;
  paymaster: NodeAnswers;
  node: NodeAnswers;
  words: string;
};

/** Services whose final data are missing or unusable. */
export const paymastersFailingFinally: NotPaying[] = [
  {
    how: 'refuses the final data',
    paymaster: {
      ...payingPaymaster(),
      pm_getPaymasterData: refuses({ code: -32001, message: 'too late' }),
    },
    node: {},
    words: 'too late',
  },
  {
    how: 'returns data for a different sender',
    paymaster: payingPaymaster(),
    node: { eth_call: deciding(1n) },
    words: 'does not accept the data',
  },
  {
    how: 'returns expired data',
    paymaster: payingPaymaster(),
    node: { eth_call: deciding(1_000n << 160n) },
    words: 'expired',
  },
];

export const failingPaymasters: NotPaying[] = [
  ...paymastersFailingFinally,
  {
    how: 'refuses the stub data',
    paymaster: {
      ...payingPaymaster(),
      pm_getPaymasterStubData: refuses({ code: -32001, message: 'over budget' }),
    },
    node: {},
    words: 'over budget',
  },
  {
    how: 'answers for another EntryPoint',
    paymaster: { ...payingPaymaster(), pm_getPaymasterStubData: answerOf('0.6', '12') },
    node: {},
    words: 'paymaster',
  },
];
