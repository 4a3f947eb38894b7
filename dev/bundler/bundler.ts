// One bundler address for EntryPoint 0.6 to 0.9: all but 0.6 are bundled here, and what
// concerns 0.6 goes to the bundler behind. In this process, so that nothing of it is
// left when the process ends. It goes wrong on demand.
import {
  encodeEventTopics,
  isHash,
  numberToHex,
  parseEventLogs,
  type Address,
  type Hex,
  type RpcLog,
  type RpcTransactionReceipt,
} from 'viem';
import { formatUserOperationRequest } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';

import { findVersion, versions, type Contracts } from '../stack/contracts';
import {
  callRpc,
  ConnectionCut,
  refuse,
  RpcFailure,
  startJsonRpcServer,
  toUnknownMethod,
  type Handle,
  type JsonRpcServer,
} from '../stack/server';
import {
  createBundling,
  createPool,
  createSend,
  type Bundling,
  type Entry,
  type Pool,
} from './bundling';
import {
  estimateOperation,
  fetchPrices,
  requirePayment,
  requireValid,
} from './estimate';
import { hashOperation, readDraft, readOperation, type EntryPoint } from './operation';
import { createChain, entryPointAbi, type Chain } from './simulation';

type BundlerOptions = {
  /** Port to listen on; 0 for any free one. */
  port: number;
  chainUrl: string;
  contracts: Contracts;
  /** Pays for the bundles; nobody else may send from it. */
  account: LocalAccount;
  /** The bundler for EntryPoint 0.6. */
  url06: string;
};

/**
 * Start the bundler.
 *
 * @throws {Error} If the port is taken.
 */
export async function startBundler(options: BundlerOptions): Promise<JsonRpcServer> {
  const { port, chainUrl, contracts, account, url06 } = options;
  const chain = createChain(chainUrl);
  const pool = createPool();
  const bundling = createBundling(chain, pool, createSend(chain, chainUrl, account));
  const forward = createForward(url06);
  const handle = createMethods({ chain, contracts, pool, bundling, forward });
  const server = await startJsonRpcServer({
    name: 'bundler',
    path: '/rpc',
    port,
    open: (query) => withFault(handle, query),
  });
  const stop = async (): Promise<void> => {
    await Promise.all([bundling.stop(), server.stop()]);
  };
  let stopped: Promise<void> | undefined;
  return { url: server.url, stop: async () => (stopped ??= stop()) };
}

/** What answering needs. */
type Services = {
  chain: Chain;
  contracts: Contracts;
  pool: Pool;
  bundling: Bundling;
  /** Asks the bundler for EntryPoint 0.6. */
  forward: Handle;
};

type Method = (params: unknown[]) => Promise<unknown>;

