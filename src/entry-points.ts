// The snap's entry points, each behind the boundary, and the handlers of the methods in
// `routes.ts`. Signing methods are in `pipeline.ts`. A route without a handler does not compile.
import {
  ApproveRequestRequestStruct,
  CreateAccountRequestStruct,
  CreateAccountsRequestStruct,
  DeleteAccountRequestStruct,
  ExportAccountRequestStruct,
  FilterAccountChainsStruct,
  GetAccountBalancesRequestStruct,
  GetAccountRequestStruct,
  GetRequestRequestStruct,
  ListAccountAssetsRequestStruct,
  ListAccountsRequestStruct,
  ListAccountTransactionsRequestStruct,
  ListRequestsRequestStruct,
  RejectRequestRequestStruct,
  ResolveAccountAddressRequestStruct,
  SetSelectedAccountsRequestStruct,
  UpdateAccountRequestStruct,
} from '@metamask/keyring-api';
import { UserInputEventType } from '@metamask/snaps-sdk';
import type {
  OnActiveHandler,
  OnCronjobHandler,
  OnHomePageHandler,
  OnInstallHandler,
  OnKeyringRequestHandler,
  OnRpcRequestHandler,
  OnSignatureHandler,
  OnStartHandler,
  OnTransactionHandler,
  OnUpdateHandler,
  OnUserInputHandler,
  OnWebSocketEventHandler,
  UserInputEvent,
  WebSocketEvent,
} from '@metamask/snaps-sdk';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { toCreateOptions } from './accounts/create';
import { listAssets } from './accounts/keyring';
import { SubmissionStruct } from './accounts/requests';
import type { KeyringRequest } from './accounts/requests';
import { lookUp, sendRawTransaction } from './activity/look-ups';
import { POLL } from './activity/tracker';
import type { App } from './app';
import { getCapabilities } from './calls/capabilities';
import { getPermissions as getAssetPermissions } from './calls/revoke';
import { getCallsStatus, showCallsStatus } from './calls/status';
import { fetchBalances } from './chains/addresses';
import type { AppContext } from './context';
import type { UserDecision } from './core/core';
import {
  InvalidParamsError,
  UnauthorizedError,
  UnavailableError,
  UnsupportedMethodError,
} from './core/errors';
import { withPlainChecksums } from './eth/checksum';
import { greet } from './home/greeting';
import { HOME, HOME_PREFIX } from './home/tab';
import { handleSignature } from './insights/signature';
import { handleTransaction } from './insights/transaction';
import { confirmExport, managementHandlers } from './management';
import { connect } from './message/connect';
import { approveRequest, resolveAddress, submitDapp, submitMetaMask } from './pipeline';
import { atBoundary } from './platform/boundary';
import type { SiteRequest } from './request';
import { describeUnknown, entryOf, findRoute } from './routes';
import type { Caller, EntryRoute, MethodName, Route } from './routes';
import { parse } from './schema/parse';
import type { StructOf } from './schema/parse';
import { oneOf, paramObject } from './schema/structs';
import {
  askAboutAccounts,
  disconnect,
  getPermissions,
  listGrantedAddresses,
  requestAccounts,
  requestPermissions,
  revokePermissions,
} from './sites/accounts';
import { findPress, findTick, REFUSE } from './ui/confirmation';

export type EntryPoints = {
  onRpcRequest: OnRpcRequestHandler;
  onKeyringRequest: OnKeyringRequestHandler;
  onSignature: OnSignatureHandler;
  onTransaction: OnTransactionHandler;
  onHomePage: OnHomePageHandler;
  onUserInput: OnUserInputHandler;
  onWebSocketEvent: OnWebSocketEventHandler;
  onStart: OnStartHandler;
  onInstall: OnInstallHandler;
  onActive: OnActiveHandler;
  onUpdate: OnUpdateHandler;
  onCronjob: OnCronjobHandler;
};

/** Creates the entry points. `getApp` runs inside the boundary, so a failure to build the app also
 * becomes a SnapError. */
