// A site with a granted account, and an in-memory node that mines on demand.
import type { Json } from '@metamask/utils';
import { keccak256, parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { callersOf } from './callers';
import type { Callers } from './callers';
import { refuses } from './fake-node';
import { RECEIPT, TRANSACTION } from './receipts';
import { createAccount, createTestApp, DAPP, pollLater } from './test-app';
import type { Edges } from './test-app';

export type SendBench = Awaited<ReturnType<typeof createSendBench>>;

type Take = (params: Json[]) => Json;

/** Position of a pending transaction. */
const NOWHERE = { blockHash: null, blockNumber: null, transactionIndex: null };

export const RECIPIENT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** Sets up a granted account whose next nonce is 5. */
export async function createSendBench() {
  let app = createTestApp();
  const { edges } = app;
  let callers: Callers = callersOf(app);
  const { address } = await createAccount(app);
  const call = async (method: string, params: Json) =>
    callers.rpc(DAPP, method, params);
  await callers.rpc(DAPP, 'eth_requestAccounts');
  const pool = serve(edges);
  return {
    app,
    edges,
    address,
    pool,
    /** Parses the pool's transactions, in the order in which they were sent. */
    signed: () => [...pool.values()].map((raw) => parseTransaction(raw)),
    /** Calls as the site. */
    call,
    /** Speeds up or cancels a transaction as the site. */
    replace: async (hash: Json, options: Record<string, Json>) =>
      call('tollkeeper_replaceTransaction', [hash, options]),
    send: async (fields: Record<string, Json> = {}) =>
      call('eth_sendTransaction', [
        { from: address, to: RECIPIENT, value: '0x1', ...fields },
      ]),
    /** Runs a function before the node handles a send. */
    beforeSend: (act: () => unknown) => {
      const accept = edges.wallet.answers.eth_sendRawTransaction as Take;
      edges.wallet.answers.eth_sendRawTransaction = (params) => {
        act();
        return accept(params);
      };
    },
    mine: (hash: Json, status: '0x0' | '0x1' = '0x1') =>
      mine(edges, hash as Hex, status),
    poll: async (ms: number) => pollLater(app, ms),
    restart: () => {
      app = createTestApp(edges);
      callers = callersOf(app);
    },
  };
}

function serve({ wallet }: Edges): Map<Hex, Hex> {
  const pool = new Map<Hex, Hex>();
  Object.assign(wallet.answers, {
    eth_sendRawTransaction: ([raw]: Json[]) => {
      const hash = keccak256(raw as Hex);
      if (pool.has(hash)) return refuses('already known')();
      pool.set(hash, raw as Hex);
      return hash;
    },
    eth_getTransactionByHash: ([hash]: Json[]) =>
      pool.has(hash as Hex) ? { ...TRANSACTION, ...NOWHERE, hash: hash ?? null } : null,
    eth_getTransactionReceipt: null,
  });
  return pool;
}

function mine({ wallet }: Edges, hash: Hex, status: '0x0' | '0x1'): void {
  const { eth_getTransactionReceipt: before } = wallet.answers;
  Object.assign(wallet.answers, {
    eth_getTransactionReceipt: ([asked]: Json[]) => {
      if (asked === hash) return { ...RECEIPT, transactionHash: hash, status };
      return typeof before === 'function' ? before([asked ?? null]) : null;
    },
    eth_getTransactionCount: '0x6',
  });
}
