// What a signing method is. Each has a file named by its wire name that reads as its
// specification; pipeline.ts is the registry.
import type { Json } from '@metamask/utils';

import type { WithPrivateKey } from '../accounts/keys';
import type { Broadcast, BroadcastOperation } from '../activity/broadcast';
import type { CallBatches } from '../activity/call-batches';
import type { Ledger } from '../activity/ledger';
import type { Nonces, OperationNonces } from '../activity/nonces';
import type { KnownOperations, SignedOperations } from '../activity/operations';
import type { AwaitSettled } from '../activity/tracker';
import type { Chain, Chains } from '../chains/chain';
import type { KnownAddresses } from '../context';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { FeeLevels } from '../fees/level';
import type { OperationOptions } from '../request';
import { accountTypes } from '../state/account-record';
import type { AccountRecord, AccountType } from '../state/account-record';
import type { LevelName } from '../state/public-state';
import { MAX_CALLS } from '../state/sent-transaction';
import type { SentTransaction } from '../state/sent-transaction';
import type { Asking } from './confirmation';

export type { KnownAddresses } from '../context';
export type { OperationOptions } from '../request';

/** A request that has passed the keyring's checks: account, method, scope. */
export type MethodRequest = {
  account: AccountRecord;
  /** Who asked: a website's origin, or `metamask`. */
  origin: string;
  /** The chain that was named outright, if one was. */
  scope: ChainId | undefined;
  options: OperationOptions;
};

/** What methods work with. */
export type MethodServices = {
  /** Obtain the user's consent, where the route asks for it; gives what was approved. */
  requireConsent: <Approved>(asking: Asking<Approved>) => Promise<Approved>;
  withPrivateKey: WithPrivateKey;
  connect: Chains['connect'];
  paymasterAt: Chains['paymasterAt'];
  /** Fetch the snap's own network in the wallet. */
  ownChain: () => Promise<ChainId>;
  feeLevels: (chain: Chain) => Promise<FeeLevels>;
  /** As `feeLevels`, for whoever asks the chain's node something else in the same tick:
   * what is given asks in the tick in which it is called. */
  prepareFeeLevels: (chain: Chain) => Promise<() => Promise<FeeLevels>>;
  /** Get the level at which the user wants missing fees filled. */
  feeLevel: () => Promise<LevelName>;
  nonces: Nonces;
  /** Nonces of user operations. */
  operationNonces: OperationNonces;
  /** Send a signed transaction, and follow it. */
  broadcast: Broadcast;
  /** Send a signed user operation, and follow it. */
  broadcastOperation: BroadcastOperation;
  /** Wait until what was sent is settled, but no longer than a minute or so. */
  awaitSettled: AwaitSettled;
  /** Which operations were signed. */
  signedOperations: SignedOperations;
  /** Which operations are known by their hashes. */
  knownOperations: KnownOperations;
  /** What was sent by wallet_sendCalls. */
  callBatches: CallBatches;
  /** The time in ms since 1970. */
  now: () => number;
  /** Find what was sent by its hash. */
  findSent: (hash: Hex) => Promise<SentTransaction | undefined>;
  /** Find the pending transaction that one with the same nonce takes the place of, whichever
   * site sent it. It is for the user, and not for sites. */
  findRival: Ledger['findRival'];
  /** List addresses that others are made to resemble: the user's own, recent recipients,
   * well-known contracts. Never fails. */
  knownAddresses: () => Promise<KnownAddresses>;
  /** List the chains that there is a node for; undefined if that cannot be told now. */
  servedChains: () => Promise<ChainId[] | undefined>;
  /** Whether requireConsent shows a dialog of ours; MetaMask has its own. */
  confirmsItself: boolean;
  /** Whether the caller may be given addresses with our keys in them: MetaMask alone. */
  mayHoldSecrets: boolean;
};

/** What finding the addresses of params may ask. */
type FindServices = Pick<MethodServices, 'findSent'>;

type Definition<Params> = {
  /** Wire name. */
  name: string;
  /** Type of account that offers it; every type does if it is left out. */
  accountType?: AccountType;
  /** Whether it signs; what does not is answered at once, whatever the approval mode. */
  signs: boolean;
  /** Whether it is only for dapps, by `wallet_invokeSnap`: MetaMask does it itself. */
  isForDapps?: boolean;
  /** Whether it takes {@link OperationOptions}. */
  takesOptions?: boolean;
  /** Read the params. */
  parse: (params: unknown) => Params;
  /** Find the addresses that the params can be for, the likeliest first: on the dapp route
   * they choose the account. None if the params name none. */
  findAddresses: (
    params: Params,
    services: FindServices,
  ) => readonly Hex[] | Promise<readonly Hex[]>;
  /** Count the calls, or contracts, that servers may be asked about one by one; 0 by
   * default. */
  countCalls?: (params: Params) => number;
  /** Do it. The result must be JSON. */
  run: (
    params: Params,
    request: MethodRequest,
    services: MethodServices,
  ) => Promise<Json>;
};

/** A signing method, whatever its params are. */
export type Method = Pick<
  Definition<unknown>,
  'parse' | 'findAddresses' | 'countCalls' | 'run'
>;

/** Defines a signing method; its params are parsed before anything else sees them. */
export function defineMethod<Params>(definition: Definition<Params>): Method {
  return definition as unknown as Method;
}
