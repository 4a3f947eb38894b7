// Sends what waits in the pool: one transaction an EntryPoint, a moment after the first
// operation came, so that others can join it or replace it.
import { setTimeout as sleep } from 'node:timers/promises';

import { Mutex } from 'async-mutex';
import { createWalletClient, encodeFunctionData, http, type Hex } from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { refuse } from '../stack/server';
import { fetchFloor } from './estimate';
import { sumGas, type EntryPoint, type Operation } from './operation';
import { entryPointAbi, readFailedOp, tryCall, type Chain } from './simulation';

export type Bundling = {
  /** To be called when an operation came. */
  wake: () => void;
  /** In `manual` nothing is bundled until `sendNow`. */
  setMode: (mode: 'manual' | 'auto') => void;
  /** Bundles what waits; resolves when it was sent. */
  sendNow: () => Promise<void>;
  stop: () => Promise<void>;
};

const WAIT_MS = 100;
const POLL_MS = 50;
const RETRY_MS = 1_000;

/** Polls after which a transaction counts as forgotten by a node that mines on its own. */
const PATIENCE = 10;

/** Creates what bundles, from the account's money; it works until it is stopped. */
export function createBundling(
  chain: Chain,
  pool: Pool,
  { url, account }: { url: string; account: LocalAccount },
): Bundling {
  const wallet = createWalletClient({
    account,
    chain: foundry,
    transport: http(url, { retryCount: 0 }),
  });
  const queue = new Mutex();
  const stopped = new AbortController();
  const { signal } = stopped;
  let mode: 'manual' | 'auto' = 'auto';
  let timer: NodeJS.Timeout | undefined;

  const send = async (entries: Entry[]): Promise<Hex> => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await fetchFloor(chain);
    return wallet.sendTransaction({
      ...toCall(entries, account),
      // The bundler has money, and its transaction must not stay behind.
      maxFeePerGas: maxFeePerGas * 10n,
      maxPriorityFeePerGas,
    });
  };
  const bundle = async (waiting: Entry[]): Promise<void> => {
    try {
      const { entries, refused, left } = await select(chain, waiting, account);
      const hash = entries.length > 0 ? await send(entries) : undefined;
      pool.drop(refused);
      pool.putBack(left);
      if (left.length > 0) wake();
      if (hash) void follow(entries, hash);
    } catch (error) {
      pool.putBack(waiting);
      if (!signal.aborted) throw error;
    }
  };
  // One after the other: the account's nonce counts both. One that fails spoils no other.
  const bundleAll = async (): Promise<void> => {
    const waiting = pool.take();
    const failures: unknown[] = [];
    for (const version of ['0.7', '0.8', '0.9']) {
      const own = waiting.filter(({ entryPoint }) => entryPoint.version === version);
      if (own.length > 0) await bundle(own).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  const run = async (): Promise<void> => queue.runExclusive(bundleAll);
  const wake = (delay = WAIT_MS): void => {
    if (mode === 'manual' || timer || signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      run().catch(() => wake(RETRY_MS));
    }, delay);
  };
  // Until it is mined; what the node has forgotten is bundled once more.
  const follow = async (entries: Entry[], hash: Hex): Promise<void> => {
    for (let polls = 0; !signal.aborted; polls += 1) {
      const state = await findState(chain, hash).catch(() => 'pending');
      if (state === 'done') return pool.settle(entries);
      if (state === 'reverted') return pool.drop(entries);
      if (state === 'lost') {
        pool.putBack(entries);
        return wake();
      }
      if (polls === PATIENCE) await nudge(chain).catch(() => undefined);
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    wake,
    setMode: (wanted) => {
      mode = wanted;
      if (mode === 'auto') return wake();
      clearTimeout(timer);
      timer = undefined;
    },
    sendNow: run,
    stop: async () => {
      stopped.abort();
      clearTimeout(timer);
      await queue.waitForUnlock();
    },
  };
}

async function findState(chain: Chain, hash: Hex): Promise<string> {
  const params: [Hex] = [hash];
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params });
  if (receipt) return receipt.status === '0x1' ? 'done' : 'reverted';
  const method = 'eth_getTransactionByHash';
  return (await chain.request({ method, params })) ? 'pending' : 'lost';
}

