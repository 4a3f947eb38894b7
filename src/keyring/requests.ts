// MetaMask's signing requests: answered at once, or, if the user chose so, kept until they are
// approved or rejected on the home page or the companion page. They are stored, so that they
// outlive the worker; MetaMask itself forgets them when the client is started anew.
import type { KeyringRequest, KeyringResponse } from '@metamask/keyring-api';

import { InvalidParamsError, LimitExceededError, NotFoundError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { findMethod } from '../methods';
import type { MethodServices } from '../methods';
import { parse } from '../schema/parse';
import type {
  PendingRequest,
  PrivateState,
  PrivateStore,
} from '../state/private-state';
import type { KeyringEvents } from './events';
import type { Keyring } from './keyring';
import type { SigningRequest } from './sign';

/** What keeping requests needs. */
export type RequestServices = {
  store: PrivateStore;
  keyring: Pick<Keyring, 'checkRequest' | 'submitRequest'>;
  events: Pick<KeyringEvents, 'approved' | 'rejected'>;
  currentSession: () => Promise<number>;
  /** Where MetaMask sends its user to decide on a request. */
  redirect: (requestId: string) => Promise<{ message: string; url?: string }>;
};

/** MetaMask's signing requests. */
export type Requests = {
  /**
   * Answer a request, or keep it.
   *
   * @throws {InvalidParamsError} If one with its id waits already, or it is too large.
   * @throws {LimitExceededError} If too many wait.
   */
  submit: (
    request: KeyringRequest,
    services: MethodServices,
  ) => Promise<KeyringResponse>;
  /** List the requests that wait, oldest first. */
  list: () => Promise<KeyringRequest[]>;
  /** @throws {NotFoundError} If it does not wait. */
  get: (id: string) => Promise<KeyringRequest>;
  /** Sign a request and give MetaMask the result. */
  approve: (id: string, services: MethodServices) => Promise<void>;
  reject: (id: string) => Promise<void>;
  /** Drop those that nobody waits for any more: the client was started anew. */
  purge: () => Promise<void>;
};

/** Most requests that wait at a time. */
const MAX_WAITING = 50;

/** Longest params that are kept, as JSON. */
const MAX_LENGTH = 1_000_000;

/** Create the keeper of requests. */
export function createRequests(services: RequestServices): Requests {
  const { store, keyring, events, currentSession } = services;
  const getWaiting = async (id: string): Promise<PendingRequest> => {
    const found = (await listWaiting(services)).find((each) => each.id === id);
    if (found) return found;
    throw new NotFoundError(`No request with the id ${id} waits for approval.`);
  };
  return {
    submit: async (request, methodServices) => {
      const signing = toSigning(request);
      if (await isKept(request, store)) return keep(request, signing, services);
      const result = await keyring.submitRequest(signing, methodServices);
      return { pending: false, result };
    },
    list: async () => (await listWaiting(services)).map(toShown),
    get: async (id) => toShown(await getWaiting(id)),
    approve: async (id, methodServices) => {
      const signing = toSigning(await getWaiting(id));
      const result = await keyring.submitRequest(signing, {
        ...methodServices,
        requireConsent: async (asking) => {
          const approved = await methodServices.requireConsent(asking);
          // It can have been decided on elsewhere while its user was asked.
          await getWaiting(id);
          return approved;
        },
      });
      await finish(id, events.approved(id, result), store);
    },
    reject: async (id) => {
      await getWaiting(id);
      await finish(id, events.rejected(id), store);
    },
    purge: async () => {
      const session = await currentSession();
      await store.update((state) => withoutStale(state, session));
    },
  };
}

async function listWaiting({
  store,
  currentSession,
}: RequestServices): Promise<PendingRequest[]> {
  const session = await currentSession();
  const { requests } = await store.read();
  return Object.values(requests).filter((each) => each.session === session);
}

async function finish(
  id: string,
  told: Promise<void>,
  store: PrivateStore,
): Promise<void> {
  try {
    await told;
  } catch (error) {
    // What MetaMask does not wait for any more cannot be answered later either.
    if (error instanceof NotFoundError) await drop(store, id);
    throw error;
  }
  await drop(store, id);
}

async function isKept(request: KeyringRequest, store: PrivateStore): Promise<boolean> {
  // What signs nothing must be answered at once: MetaMask takes no other answer for it.
  if (findMethod(request.request.method)?.signs === false) return false;
  return (await store.read()).settings.approvalMode === 'asynchronous';
}

async function keep(
  { id, account, origin, scope, request }: KeyringRequest,
  signing: SigningRequest,
  { store, keyring, currentSession, redirect }: RequestServices,
): Promise<KeyringResponse> {
  await keyring.checkRequest(signing);
  if (JSON.stringify(signing.params).length > MAX_LENGTH) {
    throw new InvalidParamsError(
      `keyring_submitRequest: params.request.params must be at most ${MAX_LENGTH} characters of JSON to wait for approval.`,
    );
  }
  const session = await currentSession();
  const entry = { id, account, origin, scope, request, session };
  await store.update((state) => withRequest(withoutStale(state, session), entry));
  return { pending: true, redirect: await redirect(id) };
}

function withRequest(state: PrivateState, entry: PendingRequest): PrivateState {
  if (Object.hasOwn(state.requests, entry.id)) {
    throw new InvalidParamsError(
      `keyring_submitRequest: params.id must be new: ${entry.id} waits already.`,
    );
  }
  if (Object.keys(state.requests).length >= MAX_WAITING) {
    throw new LimitExceededError(
      `${MAX_WAITING} requests wait for approval already; approve or reject them first.`,
    );
  }
  return { ...state, requests: { ...state.requests, [entry.id]: entry } };
}

function withoutStale(state: PrivateState, session: number): PrivateState {
  const all = Object.entries(state.requests);
  const kept = all.filter(([, each]) => each.session === session);
  return kept.length === all.length
    ? state
    : { ...state, requests: Object.fromEntries(kept) };
}

async function drop(store: PrivateStore, id: string): Promise<void> {
  await store.update((state) => {
    const kept = Object.entries(state.requests).filter(([other]) => other !== id);
    return { ...state, requests: Object.fromEntries(kept) };
  });
}

function toShown(pending: PendingRequest): KeyringRequest {
  const { id, account, origin, scope, request } = pending;
  return { id, account, origin, scope, request };
}

function toSigning(request: KeyringRequest | PendingRequest): SigningRequest {
  const { account, origin, scope } = request;
  const { method, params = [] } = request.request;
  return { account, origin, scope: parseScope(scope), method, params };
}

// MetaMask sends an empty scope where nothing names a chain, and a typed-data domain's
// chainId as it stands there, which can be hex, or zero for no chain.
function parseScope(scope: string): ChainId | undefined {
  if (scope === '' || /^eip155:(?:0x)?0+$/u.test(scope)) return undefined;
  return parse(scope, ChainIdStruct, 'keyring_submitRequest: params.scope');
}
