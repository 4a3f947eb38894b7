// The newest block, so that answers can be kept for as long as it stays the newest. A node
// with a WebSocket announces it (newHeads). Else `eth_blockNumber` is asked, when
// a caller needs it and the last answer is older than `maxAgeMs`, one question at a
// time however many wait for it, of all instances that share a store.
import { HexQuantityStruct, larger, toQuantity } from '../../../src/eth/hex';
import { computeBlockMs, MEASURED_BLOCKS } from '../../../src/fees/fee-history';
import { matches, parse } from '../../../src/schema/parse';
import { BlockHeaderStruct } from '../../client/src/rpc/block';
import { toNodeFailure } from './json-rpc';
import { singly } from './singly';
import type { ChainStore } from './store';
import { NONSENSE, TIMED_OUT, type Ask } from './upstream';

/** A block; `key` differs also between two blocks of the same number, where known. */
export type HeadBlock = { key: string; number: bigint };

export class Head {
  #pushed: HeadBlock | undefined;

  #polled: { block: HeadBlock; at: number; leftMs: number } | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly options: {
      maxAgeMs: number;
      share: ChainStore['share'];
      findNewest: () => bigint;
      findReplacement: (number: bigint) => string | undefined;
    },
  ) {}

  /** @throws {ServiceFailure} If the node does not say. */
  async fetch(): Promise<HeadBlock> {
    const newest = this.options.findNewest();
    if (this.#pushed && this.#pushed.number >= newest) return this.#pushed;
    const { block, at, leftMs } = this.#polled ?? { at: 0, leftMs: 0 };
    const age = Date.now() - at;
    const isNew = block && block.number >= newest;
    if (isNew && age >= 0 && age < leftMs) return block;
    return this.#poll();
  }

  /** The node announced a new one, or stopped announcing. */
  push(block: HeadBlock | undefined): void {
    this.#pushed = block;
  }

  readonly #poll = singly(async () => {
    const { maxAgeMs, share } = this.options;
    const { value: key, leftMs } = await share({
      name: 'head',
      maxAgeMs,
      load: async () =>
        requireResult(await this.ask('eth_blockNumber', []), HexQuantityStruct),
      decode: (loaded) => parse(loaded, HexQuantityStruct, 'head'),
    });
    const number = larger(BigInt(key), this.options.findNewest());
    const replacement = this.options.findReplacement(number);
    const block = { key: replacement ?? toQuantity(number), number };
    this.#polled = { block, at: Date.now(), leftMs };
    return block;
  });
}

/** Takes the result of a call that must have one. @throws {ServiceFailure} */
export function requireResult<Type>(
  outcome: Awaited<ReturnType<Ask>>,
  struct: Parameters<typeof matches<Type>>[1],
): Type {
  if ('error' in outcome) {
    const { message } = outcome.error;
    throw toNodeFailure(message, message === TIMED_OUT ? 504 : 502);
  }
  if (matches(outcome.result, struct)) return outcome.result;
  throw toNodeFailure(NONSENSE);
}

/** When a block was made, and how long the chain takes for one, where blocks show it. */
export type Pace = { bornMs: number | undefined; blockMs: number | undefined };

/** Reads the pace of a chain from a block and an older one. */
export async function fetchPace(ask: Ask, number: bigint): Promise<Pace> {
  const older = number > MEASURED_BLOCKS ? number - MEASURED_BLOCKS : 0n;
  const [newest, first] = await Promise.all(
    [number, older].map(async (each) => {
      const outcome = await ask('eth_getBlockByNumber', [toQuantity(each), false]);
      const header = 'result' in outcome ? outcome.result : undefined;
      return matches(header, BlockHeaderStruct) ? header : undefined;
    }),
  );
  const bornMs = newest && Number(newest.timestamp) * 1_000;
  return { bornMs, blockMs: computeBlockMs(newest, first) };
}
