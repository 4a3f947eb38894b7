// What code works with: the app's context is made once a worker, by app.ts; a request's, once a
// request to sign, by pipeline.ts.
import type { Json } from '@metamask/utils';

import type { Agreement } from './accounts/agreement';
import type { Indices } from './accounts/create';
import type { KeyringEvents } from './accounts/events';
import type { Keyring } from './accounts/keyring';
import type { Sign, WithPrivateKey } from './accounts/keys';
import type { ProgressTracker } from './accounts/range';
import type { AccountRepository } from './accounts/repository';
import type { Requests } from './accounts/requests';
import type { ActivityApp } from './activity/activity';
import type { Ledger } from './activity/ledger';
import type { Chain, Chains } from './chains/chain';
import type { ExamineServer, ProbeChain } from './chains/probe';
import type { Config } from './config';
import type { ChainId } from './eth/chain';
import type { Hex } from './eth/hex';
import type { FindFork } from './fees/fork';
import type { FeeLevels } from './fees/level';
import type { PreparePrice } from './fees/prices';
import type { Epochs, Log } from './platform/boundary';
import type { Edges } from './platform/edges';
import type { Sockets } from './platform/sockets';
import type { OperationOptions } from './request';
import type { Describer } from './review/describe/describe';
import type { Foretell } from './review/simulate';
import type { Approval } from './sites/approval';
import type { Consent } from './sites/consent';
import type { Confirmation, LiveDialogs } from './sites/dialogs';
import type { Grants } from './sites/grants';
import type { RateLimit } from './sites/rate-limit';
import type { AccountRecord } from './state/account-record';
import type { PrivateStore } from './state/private-state';
import type { ClientSession, LevelName, PublicStore } from './state/public-state';
import type { Translate } from './ui/i18n';

/** Addresses that the user knows. */
export type KnownAddresses = {
  own: Hex[];
  /** Whom the user sent something, as far as the activity goes back. */
  recipients: Hex[];
  all: Hex[];
};

/** Everything that a worker has: the outer edges, and what is built over them. */
export type AppContext = Edges &
  Config &
  ActivityApp & {
    epochs: Epochs;
    log: Log;
    store: PrivateStore;
    publicStore: PublicStore;
    session: ClientSession;
    /** Loads the texts in the user's language. */
    loadTranslate: () => Promise<Translate>;
    describer: Describer;

    sockets: Sockets;
    chains: Chains;
    probe: ProbeChain;
    examine: ExamineServer;
    connect: Chains['connect'];
    paymasterAt: Chains['paymasterAt'];
    /** Fetches the network that is meant where a request names none. */
    ownChain: Chains['own'];
    /** Lists the chains that there is a node for; undefined if that cannot be told now. */
    servedChains: () => Promise<ChainId[] | undefined>;

    feeLevels: (chain: Chain) => Promise<FeeLevels>;
    /** As `feeLevels`, for whoever asks the chain's node something else in the same tick:
     * what is given asks in the tick in which it is called. */
    prepareFeeLevels: (chain: Chain) => Promise<() => Promise<FeeLevels>>;
    findFork: FindFork;
    /** Gets the level at which the user wants missing fees filled. */
    feeLevel: () => Promise<LevelName>;
    /** Finds the pending transaction that one with the same nonce takes the place of, whichever
     * site sent it. It is for the user, and not for sites. */
    findRival: Ledger['findRival'];

    preparePrice: PreparePrice;
    /** Foretells what calls change for an account, for whoever confirms them. */
    foretell: Foretell;

    repository: AccountRepository;
    events: KeyringEvents;
    agreement: Agreement;
    indices: Indices;
    keyring: Keyring;
    requests: Requests;
    progress: ProgressTracker;
    withPrivateKey: WithPrivateKey;
    /** Lists addresses that others are made to resemble: the user's own, recent recipients,
     * well-known contracts. Never fails. */
    knownAddresses: () => Promise<KnownAddresses>;

    grants: Grants;
    rateLimit: RateLimit;
    dialogs: LiveDialogs;
    consent: Consent;
  };

/** What insights need: the insight snap, which has no accounts and no state, has nothing else. */
export type InsightContext = Pick<
  AppContext,
  | 'now'
  | 'loadTranslate'
  | 'describer'
  | 'connect'
  | 'feeLevels'
  | 'findFork'
  | 'foretell'
  | 'preparePrice'
  | 'knownAddresses'
  | 'findRival'
> & { knownOperations: Pick<AppContext['knownOperations'], 'list'> };

/** A request to sign on its way, for an account that offers its method and serves its chain. Its key
 * signs nothing but what is approved. */
export type RequestContext = Omit<AppContext, 'withPrivateKey'> & {
  account: AccountRecord;
  /** Who asks: a website's origin, or `metamask`. */
  origin: string;
  /** The chain that was named outright, if one was. */
  scope: ChainId | undefined;
  options: OperationOptions;
  /** Whether the caller may be given addresses with our keys in them: MetaMask alone. */
  mayHoldSecrets: boolean;
  /** Whether requireConsent shows a dialog of ours; MetaMask has its own. */
  confirmsItself: boolean;
  /** Obtains the user's consent, where the route asks for it. */
  requireConsent: <Content>(
    asking: Confirmation<Content>,
  ) => Promise<Approval<Content>>;
  sign: Sign;
  /** Finds what was sent by its hash, as far as the one who asks may know of it. */
  findSent: Ledger['find'];
};

/** A signing method: what its params say, and what it does. */
export type Method<Params = unknown> = {
  /** Reads the params; nothing else sees them before. */
  parse: (params: unknown) => Params;
  /** Finds the addresses that the params can be for, the likeliest first: on the dapp route
   * they choose the account. None if the params name none. */
  findAddresses: (
    params: Params,
    context: Pick<RequestContext, 'findSent'>,
  ) => readonly Hex[] | Promise<readonly Hex[]>;
  /** Counts the calls, or contracts, that servers may be asked about one by one; 0 by
   * default. */
  countCalls?: (params: Params) => number;
  /** Does it. The result must be JSON. */
  run: (params: Params, context: RequestContext) => Promise<Json>;
};

/** Defines a signing method, whatever its params are. */
export function defineMethod<Params>(method: Method<Params>): Method {
  return method as Method;
}
