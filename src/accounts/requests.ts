// MetaMask's signing requests that wait for approval on the home page or the companion page. They
// are stored, so they survive the worker; MetaMask itself forgets them when the client restarts.
import {
  KeyringRequestStruct,
  SubmitRequestRequestStruct,
} from '@metamask/keyring-api';
import type { KeyringResponse } from '@metamask/keyring-api';
import { exactOptional, nullable, object, string } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { InvalidParamsError, LimitExceededError, NotFoundError } from '../core/errors';
import { MAX_METADATA } from '../state/private-state';
import type {
  PendingRequest,
  PrivateState,
  PrivateStore,
} from '../state/private-state';
import type { Translate } from '../ui/i18n';
import { findAny } from './agreement';
import { UnsupportedAccountError } from './events';
import type { KeyringEvents } from './events';
import type { AccountRepository } from './repository';

const OriginMetadataStruct = object({
  transport: string(),
  selfReportedOrigin: string(),
});

// Adds `originMetadata`, because keyring-api has it only since 24.1, which requires Node 22.
const RequestStruct = object({
  ...KeyringRequestStruct.schema,
  originMetadata: exactOptional(nullable(OriginMetadataStruct)),
});

export const SubmissionStruct = object({
  ...SubmitRequestRequestStruct.schema,
  params: RequestStruct,
});

export type KeyringRequest = Infer<typeof RequestStruct>;

/** Self-description of a site whose origin MetaMask cannot verify. */
export type OriginMetadata = Infer<typeof OriginMetadataStruct>;

type RequestParts = {
  store: PrivateStore;
  repository: AccountRepository;
  events: KeyringEvents;
  currentSession: () => Promise<number>;
  companionOrigin: string | undefined;
  loadTranslate: () => Promise<Translate>;
};

export type Requests = {
  /**
   * Keeps a request until the user decides.
   *
   * @throws {InvalidParamsError} If a request with its id is already waiting, or it is too large.
   * @throws {LimitExceededError} If too many requests are waiting.
   */
  keep: (request: KeyringRequest) => Promise<KeyringResponse>;
  list: () => Promise<KeyringRequest[]>;
  /** @throws {NotFoundError} If the request is not waiting. */
  get: (id: string) => Promise<KeyringRequest>;
  /** Drops a request once MetaMask knows its result or no longer waits for it. Throws the error of
   * `notified`. */
  finish: (id: string, notified: Promise<void>) => Promise<void>;
  reject: (id: string) => Promise<void>;
  /** Rejects requests whose account was removed; never fails. If MetaMask cannot be notified now,
   * the next call tries again. */
  rejectOrphans: () => Promise<void>;
  /** Drops the requests that MetaMask has forgotten because the client restarted. */
  purge: () => Promise<void>;
};

export const MAX_WAITING = 50;

const MAX_LENGTH = 1_000_000;

export function createRequests(parts: RequestParts): Requests {
  const { store, repository, events, companionOrigin, loadTranslate } = parts;
  const { currentSession } = parts;
  // A damaged account still exists.
  const hasAccount = async ({ account }: PendingRequest): Promise<boolean> =>
    (await findAny(account, repository)) !== undefined ||
    (await repository.findProblem(account)) !== undefined;
  const split = async (): Promise<Record<'waiting' | 'orphans', PendingRequest[]>> => {
    const session = await currentSession();
    const { requests } = await store.read();
    const all = Object.values(requests).filter((each) => each.session === session);
    const isKept = await Promise.all(all.map(hasAccount));
    return {
      waiting: all.filter((_each, index) => isKept[index]),
      orphans: all.filter((_each, index) => !isKept[index]),
    };
  };
  const list = async (): Promise<KeyringRequest[]> =>
    (await split()).waiting.map(({ session: _session, ...request }) => request);
  const get: Requests['get'] = async (id) => {
    const found = (await list()).find((each) => each.id === id);
    if (found) return found;
    throw new NotFoundError(`No request with the id ${id} waits for approval.`);
  };
  const finish: Requests['finish'] = async (id, notified) => {
    const drop = async (): Promise<unknown> =>
      store.update((state) => keepRequests(state, ([other]) => other !== id));
    try {
      await notified;
    } catch (error) {
      // MetaMask no longer waits for the request, so a later answer would fail too.
      const isOver =
        error instanceof NotFoundError || error instanceof UnsupportedAccountError;
      if (isOver) await drop();
      throw error;
    }
    await drop();
  };
  return {
    list,
    get,
    finish,
    keep: async ({ id, account, origin, originMetadata, scope, request }) => {
      if (JSON.stringify(request.params ?? []).length > MAX_LENGTH) {
        throw new InvalidParamsError(
          `keyring_submitRequest: params.request.params must be at most ${MAX_LENGTH} characters of JSON to wait for approval.`,
        );
      }
      const session = await currentSession();
      const metadata = originMetadata ? { originMetadata: cut(originMetadata) } : {};
      const entry = { id, account, origin, ...metadata, scope, request, session };
      await store.update((state) => withRequest(withoutStale(state, session), entry));
      const redirect = toRedirect(id, companionOrigin, await loadTranslate());
      return { pending: true, redirect };
    },
    reject: async (id) => {
      await get(id);
      await finish(id, events.rejected(id));
    },
    rejectOrphans: async () => {
      try {
        const { orphans } = await split();
        await Promise.allSettled(
          orphans.map(async ({ id }) => finish(id, events.rejected(id))),
        );
      } catch {
        // The state cannot be read now.
      }
    },
    purge: async () => {
      const session = await currentSession();
      await store.update((state) => withoutStale(state, session));
    },
  };
}

function cut({ transport, selfReportedOrigin }: OriginMetadata): OriginMetadata {
  return {
    transport: transport.slice(0, MAX_METADATA),
    selfReportedOrigin: selfReportedOrigin.slice(0, MAX_METADATA),
  };
}

// Tells MetaMask where its user decides: on the companion page, if there is one (MetaMask checks
// its address), otherwise on the home page. The home page has no address, so the message says where
// it is.
function toRedirect(
  requestId: string,
  companionOrigin: string | undefined,
  translate: Translate,
): { message: string; url?: string } {
  const message = translate('redirect.message');
  if (companionOrigin === undefined) {
    return { message: `${message} ${translate('welcome.page.where')}` };
  }
  const url = new URL('/', companionOrigin);
  url.searchParams.set('request', requestId);
  return { message, url: url.href };
}

function withRequest(state: PrivateState, entry: PendingRequest): PrivateState {
  if (Object.hasOwn(state.requests, entry.id)) {
    throw new InvalidParamsError(
      `keyring_submitRequest: params.id must be new: ${entry.id} is already waiting.`,
    );
  }
  if (Object.keys(state.requests).length >= MAX_WAITING) {
    throw new LimitExceededError(
      `${MAX_WAITING} requests are already waiting for approval; approve or reject them first.`,
    );
  }
  return { ...state, requests: { ...state.requests, [entry.id]: entry } };
}

function withoutStale(state: PrivateState, session: number): PrivateState {
  return keepRequests(state, ([, each]) => each.session === session);
}

function keepRequests(
  state: PrivateState,
  isKept: (entry: [id: string, request: PendingRequest]) => boolean,
): PrivateState {
  const all = Object.entries(state.requests);
  const kept = all.filter(isKept);
  return kept.length === all.length
    ? state
    : { ...state, requests: Object.fromEntries(kept) };
}
