// What signs messages, typed data and transactions.
import type { Hex } from 'viem';

import { createReceipt, createReceiptWithList, createValues } from '../example-data';
import { defineRow } from '../row';
import type { MethodRow } from '../row';
import { checkMessage, checkTypedData, checkTypedDataV1 } from '../verify/signatures';
import { checkTransaction } from '../verify/transaction';
import { createTransfer } from './transfer';

/** Methods that sign, and send nothing. */
export const signingRows: readonly MethodRow[] = [
  defineRow({
    name: 'personal_sign',
    about: 'Signs a message (EIP-191): a text, or bytes in hex.',
    needs: ['ordinary'],
    example: ({ ordinary }) => ['The toll is paid.', ordinary],
    verify: checkMessage,
  }),
  defineRow({
    name: 'eth_signTypedData_v4',
    about: 'Signs typed data (EIP-712).',
    needs: ['ordinary', 'chainId'],
    example: ({ ordinary, chainId }) => [ordinary, createReceiptWithList(chainId)],
    verify: checkTypedData,
  }),
  defineRow({
    name: 'eth_signTypedData_v3',
    about: 'Signs typed data without arrays, as they were before version 4.',
    needs: ['ordinary', 'chainId'],
    example: ({ ordinary, chainId }) => [ordinary, createReceipt(chainId)],
    verify: checkTypedData,
  }),
  defineRow({
    name: 'eth_signTypedData_v1',
    about: 'Signs values as Solidity packs them, as it was before EIP-712.',
    needs: ['ordinary'],
    example: ({ ordinary }) => [ordinary, createValues()],
    verify: checkTypedDataV1,
  }),
  defineRow({
    name: 'eth_signTypedData',
    about: 'Is eth_signTypedData_v1 by its first name.',
    needs: ['ordinary'],
    example: ({ ordinary }) => [ordinary, createValues()],
    verify: checkTypedDataV1,
  }),
  defineRow({
    name: 'eth_sign',
    about: 'Is always refused (4200): it would sign a hash that nobody can read.',
    needs: ['ordinary'],
    example: ({ ordinary }) => [ordinary, `0x${'00'.repeat(32)}`],
  }),
  defineRow({
    name: 'eth_signTransaction',
    about: 'Fills in what a transaction leaves out and signs it; it is not sent.',
    needs: ['ordinary', 'chainId'],
    example: createTransfer,
    verify: checkTransaction,
    learn: ({ result }) => ({ raw: (result as { raw?: Hex }).raw }),
  }),
];
