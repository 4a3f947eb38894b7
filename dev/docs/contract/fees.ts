// Methods that tell fees and estimates, and the one that tells of all methods.
import type { Json } from '@metamask/utils';

import {
  noParams as noParamsStruct,
  RollupEstimateStruct,
} from '../../../packages/client/src/rpc/schema';
import {
  ChainParamsStruct,
  EstimateParamsStruct,
} from '../../../src/activity/look-ups';
import { BaseFeeStruct, FeeLevelsStruct, SuggestedFeesStruct } from './results';
import { example, groupOf, positions, type Params } from './row';
import { LACKING } from './samples';

const common = { passesOn: "the node's own error" };

const chainId: Params = positions(ChainParamsStruct, { chainId: 'The chain.' });

const level = (
  priority: string,
  maximum: string,
  wait: number,
): Record<string, Json> => ({
  suggestedMaxPriorityFeePerGas: priority,
  suggestedMaxFeePerGas: maximum,
  minWaitTimeEstimate: 15_000,
  maxWaitTimeEstimate: wait,
});

const COMPUTED =
  'Without a gas API, the answer is computed from past blocks and has `source: "fee-history"`.';

/** What a gas API answers for the suggested fees. */
export const SUGGESTED = {
  low: level('0.05', '16.334026964', 30_000),
  medium: level('0.1', '22.083436402', 45_000),
  high: level('0.3', '27.982845839', 60_000),
  estimatedBaseFee: '16.284026964',
  networkCongestion: 0.5125,
  latestPriorityFeeRange: ['0', '3'],
  historicalPriorityFeeRange: ['0.000000001', '89'],
  historicalBaseFeeRange: ['13.773088584', '29.912845463'],
  priorityFeeTrend: 'down',
  baseFeeTrend: 'up',
} satisfies Json;

export const fees = groupOf('Fees', {
  rollup_estimateGas: {
    summary: 'Estimates gas and fees of a call on a rollup (Linea).',
    params: positions(EstimateParamsStruct, {
      call: 'The call.',
      block: 'State of which block to use. The latest by default.',
    }),
    result: { name: 'estimate', source: RollupEstimateStruct },
    ...common,
    examples: [
      example('a payment', [LACKING], {
        gasLimit: '0x5208',
        baseFeePerGas: '0x7',
        priorityFeePerGas: '0x2f3a1c0',
      }),
    ],
  },
  gas_suggestedGasFees: {
    summary: 'Returns suggested fees and the state of the market, in gwei.',
    description: COMPUTED,
    params: chainId,
    result: { name: 'fees', source: SuggestedFeesStruct },
    ...common,
    examples: [example('Ethereum', ['0x1'], SUGGESTED)],
  },
  gas_baseFeePercentile: {
    summary: 'Returns the median of past base fees, in gwei.',
    description: COMPUTED,
    params: chainId,
    result: { name: 'baseFee', source: BaseFeeStruct },
    ...common,
    examples: [example('Ethereum', ['0x1'], { baseFeePercentile: '23.227829059' })],
  },
  tollkeeper_getFeeLevels: {
    summary:
      'Returns the fee levels that missing fees are filled in with, in wei, and their source.',
    params: positions(noParamsStruct, {}),
    result: { name: 'levels', source: FeeLevelsStruct },
    ...common,
    examples: [
      example('from a gas API', [], {
        source: 'gas-api',
        ageMs: 1_204,
        estimatedBaseFee: '0x3ca9c3ed4',
        low: { maxFeePerGas: '0x3cd92b714', maxPriorityFeePerGas: '0x2faf080' },
        medium: { maxFeePerGas: '0x524358af2', maxPriorityFeePerGas: '0x5f5e100' },
        high: { maxFeePerGas: '0x683e9190f', maxPriorityFeePerGas: '0x11e1a300' },
      }),
    ],
  },
});

export const discovery = groupOf('Discovery', {
  'rpc.discover': {
    summary: 'Returns a description of all methods (`openrpc.json`).',
    result: {
      name: 'document',
      source: { schema: { type: 'object', required: ['openrpc', 'info', 'methods'] } },
    },
    errors: [{ code: -32002, when: 'the file is not there' }, -32005],
    examples: [
      example('shortened', [], {
        openrpc: '1.3.2',
        info: { title: 'Tollkeeper', version: '0.1.0' },
        methods: [],
      }),
    ],
  },
});
