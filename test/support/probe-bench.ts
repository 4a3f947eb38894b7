// Probing a chain's servers on a network in memory, on which all of them are what they are
// configured as, until a test has it otherwise.
import type { Json } from '@metamask/utils';

import { createChains } from '../../src/chains/chain';
import type { Chains } from '../../src/chains/chain';
import { examineServer } from '../../src/chains/examine';
import type { Finding, ServerField } from '../../src/chains/examine';
import { probeChain } from '../../src/chains/probe';
import type { ArrayUses } from '../../src/chains/probe';
import { entryPoints } from '../../src/eth/entry-point';
import type { ChainRow } from '../../src/state/chain-row';
import { openPrivateStore } from '../../src/state/private-state';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { answering, createFakeNetwork, serving } from './fake-fetch';
import type { FakeNetwork } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode } from './fake-node';
import { createFakeLive, createFakeSockets } from './fake-socket';
import type { FakeSockets } from './fake-socket';
import { createMemoryBackend } from './memory-backend';

/** A row with all servers. */
export const servers = {
  rpcUrl: 'https://node.example',
  wsUrl: 'wss://node.example',
  gasBaseUrl: 'https://gas.example',
  bundlerUrl: 'https://bundler.example',
  paymasterUrl: 'https://paymaster.example',
} as const satisfies ChainRow;

/** The servers of chain 1, and the wallet on chain 1 too. */
export type ProbeBench = {
  network: FakeNetwork;
  node: FakeNode;
  /** Answers of the node at the socket. */
  socketAnswers: Record<string, Json>;
  bundler: FakeNode;
  paymaster: FakeNode;
  wallet: FakeNode;
  sockets: FakeSockets;
  chains: Chains;
  /** Probe a change of chain 1, from nothing unless it is said from what. */
  probe: (after: ChainRow, before?: ChainRow) => Promise<ArrayUses>;
  /** Examine a server of chain 1; each look at the clock is 10 ms after the one before. */
  examine: (field: ServerField, row: ChainRow) => Promise<Finding | undefined>;
  /** Store a row of chain 1 without asking anybody. */
  store: (row: ChainRow) => Promise<unknown>;
  /** What was asked by HTTP, in order: methods, and paths of the gas API. */
  asked: () => string[];
};

/** Create a bench. */
export function createProbeBench(): ProbeBench {
  const node = createFakeNode({
    eth_chainId: '0x1',
    eth_getCode: '0x6080',
    eth_blockNumber: '0x10',
  });
  const bundler = createFakeNode({
    eth_chainId: '0x1',
    eth_supportedEntryPoints: Object.values(entryPoints).map((row) => row.entryPoint),
  });
  const paymaster = createFakeNode({
    pm_getPaymasterStubData: { paymasterAndData: `0x${'77'.repeat(85)}` },
  });
  const wallet = createFakeNode({ eth_chainId: '0x1', eth_getCode: '0x6080' });
  const network = createFakeNetwork();
  network.serve(servers.rpcUrl, serving(node));
  network.serve(servers.gasBaseUrl, answering(gasAnswer));
  network.serve(servers.bundlerUrl, serving(bundler));
  network.serve(servers.paymasterUrl, serving(paymaster));
  const socketAnswers: Record<string, Json> = {
    eth_chainId: '0x1',
    eth_getCode: '0x60',
    eth_blockNumber: '0x11',
  };
  const sockets = createFakeSockets();
  sockets.behaviour.onSend = ({ receive }, { id, method }) =>
    void Promise.resolve().then(() => receive({ id, result: socketAnswers[method] }));
  const services = {
    http: { fetch: network.fetch },
    live: createFakeLive(sockets),
    requestWallet: wallet.request,
  };
  let time = 0;
  const state = openPrivateStore(createMemoryBackend());
  return {
    network,
    node,
    socketAnswers,
    bundler,
    paymaster,
    wallet,
    sockets,
    chains: createChains({ isDevelopment: true, ...services, store: state }),
    probe: async (after, before = {}) => probeChain(1n, { before, after }, services),
    examine: async (field, row) =>
      examineServer(
        { chainId: 1n, field, row },
        { ...services, now: () => (time += 10) },
      ),
    store: async (row) =>
      state.update((all) => ({ ...all, chains: { 'eip155:1': row } })),
    asked: () => network.sent.flatMap(({ url, body }) => toAsked(url, body)),
  };
}

type Call = { method: string };

function toAsked(url: string, body: string | undefined): string[] {
  if (body === undefined) return [new URL(url).pathname];
  const calls = JSON.parse(body) as Call | Call[];
  return [calls].flat().map(({ method }) => method);
}
