// The contexts that code receives: app.ts builds the app's context once per worker, and pipeline.ts
// builds one for each signing request.
import type { Json } from '@metamask/utils';

import type { Agreement } from './accounts/agreement';
import type { ProgressTracker } from './accounts/announce';
import type { KeyringEvents } from './accounts/events';
import type { Keyring } from './accounts/keyring';
import type { AccountRepository } from './accounts/repository';
import type { Requests } from './accounts/requests';
import type { SearchMemory } from './accounts/restore';
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

export type KnownAddresses = {
  own: Hex[];
  recipients: Hex[];
  all: Hex[];
  /** Sent calls that can still be executed, newest first. */
  open: readonly OpenCalls[];
};

export type OpenCalls = { sent: SentTransaction; calls: readonly CallEffect[] };

/** Edges that the app's context does not contain: for entropy, the stored documents and dialogs. */
export type CoreEdge =
  'getEntropy' | 'createStateBackend' | 'showDialog' | 'answerDialog';

/** The outer edges, and the services built on them. */
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
    /** Lists the default network and the chains with a configured node. Undefined if they are
     * currently unknown. */
    servedChains: () => Promise<ChainId[] | undefined>;

    feeLevels: (chain: Chain) => Promise<FeeLevels>;
    /** Like `feeLevels`, for callers that send other requests to the node in the same tick: the
     * returned function sends its requests immediately. */
    prepareFeeLevels: (chain: Chain) => Promise<() => Promise<FeeLevels>>;
    findFork: FindFork;
    feeLevel: () => Promise<LevelName>;
    /** Finds the pending or lost transaction that a new one with the same nonce replaces, whichever
     * site sent it. Only the user may see it, not the site. */
    findRival: Ledger['findRival'];

    preparePrice: PreparePrice;
    simulate: Simulate;

    core: Core;
    repository: AccountRepository;
    events: KeyringEvents;
    agreement: Agreement;
    keyring: Keyring;
    requests: Requests;
    permissions: Permissions;
    progress: ProgressTracker;
    search: SearchMemory;
    /** Lists addresses that attackers may imitate: the user's own, recent recipients, and
     * well-known contracts. Never fails. */
    knownAddresses: () => Promise<KnownAddresses>;

    grants: Grants;
    rateLimit: RateLimit;
    consent: Consent;
  };

/** The insight snap, which has no accounts and stores only settings, has only these services. */
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
  /** Lists the Safes that the user named. Omitted if users cannot name Safes. Never fails. */
  ownSafes?: () => Promise<readonly { name: string; address: Hex }[]>;
};

/** A request for an account that offers its method and serves its chain. */
export type AccountRequest = {
  account: AccountRecord;
  /** The website's origin, `metamask`, or the home page's name. */
  origin: string;
  /** The chain that the request names outside its params, if any. */
  scope: ChainId | undefined;
  /** Key of a user operation's nonce. Operations with different keys do not wait for each other. */
  nonceKey?: bigint | undefined;
  /** Whether the caller may see URLs that contain API keys. Only MetaMask may. */
  mayHoldSecrets: boolean;
  /** Whether our own dialog asks for consent. */
  confirmsItself: boolean;
  /** Functions to run once the request is signed or sent, or has failed, such as the release of a
   * nonce. */
  cleanups: (() => void)[];
  /** Finds a sent transaction by its hash, among those that the caller may see. */
  findSent: Ledger['find'];
};

const ASKED = [
  'account',
  'origin',
  'scope',
  'nonceKey',
  'mayHoldSecrets',
  'confirmsItself',
  'cleanups',
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

/** The whole context of a request. Only the pipeline has it. */
export type RequestContext = AppContext & AccountRequest;

/** The context before an approval. Nothing in it signs or asks the user. */
export type PreparingContext = Pick<RequestContext, (typeof PREPARING)[number]>;

/** The context for requests without an approval, such as sending a site's signed operation. */
export type AnsweringContext = Pick<RequestContext, (typeof ANSWERING)[number]>;

export type ApprovedContext = Pick<RequestContext, (typeof APPROVED)[number]>;

/** The steps run in this order. */
export type SigningSteps<Params, Prepared> = {
  /** Checks the params against the account and its chain, and fills in missing fields. */
  prepare: (params: Params, context: PreparingContext) => Promise<Prepared>;
  /** Finds warnings and draws the tasks. */
  review: (
    prepared: Prepared,
    context: PreparingContext,
  ) => Confirmation | Promise<Confirmation>;
  /** Lets the core sign the approved tasks, sends the result if needed, and returns the answer. */
  sign: (
    approval: Approval,
    prepared: Prepared,
    context: ApprovedContext,
  ) => Promise<Json>;
  /** Runs after the cleanups, and waits for the inclusion if the answer depends on it. */
  follow?: (sent: Json, prepared: Prepared, tracker: Tracker) => Promise<Json>;
};

/** The steps of a signing method, or the answer of a method that signs nothing. */
export type Steps<Params, Prepared = unknown> =
  | { answer: (params: Params, context: AnsweringContext) => Promise<Json> }
  | SigningSteps<Params, Prepared>;

/** Gets an approval, from a dialog or from the user's decision in MetaMask. */
export type Approve = (confirmation: Confirmation) => Promise<Approval>;

export type BoundSteps = (context: RequestContext, approve: Approve) => Promise<Json>;

function pick<Whole, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<
    Whole,
    Name
  >;
}

export function bindSteps<Params, Prepared>(
  steps: Steps<Params, Prepared>,
  params: Params,
): BoundSteps {
  return async (context, approve) => {
    if ('answer' in steps) return steps.answer(params, pick(context, ANSWERING));
    let prepared: Prepared;
    let answer: Json;
    try {
      const preparing = pick(context, PREPARING);
      prepared = await steps.prepare(params, preparing);
      const approval = await approve(await steps.review(prepared, preparing));
      answer = await steps.sign(approval, prepared, pick(context, APPROVED));
    } finally {
      for (const clean of context.cleanups) clean();
    }
    return steps.follow ? steps.follow(answer, prepared, context.tracker) : answer;
  };
}

/** Chooses the steps by the account's type, or by the state of the chain. */
type ChooseStep<Params> = {
  choose: (params: Params, context: PreparingContext) => Promise<BoundSteps>;
};

type Reading<Params> = {
  /** Parses the params for all other functions of the method. */
  parse: (params: unknown) => Params;
  /** Finds the addresses of the accounts that the params may refer to, the most likely first; empty
   * if they name none. For dapps, they determine the account unless the envelope names one. */
  accounts: (
    params: Params,
    context: { findSent: Ledger['find'] },
  ) => readonly Hex[] | Promise<readonly Hex[]>;
  /** Counts the calls or contracts that may each need requests to servers. 0 by default. */
  countCalls?: (params: Params) => number;
};

export type ParsedParams = {
  listAccounts: (context: { findSent: Ledger['find'] }) => Promise<readonly Hex[]>;
  calls: number;
  run: BoundSteps;
};

export type Method = { read: (params: unknown) => ParsedParams };

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
              : bindSteps(method, params);
          return run(context, ...others);
        },
      };
    },
  };
}
