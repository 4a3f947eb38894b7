// The composition root of the insight snap. It has no accounts and stores its settings alone: chains
// are those that MetaMask has a node for, and what it learned of them is forgotten with the worker.
import type { NodeClient } from '../../packages/client/src';
import { createReadClient } from '../../packages/client/src/rpc/rpc-client';
import { createWalletNode } from '../chains/wallet-node';
import type { AppContext, InsightContext } from '../context';
import { createFindFork } from '../fees/fork';
import { fetchFromNode } from '../fees/node-levels';
import type { BlockTimes } from '../fees/node-levels';
import { createPreparePrice } from '../fees/prices';
import { createEpochs } from '../platform/epochs';
import type { InsightEdges } from '../platform/insight-edges';
import { createDescriber } from '../review/describe/describe';
import { createTranslateLoader } from '../ui/i18n';
import { knownContracts } from '../ui/tokens';
import { createSettings } from './settings';
import type { SettingsAccess } from './settings';

/** Everything that a worker of the insight snap has. */
export type InsightApp = InsightEdges &
  InsightContext &
  Pick<AppContext, 'epochs'> & { settings: SettingsAccess };

/** Creates everything over the outer edges; one a worker. */
export function createInsightApp(edges: InsightEdges): InsightApp {
  const { now, requestWallet, readFile, loadSettings, saveSettings, getLanguage } =
    edges;
  const epochs = createEpochs();
  const epoch = epochs.current;
  const settings = createSettings({ load: loadSettings, save: saveSettings });
  const wallet = createWalletNode({ requestWallet, epoch });
  const loadTranslate = createTranslateLoader(
    readFile,
    async () => (await settings.read()).language ?? getLanguage(),
  );
  const connect: InsightApp['connect'] = async (chainId) => {
    // The code that both snaps share calls no other method here.
    const node = createReadClient(
      await wallet.connect(chainId),
      chainId,
    ) as unknown as NodeClient;
    // Every question to the node has its own time limit.
    return {
      id: chainId,
      node,
      wait: async (_place, ask) => ask(new AbortController().signal),
    };
  };
  const blockTimes: BlockTimes = new Map();
  return {
    ...edges,
    epochs,
    settings,
    loadTranslate,
    connect,
    describer: createDescriber({
      ...edges,
      loadTranslate,
      log: () => undefined,
      connect,
    }),
    feeLevels: async (chain) => {
      const levels = await fetchFromNode(chain, { note: () => undefined, blockTimes });
      return { ...levels, at: now() };
    },
    findFork: createFindFork({ now, epoch }),
    // Only MetaMask's own node is asked.
    preparePrice: createPreparePrice({
      isWanted: async () => Promise.resolve(true),
      now,
    }),
    // MetaMask passes eth_simulateV1 of no snap on to its nodes.
    simulate: () => ({ now: () => 'unknown', pending: () => undefined }),
    ownSafes: async () => (await settings.read()).safes,
    // What only a snap with accounts knows.
    knownAddresses: async () =>
      Promise.resolve({ own: [], recipients: [], all: [...knownContracts] }),
    knownOperations: { list: async () => Promise.resolve([]) },
    findRival: async () => Promise.resolve(undefined),
  };
}
