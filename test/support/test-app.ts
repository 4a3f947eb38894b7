// The whole snap but for its outer edges: storage, entropy, the wallet's events, dialogs
// and provider, the network and the clock are in memory, all else is the real thing.
import { readFile } from 'node:fs/promises';

import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { App } from '../../src/app';
import { createChains } from '../../src/chains/chain';
import { examineServer } from '../../src/chains/examine';
import { probeChain } from '../../src/chains/probe';
import { createFeeLevels } from '../../src/fees/levels';
import { createConsent } from '../../src/handlers/consent';
import { createGrants } from '../../src/handlers/grants';
import { createHomePage } from '../../src/handlers/home-page';
import { createLiveDialogs } from '../../src/handlers/live-dialogs';
import { createRateLimit } from '../../src/handlers/rate-limit';
import { createRedirect } from '../../src/handlers/redirect';
import { createTranslateLoader } from '../../src/handlers/translate';
import { composeKeyring } from '../../src/keyring/compose';
import type { EmitKeyringEvent } from '../../src/keyring/events';
import { createLog } from '../../src/log';
import { createClientSession } from '../../src/state/client-session';
import { openPrivateStore } from '../../src/state/private-state';
import { openPublicStore } from '../../src/state/public-state';
import { approve } from './dialog-answers';
import { createEntropy } from './entropy';
import { createFakeNetwork } from './fake-fetch';
import type { FakeNetwork } from './fake-fetch';
import { createFakeInterfaces, createScreens } from './fake-interfaces';
import type { FakeScreens } from './fake-interfaces';
import { createFakeNode } from './fake-node';
import type { FakeNode } from './fake-node';
import { createFakeLive, createFakeSockets, toAppSockets } from './fake-socket';
import type { FakeSockets } from './fake-socket';
import { createFakeWakes } from './fake-wakes';
import type { Wake } from './fake-wakes';
import { FEE_ANSWERS } from './fees';
import { createMemoryBackend } from './memory-backend';
import type { MemoryBackend } from './memory-backend';
import { composeTestActivity } from './test-activity';

export { approve, refuse } from './dialog-answers';

/** Origin of the companion page. */
export const COMPANION = 'http://localhost:8000';

/** Origin of a website. */
export const DAPP = 'https://dapp.example';

/** The outer edges, in memory. */
export type Edges = {
  backend: MemoryBackend;
  publicBackend: MemoryBackend;
  /** The wallet's provider; it is on chain 1. */
  wallet: FakeNode;
  network: FakeNetwork;
  /** The wallet's sockets. */
  sockets: FakeSockets;
  /** What MetaMask was told, and how it takes it. */
  events: { emitted: Parameters<EmitKeyringEvent>[]; take: EmitKeyringEvent };
  /** What was shown, and how the user answers: yes, with every box ticked. */
  dialogs: {
    shown: JSXElement[];
    answer: (content: JSXElement, id: string) => Promise<Json>;
  };
  /** What stands in each interface now, by id. */
  screens: FakeScreens;
  /** The client: its clock, and whether it is locked. */
  clock: { time: number; slept: number[]; isLocked: boolean };
  /** When the wallet is going to wake the snap, in ms since 1970. */
  alarm: { due: number | undefined };
  /** When it is going to for one of several things. */
  wakes: Wake[];
  /** What the wallet notified its user of. */
  told: string[];
  /** What was logged. */
  lines: string[];
};

/** Services as app.ts composes them, and the edges. */
export type TestApp = { services: App; edges: Edges };

/** Build the snap over new edges, or over those of one that was stopped. */
export function createTestApp(edges = createEdges()): TestApp {
  const { wallet, network, events, dialogs, clock } = edges;
  const store = openPrivateStore(edges.backend);
  const publicStore = openPublicStore(edges.publicBackend);
  const now = (): number => clock.time;
  const { get: feeLevels } = createFeeLevels({ store: publicStore, now });
  const { getEntropy } = createEntropy();
  const session = createClientSession(publicStore);
  const sockets = toAppSockets(edges.sockets);
  const servers = {
    http: { fetch: network.fetch },
    live: createFakeLive(edges.sockets),
    requestWallet: wallet.request,
  };
  const chains = createChains({ ...servers, store });
  const loadTranslate = createTranslateLoader(
    (path) => readFile(path, 'utf8'),
    () => Promise.resolve('en'),
  );
  const activity = composeTestActivity(edges, {
    store,
    publicStore,
    now,
    connect: chains.connect,
    loadTranslate,
  });
  const keyring = composeKeyring({
    ...activity,
    store,
    chains,
    feeLevels,
    now,
    findSent: activity.ledger.find,
    getEntropy,
    emit: async (event, params) => {
      events.emitted.push([event, params]);
      await events.take(event, params);
    },
    currentSession: session.current,
    redirect: createRedirect(COMPANION, loadTranslate),
  });
  const interfaces = createFakeInterfaces(edges.screens);
  const sleep = (ms: number): Promise<void> => {
    clock.slept.push(ms);
    return Promise.resolve();
  };
  const liveDialogs = createLiveDialogs({
    interfaces,
    showDialog: async (id) => {
      const content = edges.screens.get(id) as JSXElement;
      dialogs.shown.push(content);
      return dialogs.answer(content, id);
    },
    // Nothing is refreshed by itself here: a test says when time passes.
    sleep: () => new Promise(() => undefined),
  });
  const own = {
    ...keyring,
    ...activity,
    companionOrigin: COMPANION,
    loadTranslate,
    version: '1.2.3',
    store,
    publicStore,
    session,
    chains,
    probe: async (...[chainId, change]: Parameters<App['probe']>) =>
      probeChain(chainId, change, servers),
    examine: async (...[examined]: Parameters<App['examine']>) =>
      examineServer(examined, { ...servers, now }),
    sockets,
    feeLevels,
    now,
    sleep,
    isLocked: () => Promise.resolve(clock.isLocked),
    answerDialog: () => Promise.resolve(),
    interfaces,
    dialogs: liveDialogs,
    log: createLog('debug', (line) => edges.lines.push(line)),
    grants: createGrants(store),
    consent: createConsent({ dialogs: liveDialogs, loadTranslate }),
    rateLimit: createRateLimit(now),
    wakes: createFakeWakes(edges.wakes),
  };
  const services: App = { ...own, home: createHomePage(own) };
  return { services, edges };
}

/** Create an account as the companion does. */
export async function createAccount(
  { services }: TestApp,
  options: Record<string, Json> = {},
): Promise<KeyringAccount> {
  return services.keyring.createAccount(options);
}

function createEdges(): Edges {
  return {
    backend: createMemoryBackend(),
    publicBackend: createMemoryBackend(),
    wallet: createFakeNode({
      eth_chainId: '0x1',
      eth_getTransactionCount: '0x5',
      eth_estimateGas: '0x5208',
      eth_getBalance: '0x8ac7230489e80000',
      ...FEE_ANSWERS,
    }),
    network: createFakeNetwork(),
    sockets: createFakeSockets(),
    events: { emitted: [], take: () => Promise.resolve() },
    dialogs: { shown: [], answer: approve },
    screens: createScreens(),
    clock: { time: 1_700_000_000_000, slept: [], isLocked: false },
    alarm: { due: undefined },
    wakes: [],
    told: [],
    lines: [],
  };
}
