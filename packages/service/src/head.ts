// The newest block, which decides how long answers may be cached. A node with a WebSocket announces
// it (newHeads). Otherwise `eth_blockNumber` is called on demand when its last answer is older than
// `maxAgeMs` or than a known block, once for all concurrent callers and instances with one store.
import { HexQuantityStruct, larger, toQuantity } from '../../../src/eth/hex';
import { computeBlockMs, MEASURED_BLOCKS } from '../../../src/fees/fee-history';
import { matches, parse } from '../../../src/schema/parse';
import { BlockHeaderStruct } from '../../client/src/rpc/block';
import { coalesce } from './coalesce';
import { toNodeFailure } from './json-rpc';
import type { ChainStore } from './store';
import { BAD_ANSWER, TIMED_OUT, type Ask } from './upstream';

/** A block. `key` also distinguishes two blocks of the same number, if the hash is known. */
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

  /** @throws {ServiceFailure} If the node does not report the newest block. */
  async fetch(): Promise<HeadBlock> {
    const newest = this.options.findNewest();
    if (this.#pushed && this.#pushed.number >= newest) return this.#pushed;
    const { block, at, leftMs } = this.#polled ?? { at: 0, leftMs: 0 };
    const age = Date.now() - at;
    const isNew = block && block.number >= newest;
    if (isNew && age >= 0 && age < leftMs) return block;
    return this.#poll();
  }

  /** Records the announced block; undefined once announcements have stopped. */
  push(block: HeadBlock | undefined): void {
    this.#pushed = block;
  }

  readonly #poll = coalesce(async () => {
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

/** Gets the result of a call that must have one. @throws {ServiceFailure} */
export function requireResult<Type>(
  outcome: Awaited<ReturnType<Ask>>,
  struct: Parameters<typeof matches<Type>>[1],
): Type {
  if (outcome.error) {
    const { message } = outcome.error;
    throw toNodeFailure(message, message === TIMED_OUT ? 504 : 502);
  }
  if (matches(outcome.result, struct)) return outcome.result;
  throw toNodeFailure(BAD_ANSWER);
}

/** A block's timestamp and the time between blocks, both in ms. */
export type Pace = { bornMs: number | undefined; blockMs: number | undefined };

export async function fetchPace(ask: Ask, number: bigint): Promise<Pace> {
  const older = number > MEASURED_BLOCKS ? number - MEASURED_BLOCKS : 0n;
  const [newest, first] = await Promise.all(
    [number, older].map(async (each) => {
      const { result } = await ask('eth_getBlockByNumber', [toQuantity(each), false]);
      return matches(result, BlockHeaderStruct) ? result : undefined;
    }),
  );
  const bornMs = newest && Number(newest.timestamp) * 1_000;
  return { bornMs, blockMs: computeBlockMs(newest, first) };
}
