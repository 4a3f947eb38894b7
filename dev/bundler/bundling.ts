// Keeps operations until a block includes them, and sends bundles: one transaction per EntryPoint,
// shortly after the first operation arrives, so that others can join or replace it.
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

export type Entry = {
  hash: Hex;
  operation: Operation;
  entryPoint: EntryPoint;
  /** Set when a bundle takes the operation, which can then no longer be replaced. */
  isTaken?: boolean;
};

const WAIT_MS = 100;
const POLL_MS = 50;
const RETRY_MS = 1_000;

/** Number of polls after which anvil must have forgotten to mine a transaction. */
const PATIENCE = 10;

export class Bundling {
  /** One operation per sender and nonce. */
  readonly #slots = new Map<string, Entry>();

  readonly #settled = new Map<Hex, Entry>();

  readonly #queue = new Mutex();

  readonly #ending = new AbortController();

  readonly #wallet;

  #isManual = false;

  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly chain: Chain,
    url: string,
    private readonly account: LocalAccount,
  ) {
    const transport = http(url, { retryCount: 0 });
    this.#wallet = createWalletClient({ account, chain: foundry, transport });
  }

  /** Throws an InvalidParamsError if the operation is already known or may not replace another
   * one. */
  check(entry: Entry): void {
    const { hash, operation } = entry;
    const other = this.#slots.get(toKey(entry));
    if (!other) return;
    if (other.hash === hash) refuse('already known');
    if (other.isTaken) {
      refuse('another operation with this nonce is already in a bundle');
    }
    const isEnough = (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).every(
      (name) => operation[name] * 10n >= other.operation[name] * 11n,
    );
    if (isEnough) return;
    refuse(
      'replacement underpriced: both fees must be 10 % above those of the pending operation',
    );
  }

  /** Adds an operation. Checks it again, because others may have arrived since the first check. */
  add(entry: Entry): void {
    this.check(entry);
    this.#slots.set(toKey(entry), entry);
    this.#wake();
  }

  find(hash: Hex): Entry | undefined {
    const slots = [...this.#slots.values()];
    return this.#settled.get(hash) ?? slots.find((slot) => slot.hash === hash);
  }

  setMode(mode: 'manual' | 'auto'): void {
    this.#isManual = mode === 'manual';
    if (!this.#isManual) return this.#wake();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Bundles the waiting operations. Resolves when the bundles have been sent. */
  async sendNow(): Promise<void> {
    await this.#queue.runExclusive(async () => {
      const waiting = [...this.#slots.values()].filter(({ isTaken }) => !isTaken);
      for (const entry of waiting) entry.isTaken = true;
      const failures: unknown[] = [];
      // Bundles share the account's nonce, so they are sent one after another. A failed bundle does
      // not affect the others.
      for (const version of ['0.7', '0.8', '0.9']) {
        const own = waiting.filter(({ entryPoint }) => entryPoint.version === version);
        await this.#bundle(own).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#queue.waitForUnlock();
  }

  #wake(delay = WAIT_MS): void {
    if (this.#isManual || this.#timer || this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.sendNow().catch(() => this.#wake(RETRY_MS));
    }, delay);
  }

  async #bundle(waiting: Entry[]): Promise<void> {
    try {
      const { entries, refused } = await this.#select(waiting);
      if (entries.length > 0) {
        const { maxFeePerGas, maxPriorityFeePerGas } = await fetchFloor(this.chain);
        const hash = await this.#wallet.sendTransaction({
          ...toCall(entries, this.account),
          // The bundler has ample funds, and its transactions must not be delayed.
          maxFeePerGas: maxFeePerGas * 10n,
          maxPriorityFeePerGas,
        });
        void this.#follow(entries, hash);
      }
      this.#drop(refused);
      const left = without(waiting, [...entries, ...refused]);
      if (left.length > 0) this.#putBack(left);
    } catch (error) {
      for (const entry of waiting) entry.isTaken = false;
      if (!this.#ending.signal.aborted) throw error;
    }
  }

  async #select(waiting: Entry[]) {
    let entries = choose(waiting);
    const refused: Entry[] = [];
    while (entries.length > 0) {
      const call = { ...toCall(entries, this.account), account: this.account.address };
      const { success, data } = await tryCall(this.chain, call);
      if (success) break;
      const failed = readFailedOp(data);
      // A single operation is the culprit, whatever the EntryPoint's error says.
      const isAlone = entries.length === 1;
      const culprit = failed ? entries[failed.index] : isAlone && entries[0];
      if (culprit) refused.push(culprit);
      // If the culprit is unknown, try the first half.
      entries = culprit
        ? without(entries, [culprit])
        : entries.slice(0, Math.ceil(entries.length / 2));
    }
    return { entries, refused };
  }

  // Waits until a bundle is mined. If the node forgets the bundle, its operations are bundled
  // again.
  async #follow(entries: Entry[], hash: Hex): Promise<void> {
    const { signal } = this.#ending;
    for (let polls = 0; !signal.aborted; polls += 1) {
      const state = await findState(this.chain, hash).catch(() => 'pending');
      if (state === 'lost') return this.#putBack(entries);
      if (state !== 'pending') {
        this.#drop(entries);
        if (state === 'reverted') return;
        for (const entry of entries) this.#settled.set(entry.hash, entry);
        return;
      }
      if (polls === PATIENCE) await nudge(this.chain).catch(() => undefined);
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  #putBack(entries: Entry[]): void {
    for (const entry of entries) entry.isTaken = false;
    this.#wake();
  }

  #drop(entries: Entry[]): void {
    for (const entry of entries) this.#slots.delete(toKey(entry));
  }
}

function toKey({ operation, entryPoint }: Entry): string {
  return `${entryPoint.version} ${operation.sender} ${operation.nonce}`;
}

async function findState(chain: Chain, hash: Hex): Promise<string> {
  const params: [Hex] = [hash];
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params });
  if (receipt) return receipt.status === '0x1' ? 'done' : 'reverted';
  const method = 'eth_getTransactionByHash';
  return (await chain.request({ method, params })) ? 'pending' : 'lost';
}

// anvil 1.7 sometimes fails to mine transactions that arrive while it mines a block.
async function nudge(chain: Chain): Promise<void> {
  const request = async (method: string): Promise<unknown> =>
    chain.request({ method, params: [] } as never);
  if ((await request('anvil_getAutomine')) === true) await request('evm_mine');
}

/** Maximum gas of a transaction (EIP-7825). The Amsterdam fork allows more for new state. */
const MAX_GAS = 16_777_216n;

// Gas for the transaction itself and the EntryPoint's work around the operations.
const OVERHEAD = 100_000n;

// Sums up an operation's gas, with a reserve: a call gets at most 63/64 of the remaining gas.
function gasOf({ operation }: Entry): bigint {
  return (sumGas(operation) * 33n) / 32n;
}

function choose(entries: Entry[]): Entry[] {
  let gas = OVERHEAD;
  return entries.filter((entry) => {
    const sum = gas + gasOf(entry);
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
  const data = encodeFunctionData({
    abi: entryPointAbi,
    functionName: 'handleOps',
    args: [entries.map(({ operation }) => toPackedUserOperation(operation)), address],
  });
  const gas = entries.reduce((sum, entry) => sum + gasOf(entry), OVERHEAD);
  return { to: first.entryPoint.address, data, gas };
}
