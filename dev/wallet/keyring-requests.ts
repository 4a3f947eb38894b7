// Requests of the Account Management API as MetaMask sends them.
import * as api from '@metamask/keyring-api';
import type { KeyringAccount } from '@metamask/keyring-api';
import * as v2 from '@metamask/keyring-api/v2';
import type { Struct } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

/** A request's method and params around a JSON-RPC frame. */
export type KeyringRpc = {
  jsonrpc: '2.0';
  id: string;
  method: string;
  params?: Json;
};

export const REQUEST_ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

/** Makes a request of the Account Management API. */
export function keyringRpc(method: string, params?: Json): KeyringRpc {
  const frame = { jsonrpc: '2.0', id: REQUEST_ID, method } as const;
  return params === undefined ? frame : { ...frame, params };
}

/** What MetaMask asks to have signed. */
export type Submission = {
  account: string;
  method: string;
  params: Json;
  scope?: string;
};

/** Makes the keyring_submitRequest of a signing request. */
export function submission({
  account,
  method,
  params,
  scope = '',
}: Submission): KeyringRpc {
  return keyringRpc('keyring_submitRequest', {
    id: REQUEST_ID,
    origin: 'metamask',
    scope,
    account,
    request: { method, params },
  });
}

// A well-formed request of every keyring method, with the struct that its answer must pass.

/** A request, and what its answer must be. */
type KeyringRow = { request: KeyringRpc; response: Struct<unknown> };

const MESSAGE = '0x68656c6c6f';

/** Makes a request to sign a message. */
export function signingRequest({ id, address }: KeyringAccount): KeyringRpc {
  const params = [MESSAGE, address];
  return submission({ account: id, method: 'personal_sign', params });
}

/** Makes a request of each method that is answered. */
export function requestsFor(account: KeyringAccount): Record<string, KeyringRow> {
  const { id, address } = account;
  const waiting = { id: REQUEST_ID };
  const signing = { jsonrpc: '2.0', id: 1, method: 'personal_sign' };
  const resolve = {
    scope: 'eip155:1',
    request: { ...signing, params: [MESSAGE, address] },
  };
  const rows: [string, Json | undefined, unknown][] = [
    ['keyring_listAccounts', undefined, api.ListAccountsResponseStruct],
    ['keyring_getAccounts', undefined, v2.GetAccountsResponseStruct],
    ['keyring_getAccount', { id }, api.GetAccountResponseStruct],
    ['keyring_createAccount', { options: {} }, api.CreateAccountResponseStruct],
    ['keyring_createAccounts', { type: 'custom' }, v2.CreateAccountsResponseStruct],
    ['keyring_updateAccount', { account }, api.UpdateAccountResponseStruct],
    [
      'keyring_filterAccountChains',
      { id, chains: ['eip155:1', 'x'] },
      api.FilterAccountChainsResponseStruct,
    ],
    ['keyring_exportAccount', { id }, v2.ExportAccountResponseStruct],
    ['keyring_listAccountAssets', { id }, api.ListAccountAssetsResponseStruct],
    ['keyring_getAccountAssets', { id }, v2.GetAccountAssetsResponseStruct],
    [
      'keyring_getAccountBalances',
      { id, assets: ['eip155:1/slip44:60'] },
      api.GetAccountBalancesResponseStruct,
    ],
    [
      'keyring_listAccountTransactions',
      { id, pagination: { limit: 10 } },
      api.ListAccountTransactionsResponseStruct,
    ],
    [
      'keyring_getAccountTransactions',
      { id, pagination: { limit: 10 } },
      v2.GetAccountTransactionsResponseStruct,
    ],
    ['keyring_resolveAccountAddress', resolve, api.ResolveAccountAddressResponseStruct],
    [
      'keyring_setSelectedAccounts',
      { accounts: [id] },
      api.SetSelectedAccountsResponseStruct,
    ],
    ['keyring_listRequests', undefined, api.ListRequestsResponseStruct],
    ['keyring_getRequest', waiting, api.GetRequestResponseStruct],
    [
      'keyring_submitRequest',
      signingRequest(account).params,
      api.SubmitRequestResponseStruct,
    ],
    [
      'keyring_approveRequest',
      { ...waiting, data: {} },
      api.ApproveRequestResponseStruct,
    ],
    ['keyring_rejectRequest', waiting, api.RejectRequestResponseStruct],
    ['keyring_deleteAccount', { id }, api.DeleteAccountResponseStruct],
  ];
  return Object.fromEntries(
    rows.map(([method, params, struct]) => [
      method,
      {
        request: keyringRpc(method, params),
        response: struct as Struct<unknown>,
      },
    ]),
  );
}
