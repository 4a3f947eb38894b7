// Makes bundles: operations of one EntryPoint in one call of `handleOps`, without those
// that it refuses by now, sent from the bundler's own account.
import { createWalletClient, encodeFunctionData, http } from 'viem';
import type { Hex } from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { entryPointAbi } from './abi';
import { tryCall } from './chain';
import type { Chain, Trial } from './chain';
import { readFailedOp } from './failed-op';
import { sumGas } from './operation';
import type { Entry } from './pool';
import { fetchFloor } from './prices';

/** What became of the operations that waited. */
export type Sent = {
  bundle?: { entries: Entry[]; hash: Hex };
  /** The EntryPoint does not take them any more. */
  refused: Entry[];
  /** Not in a bundle yet. */
  left: Entry[];
};

/** Sends operations of one EntryPoint in a bundle. */
export type Send = (entries: Entry[]) => Promise<Sent>;

/** Below the gas of a block; one operation has at most 20,000,000. */
const MAX_GAS = 25_000_000n;

// For the transaction and what the EntryPoint does around the operations.
const OVERHEAD = 100_000n;

/** Create what sends bundles to a node; not to be called while it runs. */
export function createSend(chain: Chain, url: string, account: LocalAccount): Send {
  const wallet = createWalletClient({
    account,
    chain: foundry,
    transport: http(url, { retryCount: 0 }),
  });
  const sendBundle = async (entries: Entry[]): Promise<Hex> => {
    const [nonce, floor] = await Promise.all([
      chain.getTransactionCount({ address: account.address, blockTag: 'pending' }),
      fetchFloor(chain),
    ]);
    const { maxFeePerGas, maxPriorityFeePerGas } = floor;
    return wallet.sendTransaction({
      ...toCall(entries, account),
      nonce,
      // The bundler has money, and its transaction must not stay behind.
      maxFeePerGas: maxFeePerGas * 10n,
      maxPriorityFeePerGas,
    });
  };
  const tryBundle = async (entries: Entry[]): Promise<Trial> =>
    tryCall(chain, { ...toCall(entries, account), from: account.address });
  return async (waiting) => {
    let entries = choose(waiting);
    const refused: Entry[] = [];
    while (entries.length > 0) {
      const trial = await tryBundle(entries);
      if (trial.success) break;
      const culprit = findCulprit(trial.data, entries);
      if (culprit) refused.push(culprit);
      // One of them is at fault, and it is not known which: the others wait for the next bundle.
      entries = culprit
        ? without(entries, [culprit])
        : entries.slice(0, Math.ceil(entries.length / 2));
    }
    const left = without(waiting, [...entries, ...refused]);
    if (entries.length === 0) return { refused, left };
    return { bundle: { entries, hash: await sendBundle(entries) }, refused, left };
  };
}

// Whatever the EntryPoint reverts with: one that is alone is at fault.
function findCulprit(data: Hex, entries: Entry[]): Entry | undefined {
  const failed = readFailedOp(data);
  if (failed) return entries[failed.index];
  return entries.length === 1 ? entries[0] : undefined;
}

function choose(entries: Entry[]): Entry[] {
  let gas = OVERHEAD;
  return entries.filter(({ operation }) => {
    const sum = gas + addReserve(sumGas(operation));
    if (sum > MAX_GAS) return false;
    gas = sum;
    return true;
  });
}

function without(entries: Entry[], others: Entry[]): Entry[] {
  return entries.filter((entry) => !others.includes(entry));
}

function toCall(
  entries: Entry[],
  { address }: LocalAccount,
): { to: Hex; data: Hex; gas: bigint } {
  const [first] = entries;
  if (first === undefined) throw new Error('A bundle has at least one operation.');
  const gas = entries.reduce(
    (sum, { operation }) => sum + addReserve(sumGas(operation)),
    OVERHEAD,
  );
  const data = encodeFunctionData({
    abi: entryPointAbi,
    functionName: 'handleOps',
    args: [entries.map(({ operation }) => toPackedUserOperation(operation)), address],
  });
  return { to: first.entryPoint.address, data, gas };
}

// A call gets no more than 63/64 of the gas that is left.
function addReserve(gas: bigint): bigint {
  return gas + gas / 32n;
}
