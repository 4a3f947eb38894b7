// MetaMask Flask with Tollkeeper in it, as a script: it holds keys, asks the scripted user, and
// answers as the snap does, by the same names and with the same codes.
import { createWalletClient, custom, isHex, numberToHex } from 'viem';
import type { Address, Hex, TypedDataDefinition } from 'viem';
import type { LocalAccount } from 'viem/accounts';

import { version } from '../../../package.json';
import { findRoute } from '../../../src/routes';
import { SNAP_ID } from '../../provider/src/connection';
import { createEmitter } from '../../provider/src/eip1193';
import type { Ask, Eip1193, RequestArguments } from '../../provider/src/eip1193';
import { assertOptional, createCalls } from './calls';
import { createNode } from './chain';
import type { MockChain } from './chain';
import { fail, findNodeError } from './errors';
import {
  assertParams,
  assertPermission,
  findOrigin,
  isNamed,
  readChainId,
  readDocument,
  readSignIn,
  readTransaction,
  toAsked,
  toObject,
} from './params';
import type { Asked } from './params';
import { askUser } from './user';
import type { MockQuestion, MockUser } from './user';

/** The wallet, and its user's hands. */
export type MockWallet = Eip1193 & {
  user: MockUser;
  readonly questions: MockQuestion[];
  readonly addresses: readonly Address[];
  grant: (addresses: readonly Address[]) => void;
  select: (id: number) => void;
};

/** What a wallet is made of. */
export type WalletOptions = {
  accounts: readonly LocalAccount[];
  chains: readonly MockChain[];
  user: MockUser;
  /** The id of the snap, beside its published one. */
  snapId: string;
};

