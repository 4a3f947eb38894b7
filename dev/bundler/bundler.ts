// A bundler for EntryPoint 0.6 to 0.9 at one URL. It forwards operations of 0.6 to another bundler.
import {
  encodeEventTopics,
  isHash,
  numberToHex,
  type Address,
  type Hex,
  type RpcLog,
  type RpcTransactionReceipt,
} from 'viem';
import { formatUserOperationRequest } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';

import { entryPointVersions } from '../../src/core/entry-points';
import { findVersion, type Contracts } from '../stack/contracts';
import {
  callRpc,
  refuse,
  RpcFailure,
  startJsonRpcServer,
  toUnknownMethod,
  type Handle,
  type JsonRpcServer,
} from '../stack/server';
import { Bundling, type Entry } from './bundling';
import {
  estimateOperation,
  fetchPrices,
  requirePayment,
  requireValid,
} from './estimate';
import { hashOperation, readDraft, readOperation, type EntryPoint } from './operation';
import { createChain, entryPointAbi, findRevertReason, type Chain } from './simulation';

type BundlerOptions = {
  /** Port to listen on; 0 for any free one. */
  port: number;
  chainUrl: string;
  contracts: Contracts;
  /** The account that pays for the bundles. No other sender may use it. */
  account: LocalAccount;
  url06: string;
};

/** Starts the bundler; throws if the port is taken. */
export async function startBundler(options: BundlerOptions): Promise<JsonRpcServer> {
  const { port, chainUrl: url, contracts, account, url06 } = options;
  const chain = createChain(url);
  const bundling = new Bundling(chain, url, account);
  const all = entryPointVersions.map((version) => contracts[version].entryPoint);
  const forward = async (method: string, params: unknown[]): Promise<unknown> => {
    const { result, error } = await callRpc(url06, method, params);
    if (error) throw new RpcFailure(error);
    return result ?? null;
  };
  const toOwn =
    (method: string, own: (operation: unknown, at: EntryPoint) => Promise<unknown>) =>
    async (params: unknown[]): Promise<unknown> => {
      if (params.length !== 2) {
        refuse(`${method} takes an operation and an EntryPoint.`);
      }
      const version = findVersion(params[1]);
      if (version === undefined) {
        const known = all.join(', ');
        return refuse(`This EntryPoint is not supported. Those that are: ${known}.`);
      }
      if (version === '0.6') return forward(method, params);
      return own(params[0], { version, address: contracts[version].entryPoint });
    };
  const methods: Record<string, (params: unknown[]) => Promise<unknown>> = {
    eth_chainId: async () => chain.request({ method: 'eth_chainId' }),
    eth_supportedEntryPoints: async () => Promise.resolve(all),
    pimlico_getUserOperationGasPrice: async () => fetchPrices(chain),
    eth_estimateUserOperationGas: toOwn(
      'eth_estimateUserOperationGas',
      async (value, at) => estimateOperation(chain, at, readDraft(value, at.version)),
    ),
    eth_sendUserOperation: toOwn('eth_sendUserOperation', async (value, entryPoint) => {
      const operation = readOperation(value, entryPoint.version);
      const hash = hashOperation(operation, entryPoint);
      const entry = { hash, operation, entryPoint };
      await requirePayment(chain, operation);
      bundling.check(entry);
      await requireValid(chain, entryPoint, operation);
      bundling.add(entry);
      return hash;
    }),
    eth_getUserOperationReceipt: async (params) => {
      const hash = readHash(params);
      const own = await findReceipt(chain, all.slice(1), hash);
      return own ?? forward('eth_getUserOperationReceipt', [hash]);
    },
    eth_getUserOperationByHash: async (params) => {
      const hash = readHash(params);
      const entry = bundling.find(hash);
      return entry
        ? describeOperation(chain, entry)
        : forward('eth_getUserOperationByHash', [hash]);
    },
    debug_bundler_setBundlingMode: async ([mode]) => {
      if (mode !== 'manual' && mode !== 'auto') {
        return refuse('The mode must be manual or auto.');
      }
      bundling.setMode(mode);
      // The other bundler's default: bundle each operation on arrival, and again every second.
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
  const handle: Handle = async (method, params) => {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!answer) throw toUnknownMethod(method);
    return Array.isArray(params) ? answer(params) : refuse('params must be an array.');
  };
  const server = await startJsonRpcServer({
    name: 'bundler',
    path: '/rpc',
    port,
    open: () => handle,
  });
  return {
    url: server.url,
    stop: async () => {
      await Promise.all([bundling.stop(), server.stop()]);
    },
  };
}

function readHash(params: unknown[]): Hex {
  const [hash] = params;
  if (params.length === 1 && typeof hash === 'string' && isHash(hash)) {
    return hash.toLowerCase() as Hex;
  }
  return refuse('Expected the hash of a user operation: 32 bytes in hex.');
}

type Event = Awaited<ReturnType<typeof fetchEvents>>[number];

async function findReceipt(chain: Chain, entryPoints: Address[], hash: Hex) {
  const [event] = await fetchEvents(chain, entryPoints, hash);
  if (!event) return null;
  const receipt = await chain.request({
    method: 'eth_getTransactionReceipt',
    params: [event.transactionHash],
  });
  if (receipt === null) return null;
  const { sender, paymaster, nonce, success, actualGasCost, actualGasUsed } =
    event.args;
  const reason = findRevertReason(receipt.logs, hash);
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

async function describeOperation(chain: Chain, { hash, operation, entryPoint }: Entry) {
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
  return chain.getContractEvents({
    address: entryPoints,
    abi: entryPointAbi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: hash },
    fromBlock: 0n,
    strict: true,
  });
}

// An operation's logs are those between the previous operation's event, or the start of the
// execution, and its own event.
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
