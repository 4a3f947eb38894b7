// Subscriptions (`eth_subscribe`) as `message` events (EIP-1193). They poll the chain, because not
// every wallet pushes notifications.
import { codes, ProviderRpcError, randomHex } from './eip1193';
import type { Ask, Emit, RequestArguments } from './eip1193';

const INTERVAL_MS = 3_000;

/** Maximum number of blocks announced after a pause; older ones are omitted. */
const MAX_HEADS = 16n;

type Range = { from: bigint; to: bigint; filter: object };

type Kind = (ask: Ask, range: Range) => Promise<unknown[]>;

const kinds: Record<string, Kind> = {
  newHeads: async (ask, { from, to }) => {
    const first = to - from < MAX_HEADS ? from : to - MAX_HEADS + 1n;
    const length = Number(to - first + 1n);
    const asked = Array.from({ length }, async (_, index) => {
      const number = toHex(first + BigInt(index));
      return ask({ method: 'eth_getBlockByNumber', params: [number, false] });
    });
    return Promise.all(asked);
  },
  logs: async (ask, { from, to, filter }) => {
    const range = { ...filter, fromBlock: toHex(from), toBlock: toHex(to) };
    return (await ask({ method: 'eth_getLogs', params: [range] })) as unknown[];
  },
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
    let last = await findNumber(ask);
    const announceNew = async (): Promise<void> => {
      const to = await findNumber(ask);
      // After the wallet has switched chains, the new chain can be shorter.
      const from = to < last ? to : last + 1n;
      const range = { from, to, filter: new Object(filter) };
      const found = from <= to ? await find(ask, range) : [];
      last = to;
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

async function findNumber(ask: Ask): Promise<bigint> {
  return BigInt(String(await ask({ method: 'eth_blockNumber' })));
}

function toHex(number: bigint): string {
  return `0x${number.toString(16)}`;
}