export function createEntryPoints(getApp: () => App): EntryPoints {
  const enter = <Arguments, Result>(
    event: keyof EntryPoints,
    handle: (args: Arguments, app: App) => Promise<Result>,
  ): ((args: Arguments) => Promise<Result>) => atBoundary(event, getApp, handle);
  const answer = <Arguments, Result>(
    event: keyof EntryPoints,
    handle: (args: Arguments, context: AppContext) => Promise<Result>,
  ): ((args: Arguments) => Promise<Result>) =>
    enter(event, async (args: Arguments, { context }) => handle(args, context));
  const openHomePage = enter('onHomePage', async (_args, { home }) => home.open());
  return {
    onRpcRequest: answer('onRpcRequest', handleRpcRequest),
    onKeyringRequest: enter('onKeyringRequest', handleKeyringRequest),
    onSignature: answer('onSignature', handleSignature),
    onTransaction: answer('onTransaction', handleTransaction),
    // The platform passes no arguments.
    onHomePage: async () => openHomePage({}),
    onUserInput: enter('onUserInput', handleUserInput),
    onWebSocketEvent: answer(
      'onWebSocketEvent',
      async ({ event }: { event: WebSocketEvent }, { sockets }) =>
        sockets.handle(event),
    ),
    onStart: enter('onStart', handleStart),
    onInstall: answer('onInstall', async (_args, context) =>
      welcome('installation', context),
    ),
    onActive: answer('onActive', async (_args, { tracker }) => tracker.arm()),
    onUpdate: answer('onUpdate', async (_args, context) => welcome('update', context)),
    onCronjob: enter('onCronjob', handleCronjob),
  };
}

// Buttons have names instead of closures, so they still work after the snap has stopped. A press in
// a closed dialog throws NotFoundError.
async function handleUserInput(
  { id, event }: { id: string; event: UserInputEvent },
  { entry, home }: App,
): Promise<void> {
  const { name = '' } = event;
  if (name.startsWith(HOME_PREFIX)) return home.input(id, event, entry.admit('export'));
  if (event.type === UserInputEventType.InputChangeEvent) {
    const ticked = findTick(name, event.value);
    return ticked
      ? entry.press(id, ticked)
      : entry.input(id, { name, value: event.value });
  }
  if (event.type !== UserInputEventType.ButtonClickEvent) return undefined;
  if (name === REFUSE) return entry.refuse(id);
  const press = findPress(name);
  return press && entry.press(id, press);
}

// Ignores unknown events, such as those of an earlier version.
async function handleCronjob(
  { request }: { request: { method: string; params?: unknown } },
  { context, home }: App,
): Promise<void> {
  if (request.method === POLL) await context.tracker.poll();
  else if (request.method === HOME) await home.refresh(request.params);
}

// Handles a restart of MetaMask, whose dialogs and waiting requests are gone. MetaMask also drops
// background events that were due while it was closed; an installation or update drops all of them.
// A restart of the snap's worker alone changes nothing.
async function handleStart(_args: unknown, { context }: App): Promise<void> {
  const { session, requests, tracker, isLocked } = context;
  await session.begin();
  // If this fails, the next transaction sets the alarm.
  await tracker.arm().catch(() => undefined);
  // The user should not have to unlock MetaMask for this. Stale requests are not shown, and a later
  // start removes them.
  if (!(await isLocked())) await requests.purge();
}

async function welcome(
  occasion: 'installation' | 'update',
  context: AppContext,
): Promise<void> {
  await context.tracker.arm().catch(() => undefined);
  await greet(occasion, context);
}

/** The result must be JSON. */
type Handler = (request: SiteRequest, context: AppContext) => Promise<unknown>;

const siteHandlers: Readonly<Record<MethodName<'site' | 'management'>, Handler>> = {
  eth_requestAccounts: requestAccounts,
  wallet_connect: connect,
  eth_accounts: listGrantedAddresses,
  wallet_getPermissions: getPermissions,
  wallet_requestPermissions: requestPermissions,
  wallet_revokePermissions: revokePermissions,
  wallet_disconnect: disconnect,
  wallet_getCapabilities: getCapabilities,
  tollkeeper_getPermissions: getAssetPermissions,
  wallet_getCallsStatus: getCallsStatus,
  wallet_showCallsStatus: showCallsStatus,
  eth_sendRawTransaction: sendRawTransaction,
  'rpc.discover': async (_request, context) => discover(context),
  ...managementHandlers,
};

