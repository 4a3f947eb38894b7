// The composition root: everything is built here, once a worker, when the first request
// comes. Nothing is read or asked before somebody needs it.
import { createRepository } from './accounts/repository';
import { createSigner } from './accounts/signer';
import { createChains } from './chains/chain';
import { fetchAccountAddress } from './chains/factory';
import { createLiveChains } from './chains/live-chains';
import { getConfig } from './config';
import { createFeeLevels } from './fees/levels';
import type { BoundaryServices } from './handlers/boundary';
import { createConsent } from './handlers/consent';
import { createGrants } from './handlers/grants';
import type { KeyringRequestServices } from './handlers/keyring-request';
import { createLiveLevels } from './handlers/live-levels';
import { createRateLimit } from './handlers/rate-limit';
import type { RpcRequestServices } from './handlers/rpc-request';
import { createTranslateLoader } from './handlers/translate';
import type { UserInputServices } from './handlers/user-input';
import type { WebSocketEventServices } from './handlers/web-socket-event';
import { createKeyringEvents } from './keyring/events';
import { createKeyring } from './keyring/keyring';
import type { Keyring } from './keyring/keyring';
import { createLog } from './log';
import { systemClock } from './snap/clock';
import { answerDialog, fetchDialogValues, showDialog } from './snap/dialogs';
import { getEntropy } from './snap/entropy';
import { readFile } from './snap/files';
import { emitKeyringEvent } from './snap/keyring-events';
import { createSockets } from './snap/sockets';
import { createStateBackend } from './snap/state-backend';
import { requestWallet } from './snap/wallet-provider';
import { openPrivateStore } from './state/private-state';
import type { PrivateStore } from './state/private-state';
import { openPublicStore } from './state/public-state';

/** All services: each handler takes of them what its type names. */
export type App = BoundaryServices &
  KeyringRequestServices &
  RpcRequestServices &
  UserInputServices &
  WebSocketEventServices;

let app: App | undefined;

/** Get the app; it is built on the first call. */
export function getApp(): App {
  app ??= createApp();
  return app;
}

function createApp(): App {
  const { logLevel, companionOrigin } = getConfig();
  const { now, sleep } = systemClock;
  const store = openPrivateStore(createStateBackend(true));
  const { sockets, chains, feeLevels } = composeChains(store, now);
  const repository = createRepository(store);
  return {
    companionOrigin,
    store,
    repository,
    chains,
    sockets,
    now,
    sleep,
    answerDialog,
    fetchDialogValues,
    log: createLog(logLevel),
    grants: createGrants(store),
    consent: createConsent({
      showDialog,
      loadTranslate: createTranslateLoader(readFile),
    }),
    rateLimit: createRateLimit(now),
    feeLevels,
    keyring: composeKeyring(chains, repository),
    methodServices: {
      withPrivateKey: createSigner(getEntropy),
      connect: chains.connect,
      ownChain: chains.own,
      feeLevels,
    },
  };
}

function composeChains(
  store: PrivateStore,
  now: () => number,
): Pick<App, 'sockets' | 'chains' | 'feeLevels'> {
  const sockets = createSockets();
  const live = createLiveChains({
    openSocket: sockets.open,
    closeOthers: sockets.closeOthers,
    onHead: async (chainId) => levels.onHead(chainId),
  });
  const chains = createChains({ store, requestWallet, live, http: { fetch } });
  const levels = createLiveLevels({
    live,
    chains,
    levels: createFeeLevels({
      store: openPublicStore(createStateBackend(false)),
      now,
    }),
  });
  return { sockets, chains, feeLevels: levels.get };
}

function composeKeyring(
  chains: ReturnType<typeof createChains>,
  repository: ReturnType<typeof createRepository>,
): Keyring {
  return createKeyring({
    repository,
    getEntropy,
    events: createKeyringEvents(emitKeyringEvent),
    ownChain: chains.own,
    contractsOf: chains.row,
    fetchAccountAddress: async (origin, chainId) =>
      fetchAccountAddress(chains, origin, chainId),
  });
}
