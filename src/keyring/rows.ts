// The keyring_* methods: one row each, with the request's struct from keyring-api 21.6.
import {
  ApproveRequestRequestStruct,
  CreateAccountRequestStruct,
  DeleteAccountRequestStruct,
  ExportAccountRequestStruct,
  FilterAccountChainsStruct,
  GetAccountBalancesRequestStruct,
  GetAccountRequestStruct,
  GetRequestRequestStruct,
  KeyringRpcMethod,
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
import type { Json } from '@metamask/utils';

import { fetchBalances } from '../chains/addresses';
import { UnsupportedMethodError } from '../errors';
import type { MethodServices } from '../methods';
import { describeUnknown } from '../routes';
import { parse } from '../schema/parse';
import type { StructOf } from '../schema/parse';
import { listAssets, resolveAddress } from './assets';
import type { AssetServices } from './assets';
import type { ConfirmAccount, ConfirmExport, Keyring } from './keyring';
import type { Requests } from './requests';

/** What keyring requests are answered with. */
export type KeyringCall = {
  keyring: Keyring;
  requests: Requests;
  assets: AssetServices;
  /** Services for the signing methods, made for the route that the request took. */
  methodServices: MethodServices;
  confirmAccount: ConfirmAccount;
  confirmExport: ConfirmExport;
};

/** Answers a request of one method, which it checks first. */
export type KeyringHandler = (request: unknown, call: KeyringCall) => Promise<Json>;

/** Every method of the keyring API, by wire name. */
export const rows: Record<`${KeyringRpcMethod}`, KeyringHandler> = {
  [KeyringRpcMethod.ListAccounts]: row(ListAccountsRequestStruct, async (_, call) =>
    call.keyring.listAccounts(),
  ),
  [KeyringRpcMethod.GetAccount]: row(
    GetAccountRequestStruct,
    async ({ params }, { keyring }) => keyring.getAccount(params.id),
  ),
  [KeyringRpcMethod.CreateAccount]: row(
    CreateAccountRequestStruct,
    async ({ params }, { keyring, confirmAccount }) =>
      keyring.createAccount(params.options, confirmAccount),
  ),
  [KeyringRpcMethod.CreateAccounts]: refuse(KeyringRpcMethod.CreateAccounts),
  [KeyringRpcMethod.DiscoverAccounts]: refuse(KeyringRpcMethod.DiscoverAccounts),
  [KeyringRpcMethod.UpdateAccount]: row(
    UpdateAccountRequestStruct,
    async ({ params }, { keyring }) => keyring.updateAccount(params.account),
  ),
  [KeyringRpcMethod.DeleteAccount]: row(
    DeleteAccountRequestStruct,
    async ({ params }, { keyring }) => keyring.deleteAccount(params.id),
  ),
  [KeyringRpcMethod.ExportAccount]: row(
    ExportAccountRequestStruct,
    async ({ params }, { keyring, confirmExport }) =>
      keyring.exportAccount(params.id, confirmExport),
  ),
  [KeyringRpcMethod.FilterAccountChains]: row(
    FilterAccountChainsStruct,
    async ({ params }, { keyring }) =>
      keyring.filterAccountChains(params.id, params.chains),
  ),
  [KeyringRpcMethod.ListAccountAssets]: row(
    ListAccountAssetsRequestStruct,
    async ({ params }, { keyring, assets }) =>
      listAssets(await keyring.getRecord(params.id), assets),
  ),
  [KeyringRpcMethod.GetAccountBalances]: row(
    GetAccountBalancesRequestStruct,
    async ({ params }, { keyring, assets }) => {
      const { address } = await keyring.getRecord(params.id);
      return fetchBalances(assets.chains, address, params.assets);
    },
  ),
  // MetaMask follows EVM accounts itself; what was sent from here the page lists.
  [KeyringRpcMethod.ListAccountTransactions]: row(
    ListAccountTransactionsRequestStruct,
    async ({ params }, { keyring }) => {
      await keyring.getRecord(params.id);
      return { data: [], next: null };
    },
  ),
  [KeyringRpcMethod.ResolveAccountAddress]: row(
    ResolveAccountAddressRequestStruct,
    async ({ params }, { assets }) => resolveAddress(params, assets),
  ),
  // Nothing here depends on which accounts MetaMask shows.
  [KeyringRpcMethod.SetSelectedAccounts]: row(
    SetSelectedAccountsRequestStruct,
    async () => Promise.resolve(null),
  ),
  [KeyringRpcMethod.ListRequests]: row(
    ListRequestsRequestStruct,
    async (_, { requests }) => requests.list(),
  ),
  [KeyringRpcMethod.GetRequest]: row(
    GetRequestRequestStruct,
    async ({ params }, { requests }) => requests.get(params.id),
  ),
  [KeyringRpcMethod.SubmitRequest]: row(
    SubmitRequestRequestStruct,
    async ({ params }, { requests, methodServices }) =>
      requests.submit(params, methodServices),
  ),
  [KeyringRpcMethod.ApproveRequest]: row(
    ApproveRequestRequestStruct,
    async ({ params }, { requests, methodServices }) =>
      requests.approve(params.id, methodServices),
  ),
  [KeyringRpcMethod.RejectRequest]: row(
    RejectRequestRequestStruct,
    async ({ params }, { requests }) => requests.reject(params.id),
  ),
};

function row<Request extends { method: string }>(
  struct: StructOf<Request>,
  answer: (request: Request, call: KeyringCall) => Promise<unknown>,
): KeyringHandler {
  return async (request, call) => {
    const { method } = request as { method: string };
    const result = await answer(parse(request, struct, method), call);
    return (result ?? null) as Json;
  };
}

function refuse(method: string): KeyringHandler {
  return async () =>
    Promise.reject(new UnsupportedMethodError(describeUnknown(method)));
}
