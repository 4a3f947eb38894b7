// Runs signing requests from dapps, MetaMask and the home page: resolves the method and the
// account, then runs the method's steps (prepare, review, consent, sign, follow). The steps are in
// the method's own file.
import type { KeyringResponse } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { serves } from './accounts/repository';
import type { KeyringRequest, OriginMetadata } from './accounts/requests';
import type { Ledger } from './activity/ledger';
import { tollkeeperRevoke } from './calls/revoke';
import { walletSendCalls } from './calls/send';
import type {
  AppContext,
  Approve,
  Method,
  ParsedParams,
  RequestContext,
} from './context';
import type { UserDecision } from './core/core';
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
import type { SiteRequest } from './request';
import { describeUnknown, findRoute, offers } from './routes';
import type { Confirm, MethodName, Route } from './routes';
import { isSameJson, parse } from './schema/parse';
import { HOME_ORIGIN } from './sites/consent';
import type { AccountRecord } from './state/account-record';
import { MAX_BATCH_CALLS } from './state/sent-transaction';
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

export type SigningRequest = {
  account: string;
  origin: string;
  /** The site's own metadata. MetaMask cannot verify the origin in it. */
  originMetadata?: OriginMetadata | null | undefined;
  scope: ChainId | undefined;
  method: string;
  params: Json;
};

type RequestSource = {
  /** The origin whose dialog limits apply. */
  caller: string;
  /** Whether MetaMask sent the request for a site and gets the result. */
  isOfMetaMask: boolean;
  confirm: Confirm;
  /** The user's decision in MetaMask, for requests without a dialog of Tollkeeper's. */
  decided?: UserDecision;
  /** Runs after the approval and before any signature. Throws to stop the request. */
  beforeSigning?: () => Promise<unknown>;
};

type ParsedRequest = {
  read: ParsedParams;
  account: AccountRecord;
  origin: string;
  originMetadata?: SigningRequest['originMetadata'];
  scope: ChainId | undefined;
  nonceKey?: bigint | undefined;
  findSent: Ledger['find'];
  /** Gets the account's current record. Throws if the account is gone or no longer granted. */
  getAccount: () => Promise<AccountRecord>;
};

const NO_MESSAGES =
  ' Its contract, SimpleAccount, does not support ERC-1271, so its signatures cannot be verified. ' +
  'A Safe can sign messages.';

/** Signs a dapp's request with the granted account that its envelope or params name, or with the
 * only granted account that offers the method. The params are the method's own array, or
 * `{ account?, scope?, nonceKey?, params }`. Throws `UnauthorizedError` if the account is not
 * granted to the origin, or its grant is revoked before the user approves. */
export async function submitDapp(
  { origin, method: name, params: given }: SiteRequest,
  route: Route,
  context: AppContext,
): Promise<Json> {
  const { grants, rateLimit, ledger } = context;
  const envelope = parseEnvelope(name, given, route.takesNonceKey);
  const { account: named, scope, nonceKey, params: own } = envelope;
  const read = methods[name as MethodName<'signing'>].read(own);
  // Sites can only look up transactions of their granted accounts.
  const findSent: Ledger['find'] = async (hash) =>
    grants.findSent(origin, hash, ledger.find);
  const addresses =
    named === undefined ? await read.listAccounts({ findSent }) : [named];
  const account =
    addresses.length === 0
      ? getOnlyAccount(name, await grants.list(origin), route)
      : await grants.require(origin, addresses);
  // Limits requests here, because preparing one queries servers before the user sees a dialog.
  rateLimit(origin, 'sign', Math.min(read.calls, MAX_BATCH_CALLS));
  checkAccount(account, { name, route, scope, isOfMetaMask: false });
  // The user may have revoked the grant while the dialog was open.
  const getAccount = async (): Promise<AccountRecord> =>
    grants.require(origin, [account.id]);
  return run(
    { read, account, origin, scope, nonceKey, findSent, getAccount },
    { caller: origin, isOfMetaMask: false, confirm: route.dapp ?? 'always' },
    context,
  );
}

export async function submitHome(
  request: Omit<SigningRequest, 'origin'>,
  context: AppContext,
): Promise<Json> {
  const { parsed } = await parseRequest({ ...request, origin: HOME_ORIGIN }, context);
  const source = {
    caller: HOME_ORIGIN,
    isOfMetaMask: false,
    confirm: 'always',
  } as const;
  return run(parsed, source, context);
}

/** Answers a request from MetaMask, or keeps it until the user approves it. Throws
 * `InvalidParamsError` if it is too large or its id is taken, `LimitExceededError` if too many are
 * waiting. */
