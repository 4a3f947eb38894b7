// Methods that look something up on a chain.
import { array, nullable } from '@metamask/superstruct';

import { HashParamsStruct } from '../../../src/activity/look-ups';
import {
  FoundOperationStruct,
  OperationReceiptStruct,
} from '../../../src/client/bundler-schema';
import { BlockStruct } from '../../../src/client/rpc/block';
import { nodeSchema, noParams } from '../../../src/client/rpc/schema';
import { ReceiptStruct, TransactionStruct } from '../../../src/client/rpc/transaction';
import { HexQuantityStruct, NodeAddressStruct } from '../../../src/eth/hex';
import type { StructOf } from '../../../src/schema/parse';
import type { AnyStruct } from '../schema/source';
import { positions } from './row';
import type { ErrorUse, Group, Params, Row } from './row';
import { BLOCK_HASH, ENTRY_POINT, HASH, OPERATION, OPERATION_HASH } from './samples';
import { BLOCK, INCLUDED, OPERATION_RECEIPT, RECEIPT } from './samples-of-node';

const looking: readonly ErrorUse[] = [-32602, -32002, -32005];

const common: Pick<Row, 'asks' | 'errors' | 'takesOutright'> = {
  asks: 'no',
  errors: looking,
  takesOutright: true,
};

const SENT_FROM_HERE =
  'What was sent from an account that the site was granted is looked up on the chain that ' +
  'it was sent to.';

const KEPT = `${SENT_FROM_HERE} Its receipt is answered from the store when no server can be reached.`;

const OF_ACCOUNTS = 'Of the only chain of the granted accounts, if there is just one.';

const uncle: Row['result'] = {
  cell: 'block or `null`',
  name: 'block',
  source: nullable(BlockStruct),
};

function byHash(summary: string): Params {
  return positions('`[hash]`', HashParamsStruct, { hash: summary });
}

const none = positions('`[]`', noParams, {});

// The rows' types say less of their structs than they are.
function nodeParams(
  method: keyof typeof nodeSchema,
  cell: string,
  summaries: Record<string, string>,
): Params {
  const struct = nodeSchema[method].params as unknown as AnyStruct & StructOf<unknown>;
  return positions(cell, struct, summaries);
}

/** What can be looked up. */
export const lookUps: Group = {
  title: 'Look-ups',
  rows: [
    {
      name: 'eth_getUserOperationReceipt',
      summary: 'Get the receipt of a user operation.',
      description: KEPT,
      params: byHash('Hash of the operation.'),
      result: {
        cell: "the bundler's receipt or `null`",
        name: 'receipt',
        source: nullable(OperationReceiptStruct),
      },
      ...common,
      examples: [
        { name: 'included', params: [OPERATION_HASH], result: OPERATION_RECEIPT },
      ],
    },
    {
      name: 'eth_getUserOperationByHash',
      summary: 'Get a user operation.',
      description: SENT_FROM_HERE,
      params: byHash('Hash of the operation.'),
      result: {
        cell: "the bundler's answer or `null`",
        name: 'operation',
        source: nullable(FoundOperationStruct),
      },
      ...common,
      examples: [
        {
          name: 'pending',
          params: [OPERATION_HASH],
          result: {
            userOperation: OPERATION,
            entryPoint: ENTRY_POINT,
            blockNumber: null,
            blockHash: null,
            transactionHash: null,
          },
        },
      ],
    },
    {
      name: 'eth_supportedEntryPoints',
      summary: "Get the bundler's EntryPoints.",
      description: OF_ACCOUNTS,
      params: none,
      result: {
        cell: "the bundler's EntryPoints",
        name: 'entryPoints',
        source: array(NodeAddressStruct),
      },
      ...common,
      examples: [{ name: 'one version', params: [], result: [ENTRY_POINT] }],
    },
    {
      name: 'eth_chainId',
      summary: 'Get the chain that is meant where none is named.',
      description: OF_ACCOUNTS,
      params: none,
      result: {
        cell: 'the chain that is meant: see below',
        name: 'chainId',
        source: HexQuantityStruct,
      },
      ...common,
      examples: [{ name: 'Ethereum', params: [], result: '0x1' }],
    },
    {
      name: 'eth_getTransactionReceipt',
      summary: 'Get the receipt of a transaction.',
      description: KEPT,
      params: byHash('Hash of the transaction.'),
      result: {
        cell: 'receipt or `null`',
        name: 'receipt',
        source: nullable(ReceiptStruct),
      },
      ...common,
      examples: [{ name: 'included', params: [HASH], result: RECEIPT }],
    },
    {
      name: 'eth_getTransactionByHash',
      summary: 'Get a transaction.',
      description: SENT_FROM_HERE,
      params: byHash('Hash of the transaction.'),
      result: {
        cell: 'transaction or `null`',
        name: 'transaction',
        source: nullable(TransactionStruct),
      },
      ...common,
      examples: [{ name: 'included', params: [HASH], result: INCLUDED }],
    },
    {
      name: 'eth_getUncleByBlockNumberAndIndex',
      summary: 'Get an uncle of a block, by its number.',
      params: nodeParams('eth_getUncleByBlockNumberAndIndex', '`[block, index]`', {
        block: 'The block.',
        index: 'Which of its uncles.',
      }),
      result: uncle,
      ...common,
      examples: [{ name: 'one of 2015', params: ['0x29c', '0x0'], result: BLOCK }],
    },
    {
      name: 'eth_getUncleByBlockHashAndIndex',
      summary: 'Get an uncle of a block, by its hash.',
      params: nodeParams('eth_getUncleByBlockHashAndIndex', '`[hash, index]`', {
        hash: 'Hash of the block.',
        index: 'Which of its uncles.',
      }),
      result: uncle,
      ...common,
      examples: [{ name: 'none', params: [BLOCK_HASH, '0x0'], result: null }],
    },
  ],
};