type KeyringHandler = (
  request: { method: string; params?: unknown },
  asker: Asker,
  context: AppContext,
) => Promise<unknown>;

type Asker = { origin: string; decided: UserDecision };

const HEX_KEY = { type: 'private-key', encoding: 'hexadecimal' } as const;

const createAccounts = checked(
  CreateAccountsRequestStruct,
  async ({ params }, { keyring, consent }, { origin }) => {
    const options = toCreateOptions(params.options);
    return [await keyring.giveAccount(options, askAboutAccounts(origin, consent))];
  },
);

const exportAccount = checked(
  ExportAccountRequestStruct,
  async ({ params: { id } }, context, { origin }) => {
    const { keyring } = context;
    const confirm = confirmExport(origin, context);
    return { ...HEX_KEY, ...(await keyring.exportAccount(id, confirm)) };
  },
);

const HexKeyStruct = paramObject({
  type: oneOf([HEX_KEY.type]),
  encoding: oneOf([HEX_KEY.encoding]),
});

// Both versions of the Keyring API. Requests of version 2 are converted to the structs of version
// 1. Methods with the same name in both return an answer that both accept.
const keyringHandlers: Readonly<Record<MethodName<'keyring'>, KeyringHandler>> = {
  keyring_listAccounts: checked(ListAccountsRequestStruct, listAccounts),
  keyring_getAccounts: checked(ListAccountsRequestStruct, listAccounts),
  keyring_getAccount: checked(
    GetAccountRequestStruct,
    async ({ params }, { keyring }) => keyring.getAccount(params.id),
  ),
  keyring_createAccount: checked(
    CreateAccountRequestStruct,
    async ({ params }, { keyring, consent }, { origin }) =>
      keyring.createAccount(params.options, askAboutAccounts(origin, consent)),
  ),
  keyring_createAccounts: async (request, ...rest) => {
    const { params } = request;
    // Version 2 has unwrapped options.
    const isFlat = isObject(params) && 'type' in params;
    const wrapped = isFlat ? { ...request, params: { options: params } } : request;
    return createAccounts(wrapped, ...rest);
  },
  keyring_updateAccount: checked(
    UpdateAccountRequestStruct,
    async ({ params }, { keyring }) => keyring.updateAccount(params.account),
  ),
  keyring_deleteAccount: checked(
    DeleteAccountRequestStruct,
    async ({ params: { id } }, { keyring }, { origin }) =>
      origin === 'metamask' ? keyring.dropAccount(id) : keyring.deleteAccount(id),
  ),
  keyring_exportAccount: async (request, ...rest) => {
    if (!isObject(request.params) || !('options' in request.params)) {
      return exportAccount(request, ...rest);
    }
    const { options, ...params } = request.params;
    parse(options, HexKeyStruct, 'keyring_exportAccount: params.options');
    return exportAccount({ ...request, params }, ...rest);
  },
  keyring_filterAccountChains: checked(
    FilterAccountChainsStruct,
    async ({ params }, { keyring }) =>
      keyring.filterAccountChains(params.id, params.chains),
  ),
  keyring_listAccountAssets: checked(ListAccountAssetsRequestStruct, listAccountAssets),
  keyring_getAccountAssets: checked(ListAccountAssetsRequestStruct, listAccountAssets),
  keyring_getAccountBalances: checked(
    GetAccountBalancesRequestStruct,
    async ({ params }, { keyring, chains }) => {
      const { address } = await keyring.getRecord(params.id);
      return fetchBalances(chains, address, params.assets);
    },
  ),
  keyring_listAccountTransactions: checked(
    ListAccountTransactionsRequestStruct,
    listAccountTransactions,
  ),
  keyring_getAccountTransactions: checked(
    ListAccountTransactionsRequestStruct,
    listAccountTransactions,
  ),
  keyring_resolveAccountAddress: checked(
    ResolveAccountAddressRequestStruct,
    async ({ params }, context) => resolveAddress(params, context),
  ),
  // Tollkeeper does not depend on MetaMask's selected accounts.
  keyring_setSelectedAccounts: checked(SetSelectedAccountsRequestStruct, async () =>
    Promise.resolve(null),
  ),
  keyring_listRequests: checked(ListRequestsRequestStruct, async (_, { requests }) =>
    (await requests.list()).map(toVersion1),
  ),
  keyring_getRequest: checked(
    GetRequestRequestStruct,
    async ({ params }, { requests }) => toVersion1(await requests.get(params.id)),
  ),
  keyring_submitRequest: checked(
    SubmissionStruct,
    async ({ params }, context, { origin: caller, decided }) =>
      submitMetaMask(params, { caller, decided }, context),
  ),
  keyring_approveRequest: checked(
    ApproveRequestRequestStruct,
    async ({ params }, context, { origin: caller, decided }) =>
      approveRequest(params.id, { caller, confirm: 'setting', decided }, context),
  ),
  keyring_rejectRequest: checked(
    RejectRequestRequestStruct,
    async ({ params }, { requests }) => requests.reject(params.id),
  ),
};

