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
import type { Operations } from './activity/activity';
import type { Broadcasts } from './activity/broadcast';
import type { CallBatches } from './activity/call-batches';
import type { Ledger } from './activity/ledger';
import type { Nonces, OperationNonces } from './activity/nonces';
import type { Tracker } from './activity/tracker';
import type { Chain, Chains } from './chains/chain';
import type { ExamineServer, ProbeChain } from './chains/probe';
import type { Config } from './config';
import type { ChainId } from './eth/chain';
import type { Hex } from './eth/hex';
import type { FindFork } from './fees/gas-limit';
import type { FeeLevels } from './fees/level';
import type { PreparePrice } from './fees/prices';
import type { Permissions } from './permissions/permissions';
import type { Epochs, Log } from './platform/boundary';
import type { Edges } from './platform/edges';
import type { Sockets } from './platform/sockets';
import type { OperationOptions } from './request';
import type { Describer } from './review/describe/describe';
import type { CallEffect } from './review/effects';
import type { Simulate } from './review/simulate';
import type { Approval } from './sites/approval';
import type { Consent } from './sites/consent';
import type { Confirmation, LiveDialogs } from './sites/dialogs';
import type { Grants } from './sites/grants';
import type { RateLimit } from './sites/rate-limit';
import type { AccountRecord } from './state/account-record';
import type { PrivateStore } from './state/private-state';
import type { ClientSession, PublicStore } from './state/public-state';
import type { SentTransaction } from './state/sent-transaction';
import type { LevelName, Translate } from './ui/i18n';

/** Addresses that the user knows, and what was approved before. */
export type KnownAddresses = {
  own: Hex[];
  /** Recipients of the user's transactions, as far as the activity goes back. */
  recipients: Hex[];
  all: Hex[];
  /** What was sent and can still be executed, newest first. */
  open: readonly OpenCalls[];
};

export type OpenCalls = { sent: SentTransaction; calls: readonly CallEffect[] };

