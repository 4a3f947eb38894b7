// The composition root of the insight snap. The snap has no accounts, and stores only its settings.
// Its chains are those for which MetaMask has a node. Its data about chains is lost when the worker
// ends.
import { exactOptional, literal, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import type { NodeClient } from '../../packages/client/src';
import { createRpcClient } from '../../packages/client/src/rpc/rpc-client';
import { createMethodNaming, readSchema } from '../../packages/client/src/rpc/schema';
import { createWalletNode } from '../chains/wallet-node';
import type { AppContext, InsightContext } from '../context';
import { AddressStruct } from '../eth/hex';
import { createFindFork } from '../fees/gas-limit';
import { fetchFromNode } from '../fees/level-sources';
import type { BlockTimes } from '../fees/level-sources';
import { createPreparePrice } from '../fees/prices';
import { createEpochs } from '../platform/boundary';
import type { InsightEdges } from '../platform/insight-edges';
import { createDescriber } from '../review/describe/describe';
import { parse, validate } from '../schema/parse';
import { list, oneOf, text } from '../schema/structs';
import { createTranslateLoader, languages } from '../ui/i18n';
import type { Locale } from '../ui/i18n';
import { knownContracts } from '../ui/tokens';

export type InsightApp = InsightEdges &
  InsightContext &
  Pick<AppContext, 'epochs'> & { settings: ReturnType<typeof createSettings> };

export function createInsightApp(edges: InsightEdges): InsightApp {
  const { now, requestWallet, readFile, getLanguage } = edges;
  const epochs = createEpochs();
  const epoch = epochs.current;
  const settings = createSettings(edges);
  const wallet = createWalletNode({ requestWallet, epoch });
  const loadTranslate = createTranslateLoader(
    readFile,
    async () => (await settings.read()).language ?? getLanguage(),
  );
  const connect: InsightApp['connect'] = async (chainId) => {
    // Insights call only the methods of `readSchema`.
    const transport = await wallet.connect(chainId);
    const toWireName = createMethodNaming(chainId);
    const client = createRpcClient(readSchema, transport, { toWireName });
    const node = client as unknown as NodeClient;
    // Every request to the node has its own time limit.
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
    // Prices are always wanted, since only MetaMask's own node is asked for them.
    preparePrice: createPreparePrice(now, async () => Promise.resolve(true)),
    // MetaMask does not pass a snap's eth_simulateV1 requests on to its nodes.
    simulate: () => ({ now: () => 'unknown', pending: () => undefined }),
    ownSafes: async () => (await settings.read()).safes,
    // Only a snap with accounts has the following data.
    knownAddresses: async () =>
      Promise.resolve({ own: [], recipients: [], open: [], all: [...knownContracts] }),
    knownOperations: { list: async () => Promise.resolve([]) },
    findRival: async () => Promise.resolve(undefined),
  };
}

// The settings contain only public data, and are stored unencrypted. Settings that cannot be read
// count as empty, because insights must not fail, but no change overwrites them.

export const locales = Object.keys(languages) as Locale[];

/** A Safe and the user's name for it. The Safe has the same address on every chain. */
export const OwnSafeStruct = object({ name: text(40), address: AddressStruct });

export const MAX_SAFES = 50;

const SettingsStruct = object({
  version: literal(1),
  safes: list(OwnSafeStruct, { max: MAX_SAFES }),
  /** The default is the browser's language. */
  language: exactOptional(oneOf(locales)),
});

export type Settings = Infer<typeof SettingsStruct>;

function createSettings({ loadSettings, saveSettings }: InsightEdges) {
  const empty: Settings = { version: 1, safes: [] };
  let last: Promise<void> = Promise.resolve();
  return {
    /** Reads the settings. Never fails. */
    read: async (): Promise<Settings> => {
      const stored = await loadSettings().catch(() => null);
      const read = validate(stored, SettingsStruct);
      return 'value' in read ? read.value : empty;
    },
    /** Changes the settings. @throws If they cannot be loaded, read or stored. */
    update: async (change: (settings: Settings) => Settings): Promise<void> => {
      const run = async (): Promise<void> => {
        const stored = (await loadSettings()) ?? empty;
        const changed = change(parse(stored, SettingsStruct, 'settings'));
        await saveSettings(parse(changed, SettingsStruct, 'settings'));
      };
      // Changes run one after another, so that none is lost.
      last = last.then(run, run);
      return last;
    },
  };
}