export async function submitMetaMask(
  request: KeyringRequest,
  { caller, decided }: { caller: string; decided: UserDecision },
  context: AppContext,
): Promise<KeyringResponse> {
  const { route, parsed } = await parseRequest(
    toSigningRequest(request),
    context,
    true,
  );
  const confirm = route.metamask ?? 'setting';
  // For methods without a signature, MetaMask accepts only an immediate answer.
  const { approvalMode } = (await context.store.read()).settings;
  if (confirm !== 'never' && approvalMode === 'asynchronous') {
    return context.requests.keep(request);
  }
  const source = { caller, isOfMetaMask: true, confirm, decided };
  return { pending: false, result: await run(parsed, source, context) };
}

export async function approveRequest(
  id: string,
  asking: Pick<RequestSource, 'caller' | 'confirm' | 'decided'>,
  context: AppContext,
): Promise<void> {
  const { requests, events } = context;
  const asked = toSigningRequest(await requests.get(id));
  const { parsed } = await parseRequest(asked, context, true);
  // The request may have been decided elsewhere while the dialog was open.
  const beforeSigning = async (): Promise<unknown> => requests.get(id);
  const source = { ...asking, isOfMetaMask: true, beforeSigning };
  const result = await run(parsed, source, context);
  await requests.finish(id, events.approved(id, result));
}

async function parseRequest(
  { account: id, method: name, params, ...request }: SigningRequest,
  { keyring, ledger }: AppContext,
  isOfMetaMask = false,
): Promise<{ route: Route; parsed: ParsedRequest }> {
  const account = await keyring.getNamed(id);
  const route = findRoute(name);
  if (route?.kind !== 'signing' || (isOfMetaMask && !route.metamask)) {
    throw new UnsupportedMethodError(describeUnknown(name));
  }
  checkAccount(account, { name, route, scope: request.scope, isOfMetaMask });
  const parsed: ParsedRequest = {
    ...request,
    read: methods[name as MethodName<'signing'>].read(params),
    account,
    findSent: ledger.find,
    getAccount: async () => keyring.getNamed(account.id),
  };
  return { route, parsed };
}

function checkAccount(
  account: AccountRecord,
  {
    name,
    route,
    scope,
    isOfMetaMask,
  }: {
    name: string;
    route: Route;
    scope: ChainId | undefined;
    isOfMetaMask: boolean;
  },
): void {
  // MetaMask sends user operations only for smart accounts.
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
  { read, getAccount, originMetadata, ...request }: ParsedRequest,
  source: RequestSource,
  app: AppContext,
): Promise<Json> {
  const { account } = request;
  const { confirm, isOfMetaMask } = source;
  const confirmsItself =
    confirm === 'always' ||
    (confirm === 'setting' && (await app.store.read()).settings.secondConfirmation);
  const texts = confirmsItself ? app.loadTranslate() : undefined;
  texts?.catch(() => undefined);
  const context: RequestContext = {
    ...app,
    ...request,
    mayHoldSecrets: isOfMetaMask,
    confirmsItself,
    cleanups: [],
  };
  const approve: Approve = async (confirmation) => {
    const shown = isOfMetaMask
      ? { ...confirmation, verified: { metadata: originMetadata } }
      : confirmation;
    const approval = confirmsItself
      ? await app.consent.require(source.caller, shown, texts)
      : app.core.acceptDecided(confirmation.takeSnapshot().tasks, source.decided);
    await source.beforeSigning?.();
    if (!confirmsItself || isSameJson(account, await getAccount())) return approval;
    throw new InvalidParamsError(
      `The account ${account.address} was changed while the dialog was open. Send the request again.`,
    );
  };
  return read.run(context, approve);
}

/** Finds the account that a signing request's params name, as a CAIP-10 id. Returns null for other
 * methods, or if the params name no account that MetaMask lists and that serves the scope
 * (CAIP-2). */
export async function resolveAddress(
  { scope, request }: { scope: string; request: { method: string; params?: unknown } },
  { repository, ledger }: AppContext,
): Promise<{ address: `${string}:${string}:${string}` } | null> {
  const chainId = parse(
    scope,
    ChainIdStruct,
    'keyring_resolveAccountAddress: params.scope',
  );
  if (findRoute(request.method)?.kind !== 'signing') return null;
  const method = methods[request.method as MethodName<'signing'>];
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

// MetaMask sends an empty scope if a request names no chain. For typed data, it takes the chain id
// from the domain unchanged: it can be hex, or zero for no chain.
function parseScope(scope: string): ChainId | undefined {
  if (scope === '' || /^eip155:(?:0x)?0+$/u.test(scope)) return undefined;
  return parse(scope, ChainIdStruct, 'keyring_submitRequest: params.scope');
}
