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
import { createEvaluations } from '../../src/evaluations';
import { createFeeLevels } from '../../src/fees/levels';
import { createConsent } from '../../src/handlers/consent';
import { createCoolDown } from '../../src/handlers/cool-down';
import { createDiscover } from '../../src/handlers/discover';
import { createGrants } from '../../src/handlers/grants';
import { createHomePage } from '../../src/handlers/home-page';
import { createLiveDialogs } from '../../src/handlers/live-dialogs';
import { createRateLimit } from '../../src/handlers/rate-limit';
import { createRedirect } from '../../src/handlers/redirect';
import { createTranslateLoader } from '../../src/handlers/translate';
import { composeKeyring } from '../../src/keyring/compose';
import { createLog } from '../../src/log';
import { createClientSession } from '../../src/state/client-session';
import { openPrivateStore } from '../../src/state/private-state';
import { openPublicStore } from '../../src/state/public-state';
import { createEntropy } from './entropy';
import { createFakeInterfaces } from './fake-interfaces';
import { createFakeLive, toAppSockets } from './fake-socket';
import { createFakeWakes } from './fake-wakes';
import { composeTestActivity } from './test-activity';
import { createEdges } from './test-edges';
import type { Edges } from './test-edges';

export { approve, refuse } from './dialog-answers';
export type { Edges } from './test-edges';

/** Origin of the companion page. */
export const COMPANION = 'http://localhost:8000';

/** Origin of a website. */
export const DAPP = 'https://dapp.example';

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
    evaluations: createEvaluations(),
    log: createLog('debug', (line) => edges.lines.push(line)),
    grants: createGrants(store),
    consent: createConsent({
      dialogs: liveDialogs,
      loadTranslate,
      coolDown: createCoolDown({ store, now }),
    }),
    rateLimit: createRateLimit(now),
    discover: createDiscover((path) => readFile(path, 'utf8')),
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
