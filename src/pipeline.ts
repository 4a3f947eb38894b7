// Runs signing requests. Resolves the method and the account, then runs the method's steps
// (prepare, review, consent, sign, follow). Requests from dapps, MetaMask and the home page
// differ only in data. The steps are in the method's file, in the folder of its feature.
import type { KeyringResponse } from '@metamask/keyring-api';
import { createDeferredPromise } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { serves } from './accounts/repository';
import type { KeyringRequest, OriginMetadata } from './accounts/requests';
import type { Ledger } from './activity/ledger';
import { tollkeeperRevoke } from './calls/revoke';
import { walletSendCalls } from './calls/send';
import type {
  AppContext,
  Approve,
  Hold,
  Method,
  Read,
  RequestContext,
} from './context';
import type { Decided } from './core/core';
import { InvalidParamsError, UnsupportedMethodError } from './core/errors';
import { ChainIdStruct, toCaip2 } from './eth/chain';
import type { ChainId } from './eth/chain';
import { personalSign } from './message/request';
import {
  ethEstimateUserOperationGas,
  ethPatchUserOperation,
  ethPrepareUserOperation,
} from './operation/request';
import { ethSendUserOperation, ethSignUserOperation } from './operation/send';
import { assertServed, getOnlyAccount, parseEnvelope } from './request';
import type { OperationOptions, SiteRequest } from './request';
import { describeUnknown, findRoute, offers } from './routes';
import type { Confirm, MethodName, Route } from './routes';
import { isSameJson, parse } from './schema/parse';
import { HOME_ORIGIN } from './sites/consent';
import type { AccountRecord } from './state/account-record';
import { MAX_CALLS } from './state/sent-transaction';
import { walletSignAuthorization } from './transaction/authorization';
import { tollkeeperDelegate, tollkeeperRevokeDelegation } from './transaction/delegate';
import { tollkeeperReplaceTransaction } from './transaction/replace';
import {
  ethFillTransaction,
  ethSendTransaction,
  ethSignTransaction,
} from './transaction/send';
import {
  ethSignTypedData,
  ethSignTypedDataV1,
  ethSignTypedDataV3,
  ethSignTypedDataV4,
} from './typed-data/request';

/** The code of every signing method. */
export const methods: Readonly<Record<MethodName<'signing'>, Method>> = {
  personal_sign: personalSign,
  eth_signTransaction: ethSignTransaction,
  eth_signTypedData: ethSignTypedData,
  eth_signTypedData_v1: ethSignTypedDataV1,
  eth_signTypedData_v3: ethSignTypedDataV3,
  eth_signTypedData_v4: ethSignTypedDataV4,
  eth_prepareUserOperation: ethPrepareUserOperation,
  eth_patchUserOperation: ethPatchUserOperation,
  eth_signUserOperation: ethSignUserOperation,
  eth_estimateUserOperationGas: ethEstimateUserOperationGas,
  eth_sendUserOperation: ethSendUserOperation,
  wallet_sendCalls: walletSendCalls,
  tollkeeper_revoke: tollkeeperRevoke,
  eth_fillTransaction: ethFillTransaction,
  eth_sendTransaction: ethSendTransaction,
  tollkeeper_replaceTransaction: tollkeeperReplaceTransaction,
  wallet_signAuthorization: walletSignAuthorization,
  tollkeeper_delegate: tollkeeperDelegate,
  tollkeeper_revokeDelegation: tollkeeperRevokeDelegation,
};

type Resolved = { name: string; route: Route; method: Method };

/** A request for one account, with raw params. */
export type SigningRequest = {
  account: string;
  /** The caller's origin. The dialog shows it. */
  origin: string;
  /** The site's own metadata. MetaMask cannot verify the origin in it. */
  originMetadata?: OriginMetadata | null | undefined;
  scope: ChainId | undefined;
  method: string;
  params: Json;
};

/** How a request arrived. */
type Way = {
  /** The origin that pays for dialogs. */
  caller: string;
  /** Whether MetaMask sent the request for a site and gets the result. */
  isOfMetaMask: boolean;
  confirm: Confirm;
  /** The user's decision in MetaMask, if our dialog does not ask. */
  decided?: Decided;
  /** Runs after the approval and before any signature. Throws to stop the request. */
  beforeSigning?: () => Promise<unknown>;
};

/** A request with parsed params, and its account. */
type Parsed = {
  read: Read;
  account: AccountRecord;
  origin: string;
  originMetadata?: SigningRequest['originMetadata'];
  scope: ChainId | undefined;
  options: OperationOptions;
  findSent: Ledger['find'];
  /** Gets the current state of the account, or throws. */
  getAccount: () => Promise<AccountRecord>;
};

