// Following what was sent, over a ledger, nodes and a wallet in memory.
import { createTracker } from '../../src/activity/tracker';
import type { Tracker } from '../../src/activity/tracker';
import { createWalletTransport } from '../../src/chains/wallet-transport';
import { createNodeClient } from '../../src/client';
import { UnavailableError } from '../../src/errors';
import type { SentTransaction } from '../../src/state/sent-transaction';
import { createFakeNode } from './fake-node';
import type { FakeNode } from './fake-node';
import { createLedgerBench } from './ledger-bench';
import type { LedgerBench } from './ledger-bench';
import { RECEIPT } from './receipts';

/** When the clock of a bench starts, in ms since 1970. */
export const START = 1_700_000_000_000;

/** Who follows, and what stands behind it. */
export type TrackerBench = LedgerBench & {
  tracker: Tracker;
  clock: { time: number };
  wallet: {
    isLocked: boolean;
    /** Fails whatever is asked of the alarm. */
    hasNoAlarm: boolean;
    pendingSince: number | null;
    /** When the next event is due. */
    due: number | undefined;
    /** In how many seconds each event was wanted, in order. */
    alarms: number[];
  };
  /** Nodes by chain id; one that is not there cannot be connected. */
  nodes: Record<string, FakeNode>;
  told: SentTransaction[][];
  watched: bigint[];
  /** Put a transaction into a block of chain 1. */
  include: (hash: string) => void;
};

/** Make a node that knows no transaction. */
export function createEmptyNode(): FakeNode {
  return createFakeNode({
    eth_getTransactionReceipt: null,
    eth_getTransactionByHash: null,
    eth_getTransactionCount: '0x7',
  });
}

/** Follow what was sent; chain 1 has a node, nothing is flagged and no alarm is set. */
export function createTrackerBench(sent: readonly SentTransaction[]): TrackerBench {
  const bench = createLedgerBench(sent);
  const clock = { time: START };
  const wallet: TrackerBench['wallet'] = {
    isLocked: false,
    hasNoAlarm: false,
    pendingSince: null,
    due: undefined,
    alarms: [],
  };
  const node = createEmptyNode();
  const nodes: Record<string, FakeNode> = { 1: node };
  const told: SentTransaction[][] = [];
  const watched: bigint[] = [];
  const tracker = createTracker({
    ledger: bench.ledger,
    now: () => clock.time,
    stretch: () => 0,
    ...createWallet(wallet, clock),
    connect: async (id) => {
      const found = nodes[String(id)];
      await Promise.resolve();
      if (!found) throw new UnavailableError('No node.');
      return { id, node: createNodeClient(createWalletTransport(found.request)) };
    },
    watch: async (chainId) => {
      await Promise.resolve();
      watched.push(chainId);
    },
    tell: async (settled) => {
      await Promise.resolve();
      told.push([...settled]);
    },
  });
  const include = (hash: string): void => {
    node.answers.eth_getTransactionReceipt = ([asked]) =>
      asked === hash ? { ...RECEIPT, transactionHash: hash } : null;
  };
  return { ...bench, tracker, clock, wallet, nodes, told, watched, include };
}

function createWallet(
  wallet: TrackerBench['wallet'],
  clock: TrackerBench['clock'],
): Pick<Parameters<typeof createTracker>[0], 'alarm' | 'flag' | 'isLocked'> {
  const assertAlarm = (): void => {
    if (wallet.hasNoAlarm) throw new Error('no such method');
  };
  return {
    isLocked: async () => Promise.resolve(wallet.isLocked),
    flag: {
      read: async () => Promise.resolve(wallet.pendingSince),
      write: async (pendingSince) => {
        wallet.pendingSince = pendingSince;
        return Promise.resolve();
      },
      clear: async (pendingSince) => {
        await Promise.resolve();
        if (wallet.pendingSince === pendingSince) wallet.pendingSince = null;
      },
    },
    alarm: {
      findNext: async () => {
        await Promise.resolve();
        assertAlarm();
        return wallet.due;
      },
      set: async (_method, seconds) => {
        await Promise.resolve();
        assertAlarm();
        wallet.alarms.push(seconds);
        wallet.due = clock.time + seconds * 1000;
      },
    },
  };
}
