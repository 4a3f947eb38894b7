// A stand-in for MetaMask between a site and the snap: it manages the site's networks and forwards
// its calls to the snap.
import { isObject } from '@metamask/utils';

import { version } from '../../../package.json';
import { AddressStruct } from '../../../src/eth/hex';
import { matches } from '../../../src/schema/parse';
import { SNAP_ID } from '../../provider/src/connection';
import { ProviderRpcError } from '../../provider/src/eip1193';
import type { Ask, Eip1193, RequestArguments } from '../../provider/src/eip1193';
import type { DecideOn } from './dialogs';
import { invalid, readChain, readParam } from './networks';
import type { Networks } from './networks';

export function createWallet(
  origin: string,
  {
    networks,
    askSnap,
    decideOn,
    snapId,
  }: {
    networks: Networks;
    askSnap: (origin: string, request: RequestArguments) => Promise<unknown>;
    decideOn: DecideOn;
    /** The snap's id, which is listed in addition to the published one. */
    snapId: string;
  },
): Eip1193 {
  const snaps = new Set([SNAP_ID, snapId]);
  const listSnaps = (): object =>
    Object.fromEntries(
      [...snaps].map((id) => [id, { id, version, enabled: true, blocked: false }]),
    );
  const invoke: Ask = async ({ method, params }) => {
    const { request } = readParam({ method, params });
    if (!isObject(request) || typeof request.method !== 'string') {
      throw invalid(`${method}: params must have a request with a method.`);
    }
    return askSnap(origin, request as RequestArguments);
  };
  const ask = async ({ method, params }: RequestArguments, title: string) => {
    const review = { origin, method, params, title, text: title };
    const none = { effects: [], findings: [], feeLevels: [], maxCost: undefined };
    if ((await decideOn({ ...review, ...none })) === 'reject') {
      throw new ProviderRpcError(4001, `The user refused: ${title}.`);
    }
  };
  const addChain: Ask = async (request) => {
    const chain = readChain(request);
    await ask(request, `Add the network ${chain.id}`);
    networks.add(chain);
    networks.select(origin, chain.id);
    return null;
  };
  const watchAsset: Ask = async (request) => {
    const { type, options } = readParam(request);
    const { address } = Object(options) as { address?: unknown };
    const isKnown = typeof type === 'string' && /^ERC(?:20|721|1155)$/u.test(type);
    if (!isKnown || !matches(address, AddressStruct)) {
      throw invalid(
        `${request.method}: type must be ERC20, ERC721 or ERC1155, and options.address an address.`,
      );
    }
    await ask(request, `Add the token ${address}`);
    return true;
  };
  const answers = new Map<string, Ask>([
    ['wallet_invokeSnap', invoke],
    ['wallet_invokeKeyring', invoke],
    ['wallet_addEthereumChain', addChain],
    ['wallet_watchAsset', watchAsset],
    ['wallet_getSnaps', async () => Promise.resolve(listSnaps())],
    [
      'wallet_requestSnaps',
      async ({ params }) => {
        for (const id of Object.keys(Object(params) as object)) snaps.add(id);
        return Promise.resolve(listSnaps());
      },
    ],
    // MetaMask itself has no accounts here.
    ['eth_accounts', async () => Promise.resolve([])],
  ]);
  return {
    request: async (request) => {
      const answer = answers.get(request.method);
      return answer ? answer(request) : networks.ask(origin, request);
    },
    on: (event, listener) => {
      if (event === 'chainChanged') networks.onChanged(origin, listener as never);
    },
  };
}