/** Everything that a worker has: the outer edges, and the services built over them. */
export type AppContext = Edges &
  Config &
  Broadcasts &
  Operations & {
    epochs: Epochs;
    log: Log;
    store: PrivateStore;
    publicStore: PublicStore;
    session: ClientSession;
    loadTranslate: () => Promise<Translate>;
    describer: Describer;

    ledger: Ledger;
    tracker: Tracker;
    nonces: Nonces;
    operationNonces: OperationNonces;
    callBatches: CallBatches;

    sockets: Sockets;
    chains: Chains;
    probe: ProbeChain;
    examine: ExamineServer;
    connect: Chains['connect'];
    /** Lists the chains that there is a node for; undefined if that is not known now. */
    servedChains: () => Promise<ChainId[] | undefined>;

    feeLevels: (chain: Chain) => Promise<FeeLevels>;
    /** As `feeLevels`, for callers that ask the chain's node something else in the same tick:
     * the returned function asks in the tick in which it is called. */
    prepareFeeLevels: (chain: Chain) => Promise<() => Promise<FeeLevels>>;
    findFork: FindFork;
    feeLevel: () => Promise<LevelName>;
    /** Finds the pending transaction that one with the same nonce takes the place of, whichever
     * site sent it. It is for the user, and not for sites. */
    findRival: Ledger['findRival'];

    preparePrice: PreparePrice;
    simulate: Simulate;

    repository: AccountRepository;
    events: KeyringEvents;
    agreement: Agreement;
    indices: Indices;
    keyring: Keyring;
    requests: Requests;
    permissions: Permissions;
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
  | 'simulate'
  | 'preparePrice'
  | 'knownAddresses'
  | 'findRival'
> & {
  knownOperations: Pick<AppContext['knownOperations'], 'list'>;
  /** Lists the Safes that the user has named, if this can be done. Never fails. */
  ownSafes?: () => Promise<readonly { name: string; address: Hex }[]>;
};

/** A request that is being answered, for an account that offers its method and serves its
 * chain. Its key signs only with an approval. */
export type RequestContext = Omit<AppContext, 'withPrivateKey'> & {
  account: AccountRecord;
  /** The website's origin, or `metamask`. */
  origin: string;
  /** The chain that the request names outside of its params, if any. */
  scope: ChainId | undefined;
  options: OperationOptions;
  /** Whether the caller may get URLs with our keys in them: MetaMask alone. */
  mayHoldSecrets: boolean;
  /** Whether our dialog asks for consent; MetaMask has its own. */
  confirmsItself: boolean;
  sign: Sign;
  /** The same, by another account of the user that the approved content names. */
  signAs: (account: AccountRecord) => Sign;
  /** Holds a lent value, such as a nonce, until the request was sent or failed. */
  hold: Hold;
  /** Finds a sent transaction by its hash, among those that the caller may know. */
  findSent: Ledger['find'];
};

/** Borrows from a lender that lends for the time of a callback. */
export type Hold = <Lent>(
  lend: (use: (lent: Lent) => Promise<void>) => Promise<void>,
) => Promise<Lent>;

/** The steps of signing, in the order in which the pipeline runs them. */
export type SigningSteps<Params, Prepared, Content, Signed> = {
  /** Checks the params against the account and its chain, and fills missing fields. */
  prepare: (params: Params, context: RequestContext) => Promise<Prepared>;
  /** Finds what the user should know, and draws it. */
  review: (
    prepared: Prepared,
    context: RequestContext,
  ) => Confirmation<Content> | Promise<Confirmation<Content>>;
  /** Signs the approved content; without a `send`, this is the answer. */
  sign: (
    approval: Approval<Content>,
    prepared: Prepared,
    context: RequestContext,
  ) => Promise<Signed>;
  /** Sends the signed content; this is the answer. */
  send?: (signed: Signed, prepared: Prepared, context: RequestContext) => Promise<Json>;
  /** Waits for the inclusion, if the answer depends on it. */
  follow?: (sent: Json, prepared: Prepared, context: RequestContext) => Promise<Json>;
};

/** How a method is answered: one that signs nothing at once. */
export type Steps<Params, Prepared = unknown, Content = unknown, Signed = unknown> =
  | { answer: (params: Params, context: RequestContext) => Promise<Json> }
  | SigningSteps<Params, Prepared, Content, Signed>;

/** Steps, and what they start from. */
export type Chosen = { steps: Steps<unknown>; params: unknown };

/** Chooses the steps by the kind of the account, or by what the chain says. */
type ChooseStep<Params> = {
  choose: (params: Params, context: RequestContext) => Promise<Chosen>;
};

/** What the params of a method say. */
type Reading<Params> = {
  /** Reads the params, before anything else sees them. */
  parse: (params: unknown) => Params;
  /** Finds the addresses that the params can be for, the likeliest first: on the dapp route
   * they choose the account. None if the params name none. */
  accounts: (
    params: Params,
    context: { findSent: Ledger['find'] },
  ) => readonly Hex[] | Promise<readonly Hex[]>;
  /** Counts the calls, or contracts, that servers may be asked about one by one; 0 by
   * default. */
  countCalls?: (params: Params) => number;
};

/** A method of accounts: what its params say, and its steps. */
export type Method<
  Params = unknown,
  Prepared = unknown,
  Content = unknown,
  Signed = unknown,
> = Reading<Params> & (Steps<Params, Prepared, Content, Signed> | ChooseStep<Params>);

export function defineMethod<Params, Prepared, Content, Signed>(
  method: Method<Params, Prepared, Content, Signed>,
): Method {
  return method as unknown as Method;
}

/** Chooses steps, and what they start from. */
export function choose<Params, Prepared, Content, Signed>(
  steps: Steps<Params, Prepared, Content, Signed>,
  params: Params,
): Chosen {
  return { steps: steps as unknown as Steps<unknown>, params };
}
