// MetaMask between a site and the snap: which networks a site has, and the way to the snap.
import { version } from '../../../package.json';
import { SNAP_ID } from '../../provider/src/connection';
import { ProviderRpcError } from '../../provider/src/eip1193';
import type { Ask, Eip1193, RequestArguments } from '../../provider/src/eip1193';
import type { DecideOn } from './dialogs';
import { readChainId } from './networks';
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
    /** The id of the snap, beside its published one. */
    snapId: string;
  },
): Eip1193 {
  const snaps = new Set([SNAP_ID, snapId]);
  const listSnaps = (): object =>
    Object.fromEntries(
      [...snaps].map((id) => [id, { id, version, enabled: true, blocked: false }]),
    );
  const invoke: Ask = async ({ params }) =>
    askSnap(origin, (params as { request: RequestArguments }).request);
  const addChain: Ask = async ({ method, params }) => {
    const id = readChainId({ method, params });
    const [{ rpcUrls = [] } = {}] = params as { rpcUrls?: string[] }[];
    const [rpcUrl] = rpcUrls;
    const title = `Add the network ${id}`;
    const review = { origin, method, params, title, text: title };
    const none = { effects: [], findings: [], feeLevels: [], maxCost: undefined };
    if ((await decideOn({ ...review, ...none })) === 'reject') {
      throw new ProviderRpcError(4001, 'The user refused the network.');
    }
    networks.add({ id, ...(rpcUrl !== undefined && { rpcUrl }) });
    networks.select(origin, id);
    return null;
  };
  const answers = new Map<string, Ask>([
    ['wallet_invokeSnap', invoke],
    ['wallet_invokeKeyring', invoke],
    ['wallet_addEthereumChain', addChain],
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
