// The composition root of the insight snap. It has no accounts and stores nothing: chains are
// those that MetaMask has a node for, and fee levels are forgotten with the worker.
import { createPlainNodeClient } from '../../packages/client/src/rpc/rpc-client';
import { createAbsenceMemory } from '../chains/absent-methods';
import { createServerWait } from '../chains/server-wait';
import { createWalletNode, createWalletTransport } from '../chains/wallet-node';
import type { AppContext, InsightContext } from '../context';
import { createFindFork } from '../fees/fork';
import { createFeeLevels } from '../fees/levels';
import { createPreparePrice } from '../fees/prices';
import type { MarketContext } from '../home/gas';
import { createEpochs, createLog } from '../platform/boundary';
import type { LogLevel } from '../platform/boundary';
import type { InsightEdges } from '../platform/insight-edges';
import { createDescriber } from '../review/describe/describe';
import { createSimulate } from '../review/simulate';
import { openPublicStore } from '../state/public-state';
import { createTranslateLoader } from '../ui/i18n';
import { knownContracts } from '../ui/names';

/** Everything that a worker of the insight snap has. */
export type InsightApp = InsightEdges &
  InsightContext &
  MarketContext &
  Pick<AppContext, 'epochs' | 'log' | 'ownChain'>;

/** Creates everything over the outer edges; one a worker. */
export function createInsightApp(edges: InsightEdges, logLevel: LogLevel): InsightApp {
  const { now, requestWallet, readFile, fetchLocale } = edges;
  const epochs = createEpochs();
  const epoch = epochs.current;
  const publicStore = openPublicStore({
    epoch,
    load: async () => Promise.resolve(null),
    save: async () => Promise.resolve(),
  });
  const wallet = createWalletNode({ requestWallet, publicStore, epoch });
  const selected = createPlainNodeClient(createWalletTransport(requestWallet));
  const levels = createFeeLevels({ store: publicStore, now, epoch });
  const log = createLog(logLevel, edges.print);
  const loadTranslate = createTranslateLoader(readFile, fetchLocale);
  const absences = createAbsenceMemory(publicStore, now);
  const connect: InsightApp['connect'] = async (chainId) => {
    const absent = absences.at(chainId, 'wallet');
    const transport = await wallet.connect(chainId);
    const node = createPlainNodeClient(transport, chainId, { absent });
    return { id: chainId, node, wait: createServerWait() };
  };
  const describer = createDescriber({ ...edges, loadTranslate, log, connect });
  return {
    ...edges,
    epochs,
    publicStore,
    log,
    loadTranslate,
    connect,
    describer,
    // The network that MetaMask gives the snap: that of the last transaction it looked at.
    ownChain: async () => BigInt(await selected.request('eth_chainId', [])),
    feeLevels: levels.get,
    findFork: createFindFork({ now, epoch }),
    // There are no settings. Only MetaMask's own node is asked.
    preparePrice: createPreparePrice({
      isWanted: async () => Promise.resolve(true),
      now,
    }),
    simulate: createSimulate(describer.units),
    // What only a snap with accounts knows.
    knownAddresses: async () =>
      Promise.resolve({ own: [], recipients: [], all: [...knownContracts] }),
    knownOperations: { list: async () => Promise.resolve([]) },
    findRival: async () => Promise.resolve(undefined),
  };
}
