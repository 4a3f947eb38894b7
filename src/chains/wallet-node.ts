// MetaMask's own nodes, one for each of its networks. MetaMask selects one network per snap, which
// sites and users do not see. A request first switches to its chain, so requests for different
// chains take turns.
import { isObject } from '@metamask/utils';

import { NetworkError, RpcError } from '../../packages/client/src';
import type { RpcCall, Transport } from '../../packages/client/src';
import { unlessAborted } from '../../packages/client/src/abort';
import { createRpcClient } from '../../packages/client/src/rpc/rpc-client';
import { readSchema } from '../../packages/client/src/rpc/schema';
import { UnavailableError } from '../core/errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { PublicStore } from '../state/public-state';

export const WALLET_LABEL = "the wallet's node";

/** Error codes of wallets for a missing network (EIP-3326) or method. */
const UNKNOWN: readonly unknown[] = [4902, -32601];

export type WalletNode = {
  /** Fetches the default network, for requests that name no chain: the network that MetaMask gave
   * the snap at installation, or a different one if the user has removed that. */
  own: () => Promise<ChainId>;
  /** Throws `UnavailableError` if MetaMask does not have the network. */
  connect: (chainId: ChainId) => Promise<Transport>;
};

type WalletNodeServices = {
  requestWallet: (call: RpcCall) => Promise<unknown>;
  /** Stores the default network. */
  publicStore?: PublicStore;
  /** The number of the worker's epoch; promises of earlier epochs may never settle. */
  epoch: () => number;
};

/** A period in which the snap's network does not change. */
type Turn = {
  chainId: ChainId;
  epoch: number;
  /** Resolves once this chain's network is selected. */
  moved: Promise<void>;
  users: number;
  /** Requests that wait for the turn's end; while there are any, no other request joins it. */
  waiting: (() => void)[];
};

export function createWalletNode(services: WalletNodeServices): WalletNode {
  const { publicStore, epoch, requestWallet } = services;
  const selected = createWalletTransport(requestWallet);
  const node = createRpcClient(readSchema, selected);
  let turn: Turn | undefined;

  const fetchSelected = async (): Promise<ChainId> =>
    BigInt(await node.request('eth_chainId', []));
  // A document that cannot be read counts as one without a network.
  const findOwn = async (): Promise<Hex | undefined> =>
    publicStore?.read().then(
      ({ network }) => network,
      () => undefined,
    );
  const keepOwn = async (network: Hex, isFirst = false): Promise<void> => {
    const kept = publicStore?.update((state) => ({
      ...state,
      network: (isFirst ? state.network : undefined) ?? network,
    }));
    await kept?.catch(() => undefined);
  };

  const move = async (chainId: ChainId): Promise<void> => {
    const from = await fetchSelected();
    if (from === chainId) return;
    const own = await findOwn();
    if (own === undefined) await keepOwn(toQuantity(from), true);
    const method = 'wallet_switchEthereumChain';
    const params = [{ chainId: toQuantity(chainId) }];
    try {
      await requestWallet({ method, params });
    } catch (error) {
      const reported = findReported(error);
      const { code } = findReported(reported?.data) ?? reported ?? {};
      if (!UNKNOWN.includes(code)) {
        throw toError({ method, params, idempotent: true }, error);
      }
      // The user may have removed the default network from MetaMask.
      if (own === toQuantity(chainId)) await keepOwn(toQuantity(from));
      throw noNetwork(chainId);
    }
    if ((await fetchSelected()) !== chainId) throw noNetwork(chainId);
  };

  // Requests for the same chain share a turn until one waits for another chain.
  const enter = async (chainId: ChainId): Promise<() => void> => {
    for (;;) {
      const current = turn?.epoch === epoch() ? turn : undefined;
      const isShared = current?.chainId === chainId && current.waiting.length === 0;
      if (current && current.users > 0 && !isShared) {
        await new Promise<void>((resolve) => current.waiting.push(resolve));
        continue;
      }
      const mine: Turn = isShared
        ? current
        : { chainId, epoch: epoch(), moved: move(chainId), users: 0, waiting: [] };
      turn = mine;
      mine.users += 1;
      const leave = (): void => {
        mine.users -= 1;
        if (mine.users === 0) for (const wake of mine.waiting.splice(0)) wake();
      };
      try {
        await mine.moved;
        return leave;
      } catch (error) {
        if (turn === mine) turn = undefined;
        leave();
        throw error;
      }
    }
  };

  return {
    own: async () => BigInt((await findOwn()) ?? (await fetchSelected())),
    connect: async (chainId) => {
      (await enter(chainId))();
      return {
        label: WALLET_LABEL,
        request: async (call) => {
          const entered = enter(chainId);
          try {
            await unlessAborted(entered, call.signal);
            return await selected.request(call);
          } finally {
            void entered.then(
              (leave) => leave(),
              () => undefined,
            );
          }
        },
      };
    },
  };
}

function noNetwork(chainId: ChainId): UnavailableError {
  return new UnavailableError(
    `MetaMask does not have the network ${toCaip2(chainId)}. Add it to MetaMask ` +
      "(wallet_addEthereumChain), or configure a node for it in Tollkeeper's settings.",
  );
}

/** Creates a transport over the wallet's provider, which does not support batches. */
export function createWalletTransport(
  requestWallet: (call: RpcCall) => Promise<unknown>,
): Transport {
  return {
    label: WALLET_LABEL,
    request: async (call) => {
      const { method, params, signal } = call;
      signal?.throwIfAborted();
      try {
        // The provider's request cannot be aborted, but the wait for it can.
        return await unlessAborted(requestWallet({ method, params }), signal);
      } catch (error) {
        signal?.throwIfAborted();
        throw toError(call, error);
      }
    },
  };
}

/** Error codes of the wallet if it could not reach the node or read its answer:
 * internal error, resource unavailable, parse error. */
const FAILED: readonly unknown[] = [-32603, -32002, -32700];

type ReportedError = { code: unknown; message: string; data: unknown };

// The wallet's errors are plain objects or Error instances, with the same fields.
function toError({ method, idempotent }: RpcCall, error: unknown): Error {
  const place = { label: `${method} at ${WALLET_LABEL}`, mayBeDone: !idempotent };
  const reported = findReported(error);
  const inner = findReported(reported?.data);
  const failed = reported && new RpcError(place, inner ?? reported);
  // A call that must not be repeated may have been executed, unless the error says otherwise.
  const isOutcomeKnown =
    inner !== undefined || idempotent || failed?.topic !== undefined;
  if (failed && (isOutcomeKnown || !FAILED.includes(reported.code))) return failed;
  return new NetworkError(place, { cause: error });
}

// Some wallets put the node's error into the data of their own internal error.
function findReported(error: unknown): ReportedError | undefined {
  if (!isObject(error)) return undefined;
  const { code, message, data } = error as Partial<ReportedError>;
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined;
  return { code, message, data };
}
