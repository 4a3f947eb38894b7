// Main job, part 3: a dapp has transactions sent whose fees the snap fills in, and finds
// their receipts through the snap.
import type { Hex } from 'viem';

import type { DemoAccount } from './accounts';
import type { World } from './world';

/** A transaction from the fees that were filled in to the receipt. */
export type SentTransaction = {
  hash: Hex;
  type: Hex;
  /** Most that a unit of gas could cost, in wei. */
  maxPrice: bigint;
  gasLimit: bigint;
  blockNumber: bigint;
  gasUsed: bigint;
  effectiveGasPrice: bigint;
  status: Hex;
};

/** Have the snap send a little money to the funded account, with a transaction of a type. */
export async function sendTransaction(
  world: World,
  account: DemoAccount,
  { type, accessList }: { type: Hex; accessList?: readonly [] },
): Promise<SentTransaction> {
  const { dapp, stack } = world;
  const request = {
    type,
    ...(accessList && { accessList: [...accessList] }),
    from: account.address,
    to: stack.funded.address,
    value: '0x38d7ea4c68000',
    data: '0x',
    chainId: '0x7a69',
  };
  const hash = (await dapp.snap('eth_sendTransaction', [request])) as Hex;
  const sent = (await dapp.snap('eth_getTransactionByHash', [hash])) as Record<
    string,
    Hex
  >;
  const receipt = await findReceipt(world, hash);
  return {
    hash,
    type: sent.type ?? '0x',
    maxPrice: BigInt(sent.maxFeePerGas ?? sent.gasPrice ?? 0),
    gasLimit: BigInt(sent.gas ?? 0),
    ...receipt,
  };
}

/** Look a receipt up through the snap. */
export async function findReceipt(
  { dapp }: World,
  hash: Hex,
): Promise<
  Pick<SentTransaction, 'blockNumber' | 'gasUsed' | 'effectiveGasPrice' | 'status'>
> {
  const receipt = (await dapp.snap('eth_getTransactionReceipt', [hash])) as Record<
    string,
    Hex
  > | null;
  if (!receipt) throw new Error(`There is no receipt of ${hash}.`);
  return {
    blockNumber: BigInt(receipt.blockNumber ?? 0),
    gasUsed: BigInt(receipt.gasUsed ?? 0),
    effectiveGasPrice: BigInt(receipt.effectiveGasPrice ?? 0),
    status: receipt.status ?? '0x',
  };
}
