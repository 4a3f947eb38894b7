// Searches a node's logs for granted permissions, from the newest block down. The first request
// covers the whole chain; if the node refuses a range or is too slow, the search halves it.
import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  RpcError,
  TimeoutError,
} from '../../packages/client/src';
import type { Log } from '../../packages/client/src/rpc/node-client';
import type { Chain } from '../chains/chain';
import { isSameAddress, larger, toLower, toPaddedHex, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { PERMIT2 } from '../ui/tokens';
import { toKey } from './permission';
import type { Candidate } from './permission';

/** Block numbers are inclusive. */
export type LogReport = {
  status:
    | 'running'
    | 'complete'
    /** Only blocks from `fromBlock` on were searched: the node refuses older ones, or they would
     * need too many requests. */
    | 'partial'
    /** The node refuses log queries across all contracts. */
    | 'refused'
    /** A request failed, such as one without an answer. The next `advance` tries again. */
    | 'failed';
  fromBlock?: bigint;
  toBlock?: bigint;
  /** Number of permissions in logs that are not listed because of {@link MAX_CANDIDATES}. */
  omitted: number;
};

export type LogScan = {
  /** Lists at most {@link MAX_CANDIDATES}. Any contract can emit logs that name the owner, so
   * contracts with few candidates come first, and absent candidates last. */
  list: () => Candidate[];
  /** Notes the keys of candidates that do not exist, whose places others may take. */
  noteAbsent: (keys: readonly string[]) => void;
  report: () => LogReport;
  /** Continues the search, or joins it if it is running; resolves when it stops. Does nothing
   * within {@link PAUSE_MS} of the last start, unless that search failed. Never fails. */
  advance: () => Promise<void>;
};

/** Maximum requests: in total for past blocks, and per search for new blocks. */
const MAX_REQUESTS = { past: 100, news: 10 };

/** Maximum number of candidates, limited because each is read from the chain. */
const MAX_CANDIDATES = 1_000;

/** Maximum number of candidates that wait to be listed. */
const MAX_WAITING = 10_000;

/** Pause before the newest blocks are requested again, in ms. */
const PAUSE_MS = 30_000;

/** HTTP statuses with which servers refuse a query. */
const REFUSALS: readonly number[] = [400, 413, 422];

const topics = {
  /** `Approval(address,address,uint256)` of ERC-20, and of ERC-721, which has one more topic. */
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** `ApprovalForAll(address,address,bool)`. */
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  /** Permit2's `Approval(address,address,address,uint160,uint48)`. */
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  /** Permit2's `Permit(address,address,address,uint160,uint48,uint48)`. */
  permit2Permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
} as const satisfies Record<string, Hex>;

export function createLogScan(
  owner: Hex,
  {
    connect,
    now,
    epoch,
  }: { connect: () => Promise<Chain>; now: () => number; epoch: () => number },
): LogScan {
  let candidates = new Map<string, Candidate>();
  const absent = new Set<string>();
  let forgotten = 0;
  let running: { since: number; result: Promise<void> } | undefined;
  let status: LogReport['status'] = 'running';
  let from: bigint | undefined;
  let to: bigint | undefined;
  let size: bigint | undefined;
  let left = MAX_REQUESTS.past;
  let lastAt = -Infinity;
  let progress: 'none' | 'asked' | 'answered' = 'none';

  const isPresent = (key: string): boolean => !absent.has(key);

  const countPresent = (): number => [...candidates.keys()].filter(isPresent).length;

  const rank = (): [string, Candidate][] => {
    const counts = new Map<string, number>();
    return [...candidates]
      .map((entry) => {
        const [key, { token = '' }] = entry;
        const count = counts.get(token) ?? 0;
        if (isPresent(key)) counts.set(token, count + 1);
        return { entry, place: isPresent(key) ? count : Number.MAX_VALUE };
      })
      .sort((one, other) => one.place - other.place)
      .map(({ entry }) => entry);
  };

  const note = (logs: readonly Log[], range: readonly [bigint, bigint]): void => {
    for (const log of [...logs].reverse()) {
      const found = readLog(log, owner, range);
      if (!found) continue;
      const key = toKey(found);
      const known = candidates.get(key);
      if (known && (known.block ?? 0n) >= (found.block ?? 0n)) continue;
      candidates.set(key, found);
      absent.delete(key);
    }
    if (candidates.size <= MAX_WAITING) return;
    const before = countPresent();
    candidates = new Map(rank().slice(0, MAX_WAITING));
    for (const key of absent) if (!candidates.has(key)) absent.delete(key);
    forgotten += before - countPresent();
  };

  /** Searches from `high` down to `low` while `take` allows another request. */
  const sweep = async (
    low: bigint,
    high: bigint,
    { take, onLooked }: { take: () => boolean; onLooked: (from: bigint) => void },
  ): Promise<void> => {
    const before = size;
    let next = high;
    while (next >= low && take()) {
      size ??= next - low + 1n;
      const start = larger(low, next - size + 1n);
      if (progress === 'none') progress = 'asked';
      const logs = await fetchLogs(owner, [start, next], connect);
      progress = 'answered';
      if (logs) {
        note(logs, [start, next]);
        onLooked(start);
        next = start - 1n;
      } else if (start === next) {
        break;
      } else {
        size = (next - start + 1n) / 2n;
      }
    }
    // A lagging node refuses the newest blocks whatever the size, so an incomplete search does not
    // keep the reduced size.
    if (next >= low) size = before;
  };

  const halveSize = (): void => {
    if (size !== undefined) size = larger(size / 2n, 1n);
  };

  const run = async (): Promise<void> => {
    const head = BigInt(await (await connect()).node.request('eth_blockNumber', []));
    if (to !== undefined && head > to) {
      let news = MAX_REQUESTS.news;
      let lowest = head + 1n;
      await sweep(to + 1n, head, {
        take: () => (news -= 1) >= 0,
        onLooked: (start) => (lowest = start),
      });
      if (lowest === to + 1n) to = head;
    }
    progress = 'none';
    await sweep(0n, from === undefined ? head : from - 1n, {
      take: () => (left -= 1) >= 0,
      onLooked: (start) => {
        to ??= head;
        from = start;
      },
    });
    status = from === undefined ? 'refused' : from === 0n ? 'complete' : 'partial';
  };

  return {
    list: () =>
      rank()
        .slice(0, MAX_CANDIDATES)
        .map(([, candidate]) => candidate),
    noteAbsent: (keys) => {
      for (const key of keys) if (candidates.has(key)) absent.add(key);
    },
    report: () => ({
      status: running ? 'running' : status,
      ...(from !== undefined && { fromBlock: from }),
      ...(to !== undefined && { toBlock: to }),
      omitted: forgotten + Math.max(0, countPresent() - MAX_CANDIDATES),
    }),
    advance: async () => {
      const before = running;
      if (before?.since === epoch()) return before.result;
      const isDue = status === 'failed' || now() - lastAt >= PAUSE_MS;
      if (!isDue && !before) return undefined;
      // The last search never settled, because the entry point ended. If its first request for new
      // or past blocks was not answered by then, that request took too long.
      if (before && progress === 'asked') halveSize();
      progress = 'none';
      lastAt = now();
      const result = run()
        .catch((error: unknown) => {
          status = 'failed';
          if (error instanceof TimeoutError) halveSize();
        })
        .finally(() => {
          if (running?.result === result) running = undefined;
        });
      running = { since: epoch(), result };
      return result;
    },
  };
}

/** Returns undefined if the node refuses the range; throws for other failures, which may be
 * temporary. */
async function fetchLogs(
  owner: Hex,
  [from, to]: readonly [bigint, bigint],
  connect: () => Promise<Chain>,
): Promise<Log[] | undefined> {
  // Connecting again restarts the time limits.
  const { node } = await connect();
  const filter = {
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
    topics: [Object.values(topics), [toPaddedHex(BigInt(owner), 32)]],
  };
  try {
    return await node.tryRequest('eth_getLogs', [filter]);
  } catch (error) {
    const isRefusal =
      error instanceof RpcError ||
      error instanceof InvalidResponseError ||
      error instanceof BodyTooLargeError ||
      (error instanceof HttpStatusError && REFUSALS.includes(error.status));
    if (isRefusal) return undefined;
    throw error;
  }
}

/** Reads the permission in a log. Returns undefined if the log does not match the query, or names
 * no spender. */
function readLog(
  { address, topics: [kind, ...rest], removed, blockNumber }: Log,
  owner: Hex,
  [from, to]: readonly [bigint, bigint],
): Candidate | undefined {
  const block = BigInt(blockNumber);
  const [holder, second, third] = rest.map(BigInt);
  const isRequested = removed !== true && block >= from && block <= to;
  if (!isRequested || holder !== BigInt(owner) || second === undefined) {
    return undefined;
  }
  const isPermit2 = kind === topics.permit2Approval || kind === topics.permit2Permit;
  const spender = findAddress(isPermit2 ? third : second);
  if (spender === undefined) return undefined;
  const token = toLower(address);
  if (isPermit2) {
    const within = findAddress(second);
    return within && isSameAddress(address, PERMIT2)
      ? { kind: 'permit2', spender, token: within, block }
      : undefined;
  }
  if (kind === topics.approvalForAll) {
    return { kind: 'operator', spender, token, block };
  }
  if (kind !== topics.approval) return undefined;
  return third === undefined
    ? { kind: 'allowance', spender, token, block }
    : { kind: 'nft', spender, token, id: third, block };
}

function findAddress(word = 0n): Hex | undefined {
  return word === 0n || word >= 2n ** 160n ? undefined : toPaddedHex(word, 20);
}
