// The composition root. Builds everything once per worker, at the first request. Stored data is
// read on first use.
import { createAgreement, findAny } from './accounts/agreement';
import { ProgressTracker } from './accounts/announce';
import { createIndices } from './accounts/create';
import { createKeyringEvents } from './accounts/events';
import { createKeyring } from './accounts/keyring';
import { createNaming } from './accounts/phrases';
import { createRepository } from './accounts/repository';
import { createRequests } from './accounts/requests';
import { createNotifySettled, createOperations } from './activity/activity';
import { createBroadcasts } from './activity/broadcast';
import { createCallBatches } from './activity/call-batches';
import { createLedger } from './activity/ledger';
import { createNonces, createOperationNonces } from './activity/nonces';
import { createTracker } from './activity/tracker';
import { createChains } from './chains/chain';
import { createLiveChains } from './chains/live-chains';
import { examineServer, probeChain } from './chains/probe';
import type { ExamineServer, ProbeChain } from './chains/probe';
import { createAbsenceMemory } from './chains/servers';
import { createWalletNode } from './chains/wallet-node';
import type { Config } from './config';
import type { AppContext, CoreEdge } from './context';
import { createCore } from './core/core';
import type { CoreEntry } from './core/core';
import type { AccountRef } from './core/payload';
import type { ChainId } from './eth/chain';
import { createFindFork } from './fees/gas-limit';
import type { BlockTimes } from './fees/level-sources';
import { createFeeLevels, createLiveLevels } from './fees/levels';
import { createPreparePrice } from './fees/prices';
import { createHomePage } from './home/page';
import type { HomePage } from './home/page';
import { createPermissions } from './permissions/permissions';
import { createEpochs, createLog } from './platform/boundary';
import type { Edges } from './platform/edges';
import { createDescriber } from './review/describe/describe';
import { createKnownAddresses } from './review/findings';
import { createSimulate } from './review/simulate';
import { createConsent } from './sites/consent';
import { createGrants } from './sites/grants';
import { createRateLimit } from './sites/rate-limit';
import { toAccountRef, toHeldRef } from './state/account-record';
import { openPrivateStore } from './state/private-state';
import { createClientSession, openPublicStore } from './state/public-state';
import { createTranslateLoader } from './ui/i18n';

/** The app. Only the entry points get `entry`, so that no request can decide for the user. */
export type App = { context: AppContext; entry: CoreEntry; home: HomePage };

/** Builds the app on the given platform, once per worker. */
export function createApp(edges: Edges, config: Config): App {
  const parts = compose(edges, config);
  return { ...parts, home: createHomePage(parts.context) };
}

export function compose(
  { getEntropy, createStateBackend, showDialog, answerDialog, ...edges }: Edges,
  config: Config,
): Omit<App, 'home'> {
  const { now, sleep, interfaces } = edges;
  const epochs = createEpochs();
  const { core, entry, backend } = createCore({
    getEntropy,
    stored: createStateBackend(true, epochs.current),
    findAccount: async (id) => findRef(id, repository),
    interfaces,
    showDialog,
    answerDialog,
    sleep,
  });
  const store = openPrivateStore(backend);
  const publicStore = openPublicStore(createStateBackend(false, epochs.current));
  const session = createClientSession(publicStore);
  const currentSession = session.current;
  const loadTranslate = createTranslateLoader(edges.readFile, edges.fetchLocale);
  const log = createLog(config.logLevel, edges.print);
  const stored = { store, publicStore, loadTranslate, epochs };
  const onChain = composeChains(edges, config, stored);
  const { chains, ledger } = onChain;
  const repository = createRepository(store, currentSession);
  const events = createKeyringEvents(
    edges.emitKeyringEvent,
    interfaces,
    async (record) => (await createNaming([record], edges.listEntropySources))(record),
  );
  const agreement = createAgreement({ repository, events, currentSession });
  const requests = createRequests({
    store,
    repository,
    events,
    currentSession,
    loadTranslate,
    companionOrigin: config.companionOrigin,
  });
  const indices = createIndices(repository.list);
  const { readFile } = edges;
  const creation = { repository, core, indices, chains, readFile };
  const { connect } = chains;
  const describer = createDescriber({ ...edges, loadTranslate, log, connect });
  const context: AppContext = {
    ...edges,
    ...config,
    ...stored,
    ...onChain,
    ...creation,
    session,
    log,
    describer,
    events,
    agreement,
    keyring: createKeyring({ ...creation, agreement, requests }),
    requests,
    permissions: createPermissions({
      connect,
      ledger,
      now,
      sleep,
      epoch: epochs.current,
    }),
    simulate: createSimulate(describer.units),
    preparePrice: createPreparePrice(
      now,
      async () => (await store.read()).settings.prices,
    ),
    progress: new ProgressTracker(),
    search: {},
    connect,
    servedChains: async () => chains.list().catch(() => undefined),
    feeLevel: async () => (await store.read()).settings.feeLevel,
    findRival: ledger.findRival,
    knownAddresses: createKnownAddresses(repository, ledger),
    consent: createConsent({ core, loadTranslate, store, now }),
    grants: createGrants(store, publicStore),
    rateLimit: createRateLimit(now),
  };
  return { context, entry };
}

