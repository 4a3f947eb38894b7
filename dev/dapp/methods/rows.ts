// Every method that sites may call, in the order of a first visit.
import type { MethodRow } from './row';
import { accountRows } from './rows/accounts';
import { callRows } from './rows/calls';
import { discoveryRows } from './rows/discovery';
import { gasRows } from './rows/gas';
import { receiptRows } from './rows/receipts';
import { sendingRows } from './rows/sending';
import { signingRows } from './rows/signing';
import { operationRows } from './rows/user-operations';

/** Methods that belong together. */
export type MethodGroup = { title: string; rows: readonly MethodRow[] };

/** All groups. */
export const methodGroups: readonly MethodGroup[] = [
  { title: 'Accounts of this site', rows: accountRows },
  { title: 'Signing', rows: signingRows },
  { title: 'Transactions', rows: sendingRows },
  { title: 'Receipts', rows: receiptRows },
  { title: 'User operations (ERC-4337)', rows: operationRows },
  { title: 'Batches of calls (EIP-5792)', rows: callRows },
  { title: 'Gas', rows: gasRows },
  { title: 'Discovery (OpenRPC)', rows: discoveryRows },
];
