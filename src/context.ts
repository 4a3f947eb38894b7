// What code works with: the app's context is made once a worker, by app.ts; a request's, once a
// request to sign, by pipeline.ts.
import type { Json } from '@metamask/utils';

import type { Agreement } from './accounts/agreement';
import type { Indices } from './accounts/create';
import type { KeyringEvents } from './accounts/events';
import type { Keyring } from './accounts/keyring';
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
import type { Approval } from './core/approval';
import type { Core } from './core/core';
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
import type { Confirmation, Consent } from './sites/consent';
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

/** What the core alone has of the platform: keys, the stored document that has them, and dialogs. */
export type CoreEdge =
  'getEntropy' | 'createStateBackend' | 'showDialog' | 'answerDialog';

/** Everything that a worker has: the outer edges, and the services built over them. */
export type AppContext = Omit<Edges, CoreEdge> &
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

    core: Core;
    repository: AccountRepository;
    events: KeyringEvents;
    agreement: Agreement;
    indices: Indices;
    keyring: Keyring;
    requests: Requests;
    permissions: Permissions;
    progress: ProgressTracker;
    /** Lists addresses that others are made to resemble: the user's own, recent recipients,
     * well-known contracts. Never fails. */
    knownAddresses: () => Promise<KnownAddresses>;

    grants: Grants;
    rateLimit: RateLimit;
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
 * chain. */
export type Asked = {
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
  /** Holds a lent value, such as a nonce, until the request was sent or failed. */
  hold: Hold;
  /** Finds a sent transaction by its hash, among those that the caller may know. */
  findSent: Ledger['find'];
};

const ASKED = [
  'account',
  'origin',
  'scope',
  'options',
  'mayHoldSecrets',
  'confirmsItself',
  'hold',
  'findSent',
] as const;

const PREPARING = [
  ...ASKED,
  'now',
  'store',
  'loadTranslate',
  'describer',
  'ledger',
  'nonces',
  'operationNonces',
  'callBatches',
  'chains',
  'servedChains',
  'connect',
  'feeLevels',
  'prepareFeeLevels',
  'findFork',
  'feeLevel',
  'findRival',
  'preparePrice',
  'simulate',
  'knownAddresses',
  'knownOperations',
  'signedOperations',
  'keyring',
  'grants',
] as const;

const ANSWERING = [...PREPARING, 'broadcastOperation'] as const;

const APPROVED = [
  ...ASKED,
  'now',
  'core',
  'store',
  'untilSent',
  'chains',
  'tracker',
  'keyring',
  'grants',
  'ledger',
  'nonces',
  'operationNonces',
  'callBatches',
  'connect',
  'broadcast',
  'broadcastOperation',
  'signedOperations',
] as const;

const FOLLOWING = ['tracker'] as const;

/** All that a request has: the pipeline alone. */
export type RequestContext = AppContext & Asked;

/** What a request is prepared and reviewed with: nothing of it signs, sends, or asks the user. */
export type PreparingContext = Pick<RequestContext, (typeof PREPARING)[number]>;

/** What a request is answered with that has nothing to approve: an operation of its site can be sent
 * that is signed already. */
export type AnsweringContext = Pick<RequestContext, (typeof ANSWERING)[number]>;

/** What an approved request is signed and sent with. */
export type ApprovedContext = Pick<RequestContext, (typeof APPROVED)[number]>;

/** What waits for an inclusion. */
export type FollowingContext = Pick<RequestContext, (typeof FOLLOWING)[number]>;

/** Borrows from a lender that lends for the time of a callback. */
export type Hold = <Lent>(
  lend: (use: (lent: Lent) => Promise<void>) => Promise<void>,
) => Promise<Lent>;

/** The steps of signing, in the order in which they run. */
export type SigningSteps<Params, Prepared> = {
  /** Checks the params against the account and its chain, and fills missing fields. */
  prepare: (params: Params, context: PreparingContext) => Promise<Prepared>;
  /** Finds what the user should know, and draws the tasks. */
  review: (
    prepared: Prepared,
    context: PreparingContext,
  ) => Confirmation | Promise<Confirmation>;
  /** Has the core sign what was approved, and sends it if the method does; this is the answer. */
  sign: (
    approval: Approval,
    prepared: Prepared,
    context: ApprovedContext,
  ) => Promise<Json>;
  /** Waits for the inclusion, if the answer depends on it; nothing is held any more. */
  follow?: (sent: Json, prepared: Prepared, context: FollowingContext) => Promise<Json>;
};

/** How a method is answered: one that signs nothing at once. */
export type Steps<Params, Prepared = unknown> =
  | { answer: (params: Params, context: AnsweringContext) => Promise<Json> }
  | SigningSteps<Params, Prepared>;

/** Has a dialog approved, or what MetaMask has decided. */
export type Approve = (confirmation: Confirmation) => Promise<Approval>;

/** Steps that begin with what they were chosen for. `release` gives back what they hold. */
export type Running = (
  context: RequestContext,
  approve: Approve,
  release: () => Promise<void>,
) => Promise<Json>;

function pick<Whole, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<
    Whole,
    Name
  >;
}

/** Runs steps from params on. */
export function choose<Params, Prepared>(
  steps: Steps<Params, Prepared>,
  params: Params,
): Running {
  return async (context, approve, release) => {
    if ('answer' in steps) return steps.answer(params, pick(context, ANSWERING));
    let prepared: Prepared;
    let answer: Json;
    try {
      const preparing = pick(context, PREPARING);
      prepared = await steps.prepare(params, preparing);
      const approval = await approve(await steps.review(prepared, preparing));
      answer = await steps.sign(approval, prepared, pick(context, APPROVED));
    } finally {
      await release();
    }
    const following = pick(context, FOLLOWING);
    return steps.follow ? steps.follow(answer, prepared, following) : answer;
  };
}

/** Chooses the steps by the kind of the account, or by what the chain says. */
type ChooseStep<Params> = {
  choose: (params: Params, context: PreparingContext) => Promise<Running>;
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

/** Params that were read. */
export type Read = {
  listAccounts: (context: { findSent: Ledger['find'] }) => Promise<readonly Hex[]>;
  calls: number;
  run: Running;
};

/** A method of accounts: reads its params, or throws. */
export type Method = { read: (params: unknown) => Read };

/** Defines a method by what its params say, and its steps. */
export function defineMethod<Params, Prepared>(
  method: Reading<Params> & (Steps<Params, Prepared> | ChooseStep<Params>),
): Method {
  return {
    read: (given) => {
      const params = method.parse(given);
      return {
        listAccounts: async (context) => method.accounts(params, context),
        calls: method.countCalls?.(params) ?? 0,
        run: async (context, ...others) => {
          const run =
            'choose' in method
              ? await method.choose(params, pick(context, PREPARING))
              : choose(method, params);
          return run(context, ...others);
        },
      };
    },
  };
}
