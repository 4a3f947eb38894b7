// The composition root: everything is built here, once a worker, when the first request
// comes. Nothing is read or asked before somebody needs it.
import { composeActivity } from './activity/compose';
import type { ActivityApp } from './activity/compose';
import { createChains } from './chains/chain';
import { examineServer } from './chains/examine';
import { createLiveChains } from './chains/live-chains';
import { probeChain } from './chains/probe';
import { getConfig } from './config';
import { createEvaluations } from './evaluations';
import { createFeeLevels } from './fees/levels';
import { pollOnHead } from './handlers/background';
import type { BackgroundServices } from './handlers/background';
import type { BoundaryServices } from './handlers/boundary';
import { createConsent } from './handlers/consent';
import { createCoolDown } from './handlers/cool-down';
import { createDiscover } from './handlers/discover';
import { createGrants } from './handlers/grants';
import type { HomeServices } from './handlers/home/tab';
import { createHomePage } from './handlers/home-page';
import type { HomePage } from './handlers/home-page';
import type { KeyringRequestServices } from './handlers/keyring-request';
import type { LifecycleServices } from './handlers/lifecycle';
import { createLiveDialogs } from './handlers/live-dialogs';
import { createLiveLevels } from './handlers/live-levels';
import { createRateLimit } from './handlers/rate-limit';
import { createRedirect } from './handlers/redirect';
import type { RpcRequestServices } from './handlers/rpc-request';
import type { SignatureInsightServices } from './handlers/signature-insight';
import { createTellSettled } from './handlers/tell-settled';
import type { TransactionInsightServices } from './handlers/transaction-insight';
import { createTranslateLoader } from './handlers/translate';
import type { UserInputServices } from './handlers/user-input';
import type { WebSocketEventServices } from './handlers/web-socket-event';
import { composeKeyring } from './keyring/compose';
import { createLog } from './log';
import { isLocked } from './snap/answered';
import { backgroundEvents, wakes } from './snap/background-events';
import { systemClock } from './snap/clock';
import { answerDialog, showDialog } from './snap/dialogs';
import { getEntropy } from './snap/entropy';
import { readFile } from './snap/files';
import { interfaces } from './snap/interfaces';
import { emitKeyringEvent } from './snap/keyring-events';
import { notify } from './snap/notifications';
import { fetchLocale } from './snap/preferences';
import { createSockets } from './snap/sockets';
import { createStateBackend } from './snap/state-backend';
import { requestWallet } from './snap/wallet-provider';
import { createClientSession } from './state/client-session';
import { openPrivateStore } from './state/private-state';
import type { PrivateStore } from './state/private-state';
import { openPublicStore } from './state/public-state';
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
  HomeServices & { home: HomePage };

let app: App | undefined;

/** Get the app; it is built on the first call. */
export function getApp(): App {
  app ??= createApp();
  return app;
}

function createApp(): App {
  const { logLevel, companionOrigin, version } = getConfig();
  const { now, sleep } = systemClock;
  const { evaluations, stretch, store, publicStore } = openStores();
  const session = createClientSession(publicStore);
  const loadTranslate = createTranslateLoader(readFile, fetchLocale);
  const onChain = composeChains({ store, publicStore, now, stretch, loadTranslate });
  const { chains, feeLevels, ledger } = onChain;
  const keyring = composeKeyring({
    ...onChain,
    store,
    chains,
    feeLevels,
    now,
    findSent: ledger.find,
    getEntropy,
    emit: emitKeyringEvent,
    currentSession: session.current,
    redirect: createRedirect(companionOrigin, loadTranslate),
  });
  const services = {
    ...keyring,
    ...onChain,
    ...composeScreens({ loadTranslate, sleep, now, store }),
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
    log: createLog(logLevel),
    grants: createGrants(store),
    rateLimit: createRateLimit(now),
  };
  return { ...services, home: createHomePage(services) };
}

/** The stored documents, and what tells them which of their questions are dead. */
function openStores(): Pick<App, 'evaluations' | 'store' | 'publicStore'> & {
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
function composeScreens({
  loadTranslate,
  sleep,
  now,
  store,
}: Pick<App, 'loadTranslate' | 'sleep' | 'now' | 'store'>): Pick<
  App,
  'interfaces' | 'dialogs' | 'answerDialog' | 'consent' | 'wakes' | 'discover'
> {
  const dialogs = createLiveDialogs({ interfaces, showDialog, sleep });
  const coolDown = createCoolDown({ store, now });
  const consent = createConsent({ dialogs, loadTranslate, coolDown });
  const discover = createDiscover(readFile);
  return { interfaces, dialogs, answerDialog, consent, wakes, discover };
}

type ChainParts = {
  store: PrivateStore;
  publicStore: PublicStore;
  now: () => number;
  stretch: () => number;
  loadTranslate: () => Promise<Translate>;
};

/** Chains, their fees, and what was sent to them. */
function composeChains(
  parts: ChainParts,
): Pick<App, 'sockets' | 'chains' | 'probe' | 'examine' | 'feeLevels'> & ActivityApp {
  const { store, publicStore, now, stretch, loadTranslate } = parts;
  const sockets = createSockets();
  const live = createLiveChains({
    openSocket: sockets.open,
    closeOthers: sockets.closeOthers,
    onHead: async (chainId) =>
      Promise.all([levels.onHead(chainId), pollOnHead(chainId, activity.tracker)]),
  });
  const servers = { live, requestWallet, http: { fetch } };
  const chains = createChains({ ...servers, store });
  const activity = composeActivity({
    ...parts,
    isLocked,
    connect: chains.connect,
    watch: live.watch,
    alarm: backgroundEvents,
    tell: createTellSettled({
      notify,
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
  };
}
