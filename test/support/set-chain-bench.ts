// tollkeeper_setChain over a store in memory, with what finds out about servers played.
import type { ProbeChain } from '../../src/chains/probe';
import { setChain } from '../../src/chains/set-chain';
import type { ShownChain } from '../../src/chains/set-chain';
import { openPrivateStore } from '../../src/state/private-state';
import type { PrivateStore } from '../../src/state/private-state';
import { createMemoryBackend } from './memory-backend';
import type { MemoryBackend } from './memory-backend';

/** A credential of the user's, or a part of one. */
export const KEY = 'k3y-of-the-user-0123456789abcdef';
/** A row with every field. */
export const full = {
  rpcUrl: 'https://node.example',
  wsUrl: 'wss://node.example/ws',
  gasBaseUrl: 'https://gas.example',
  gasAuth: 'path',
  apiKey: KEY,
  apiKeySecret: `${KEY}-secret`,
  bundlerUrl: 'https://bundler.example/v2',
  bundlerApiKey: `${KEY}-bundler`,
  entryPoint: '0.7',
  factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  paymasterUrl: 'https://paymaster.example',
  paymasterContext: { policy: 'free' },
};

/** The canonical contracts, as they are shown. */
export const canonical = {
  '0.6': {
    entryPoint: {
      version: '0.6',
      address: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    },
    factory: '0x9406Cc6185a346906296840746125a0E44976454',
  },
  '0.7': {
    entryPoint: {
      version: '0.7',
      address: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    },
    factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  },
  '0.8': {
    entryPoint: {
      version: '0.8',
      address: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
    },
    factory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
  },
};

/** What is shown of chain 1 while nothing is configured. */
export const NOTHING = { chainId: 'eip155:1' };

/** What is shown of the full row on chain 1. */
export const shown = {
  ...full,
  chainId: 'eip155:1',
  apiKey: '[redacted]',
  apiKeySecret: '[redacted]',
  bundlerApiKey: '[redacted]',
  contracts: canonical['0.7'],
};

/** Setting chains in a store, and what came of it. */
export type SetChainBench = {
  store: PrivateStore;
  backend: MemoryBackend;
  /** What was to be found out before anything was stored. */
  probed: Parameters<ProbeChain>[];
  setAny: (params: unknown) => Promise<ShownChain>;
  /** Set fields of chain 1. */
  set: (fields: Record<string, unknown>) => Promise<ShownChain>;
};

/** Create a bench. All goes well with what is probed, unless a probe is given. */
export function createSetChainBench(
  probe: ProbeChain = () => Promise.resolve({}),
): SetChainBench {
  const backend = createMemoryBackend();
  const store = openPrivateStore(backend);
  const probed: SetChainBench['probed'] = [];
  const services = {
    store,
    probe: async (...asked: Parameters<ProbeChain>) => {
      probed.push(asked);
      return probe(...asked);
    },
  };
  const setAny: SetChainBench['setAny'] = (params) => setChain(params, services);
  const set: SetChainBench['set'] = (fields) => setAny({ chainId: '0x1', ...fields });
  return { backend, store, probed, setAny, set };
}
