// What was included: transactions, their receipts, uncles.
import { defineRow } from '../row';
import type { MethodRow } from '../row';

/** A block of Ethereum that had an uncle. */
const BLOCK_WITH_UNCLE =
  '0xc6ef2fc5426d6ad6fd9e2a26abeab0aa2411b7ab17f30a99d3cb96aed1d1055b';

/** Methods that look up what was included. */
export const receiptRows: readonly MethodRow[] = [
  defineRow({
    name: 'eth_getTransactionReceipt',
    about: 'Answers the receipt of a transaction, null while there is none.',
    needs: ['transactionHash'],
    example: ({ transactionHash }) => [transactionHash],
  }),
  defineRow({
    name: 'eth_getTransactionByHash',
    about: 'Answers a transaction, null if the node does not know it.',
    needs: ['transactionHash'],
    example: ({ transactionHash }) => [transactionHash],
  }),
  defineRow({
    name: 'eth_getUncleByBlockNumberAndIndex',
    about: 'Answers an uncle of a block; null where blocks have none.',
    needs: [],
    example: () => ['latest', '0x0'],
  }),
  defineRow({
    name: 'eth_getUncleByBlockHashAndIndex',
    about: 'Answers an uncle of a block; null where blocks have none.',
    needs: [],
    example: () => [BLOCK_WITH_UNCLE, '0x0'],
  }),
];