const NO_MESSAGES =
  ' Its contract, SimpleAccount, has no ERC-1271, so that its signatures cannot be verified. A ' +
  'Safe can sign messages.';

/** Signs a dapp's request with the granted account that its envelope or params name, or with the
 * only one that fits. The params are the method's own array, or `{ account?, scope?, params }`.
 * Throws `UnauthorizedError` if the account is not granted to the origin, or no longer when the
 * user approves. */
export async function submitDapp(
  { origin, method: name, params: given }: SiteRequest,
  route: Route,
  context: AppContext,
): Promise<Json> {
  const { grants, rateLimit, ledger } = context;
  const resolved = { name, route, method: methods[name as MethodName<'signing'>] };
  const { method } = resolved;
  const envelope = parseEnvelope(name, given, route.takesOptions);
  const { account: named, scope, options, params: own } = envelope;
  const read = method.read(own);
  // Sites can only look up transactions of their granted accounts.
  const findSent: Ledger['find'] = async (hash) =>
    grants.findSent(origin, hash, ledger.find);
  const addresses =
    named === undefined ? await read.listAccounts({ findSent }) : [named];
  const account =
    addresses.length === 0
      ? getOnlyAccount(name, await grants.list(origin), route)
      : await grants.require(origin, addresses);
  // Filling and estimating ask servers before the user sees a dialog.
  rateLimit(origin, 'sign', Math.min(read.calls, MAX_CALLS));
  checkAccount(resolved, account, { scope, isOfMetaMask: false });
  return run(
    {
      read,
      account,
      origin,
      scope,
      options: options ?? {},
      findSent,
      // The user may have revoked the grant while the dialog was open.
      getAccount: async () => grants.require(origin, [account.id]),
    },
    { caller: origin, isOfMetaMask: false, confirm: route.dapp ?? 'always' },
    context,
  );
}

/** Signs a request from the home page. Our dialog asks for consent, as for a site. */
export async function submitHome(
  request: Omit<SigningRequest, 'origin'>,
  context: AppContext,
): Promise<Json> {
  const way = { caller: HOME_ORIGIN, isOfMetaMask: false, confirm: 'always' } as const;
  const checked = await check({ ...request, origin: HOME_ORIGIN }, context);
  return submit(checked, way, context);
}

/** Answers a request from MetaMask, or keeps it until the user approves it. Throws
 * `InvalidParamsError` if it is too large or its id is taken, `LimitExceededError` if too many are
 * waiting. */
export async function submitMetaMask(
  request: KeyringRequest,
  { caller, decided }: { caller: string; decided: Decided },
  context: AppContext,
): Promise<KeyringResponse> {
  const checked = await check(toSigningRequest(request), context, true);
  const confirm = checked.route.metamask ?? 'setting';
  // For methods without a signature, MetaMask only takes an immediate answer.
  const { approvalMode } = (await context.store.read()).settings;
  if (confirm !== 'never' && approvalMode === 'asynchronous') {
    checked.method.read(checked.request.params);
    return context.requests.keep(request);
  }
  const way = { caller, isOfMetaMask: true, confirm, decided };
  return { pending: false, result: await submit(checked, way, context) };
}

/** Signs a waiting request and gives MetaMask the result. Our dialog always asks on the home page. */
export async function approveRequest(
  id: string,
  asking: Pick<Way, 'caller' | 'confirm' | 'decided'>,
  context: AppContext,
): Promise<void> {
  const { requests, events } = context;
  const asked = toSigningRequest(await requests.get(id));
  // The request may have been decided elsewhere while the dialog was open.
  const beforeSigning = async (): Promise<unknown> => requests.get(id);
  const way = { ...asking, isOfMetaMask: true, beforeSigning };
  const result = await submit(await check(asked, context, true), way, context);
  await requests.finish(id, events.approved(id, result));
}

/** A request that its account can answer, with raw params. */
type Checked = Resolved & {
  account: AccountRecord;
  request: Omit<SigningRequest, 'account' | 'method'>;
};

async function submit(
  { method, account, request }: Checked,
  way: Way,
  context: AppContext,
): Promise<Json> {
  return run(
    {
      ...request,
      read: method.read(request.params),
      account,
      options: {},
      findSent: context.ledger.find,
      getAccount: async () => context.keyring.getNamed(account.id),
    },
    way,
    context,
  );
}

async function check(
  { account: id, method: name, ...request }: SigningRequest,
  { keyring }: AppContext,
  isOfMetaMask = false,
): Promise<Checked> {
  const account = await keyring.getNamed(id);
  const resolved = findMethod(name);
  if (!resolved || (isOfMetaMask && !resolved.route.metamask)) {
    throw new UnsupportedMethodError(describeUnknown(name));
  }
  checkAccount(resolved, account, { scope: request.scope, isOfMetaMask });
  return { ...resolved, account, request };
}

