// The snap's entry points, each behind the boundary, and the code of the methods by the names of
// `routes.ts` (that of signing methods is in `pipeline.ts`): a row without code does not compile.
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
  SubmitRequestRequestStruct,
  UpdateAccountRequestStruct,
} from '@metamask/keyring-api';
import type { KeyringRequest } from '@metamask/keyring-api';
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
import { lookUp, sendRawTransaction } from './activity/look-ups';
import { POLL } from './activity/tracker';
import type { App } from './app';
import { getCapabilities } from './calls/capabilities';
import { getPermissions as getAssetPermissions } from './calls/revoke';
import { getCallsStatus, showCallsStatus } from './calls/status';
import { fetchBalances } from './chains/addresses';
import type { AppContext } from './context';
import type { Decided } from './core/core';
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

/** Creates the entry points. `getApp` is called within the boundary, so that a failure to build the app
 * leaves as a SnapError too. */
export function createEntryPoints(getApp: () => App): EntryPoints {
  const enter = <Arguments, Result>(
    event: keyof EntryPoints,
    handle: (args: Arguments, app: App) => Promise<Result>,
  ): ((args: Arguments) => Promise<Result>) => atBoundary(event, getApp, handle);
  const openHomePage = enter('onHomePage', async (_args, { home }) => home.open());
  return {
    onRpcRequest: enter('onRpcRequest', async (args: Entry, app) =>
      handleRpcRequest(args, toContext(app)),
    ),
    onKeyringRequest: enter('onKeyringRequest', handleKeyringRequest),
    onSignature: enter(
      'onSignature',
      async (args: Parameters<typeof handleSignature>[0], app) =>
        handleSignature(args, toContext(app)),
    ),
    onTransaction: enter(
      'onTransaction',
      async (args: Parameters<typeof handleTransaction>[0], app) =>
        handleTransaction(args, toContext(app)),
    ),
    // The platform passes no arguments.
    onHomePage: async () => openHomePage({}),
    onUserInput: enter('onUserInput', handleUserInput),
    onWebSocketEvent: enter(
      'onWebSocketEvent',
      async ({ event }: { event: WebSocketEvent }, { sockets }) =>
        sockets.handle(event),
    ),
    onStart: enter('onStart', handleStart),
    onInstall: enter('onInstall', async (_args, app) => meet('installation', app)),
    onActive: enter('onActive', async (_args, { tracker }) => tracker.arm()),
    onUpdate: enter('onUpdate', async (_args, app) => meet('update', app)),
    onCronjob: enter('onCronjob', handleCronjob),
  };
}

const contexts = new WeakMap<App, AppContext>();

/** Leaves out what the entry points alone have: a request finds no way to decide for its user. */
function toContext(app: App): AppContext {
  const known = contexts.get(app);
  if (known) return known;
  const { entry: _entry, home: _home, ...context } = app;
  contexts.set(app, context);
  return context;
}

// What users do with our dialogs and on the home page; other controls are ignored. Buttons are names,
// never closures: they work after the snap was stopped, too. Throws NotFoundError for a dialog that
// does not wait for an answer.
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

// Ignores other events, such as those of an earlier version.
async function handleCronjob(
  { request }: { request: { method: string; params?: unknown } },
  { tracker, home }: App,
): Promise<void> {
  if (request.method === POLL) await tracker.poll();
  else if (request.method === HOME) await home.refresh(request.params);
}

// The client has started anew, and with it its memory: its questions to the user are gone, and so
// are the requests that it waited for. (A restart of our worker alone
// changes nothing.) It also drops background events that were due while it was closed, as an
// installation and an update drop all.
async function handleStart(
  _args: unknown,
  { session, requests, tracker, isLocked }: App,
): Promise<void> {
  await session.begin();
  // Without an alarm the next one who sends arms it.
  await tracker.arm().catch(() => undefined);
  // Does not ask to unlock for this: stale requests are not shown, and go with the next.
  if (!(await isLocked())) await requests.purge();
}

async function meet(occasion: 'installation' | 'update', app: App): Promise<void> {
  await app.tracker.arm().catch(() => undefined);
  await greet(occasion, toContext(app));
}

/** Answers a request of a site or of the companion page. The result must be JSON. */
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

/** Answers a request of the Account Management API, which it checks first. */
type KeyringHandler = (
  request: { method: string; params?: unknown },
  asker: Asker,
  context: AppContext,
) => Promise<unknown>;

/** Who asks; it has decided on what it asks for. */
type Asker = { origin: string; decided: Decided };

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

// Both versions of the Keyring API, with the structs of version 1: what version 2 writes
// differently is turned into that. Where they share a name, the answer is one that both take.
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
    // Version 2 does not wrap the options.
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
  // Nothing here depends on which accounts MetaMask shows.
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
    SubmitRequestRequestStruct,
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
  // MetaMask rejects a whole list for one account of a type that it does not know.
  return origin === 'metamask'
    ? accounts.filter(({ options }) => options.unlisted !== true)
    : accounts;
}

// Before 24.1, keyring-api refuses a request with metadata.
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

