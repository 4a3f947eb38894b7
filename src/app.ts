// The composition root: everything is built here, once a worker, when the first request
// comes. Nothing is read or asked before somebody needs it.
import { composeActivity } from './activity/compose';
import type { ActivityApp } from './activity/compose';
import { createChains } from './chains/chain';
import { createLiveChains } from './chains/live-chains';
import { examineServer, probeChain } from './chains/probe';
import type { Config } from './config';
import { createEvaluations } from './evaluations';
import { createFeeLevels } from './fees/levels';
import { pollOnHead } from './handlers/background';
import type { BackgroundServices } from './handlers/background';
import type { BoundaryServices } from './handlers/boundary';
import { createConsent } from './handlers/consent';
import { createCoolDown } from './handlers/cool-down';
import { createDiscover } from './handlers/discover';
import { createGrants } from './handlers/grants';
import type { KeyringRequestServices } from './handlers/keyring-request';
import type { LifecycleServices } from './handlers/lifecycle';
import { createLiveDialogs } from './handlers/live-dialogs';
import { createLiveLevels } from './handlers/live-levels';
import { createRateLimit } from './handlers/rate-limit';
import { createRedirect } from './handlers/redirect';
import type { RpcRequestServices } from './handlers/rpc-request';
import type { SignatureInsightServices } from './insights/signature';
import { createTellSettled } from './handlers/tell-settled';
import type { TransactionInsightServices } from './insights/transaction';
import { createTranslateLoader } from './handlers/translate';
import type { UserInputServices } from './handlers/user-input';
import type { WebSocketEventServices } from './handlers/web-socket-event';
import { createHomePage } from './home/page';
import type { HomePage } from './home/page';
import type { HomeContext } from './home/tab';
import { composeKeyring } from './keyring/compose';
import type { RouteServices } from './methods';
import type { Edges } from './platform/edges';
import { createLog } from './platform/log';
import { openPrivateStore } from './state/private-state';
import type { PrivateStore } from './state/private-state';
import { createClientSession, openPublicStore } from './state/public-state';
import type { PublicStore } from './state/public-state';
import type { Translate } from './ui/i18n';

/** All services: each handler takes of them what its type names. */
export type App = BoundaryServices &
  BackgroundServices &
  KeyringRequestServices &
  RpcRequestServices &
  UserInputServices &
  WebSocketEventServices &
  LifecycleServices &
  TransactionInsightServices &
  SignatureInsightServices &
  HomeContext & { home: HomePage };

/** Creates all services over the outer edges; one a worker. */
export function createApp(edges: Edges, config: Config): App {
  const { logLevel, companionOrigin, isDevelopment, version } = config;
  const { now, sleep, isLocked, getEntropy, emitKeyringEvent } = edges;
  const { evaluations, stretch, store, publicStore } = openStores(edges);
  const session = createClientSession(publicStore);
  const loadTranslate = createTranslateLoader(edges.readFile, edges.fetchLocale);
  const onChain = composeChains(edges, {
    store,
    publicStore,
    stretch,
    loadTranslate,
    isDevelopment,
  });
  const { chains, feeLevels, prepareFeeLevels, ledger } = onChain;
  const keyring = composeKeyring({
    ...onChain,
    store,
    chains,
    feeLevels,
    prepareFeeLevels,
    now,
    findSent: ledger.find,
    findRival: ledger.findRival,
    getEntropy,
    emit: emitKeyringEvent,
    currentSession: session.current,
    redirect: createRedirect(companionOrigin, loadTranslate),
  });
  const services = {
    ...keyring,
    ...onChain,
    ...composeScreens(edges, { loadTranslate, store }),
    loadTranslate,
    companionOrigin,
    version,
    store,
    publicStore,
    session,
    now,
    sleep,
    isLocked,
    evaluations,
    log: createLog(logLevel, edges.print),
    grants: createGrants(store, publicStore),
    rateLimit: createRateLimit(now),
  };
  return { ...services, home: createHomePage(services) };
}

/** The stored documents, and what tells them which of their questions are dead. */
function openStores({ createStateBackend }: Edges): Pick<
  App,
  'evaluations' | 'store' | 'publicStore'
> & {
  stretch: () => number;
} {
  const evaluations = createEvaluations();
  const stretch = evaluations.current;
  return {
    evaluations,
    stretch,
    store: openPrivateStore(createStateBackend(true, stretch)),
    publicStore: openPublicStore(createStateBackend(false, stretch)),
  };
}

/** What is shown to people, and to programs, and what people do with it. */
function composeScreens(
  { interfaces, showDialog, answerDialog, sleep, now, wakes, readFile }: Edges,
  { loadTranslate, store }: Pick<App, 'loadTranslate' | 'store'>,
): Pick<App, 'interfaces' | 'dialogs' | 'consent' | 'wakes' | 'discover'> {
  const dialogs = createLiveDialogs({ interfaces, showDialog, answerDialog, sleep });
  const coolDown = createCoolDown({ store, now });
  const consent = createConsent({ dialogs, loadTranslate, coolDown, now });
  const discover = createDiscover(readFile);
  return { interfaces, dialogs, consent, wakes, discover };
}

type ChainParts = {
  store: PrivateStore;
  publicStore: PublicStore;
  stretch: () => number;
  loadTranslate: () => Promise<Translate>;
  isDevelopment: boolean;
};

/** Chains, their fees, and what was sent to them. */
function composeChains(
  edges: Edges,
  parts: ChainParts,
): Pick<App, 'sockets' | 'chains' | 'probe' | 'examine' | 'feeLevels'> &
  ActivityApp & { prepareFeeLevels: RouteServices['prepareFeeLevels'] } {
  const { store, publicStore, stretch, loadTranslate, isDevelopment } = parts;
  const { fetch, now, sleep, isLocked, requestWallet } = edges;
  const sockets = edges.createSockets();
  const live = createLiveChains({
    openSocket: sockets.open,
    closeOthers: sockets.closeOthers,
    epoch: stretch,
    onHead: async (chainId) =>
      Promise.all([levels.onHead(chainId), pollOnHead(chainId, activity.tracker)]),
  });
  const servers = { live, requestWallet, http: { fetch } };
  const chains = createChains({ ...servers, store, isDevelopment });
  const activity = composeActivity({
    store,
    publicStore,
    stretch,
    now,
    sleep,
    isLocked,
    connect: chains.connect,
    watch: live.watch,
    alarm: edges.alarm,
    tell: createTellSettled({
      notify: edges.notify,
      loadTranslate,
      isWanted: async () => (await store.read()).settings.notifications,
    }),
  });
  const levels = createLiveLevels({
    live,
    chains,
    levels: createFeeLevels({ store: publicStore, now, stretch }),
    isWatched: activity.tracker.isWatched,
  });
  return {
    ...activity,
    sockets,
    chains,
    probe: async (chainId, change) => probeChain(chainId, change, servers),
    examine: async (examined) => examineServer(examined, { ...servers, now }),
    feeLevels: levels.get,
    prepareFeeLevels: levels.prepare,
  };
}