function findMethod(name: string): Resolved | undefined {
  const route = findRoute(name);
  if (route?.kind !== 'signing') return undefined;
  return { name, route, method: methods[name as MethodName<'signing'>] };
}

// Throws if the account cannot answer the request.
function checkAccount(
  { name, route }: Resolved,
  account: AccountRecord,
  { scope, isOfMetaMask }: { scope: ChainId | undefined; isOfMetaMask: boolean },
): void {
  // MetaMask only sends user operations for smart accounts.
  const isByDelegation =
    !isOfMetaMask && route.byDelegation && account.type === 'eip155:eoa';
  if (!isByDelegation && !offers(account, route)) {
    const isMessage = /^(?:personal_sign|eth_signTypedData)/u.test(name);
    const isSafe = 'implementation' in account;
    throw new UnsupportedMethodError(
      `The account ${account.address} is of type ${account.type} and does not offer ` +
        `${name}.${isMessage && !isSafe ? NO_MESSAGES : ''}`,
    );
  }
  if (scope !== undefined) assertServed(account, scope);
}

async function run(
  { read, getAccount, originMetadata, ...request }: Parsed,
  way: Way,
  app: AppContext,
): Promise<Json> {
  const { account } = request;
  const { confirm, isOfMetaMask } = way;
  const confirmsItself =
    confirm === 'always' ||
    (confirm === 'setting' && (await app.store.read()).settings.secondConfirmation);
  // Texts load while the request is prepared.
  const texts = confirmsItself ? app.loadTranslate() : undefined;
  texts?.catch(() => undefined);
  const { hold, release } = createHold();
  const context: RequestContext = {
    ...app,
    ...request,
    mayHoldSecrets: isOfMetaMask,
    confirmsItself,
    hold,
  };
  const approve: Approve = async (confirmation) => {
    const shown = isOfMetaMask
      ? { ...confirmation, verified: { metadata: originMetadata } }
      : confirmation;
    const approval = confirmsItself
      ? await app.consent.require(way.caller, shown, texts)
      : app.core.acceptDecided(confirmation.takeSnapshot().tasks, way.decided);
    await way.beforeSigning?.();
    // A dialog can stay open for long. The checks hold for the account as it was at the start.
    if (!confirmsItself || isSameJson(account, await getAccount())) return approval;
    throw new InvalidParamsError(
      `The account ${account.address} was changed while the dialog was open. Ask again.`,
    );
  };
  return read.run(context, approve, release);
}

/** Creates a holder that releases all borrowed values together. */
function createHold(): { hold: Hold; release: () => Promise<void> } {
  const { promise: ended, resolve: end } = createDeferredPromise();
  const loans: Promise<void>[] = [];
  const hold: Hold = async (lend) =>
    new Promise((resolve, reject) => {
      const loan = lend(async (lent) => {
        resolve(lent);
        await ended;
      });
      loans.push(loan.catch(reject));
    });
  const release = async (): Promise<void> => {
    end();
    await Promise.all(loans);
  };
  return { hold, release };
}

/** Finds the account that a request's params name, as a CAIP-10 id. Null if they name none, or none
 * that MetaMask lists and that serves the scope (CAIP-2). */
export async function resolveAddress(
  { scope, request }: { scope: string; request: { method: string; params?: unknown } },
  { repository, ledger }: AppContext,
): Promise<{ address: `${string}:${string}:${string}` } | null> {
  const chainId = parse(
    scope,
    ChainIdStruct,
    'keyring_resolveAccountAddress: params.scope',
  );
  const method = findMethod(request.method)?.method;
  if (!method) return null;
  const read = method.read(request.params ?? []);
  for (const address of await read.listAccounts({ findSent: ledger.find })) {
    const account = await repository.findByAddress(address);
    if (account && !account.unlisted && serves(account, chainId)) {
      return { address: `${toCaip2(chainId)}:${account.address}` };
    }
  }
  return null;
}

function toSigningRequest({
  account,
  origin,
  originMetadata,
  scope,
  request,
}: KeyringRequest): SigningRequest {
  const { method, params = [] } = request;
  return { account, origin, originMetadata, scope: parseScope(scope), method, params };
}

// MetaMask sends an empty scope if nothing names a chain, and passes on a typed-data domain's
// chainId as it is written: it can be hex, or zero for no chain.
function parseScope(scope: string): ChainId | undefined {
  if (scope === '' || /^eip155:(?:0x)?0+$/u.test(scope)) return undefined;
  return parse(scope, ChainIdStruct, 'keyring_submitRequest: params.scope');
}
