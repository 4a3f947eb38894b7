// What the forms of the page are given in tests: every example can be made of it.
import type { Given, MethodRow, Operation } from '../../dev/dapp/methods/given';
import { methodGroups } from '../../dev/dapp/methods/rows';

const ordinary = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const smart = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const hash = `0x${'ab'.repeat(32)}` as const;

/** A user operation of EntryPoint 0.7. */
export const operation: Operation = {
  sender: smart,
  nonce: '0x0',
  initCode: '0x',
  callData: '0xb61d27f6',
  callGasLimit: '0x186a0',
  verificationGasLimit: '0x186a0',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
  paymasterAndData: '0x',
  signature: `0x${'ff'.repeat(65)}`,
};

/** Everything that is ever given. */
export const given: Given = {
  snapId: 'npm:tollkeeper-snap',
  recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  chainId: '0x7a69',
  ordinary,
  smart: { address: smart, owner: ordinary, entryPoint: '0.7' },
  account: ordinary,
  operation,
  operationHash: hash,
  transactionHash: hash,
  callsId: 'batch-1',
  raw: '0x02f8',
};

/** All rows of the forms. */
export const rows: readonly MethodRow[] = methodGroups.flatMap((group) => group.rows);

/** Find a row. */
export function rowOf(name: string): MethodRow {
  const row = rows.find((each) => each.name === name);
  if (!row) throw new Error(`No form for ${name}.`);
  return row;
}