// anvil 1.7 forgets to mine some transactions that come while it mines a block.
async function nudge(chain: Chain): Promise<void> {
  const request = async (method: string): Promise<unknown> =>
    chain.request({ method, params: [] } as never);
  if ((await request('anvil_getAutomine')) === true) await request('evm_mine');
}

// Makes bundles: operations of one EntryPoint in one call of `handleOps`, without those
// that it refuses by now, sent from the bundler's own account.

/** The most gas of a transaction (EIP-7825). Amsterdam allows more for new state. */
const MAX_GAS = 16_777_216n;

// For the transaction and what the EntryPoint does around the operations.
const OVERHEAD = 100_000n;

/** Selects the operations of the next bundle; the others are refused, or left for a later one. */
async function select(chain: Chain, waiting: Entry[], account: LocalAccount) {
  let entries = choose(waiting);
  const refused: Entry[] = [];
  while (entries.length > 0) {
    const call = { ...toCall(entries, account), account: account.address };
    const { success, data } = await tryCall(chain, call);
    if (success) break;
    const culprit = findCulprit(data, entries);
    if (culprit) refused.push(culprit);
    // One of them is at fault, and it is not known which: the others wait for the next bundle.
    entries = culprit
      ? without(entries, [culprit])
      : entries.slice(0, Math.ceil(entries.length / 2));
  }
  return { entries, refused, left: without(waiting, [...entries, ...refused]) };
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

function toCall(entries: Entry[], { address }: LocalAccount) {
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

// The operations that wait for a bundle, or for the block that has it.

export type Entry = { hash: Hex; operation: Operation; entryPoint: EntryPoint };

/** The pool; one operation for a sender's nonce. */
export class Pool {
  readonly #slots = new Map<string, Entry & { isTaken: boolean }>();

  readonly #settled = new Map<Hex, Entry>();

  /** @throws {InvalidParamsError} If the operation may not join. */
  check(entry: Entry): void {
    const { hash, operation } = entry;
    const other = this.#slots.get(toKey(entry));
    if (!other) return;
    if (other.hash === hash) refuse('already known');
    if (other.isTaken) {
      refuse('another operation with this nonce is in a bundle already');
    }
    const isEnough = (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).every(
      (name) => operation[name] * 10n >= other.operation[name] * 11n,
    );
    if (isEnough) return;
    refuse(
      'replacement underpriced: both fees must be 10 % above those of the operation that waits',
    );
  }

  /** Checks again, since others may have come meanwhile, and adds. */
  add(entry: Entry): void {
    this.check(entry);
    this.#slots.set(toKey(entry), { ...entry, isTaken: false });
  }

  /** Takes those that wait: until they are put back nothing can replace them. */
  take(): Entry[] {
    const waiting = [...this.#slots.values()].filter(({ isTaken }) => !isTaken);
    for (const slot of waiting) slot.isTaken = true;
    return waiting;
  }

  putBack(entries: Entry[]): void {
    for (const entry of entries) {
      const slot = this.#slots.get(toKey(entry));
      if (slot) slot.isTaken = false;
    }
  }

  /** Gives up what the EntryPoint refuses. */
  drop(entries: Entry[]): void {
    for (const entry of entries) this.#slots.delete(toKey(entry));
  }

  /** Makes room: these are in blocks. They are still found. */
  settle(entries: Entry[]): void {
    this.drop(entries);
    for (const entry of entries) this.#settled.set(entry.hash, entry);
  }

  find(hash: Hex): Entry | undefined {
    const slots = [...this.#slots.values()];
    return this.#settled.get(hash) ?? slots.find((slot) => slot.hash === hash);
  }
}

function toKey({ operation, entryPoint }: Entry): string {
  return `${entryPoint.version} ${operation.sender} ${operation.nonce}`;
}