/** Finds a stored account, an account that is being added, or the imported key of an account
 * (`imported.<id>`) or of a damaged record. */
async function findRef(
  id: string,
  repository: AppContext['repository'],
): Promise<AccountRef | undefined> {
  const [, importedId] = /^imported\.(.*)$/u.exec(id) ?? [];
  const isRecord = importedId !== undefined || !id.includes('.');
  const record = isRecord ? await findAny(importedId ?? id, repository) : undefined;
  if (importedId === undefined && record) return toAccountRef(record);
  const damaged = await repository.listDamaged();
  const held =
    record?.key.kind === 'imported'
      ? record.key.held
      : damaged.find((each) => each.id === id)?.held;
  return held && toHeldRef(id, held);
}

type Stored = Pick<AppContext, 'store' | 'publicStore' | 'loadTranslate' | 'epochs'>;

function composeChains(
  edges: Omit<Edges, CoreEdge>,
  { isDevelopment }: Config,
  { store, publicStore, loadTranslate, epochs }: Stored,
) {
  const { fetch, now, sleep, isLocked, requestWallet } = edges;
  const epoch = epochs.current;
  const sockets = edges.createSockets();
  const live = createLiveChains({
    openSocket: sockets.open,
    closeOthers: sockets.closeOthers,
    epoch,
    onHead: async (chainId) => Promise.all([levels.onHead(chainId), follow(chainId)]),
  });
  const wallet = createWalletNode({ requestWallet, publicStore, epoch });
  const servers = { live, wallet, http: { fetch } };
  const absences = createAbsenceMemory(publicStore, now);
  const chains = createChains({ ...servers, store, absences, isDevelopment });
  const blockTimes: BlockTimes = new Map();
  const ledger = createLedger(store);
  const tracker = createTracker({
    ledger,
    publicStore,
    epoch,
    now,
    sleep,
    isLocked,
    connect: chains.connect,
    watch: live.watch,
    alarm: edges.alarm,
    notifySettled: createNotifySettled(store, loadTranslate, edges.notify),
  });
  const { isWatched, poll } = tracker;
  // Polls at each new block of a chain with pending transactions. Never fails, because the next
  // event polls again.
  const follow = async (chainId: ChainId): Promise<void> => {
    if (isWatched(chainId)) await poll(chainId).catch(() => undefined);
  };
  const levels = createLiveLevels({
    live,
    chains,
    levels: createFeeLevels({ store: publicStore, now, epoch, blockTimes }),
    isWatched,
  });
  const probe: ProbeChain = async (...asked) => probeChain(...asked, servers);
  const examine: ExamineServer = async (examined) =>
    examineServer(examined, { ...servers, now });
  return {
    ledger,
    tracker,
    nonces: createNonces(ledger, now),
    operationNonces: createOperationNonces(ledger),
    ...createBroadcasts({ ledger, follower: tracker, now, blockTimes }),
    ...createOperations(store),
    callBatches: createCallBatches(store),
    sockets,
    chains,
    probe,
    examine,
    feeLevels: levels.get,
    prepareFeeLevels: levels.prepare,
    findFork: createFindFork({ now, epoch }),
  };
}
