// What gas costs.
import { defineRow } from '../row';
import type { MethodRow } from '../row';
import { SMALL_VALUE } from './transfer';

/** Methods of gas and fees. */
export const gasRows: readonly MethodRow[] = [
  defineRow({
    name: 'gas_suggestedGasFees',
    about: 'Answers the levels of the gas API for a chain, in gwei.',
    needs: ['chainId'],
    example: ({ chainId }) => [chainId],
  }),
  defineRow({
    name: 'gas_baseFeePercentile',
    about: 'Answers the base fee that half of the last blocks stayed below, in gwei.',
    needs: ['chainId'],
    example: ({ chainId }) => [chainId],
  }),
  defineRow({
    name: 'tollkeeper_getFeeLevels',
    about:
      'Answers the levels that transactions are filled with, in wei, and their source.',
    needs: [],
    example: () => [],
  }),
  defineRow({
    name: 'rollup_estimateGas',
    about: "Answers a rollup's own estimate of a call; fee fields are left out.",
    needs: ['ordinary'],
    example: ({ ordinary, recipient }) => [
      { from: ordinary, to: recipient, value: SMALL_VALUE, data: '0x' },
    ],
  }),
];
