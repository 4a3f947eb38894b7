// Subscriptions (`eth_subscribe`) as `message` events (EIP-1193). They poll the chain, because not
// every wallet pushes notifications.
import { codes, ProviderRpcError, randomHex, toProviderError } from './eip1193';
import type { Ask, Emit, RequestArguments } from './eip1193';

const INTERVAL_MS = 3_000;

/** Maximum number of blocks announced after a pause; older ones are omitted. */
const MAX_HEADS = 16n;

/** Maximum number of blocks searched for logs after a pause; older ones are omitted. */
const MAX_LOG_BLOCKS = 1_000n;

type Range = { from: bigint; to: bigint; filter: object };

type Kind = (ask: Ask, range: Range) => Promise<unknown[]>;

const kinds: Record<string, Kind> = {
  newHeads: async (ask, { from, to }) => {
    const first = findFirst(from, to, MAX_HEADS);
    const length = Number(to - first + 1n);
    const asked = Array.from({ length }, async (_, index) => {
      const number = toHex(first + BigInt(index));
      return ask({ method: 'eth_getBlockByNumber', params: [number, false] });
    });
    return Promise.all(asked);
  },
  logs: async (ask, { from, to, filter }) => {
    const first = findFirst(from, to, MAX_LOG_BLOCKS);
    return findLogs(ask, { from: first, to, filter });
  },
};

/** Codes and HTTP statuses unrelated to the range: unknown method, refused key, rate limit. */
const UNRELATED: readonly unknown[] = [-32601, 401, 403, 429];

// Nodes refuse large ranges with most codes, -32602 and -32600 among them, but the wallet itself
// (4000 to 4999, EIP-1193) does not. MetaMask wraps a node's error into `data`.
const mayConcernRange = (error: unknown): boolean => {
  const { code, data } = toProviderError(error);
  const { code: inner, httpStatus } = Object(data) as Record<string, unknown>;
  const isRelated = (each: unknown): boolean => !UNRELATED.includes(each);
  return [code, inner, httpStatus].every(isRelated) && Math.trunc(code / 1_000) !== 4;
};

// Nodes limit the range: some to 10 blocks. A refused range is searched in halves.
const findLogs: Kind = async (ask, { from, to, filter }) => {
  const range = { ...filter, fromBlock: toHex(from), toBlock: toHex(to) };
  try {
    return (await ask({ method: 'eth_getLogs', params: [range] })) as unknown[];
  } catch (error) {
    if (from === to || !mayConcernRange(error)) throw error;
    const middle = (from + to) / 2n;
    const older = await findLogs(ask, { from, to: middle, filter });
    return [...older, ...(await findLogs(ask, { from: middle + 1n, to, filter }))];
  }
};

export function createSubscriptions(ask: Ask, emit: Emit): ReadonlyMap<string, Ask> {
  const running = new Map<string, () => void>();
  const subscribe: Ask = async ({ params }) => {
    const [kind, filter] = toList(params);
    const find = Object.hasOwn(kinds, String(kind)) ? kinds[String(kind)] : undefined;
    if (!find) {
      const message = 'Only newHeads and logs can be subscribed to.';
      throw new ProviderRpcError(codes.unsupported, message);
    }
    const subscription = `0x${randomHex(16)}`;
    let last = await findHead(ask);
    const announceNew = async (): Promise<void> => {
      const head = await findHead(ask);
      const to = head.number;
      // The wallet may have switched chains. A development chain may have started again.
      const isOther = head.chainId !== last.chainId || to < last.number;
      const from = isOther ? to : last.number + 1n;
      const range = { from, to, filter: new Object(filter) };
      const found = from <= to ? await find(ask, range) : [];
      last = head;
      for (const result of found.filter(Boolean)) {
        if (!running.has(subscription)) return;
        emit('message', { type: 'eth_subscription', data: { subscription, result } });
      }
    };
    running.set(subscription, repeat(announceNew));
    return subscription;
  };
  const unsubscribe: Ask = async ({ params }) => {
    const id = String(toList(params)[0]);
    running.get(id)?.();
    return Promise.resolve(running.delete(id));
  };
  return new Map([
    ['eth_subscribe', subscribe],
    ['eth_unsubscribe', unsubscribe],
  ]);
}

function toList(params: RequestArguments['params']): readonly unknown[] {
  return Array.isArray(params) ? params : [];
}

// Repeats a function at an interval, without overlapping runs, and ignores its failures.
function repeat(run: () => Promise<void>): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runOnce = async (): Promise<void> => {
    await run().catch(() => undefined);
    wait();
  };
  const wait = (): void => {
    if (!isOver) timer = setTimeout(() => void runOnce(), INTERVAL_MS);
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function findHead(ask: Ask): Promise<{ chainId: unknown; number: bigint }> {
  const chainId = await ask({ method: 'eth_chainId' });
  const number = await ask({ method: 'eth_blockNumber' });
  return { chainId, number: BigInt(String(number)) };
}

function findFirst(from: bigint, to: bigint, maximum: bigint): bigint {
  return to - from < maximum ? from : to - maximum + 1n;
}

function toHex(number: bigint): string {
  return `0x${number.toString(16)}`;
}