async function listAccounts(
  _request: unknown,
  { keyring }: AppContext,
  { origin }: Asker,
): Promise<unknown> {
  const accounts = await keyring.listAccounts();
  // MetaMask rejects the whole list if it does not know one account's type.
  return origin === 'metamask'
    ? accounts.filter(({ options }) => options.unlisted !== true)
    : accounts;
}

// keyring-api before 24.1 refuses requests with metadata.
function toVersion1(waiting: KeyringRequest): unknown {
  const { id, account, origin, scope, request } = waiting;
  return { id, account, origin, scope, request };
}

async function listAccountAssets(
  { params }: { params: { id: string } },
  { keyring, chains }: AppContext,
): Promise<unknown> {
  return listAssets(await keyring.getRecord(params.id), chains);
}

// Lists nothing, because MetaMask itself follows the transactions of EVM accounts.
async function listAccountTransactions(
  { params }: { params: { id: string } },
  { keyring }: AppContext,
): Promise<unknown> {
  await keyring.getRecord(params.id);
  return { data: [], next: null };
}

function checked<Request extends { method: string }>(
  struct: StructOf<Request>,
  answer: (request: Request, context: AppContext, asker: Asker) => Promise<unknown>,
): KeyringHandler {
  return async (request, asker, context) => {
    const { method } = request;
    // Version 1 names its list methods differently.
    const name = method.replace(
      /_get(?=Accounts|AccountAssets|AccountTransactions)/u,
      '_list',
    );
    return answer(parse({ ...request, method: name }, struct, method), context, asker);
  };
}

/** Dapps and the companion page call it with `wallet_invokeSnap`. */
async function handleRpcRequest(
  { origin, request }: Entry,
  context: AppContext,
): Promise<Json> {
  const { method } = request;
  const route = requirePermitted('rpc', method, classifyOrigin(origin, context));
  const { kind, cost, unlocks } = route;
  if (cost) context.rateLimit(origin, cost);
  // Refuses a site in its cool-down before its params are parsed, so that large ones do not hold up
  // other sites.
  if (await opensDialog(origin, { ...route, params: request.params }, context)) {
    await context.consent.assertReady(origin);
  }
  assertSize(method, request.params);
  if (unlocks === 'if granted' && !(await mayHaveGrant(origin, context))) return [];
  if (unlocks !== 'never') await context.keyring.settle();
  if (kind === 'refused') throw new UnsupportedMethodError(describeUnknown(method));
  const { params } = await withPlainChecksums(request, context.chains.own);
  const call = { origin, method, params: (params ?? []) as Json };
  if (kind === 'signing') return submitDapp(call, route, context);
  if (kind === 'look-up') return lookUp(call, context);
  const handler = siteHandlers[method as keyof typeof siteHandlers];
  return (await handler(call, context)) as Json;
}

async function opensDialog(
  origin: string,
  { asks, dapp, params }: Route & { params: unknown },
  { grants }: AppContext,
): Promise<boolean> {
  if (asks !== 'unless granted') return (asks ?? dapp) === 'always';
  return (await grants.list(origin)).length === 0 || wantsSignIn(params);
}

// Runs before the size limit, so it reads only one field, with or without an envelope.
function wantsSignIn(params: unknown): boolean {
  const { params: list = params } = isObject(params) ? params : {};
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  const { capabilities } = isObject(first) ? first : {};
  return isObject(capabilities) && 'signInWithEthereum' in capabilities;
}

