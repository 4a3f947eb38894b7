// How often a transaction that is filled makes its user wait for a server: HTTP requests
// and round trips of the built snap, counted before the development service.
import { type Address, createTestClient, http, isAddress, parseEther } from 'viem';

import { createSnapSite, type SnapSite } from '../demo/world';
import { COMPANION_ORIGIN } from '../wallet/options';
import { approveAll, refuseAll } from '../wallet/user';
import { startWallet, type Wallet } from '../wallet/wallet';
import type { Row } from './measure';
import {
  BENCH_KEY,
  type CountingProxy,
  countTrips,
  fillChain,
  startChain,
  startCountingProxy,
  startService,
} from './servers';

const CHAIN_ID = 31_337;

const DAPP_ORIGIN = 'https://dapp.example';

const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** Far longer than what is asked at once takes to be asked. */
const HOLD_MS = 100;

/** Longer than fee levels count as fresh. */
const STALE_MS = 5_100;

/** What fills. Who is asked to send is told of the balance, which goes with the rest. The
 * user refuses to: what follows is no part of filling. */
const methods = ['eth_fillTransaction', 'eth_sendTransaction'] as const;

/** A gas API, and the status that it answers with instead of fees. */
type PlayedGasApi = { status?: number | undefined };

/** What a transaction is filled from, and what that may take. */
type Situation = {
  what: string;
  gasApi: PlayedGasApi | undefined;
  /** Whether the levels of the fill before are still fresh. */
  isFresh?: boolean;
  requests: number;
  trips: number;
};

// The fee history, which the gas API is checked against, stands in for it as well.
const situations: readonly Situation[] = [
  { what: 'gas API', gasApi: {}, requests: 2, trips: 1 },
  { what: 'levels known', gasApi: {}, isFresh: true, requests: 1, trips: 1 },
  { what: 'no gas API', gasApi: undefined, requests: 1, trips: 1 },
  { what: 'gas API refuses (403)', gasApi: { status: 403 }, requests: 2, trips: 1 },
  { what: 'gas API down (503)', gasApi: { status: 503 }, requests: 2, trips: 1 },
];

/** What plays: a wallet with an account that a site was granted. */
type Stage = {
  wallet: Wallet;
  proxy: CountingProxy;
  companion: SnapSite;
  dapp: SnapSite;
  address: Address;
  gasApi: PlayedGasApi;
};

/** Which fills are counted, by their names: a method and a situation. */
type IsCounted = (name: string) => boolean;

/** Count for every situation; the yardstick is what it may take. */
export async function countFills(isCounted: IsCounted = () => true): Promise<Row[]> {
  const chain = await startChain();
  try {
    await fillChain(chain.url, 1_000);
    const service = await startService(chain.url);
    try {
      return await play({ nodeUrl: chain.url, serviceUrl: service.url }, isCounted);
    } finally {
      await service.stop();
    }
  } finally {
    await chain.stop();
  }
}

async function play(
  { nodeUrl, serviceUrl }: { nodeUrl: string; serviceUrl: string },
  isCounted: IsCounted,
): Promise<Row[]> {
  const gasApi: PlayedGasApi = {};
  const refuse = (path: string): number | undefined =>
    path.includes('/networks/') ? gasApi.status : undefined;
  const proxy = await startCountingProxy(serviceUrl, { holdMs: HOLD_MS, refuse });
  try {
    const chain = { url: nodeUrl };
    const wallet = await startWallet({ chain });
    try {
      const stage = await setStage(wallet, { proxy, gasApi });
      await fundAccount(stage, nodeUrl);
      return await playAll(stage, isCounted);
    } finally {
      await wallet.stop();
    }
  } finally {
    await proxy.stop();
  }
}

async function setStage(
  wallet: Wallet,
  parts: Pick<Stage, 'proxy' | 'gasApi'>,
): Promise<Stage> {
  const { address } = await wallet.keyring.createAccount(wallet.snapId, {});
  if (!isAddress(address)) throw new Error(`${address} is not an address.`);
  wallet.connect(DAPP_ORIGIN);
  const dapp = createSnapSite(wallet, DAPP_ORIGIN);
  await dapp.snap('eth_requestAccounts');
  const companion = createSnapSite(wallet, COMPANION_ORIGIN);
  return { ...parts, wallet, companion, dapp, address };
}

async function fundAccount({ address }: Stage, nodeUrl: string): Promise<void> {
  const node = createTestClient({ mode: 'anvil', transport: http(nodeUrl) });
  await node.setBalance({ address, value: parseEther('1') });
}

async function playAll(stage: Stage, isCounted: IsCounted): Promise<Row[]> {
  const rows: Row[] = [];
  for (const method of methods) {
    for (const situation of situations) {
      if (!isCounted(`${method}, ${situation.what}`)) continue;
      rows.push(...(await playOne(stage, method, situation)));
    }
  }
  return rows;
}

async function playOne(
  stage: Stage,
  method: string,
  { what, gasApi, isFresh = false, requests, trips }: Situation,
): Promise<Row[]> {
  if (!isFresh) {
    await configure(stage, gasApi);
    await new Promise((resolve) => setTimeout(resolve, STALE_MS));
  }
  const { proxy } = stage;
  proxy.exchanges.length = 0;
  await fill(stage, method);
  const name = `${method}, ${what}`;
  const bound = { atMost: 1 } as const;
  const counted = [
    { what: `${name}: requests`, ours: proxy.exchanges.length, theirs: requests },
    { what: `${name}: round trips`, ours: countTrips(proxy.exchanges), theirs: trips },
  ];
  return counted.map((row) => ({ ...row, unit: '', bound }));
}

async function configure(
  { wallet, companion, proxy, gasApi: played }: Stage,
  gasApi: Situation['gasApi'],
): Promise<void> {
  // What refuses is not configured: it does so from then on.
  played.status = undefined;
  const { url } = proxy;
  const row = { chainId: CHAIN_ID, rpcUrl: url, apiKey: BENCH_KEY };
  wallet.user.onDialog = approveAll;
  await companion.snap('tollkeeper_setChain', [
    gasApi ? { ...row, gasBaseUrl: url } : row,
  ]);
  wallet.user.onDialog = refuseAll;
  played.status = gasApi?.status;
}

async function fill({ dapp, address }: Stage, method: string): Promise<void> {
  const transaction = {
    from: address,
    to: RECIPIENT,
    value: '0x1',
    chainId: `0x${CHAIN_ID.toString(16)}`,
  };
  const refusal = await dapp.snap(method, [transaction]).then(
    () => undefined,
    (error: unknown) => error as Error & { code?: number },
  );
  if (refusal && refusal.code !== 4001) throw refusal;
}
