// The bundler's methods, one row each. What concerns EntryPoint 0.6 is handed on.
import { isHash } from 'viem';
import type { Address, Hex } from 'viem';

import type { Contracts } from '../stack/contracts';
import { refuse, toUnknownMethod } from '../stack/json-rpc';
import type { Handle } from '../stack/json-rpc';
import type { Bundling } from './bundling';
import type { Chain } from './chain';
import { estimateOperation } from './estimate';
import { describeOperation, findReceipt } from './look-up';
import { hashOperation, readDraft, readOperation } from './operation';
import type { EntryPoint } from './operation';
import type { Pool } from './pool';
import { fetchPrices } from './prices';
import { requirePayment, requireValid } from './validate';

/** What answering needs. */
export type Services = {
  chain: Chain;
  contracts: Contracts;
  pool: Pool;
  bundling: Bundling;
  /** Asks the bundler for EntryPoint 0.6. */
  forward: Handle;
};

type Method = (params: unknown[]) => Promise<unknown>;

/** Create what answers the bundler's calls. */
export function createMethods(services: Services): Handle {
  const table = new Map<string, Method>(
    Object.entries({
      ...createOperationMethods(services),
      ...createLookUps(services),
      ...createDebugMethods(services),
    }),
  );
  return async (method, params) => {
    const answer = table.get(method);
    if (!answer) throw toUnknownMethod(method);
    if (!Array.isArray(params)) return refuse('params must be an array.');
    return answer(params);
  };
}

function createOperationMethods(services: Services): Record<string, Method> {
  const { chain, pool, bundling, forward } = services;
  const toOwn =
    (method: string, own: (operation: unknown, at: EntryPoint) => Promise<unknown>) =>
    async (params: unknown[]): Promise<unknown> => {
      if (params.length !== 2) {
        refuse(`${method} takes an operation and an EntryPoint.`);
      }
      const entryPoint = readEntryPoint(params[1], services.contracts);
      return entryPoint ? own(params[0], entryPoint) : forward(method, params);
    };
  const send = async (value: unknown, entryPoint: EntryPoint): Promise<Hex> => {
    const operation = readOperation(value);
    const entry = { hash: hashOperation(operation, entryPoint), operation, entryPoint };
    await requirePayment(chain, operation);
    pool.check(entry);
    await requireValid(chain, entryPoint, operation);
    pool.add(entry);
    bundling.wake();
    return entry.hash;
  };
  return {
    eth_estimateUserOperationGas: toOwn(
      'eth_estimateUserOperationGas',
      async (value, at) => estimateOperation(chain, at, readDraft(value)),
    ),
    eth_sendUserOperation: toOwn('eth_sendUserOperation', send),
  };
}

function createLookUps({
  chain,
  contracts,
  pool,
  forward,
}: Services): Record<string, Method> {
  const all = listEntryPoints(contracts);
  return {
    eth_chainId: async () => chain.request({ method: 'eth_chainId' }),
    eth_supportedEntryPoints: async () => Promise.resolve(all),
    pimlico_getUserOperationGasPrice: async () => fetchPrices(chain),
    eth_getUserOperationReceipt: async (params) => {
      const hash = readHash(params);
      const own = await findReceipt(chain, all.slice(1), hash);
      return own ?? forward('eth_getUserOperationReceipt', [hash]);
    },
    eth_getUserOperationByHash: async (params) => {
      const hash = readHash(params);
      const entry = pool.find(hash);
      return entry
        ? describeOperation(chain, entry)
        : forward('eth_getUserOperationByHash', [hash]);
    },
  };
}

function createDebugMethods({ bundling, forward }: Services): Record<string, Method> {
  return {
    debug_bundler_setBundlingMode: async ([mode]) => {
      if (mode !== 'manual' && mode !== 'auto') {
        return refuse('The mode is manual or auto.');
      }
      bundling.setMode(mode);
      // As it was started: each operation at once, and again every second.
      if (mode === 'auto') return forward('debug_bundler_setBundleInterval', [1, 1]);
      return forward('debug_bundler_setBundlingMode', ['manual']);
    },
    debug_bundler_sendBundleNow: async () => {
      await Promise.all([
        bundling.sendNow(),
        forward('debug_bundler_sendBundleNow', []),
      ]);
      return 'ok';
    },
  };
}

function listEntryPoints(contracts: Contracts): [Address, ...Address[]] {
  return [
    contracts['0.6'].entryPoint,
    contracts['0.7'].entryPoint,
    contracts['0.8'].entryPoint,
  ];
}

// Undefined for 0.6.
function readEntryPoint(value: unknown, contracts: Contracts): EntryPoint | undefined {
  const wanted = typeof value === 'string' ? value.toLowerCase() : undefined;
  const version = (['0.6', '0.7', '0.8'] as const).find(
    (each) => contracts[each].entryPoint.toLowerCase() === wanted,
  );
  if (version === undefined) {
    const known = listEntryPoints(contracts).join(', ');
    return refuse(`This EntryPoint is not supported. Those that are: ${known}.`);
  }
  return version === '0.6'
    ? undefined
    : { version, address: contracts[version].entryPoint };
}

function readHash(params: unknown[]): Hex {
  const [hash] = params;
  if (params.length === 1 && typeof hash === 'string' && isHash(hash)) {
    return hash.toLowerCase() as Hex;
  }
  return refuse('The hash of a user operation, of 32 bytes in hex, is expected.');
}