/** Creates a wallet; no site is connected. */
export function createMockWallet({
  accounts,
  chains,
  user,
  snapId,
}: WalletOptions): MockWallet {
  const { on, removeListener, emit } = createEmitter();
  const nodes = new Map(
    chains.map((chain) => [numberToHex(chain.id), createNode(chain)] as const),
  );
  const snaps = new Set([SNAP_ID, snapId]);
  const addresses = accounts.map(({ address }) => address);
  let [selected = '0x0'] = nodes.keys();
  let granted: readonly Address[] = [];
  let sending: Promise<unknown> = Promise.resolve();

  const ask = async ({ method, params }: Asked): ReturnType<typeof askUser> => {
    wallet.questions.push({ method, params });
    return askUser(wallet.user, { method, params });
  };
  const grant = (wanted: readonly Address[]): readonly Address[] =>
    (granted = wanted.filter((address) => addresses.includes(address)));
  const select = (chainId: Hex): null => {
    if (!nodes.has(chainId)) {
      fail('unknownChain', `The wallet has no chain with the id ${chainId}.`);
    }
    const isNew = chainId !== selected;
    selected = chainId;
    if (isNew) emit('chainChanged', chainId);
    return null;
  };
  const findNode = (chainId: Hex): Ask =>
    nodes.get(chainId) ??
    fail('unavailable', `The wallet has no chain with the id ${chainId}.`);
  const requireAccount = (address: unknown): LocalAccount => {
    const isMeant = (each: string): boolean =>
      each.toLowerCase() === String(address).toLowerCase();
    const account = accounts.find((each) => isMeant(each.address));
    if (account && granted.includes(account.address)) return account;
    return fail('unauthorized', 'This origin was not granted that account.');
  };
  const send = async (asked: Asked, account: LocalAccount): Promise<Hex> => {
    const request = findNode(asked.chainId);
    const client = createWalletClient({
      account,
      transport: custom({ request }, { retryCount: 0 }),
    });
    const transaction = readTransaction(asked.params[0]);
    // One at a time, so that no two get the same nonce.
    const sent = sending.then(async () =>
      client.sendTransaction({ ...transaction, chain: null }),
    );
    sending = sent.catch(() => undefined);
    return sent.catch((error: unknown) => {
      throw findNodeError(error) ?? error;
    });
  };
  const listPermissions = (): object[] => {
    const invoker = findOrigin();
    const caveats = [{ type: 'restrictReturnedAccounts', value: granted }];
    return granted.length === 0
      ? []
      : [{ invoker, parentCapability: 'eth_accounts', caveats }];
  };
  const listSnaps = (): object =>
    Object.fromEntries(
      [...snaps].map((id) => [id, { id, version, enabled: true, blocked: false }]),
    );
  const connect = async (asked: Asked): Promise<readonly Address[]> =>
    grant((await ask(asked)) ?? addresses.slice(0, 1));

  const answers: Record<string, (asked: Asked) => unknown> = {
    eth_chainId: ({ chainId }) => chainId,
    eth_requestAccounts: (asked) => (granted.length > 0 ? granted : connect(asked)),
    wallet_connect: async (asked) => {
      const { signInWithEthereum, ...others } = toObject(
        toObject(asked.params[0])['capabilities'],
      );
      assertOptional(others);
      if (signInWithEthereum === undefined) {
        const connected = granted.length > 0 ? granted : await connect(asked);
        return {
          accounts: connected.map((address) => ({ address, capabilities: {} })),
        };
      }
      const write = readSignIn(signInWithEthereum, asked);
      const [address] = (await ask(asked)) ?? [...granted, ...addresses];
      const account = accounts.find((each) => each.address === address);
      if (!account) return fail('unsupportedCapability', 'No account can sign in.');
      grant([account.address, ...granted.filter((each) => each !== address)]);
      const message = write(account.address);
      const signature = await account.signMessage({ message });
      const signed = { signInWithEthereum: { message, signature } };
      return {
        accounts: granted.map((each) => ({
          address: each,
          capabilities: each === address ? signed : {},
        })),
      };
    },
    eth_accounts: () => granted,
    wallet_getPermissions: listPermissions,
    wallet_requestPermissions: async (asked) => {
      assertPermission(asked);
      await connect(asked);
      return listPermissions();
    },
    wallet_revokePermissions: (asked) => {
      assertPermission(asked);
      grant([]);
      return null;
    },
    wallet_disconnect: () => {
      grant([]);
      return null;
    },
    personal_sign: async (asked) => {
      const [message, address] = asked.params;
      assertParams(typeof message === 'string' && isNamed(address), asked);
      const account = requireAccount(address);
      await ask(asked);
      return account.signMessage({
        message: isHex(message) ? { raw: message } : String(message),
      });
    },
    eth_signTypedData_v4: async (asked) => {
      const [address, given] = asked.params;
      const document = readDocument(given);
      assertParams(isNamed(address) && typeof document === 'object', asked);
      const account = requireAccount(address);
      await ask(asked);
      return account.signTypedData(document as TypedDataDefinition);
    },
    eth_sendTransaction: async (asked) => {
      const { from, chainId = asked.chainId } = toObject(asked.params[0]);
      assertParams(isNamed(from) && isHex(chainId), asked);
      const account = requireAccount(from);
      findNode(chainId as Hex);
      await ask(asked);
      return send({ ...asked, chainId: chainId as Hex }, account);
    },
    wallet_switchEthereumChain: (asked) => select(readChainId(asked)),
    wallet_addEthereumChain: async (asked) => {
      const chainId = readChainId(asked);
      const { rpcUrls } = asked.params[0] as { rpcUrls?: readonly string[] };
      await ask(asked);
      const chain = { id: Number(chainId), rpcUrl: rpcUrls?.[0] };
      if (!nodes.has(chainId)) nodes.set(chainId, createNode(chain));
      return select(chainId);
    },
    wallet_getSnaps: listSnaps,
    wallet_requestSnaps: ({ params }) => {
      for (const id of Object.keys(toObject(params[0]))) snaps.add(id);
      return listSnaps();
    },
    ...createCalls({
      ask,
      findNode,
      chainIds: () => [...nodes.keys()],
      requireAccount: (address) =>
        requireAccount(address ?? (granted.length === 1 ? granted[0] : undefined)),
      send,
    }),
  };

  const answer = async ({
    method,
    params = [],
  }: RequestArguments): Promise<unknown> => {
    const asked = toAsked(method, params, selected);
    if (Object.hasOwn(answers, method)) return answers[method]?.(asked);
    const kind = findRoute(method)?.kind ?? 'look-up';
    if (kind === 'look-up' || method === 'eth_sendRawTransaction') {
      return findNode(asked.chainId)({ method, params: asked.params });
    }
    return fail('unsupported', `The mock provider does not answer ${method}.`);
  };

  const wallet: MockWallet = {
    user,
    questions: [],
    addresses,
    grant,
    select: (id) => void select(numberToHex(id)),
    on,
    removeListener,
    request: async ({ method, params }) =>
      method === 'wallet_invokeSnap'
        ? answer((params as { request: RequestArguments }).request)
        : answer({ method, params }),
  };
  return wallet;
}
