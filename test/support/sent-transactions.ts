// Stored sent transactions.
import type { Wallet } from '../../dev/wallet/wallet';
import type { SentTransaction } from '../../src/state/sent-transaction';
import type { Edges, TestApp } from './test-app';

export const hashOf = (n: number): `0x${string}` =>
  `0x${n.toString(16).padStart(64, '0')}`;

/** An included transaction with many optional fields. */
export const SENT: SentTransaction = {
  hash: hashOf(1),
  chain: 'eip155:1',
  account: '6404510c-e9ff-48e2-b0aa-1a47c6af07d9',
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: null,
  nonce: '0x7',
  value: '0x0',
  fees: { gasPrice: '0x3', maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
  origin: 'https://dapp.example',
  sentAt: 1,
  head: '0x5',
  replaces: hashOf(2),
  raw: '0x02',
  status: 'included',
  absentSince: 2,
  settledAt: 3,
  inclusion: {
    blockNumber: '0x6',
    blockHash: hashOf(3),
    success: true,
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    cost: '0x5208',
  },
  receipt: { status: '0x1' } as never,
  replacedBy: hashOf(4),
};

/** A pending transaction with only the required fields. */
export const PENDING: SentTransaction = {
  hash: hashOf(1),
  chain: 'eip155:1',
  account: SENT.account,
  from: SENT.from,
  to: null,
  nonce: '0x7',
  value: '0x0',
  fees: { gasPrice: '0x3' },
  origin: SENT.origin,
  sentAt: 1,
  raw: '0x02',
  status: 'pending',
};

export function activityOf({ backend }: Edges): SentTransaction[] {
  const { activity = {} } = backend.document as {
    activity?: Record<string, SentTransaction>;
  };
  return Object.values(activity);
}

/** Lists the sent transactions as the snap does, newest first. */
export async function listActivity({ services }: TestApp): Promise<SentTransaction[]> {
  return services.ledger.list();
}

/** Lists the transactions that a wallet's snap has sent, newest first. */
export async function listSent({
  state,
}: Pick<Wallet, 'state'>): Promise<SentTransaction[]> {
  const { encrypted } = await state();
  const { activity } = encrypted as { activity: Record<string, SentTransaction> };
  return Object.values(activity).reverse();
}

/** Creates a pending transaction with a hash and sending time from `n`. */
export function pendingOf(n: number, fields: Partial<SentTransaction> = {}) {
  return { ...PENDING, hash: hashOf(n), sentAt: n, ...fields };
}
