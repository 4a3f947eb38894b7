// What became of what was sent: transactions, user operations and batches of calls alike.
import type { Hex } from 'viem';

/** Makes a request to the provider. */
export type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;

/** What was sent. */
export type Sent =
  | { kind: 'transaction' | 'operation'; hash: Hex; chainId: Hex }
  | { kind: 'calls'; id: string };

/** What became of it. */
export type Inclusion = {
  /**
   * All but `pending` are final. `replaced`: another transaction took its place; `dropped`: the
   * node forgot it; `unknown`: nobody could say.
   */
  state: 'pending' | 'included' | 'failed' | 'replaced' | 'dropped' | 'unknown';
  block?: bigint;
};

/** Time between two polls, in ms. */
const INTERVAL_MS = 1_000;

type FollowTools = { request: Request; signal: AbortSignal };

/**
 * Polls until it is known what became of something. Nothing is asked while the page is hidden.
 *
 * @returns What became of it; `pending` if it was aborted before.
 * @throws What the provider throws four times in a row.
 */
export async function follow(
  sent: Sent,
  { request, signal }: FollowTools,
): Promise<Inclusion> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const inclusion = await fetchInclusion(sent, request);
      if (inclusion.state !== 'pending') return inclusion;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures > 3) throw error;
    }
    await pause(signal);
    await untilVisible(signal);
  }
  return { state: 'pending' };
}

/**
 * Follows transactions of which only one can be included.
 *
 * @returns What became of the one that was, and which; of the last, if none was.
 */
export async function followAny(
  candidates: readonly Sent[],
  tools: FollowTools,
): Promise<{ inclusion: Inclusion; index: number }> {
  const fates: Inclusion[] = [];
  const followOne = async (sent: Sent, index: number): Promise<number> => {
    const fate = await follow(sent, tools);
    fates[index] = fate;
    if (fate.state === 'replaced' || fate.state === 'dropped') throw new Error('Out.');
    return index;
  };
  const last = candidates.length - 1;
  const index = await Promise.any(candidates.map(followOne)).catch(() => last);
  return { inclusion: fates[index] ?? { state: 'unknown' }, index };
}

/** Says what became of something. */
export function describeInclusion({ state, block }: Inclusion): string {
  const place = block === undefined ? '' : ` in block ${block}`;
  const texts: Record<Inclusion['state'], string> = {
    pending: 'Sent. Waiting for a block …',
    included: `Included${place}.`,
    failed: `Failed${place}.`,
    replaced: 'Replaced by another transaction.',
    dropped: 'Dropped: the network does not know it any more.',
    unknown: 'Nobody could say what became of it.',
  };
  return texts[state];
}

type Receipt = { status?: Hex; blockNumber?: Hex };

// A user operation's receipt has `success`, and the transaction's receipt in it.
type AnyReceipt = Receipt & { success?: boolean; receipt?: Receipt };

async function fetchInclusion(sent: Sent, request: Request): Promise<Inclusion> {
  if (sent.kind === 'calls') return fetchCalls(sent.id, request);
  const found = (await request({
    method:
      sent.kind === 'transaction'
        ? 'eth_getTransactionReceipt'
        : 'eth_getUserOperationReceipt',
    params: { scope: `eip155:${BigInt(sent.chainId)}`, params: [sent.hash] },
  })) as AnyReceipt | null;
  if (!found) return fetchFate(sent.hash, request);
  const isSuccess = found.success ?? found.status !== '0x0';
  return toInclusion(isSuccess, found.receipt ?? found);
}

async function fetchCalls(id: string, request: Request): Promise<Inclusion> {
  const { status, receipts } = (await request({
    method: 'wallet_getCallsStatus',
    params: [id],
  })) as { status: number; receipts?: Receipt[] };
  if (status < 200) return { state: 'pending' };
  return toInclusion(status === 200, receipts?.at(-1) ?? {});
}

// The snap follows what it sent, and reports that to the site which manages it.
async function fetchFate(hash: Hex, request: Request): Promise<Inclusion> {
  const activity = await request({ method: 'tollkeeper_getActivity' }).catch(() => []);
  const own = (activity as { hash: Hex; status: string }[]).find(
    (each) => each.hash === hash,
  );
  return own?.status === 'replaced' || own?.status === 'dropped'
    ? { state: own.status }
    : { state: 'pending' };
}

function toInclusion(isSuccess: boolean, { blockNumber }: Receipt): Inclusion {
  return {
    state: isSuccess ? 'included' : 'failed',
    ...(blockNumber === undefined ? {} : { block: BigInt(blockNumber) }),
  };
}

async function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, INTERVAL_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
  });
}
