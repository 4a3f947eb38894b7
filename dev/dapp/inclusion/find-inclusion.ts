// What became of what was sent: asked once. Transactions, user operations and batches of
// calls are told alike.
import type { Hex } from 'viem';

/** Asks the provider. */
type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;

/** What was sent. */
export type Sent =
  | { kind: 'transaction' | 'operation'; hash: Hex; chainId: Hex }
  | { kind: 'calls'; id: string };

/** What became of it; all but `pending` are final. */
export type Inclusion = {
  /**
   * `replaced`: another transaction took its place; `dropped`: the node forgot it; `unknown`:
   * nobody could say.
   */
  state: 'pending' | 'included' | 'failed' | 'replaced' | 'dropped' | 'unknown';
  /** Where it was included. */
  block?: bigint;
  /** The transaction that carried it. */
  hash?: Hex;
};

type Receipt = { status?: Hex; blockNumber?: Hex; transactionHash?: Hex };

type Found = Receipt & {
  /** A user operation's. */
  success?: boolean;
  receipt?: Receipt;
};

/** Find out what became of something. */
export async function findInclusion(sent: Sent, request: Request): Promise<Inclusion> {
  if (sent.kind === 'calls') return findCalls(sent.id, request);
  const found = (await request({
    method:
      sent.kind === 'transaction'
        ? 'eth_getTransactionReceipt'
        : 'eth_getUserOperationReceipt',
    params: { scope: `eip155:${BigInt(sent.chainId)}`, params: [sent.hash] },
  })) as Found | null;
  if (!found) return findFate(sent.hash, request);
  const isRight = found.success ?? found.status !== '0x0';
  return toInclusion(isRight, found.receipt ?? found);
}

async function findCalls(id: string, request: Request): Promise<Inclusion> {
  const { status, receipts } = (await request({
    method: 'wallet_getCallsStatus',
    params: [id],
  })) as { status: number; receipts?: Receipt[] };
  if (status < 200) return { state: 'pending' };
  return toInclusion(status === 200, receipts?.at(-1) ?? {});
}

function toInclusion(
  isRight: boolean,
  { blockNumber, transactionHash }: Receipt,
): Inclusion {
  return {
    state: isRight ? 'included' : 'failed',
    ...(blockNumber === undefined ? {} : { block: BigInt(blockNumber) }),
    ...(transactionHash === undefined ? {} : { hash: transactionHash }),
  };
}

// The snap follows what it sent. Only the site that manages it is told of all of that.
async function findFate(hash: Hex, request: Request): Promise<Inclusion> {
  const activity = await request({ method: 'tollkeeper_getActivity' }).catch(() => []);
  const own = (activity as { hash: Hex; status: string }[]).find(
    (each) => each.hash === hash,
  );
  return own?.status === 'replaced' || own?.status === 'dropped'
    ? { state: own.status }
    : { state: 'pending' };
}
