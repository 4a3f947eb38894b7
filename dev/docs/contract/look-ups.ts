// Methods that look something up: on a chain, fees and estimates, and all methods.
import { array, nullable } from '@metamask/superstruct';

import {
  FoundOperationStruct,
  OperationReceiptStruct,
} from '../../../packages/client/src/bundler-schema';
import { BlockStruct } from '../../../packages/client/src/rpc/block';
import { nodeSchema } from '../../../packages/client/src/rpc/node-client';
import {
  noParams,
  RollupEstimateStruct,
} from '../../../packages/client/src/rpc/schema';
import {
  WholeReceiptStruct,
  TransactionStruct,
} from '../../../packages/client/src/rpc/transaction';
import {
  ChainParamsStruct,
  EstimateParamsStruct,
  HashParamsStruct,
} from '../../../src/activity/look-ups';
import { HexQuantityStruct, NodeAddressStruct } from '../../../src/eth/hex';
import type { StructOf } from '../../../src/schema/parse';
import type { AnyStruct } from '../schema/words';
import { BaseFeeStruct, FeeLevelsStruct, SuggestedFeesStruct } from './results';
import { example, groupOf, positions, type Params, type Row } from './row';
import {
  BLOCK,
  BLOCK_HASH,
  ENTRY_POINT,
  HASH,
  INCLUDED,
  LACKING,
  OPERATION,
  OPERATION_HASH,
  OPERATION_RECEIPT,
  RECEIPT,
  SUGGESTED,
} from './samples';

const SENT_FROM_HERE =
  'What a connected account sent is looked up on the chain that it was sent to.';

const KEPT = `${SENT_FROM_HERE} If no server can be reached, a stored receipt is returned.`;

const OF_ACCOUNTS =
  "Uses the chain of the connected accounts if they have only one, else Tollkeeper's default network.";

const uncle: Row['result'] = { name: 'block', source: nullable(BlockStruct) };

function byHash(summary: string): Params {
  return positions(HashParamsStruct, { hash: summary });
}

const none = positions(noParams, {});

// The rows' types say less of their structs than they are.
function nodeParams(
  method: keyof typeof nodeSchema,
  summaries: Record<string, string>,
): Params {
  const struct = nodeSchema[method].params as unknown as AnyStruct & StructOf<unknown>;
  return positions(struct, summaries);
}

export const lookUps = groupOf('Look-ups', {
  eth_getUserOperationReceipt: {
    summary: 'Returns the receipt of a user operation.',
    description: KEPT,
    params: byHash('Hash of the user operation.'),
    result: { name: 'receipt', source: nullable(OperationReceiptStruct) },
    examples: [example('included', [OPERATION_HASH], OPERATION_RECEIPT)],
  },
  eth_getUserOperationByHash: {
    summary: 'Returns a user operation.',
    description: SENT_FROM_HERE,
    params: byHash('Hash of the user operation.'),
    result: { name: 'operation', source: nullable(FoundOperationStruct) },
    examples: [
      example('pending', [OPERATION_HASH], {
        userOperation: OPERATION,
        entryPoint: ENTRY_POINT,
        blockNumber: null,
        blockHash: null,
        transactionHash: null,
      }),
    ],
  },
  eth_supportedEntryPoints: {
    summary: 'Returns the EntryPoints that the bundler supports.',
    description: OF_ACCOUNTS,
    params: none,
    result: { name: 'entryPoints', source: array(NodeAddressStruct) },
    examples: [example('one version', [], [ENTRY_POINT])],
  },
  eth_chainId: {
    summary: 'Returns the default chain of requests.',
    description: OF_ACCOUNTS,
    params: none,
    result: { name: 'chainId', source: HexQuantityStruct },
    examples: [example('Ethereum', [], '0x1')],
  },
  eth_getTransactionReceipt: {
    summary: 'Returns the receipt of a transaction.',
    description: KEPT,
    params: byHash('Hash of the transaction.'),
    result: { name: 'receipt', source: nullable(WholeReceiptStruct) },
    examples: [example('included', [HASH], RECEIPT)],
  },
  eth_getTransactionByHash: {
    summary: 'Returns a transaction.',
    description: SENT_FROM_HERE,
    params: byHash('Hash of the transaction.'),
    result: { name: 'transaction', source: nullable(TransactionStruct) },
    examples: [example('included', [HASH], INCLUDED)],
  },
  eth_getUncleByBlockNumberAndIndex: {
    summary: 'Returns an uncle of a block, by number.',
    params: nodeParams('eth_getUncleByBlockNumberAndIndex', {
      block: 'The block.',
      index: 'Index of the uncle.',
    }),
    result: uncle,
    examples: [example('one of 2015', ['0x29c', '0x0'], BLOCK)],
  },
  eth_getUncleByBlockHashAndIndex: {
    summary: 'Returns an uncle of a block, by hash.',
    params: nodeParams('eth_getUncleByBlockHashAndIndex', {
      hash: 'Hash of the block.',
      index: 'Index of the uncle.',
    }),
    result: uncle,
    examples: [example('none', [BLOCK_HASH, '0x0'], null)],
  },
});

const common = { passesOn: "the node's own error" };

const chainId: Params = positions(ChainParamsStruct, { chainId: 'The chain.' });

const COMPUTED =
  'Without a gas API, the answer is computed from past blocks and has `source: "fee-history"`.';

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
    params: none,
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