/** Create what answers the bundler's calls. */
function createMethods(services: Services): Handle {
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
    const operation = readOperation(value, entryPoint.version);
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
      async (value, at) => estimateOperation(chain, at, readDraft(value, at.version)),
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

function listEntryPoints(contracts: Contracts): Address[] {
  return versions.map((version) => contracts[version].entryPoint);
}

// Undefined for 0.6.
function readEntryPoint(value: unknown, contracts: Contracts): EntryPoint | undefined {
  const version = findVersion(value, contracts);
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

// What became of an operation, read from the chain: the EntryPoint's event names the
// transaction, and the transaction's events in front of it are the operation's own.

/** Where an operation was executed. */
type Event = Awaited<ReturnType<typeof fetchEvents>>[number];

/** Look for a receipt; null if the chain has none. */
async function findReceipt(
  chain: Chain,
  entryPoints: Address[],
  hash: Hex,
): Promise<object | null> {
  const [event] = await fetchEvents(chain, entryPoints, hash);
  if (!event) return null;
  const receipt = await chain.request({
    method: 'eth_getTransactionReceipt',
    params: [event.transactionHash],
  });
  if (receipt === null) return null;
  const { sender, paymaster, nonce, success, actualGasCost, actualGasUsed } =
    event.args;
  const reason = findReason(receipt, hash);
  return {
    userOpHash: hash,
    entryPoint: event.address,
    sender,
    nonce: numberToHex(nonce),
    paymaster,
    actualGasCost: numberToHex(actualGasCost),
    actualGasUsed: numberToHex(actualGasUsed),
    success,
    ...(reason !== undefined && { reason }),
    logs: selectLogs(receipt, event),
    receipt,
  };
}

/** Describe an operation that the bundler took, with its block if it is in one. */
async function describeOperation(
  chain: Chain,
  { hash, operation, entryPoint }: Entry,
): Promise<object> {
  const [event] = await fetchEvents(chain, [entryPoint.address], hash);
  return {
    userOperation: formatUserOperationRequest(operation),
    entryPoint: entryPoint.address,
    blockNumber: event ? numberToHex(event.blockNumber) : null,
    blockHash: event?.blockHash ?? null,
    transactionHash: event?.transactionHash ?? null,
  };
}

async function fetchEvents(chain: Chain, entryPoints: Address[], hash: Hex) {
  const logs = await chain.getContractEvents({
    address: entryPoints,
    abi: entryPointAbi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: hash },
    fromBlock: 0n,
    strict: true,
  });
  return logs;
}

// Between the event of the operation before, or the beginning of all, and its own.
function selectLogs({ logs }: RpcTransactionReceipt, event: Event): RpcLog[] {
  const borders = ['BeforeExecution', 'UserOperationEvent'] as const;
  const topics = borders.flatMap((eventName) =>
    encodeEventTopics({ abi: entryPointAbi, eventName }),
  );
  const end = logs.findIndex(
    ({ logIndex }) => logIndex !== null && Number(logIndex) === event.logIndex,
  );
  const before = logs.slice(0, end);
  const start = before.findLastIndex(({ topics: [topic] }) =>
    topics.some((each) => each === topic),
  );
  return before.slice(start + 1);
}

function findReason({ logs }: RpcTransactionReceipt, hash: Hex): Hex | undefined {
  const events = parseEventLogs({
    abi: entryPointAbi,
    eventName: ['UserOperationRevertReason', 'PostOpRevertReason'],
    logs,
  });
  return events.find(({ args }) => args.userOpHash === hash)?.args.revertReason;
}

// Hands a call on to the bundler for EntryPoint 0.6 behind this one.

/** Hands calls on to another bundler; its errors are thrown as they came. */
function createForward(url: string): Handle {
  return async (method, params) => {
    const { result, error } = await callRpc(url, method, params);
    if (error) throw new RpcFailure(error);
    return result ?? null;
  };
}

// What the bundler can be asked to do wrong, by the query of its address:
// `/rpc?fault=wrongHash`. Each row stands between a call and its answer.

/** Answers a call in place of `next`, which would do it rightly. */
type Fault = (method: string, next: () => Promise<unknown>) => Promise<unknown>;

const OTHER_CHAIN = '0x539';
const OTHER_HASH = `0x${'ab'.repeat(32)}`;

const faultTable = {
  /** Every connection is destroyed; nothing is done. */
  down: async () => Promise.reject(new ConnectionCut()),
  /** No answer ever comes; nothing is done. */
  hang: async () => new Promise(() => undefined),
  wrongChain: on('eth_chainId', async () => Promise.resolve(OTHER_CHAIN)),
  noEntryPoints: on('eth_supportedEntryPoints', async () => Promise.resolve([])),
  noEstimate: on('eth_estimateUserOperationGas', async () =>
    Promise.reject(toUnknownMethod('eth_estimateUserOperationGas')),
  ),
  noPrice: on('pimlico_getUserOperationGasPrice', async () =>
    Promise.reject(toUnknownMethod('pimlico_getUserOperationGasPrice')),
  ),
  /** Sends, and answers with a hash of nothing. */
  wrongHash: on('eth_sendUserOperation', async (next) => (await next(), OTHER_HASH)),
  /** Sends, and destroys the connection before the answer. */
  loseSend: on('eth_sendUserOperation', async (next) => (await next(), cut())),
  /** The receipt is right but for the operation that it is said to be of. */
  lieReceipt: on('eth_getUserOperationReceipt', async (next) => {
    const receipt = (await next()) as object | null;
    return receipt && { ...receipt, userOpHash: OTHER_HASH };
  }),
} satisfies Record<string, Fault>;

/** Put the fault that a query names, if any, before what answers. */
function withFault(handle: Handle, { fault }: Record<string, unknown>): Handle {
  if (fault === undefined) return handle;
  const row = Object.entries<Fault>(faultTable).find(([name]) => name === fault)?.[1];
  return async (method, params) => {
    if (!row) return refuse(`There is no fault ${JSON.stringify(fault)}.`);
    return row(method, async () => handle(method, params));
  };
}

function on(
  name: string,
  change: (next: () => Promise<unknown>) => Promise<unknown>,
): Fault {
  return async (method, next) => (method === name ? change(next) : next());
}

function cut(): never {
  throw new ConnectionCut();
}
