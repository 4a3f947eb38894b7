// What the bundler can be asked to do wrong, by the query of its address:
// `/rpc?fault=wrongHash`. Each row stands between a call and its answer.
import { ConnectionCut, refuse, toUnknownMethod } from '../stack/json-rpc';
import type { Handle } from '../stack/json-rpc';

/** Answers a call in place of `next`, which would do it rightly. */
type Fault = (method: string, next: () => Promise<unknown>) => Promise<unknown>;

const OTHER_CHAIN = '0x539';
const OTHER_HASH = `0x${'ab'.repeat(32)}`;

/** All faults. */
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
export function withFault(handle: Handle, { fault }: Record<string, unknown>): Handle {
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