// Pages ask for their grants often and unprompted. A page without grants must not cause a read of
// the encrypted document, or a prompt to unlock MetaMask.
async function mayHaveGrant(
  origin: string,
  { grants, store, isLocked }: AppContext,
): Promise<boolean> {
  if (!(await grants.mayHave(origin))) return false;
  return store.isRead || !(await isLocked());
}

/** MetaMask and the companion page manage accounts; only MetaMask can submit requests to sign this
 * way. This replaces keyring-snap-sdk's dispatcher, whose errors are all plain `Error`s, which
 * crash the snap. */
async function handleKeyringRequest(
  { origin, request }: Entry,
  { context, entry }: App,
): Promise<Json> {
  const { method } = request;
  const { kind } = requirePermitted('keyring', method, classifyOrigin(origin, context));
  assertSize(method, request.params);
  const isLocked = origin === 'metamask' && LOCKING.includes(method);
  if (!isLocked) await context.keyring.settle();
  if (kind === 'refused') throw new UnsupportedMethodError(describeUnknown(method));
  const handler = keyringHandlers[method as MethodName<'keyring'>];
  const read = await withPlainChecksums(request, context.chains.own);
  const asker = { origin, decided: entry.admit('signing') };
  return ((await handler(read, asker, context)) ?? null) as Json;
}

/** Methods that MetaMask calls while it holds its lock. Events that the snap sends in the meantime
 * would wait for that lock. */
const LOCKING: readonly string[] = ['keyring_createAccounts', 'keyring_deleteAccount'];

type Entry = { origin: string; request: { method: string; params?: unknown } };

function classifyOrigin(origin: string, { companionOrigin }: AppContext): Caller {
  if (origin === 'metamask') return 'metamask';
  // Undefined if the snap was built without a companion page.
  if (origin === companionOrigin) return 'companion';
  // No caller may have the home page's name.
  return /^(?:npm:|local:|Tollkeeper$)/u.test(origin) ? 'snap' : 'dapp';
}

// Returns the route of a method that an origin may call. Only the platform's origin counts, never
// one in the params.
function requirePermitted(entry: EntryRoute, method: string, caller: Caller): Route {
  const route = entryOf(method) === entry ? findRoute(method) : undefined;
  if (!route) {
    // The name comes from the caller and can be anything.
    const shown = JSON.stringify(method.slice(0, 64));
    throw new UnsupportedMethodError(`The method ${shown} is unknown.`);
  }
  if (route.by.includes(caller)) return route;
  throw new UnauthorizedError(`${method} is not open to this origin.`);
}

/** Maximum number of characters in params, including keys and punctuation. A message or calldata of
 * a million bytes fits, or typed data of four million characters. The platform allows 64 MB. */
export const MAX_REQUEST = 5_000_000;

// Runs before the params are parsed, and stops counting at the limit.
function assertSize(method: string, params: unknown): void {
  let left = MAX_REQUEST;
  // A loop instead of recursion, because JSON can be deeper than the stack.
  const waiting: unknown[] = [params];
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop() as Json;
    left -= measure(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) waiting.push(part);
  }
  if (left >= 0) return;
  throw new InvalidParamsError(
    `${method}: params are too large: at most ${MAX_REQUEST} characters are accepted.`,
  );
}

// Counts a value's characters, and one for the separator. Numbers, booleans and null count as one
// character.
function measure(value: Json): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 2;
  if (Array.isArray(value)) return 3;
  return Object.keys(value).reduce((sum, key) => sum + key.length + 3, 3);
}

const OPENRPC = 'openrpc.json';

const documents = new WeakMap<AppContext, Json>();

// Answers `rpc.discover` (OpenRPC) with a file next to the bundle, the same for every caller.
async function discover(context: AppContext): Promise<Json> {
  try {
    const known = documents.get(context);
    const document =
      known ?? (JSON.parse((await context.readFile(OPENRPC)) ?? 'null') as Json);
    if (isObject(document)) {
      documents.set(context, document);
      return document;
    }
  } catch {
    // The missing document is reported below.
  }
  throw new UnavailableError(
    `The description of the methods (${OPENRPC}) cannot be read: reinstall Tollkeeper.`,
  );
}