// MetaMask follows EVM accounts itself; the page lists transactions sent from here.
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
    // Version 1 has other names for lists of accounts, and of what an account has.
    const name = method.replace(
      /_get(?=Accounts|AccountAssets|AccountTransactions)/u,
      '_list',
    );
    return answer(parse({ ...request, method: name }, struct, method), context, asker);
  };
}

/** Answers `onRpcRequest`: dapps and the companion page, by `wallet_invokeSnap`. */
export async function handleRpcRequest(
  { origin, request }: Entry,
  context: AppContext,
): Promise<Json> {
  const { method } = request;
  const route = requirePermitted('rpc', method, classifyOrigin(origin, context));
  const { kind, cost, unlocks } = route;
  if (cost) context.rateLimit(origin, cost);
  // Before anything reads the params: a site that has to wait does not hold up others.
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

// The params of `wallet_connect`, with or without an envelope: a look at one field, however much
// else there is.
function wantsSignIn(params: unknown): boolean {
  const { params: list = params } = isObject(params) ? params : {};
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  const { capabilities } = isObject(first) ? first : {};
  return isObject(capabilities) && 'signInWithEthereum' in capabilities;
}

// Pages ask for their grants unprompted, again and again: that neither reads the
// encrypted document for others nor has MetaMask's user asked to unlock it.
async function mayHaveGrant(
  origin: string,
  { grants, store, isLocked }: AppContext,
): Promise<boolean> {
  if (!(await grants.mayHave(origin))) return false;
  return store.isRead || !(await isLocked());
}

/** Answers `onKeyringRequest`: MetaMask and the companion manage accounts; MetaMask alone has requests
 * signed this way. Our own dispatch, because keyring-snap-sdk's turns every error into a bare one,
 * which kills the snap. */
async function handleKeyringRequest(
  { origin, request }: Entry,
  app: App,
): Promise<Json> {
  const context = toContext(app);
  const { method } = request;
  const { kind } = requirePermitted('keyring', method, classifyOrigin(origin, context));
  assertSize(method, request.params);
  const isLocked = origin === 'metamask' && LOCKING.includes(method);
  if (!isLocked) await context.keyring.settle();
  if (kind === 'refused') throw new UnsupportedMethodError(describeUnknown(method));
  const handler = keyringHandlers[method as MethodName<'keyring'>];
  const read = await withPlainChecksums(request, context.chains.own);
  const asker = { origin, decided: app.entry.admit('signing') };
  return ((await handler(read, asker, context)) ?? null) as Json;
}

/** Methods that MetaMask calls under its lock, for which the events of settling would wait. */
const LOCKING: readonly string[] = ['keyring_createAccounts', 'keyring_deleteAccount'];

type Entry = { origin: string; request: { method: string; params?: unknown } };

function classifyOrigin(origin: string, { companionOrigin }: AppContext): Caller {
  if (origin === 'metamask') return 'metamask';
  // Undefined where the snap was built without a companion page.
  if (origin === companionOrigin) return 'companion';
  // No caller has the name of the home page.
  return /^(?:npm:|local:|Tollkeeper$)/u.test(origin) ? 'snap' : 'dapp';
}

// The row of a method that an origin calls. The platform's origin decides, never one in the params.
function requirePermitted(entry: EntryRoute, method: string, caller: Caller): Route {
  const route = entryOf(method) === entry ? findRoute(method) : undefined;
  if (!route) {
    // A method's name comes from the caller, and can be anything.
    const shown = JSON.stringify(method.slice(0, 64));
    throw new UnsupportedMethodError(`The method ${shown} is unknown.`);
  }
  if (route.by.includes(caller)) return route;
  throw new UnauthorizedError(`${method} is not open to this origin.`);
}

/** Most characters of params, keys and what each value is written with included. Nothing is taken
 * that is larger: a message or calldata of a million bytes, typed data of four million
 * characters. The platform lets through up to 64 MB. */
export const MAX_REQUEST = 5_000_000;

// Before anything else looks at the params. It stops counting where they are too large.
function assertSize(method: string, params: unknown): void {
  let left = MAX_REQUEST;
  // Without recursion: JSON can be deeper than a stack.
  const waiting: unknown[] = [params];
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop() as Json;
    left -= measure(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) waiting.push(part);
  }
  if (left >= 0) return;
  throw new InvalidParamsError(
    `${method}: params are too large: at most ${MAX_REQUEST} characters are taken.`,
  );
}

// A sign between it and the next, and what it is written with itself.
function measure(value: Json): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 2;
  if (Array.isArray(value)) return 3;
  return Object.keys(value).reduce((sum, key) => sum + key.length + 3, 3);
}

const OPENRPC = 'openrpc.json';

/** The documents of apps: each reads its own once. */
const documents = new WeakMap<AppContext, Json>();

// `rpc.discover` (OpenRPC): the document that is shipped beside the bundle. It is the same for every
// caller, and has nothing of the stored state.
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
    // Said below.
  }
  throw new UnavailableError(
    `The description of the methods (${OPENRPC}) cannot be read: install Tollkeeper anew.`,
  );
}
