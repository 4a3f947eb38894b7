// Requests to the Account Management API as MetaMask sends them.
import * as api from '@metamask/keyring-api';
import type { KeyringAccount } from '@metamask/keyring-api';
import * as v2 from '@metamask/keyring-api/v2';
import type { Struct } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

export type KeyringRpc = {
  jsonrpc: '2.0';
  id: string;
  method: string;
  params?: Json;
};

export const REQUEST_ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

export function keyringRpc(method: string, params?: Json): KeyringRpc {
  const frame = { jsonrpc: '2.0', id: REQUEST_ID, method } as const;
  return params === undefined ? frame : { ...frame, params };
}

export function submission(submitted: {
  account: string;
  method: string;
  params: Json;
  scope?: string;
}): KeyringRpc {
  const { method, params, ...about } = submitted;
  const frame = { id: REQUEST_ID, origin: 'metamask', scope: '', ...about };
  return keyringRpc('keyring_submitRequest', { ...frame, request: { method, params } });
}

const MESSAGE = '0x68656c6c6f';

/** Response structs by name. If both versions of the API define one, it is the struct of the
 * version that the request uses. */
const structs: Record<string, unknown> = {
  ...v2,
  ...api,
  CreateAccountsResponseStruct: v2.CreateAccountsResponseStruct,
  ExportAccountResponseStruct: v2.ExportAccountResponseStruct,
};

/** Creates a valid request for each keyring method, with the struct of its response. */
export function requestsFor(
  account: KeyringAccount,
): Record<string, { request: KeyringRpc; response: Struct<unknown> }> {
  const { id, address } = account;
  const method = 'personal_sign';
  const signed = [MESSAGE, address];
  const rows: Record<string, Json | undefined> = {
    ListAccounts: undefined,
    GetAccounts: undefined,
    GetAccount: { id },
    CreateAccount: { options: {} },
    CreateAccounts: { type: 'custom' },
    UpdateAccount: { account },
    FilterAccountChains: { id, chains: ['eip155:1', 'x'] },
    ExportAccount: { id },
    ListAccountAssets: { id },
    GetAccountAssets: { id },
    GetAccountBalances: { id, assets: ['eip155:1/slip44:60'] },
    ListAccountTransactions: { id, pagination: { limit: 10 } },
    GetAccountTransactions: { id, pagination: { limit: 10 } },
    ResolveAccountAddress: {
      scope: 'eip155:1',
      request: { jsonrpc: '2.0', id: 1, method, params: signed },
    },
    SetSelectedAccounts: { accounts: [id] },
    ListRequests: undefined,
    GetRequest: { id: REQUEST_ID },
    SubmitRequest: submission({ account: id, method, params: signed }).params,
    ApproveRequest: { id: REQUEST_ID, data: {} },
    RejectRequest: { id: REQUEST_ID },
    DeleteAccount: { id },
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, params]) => {
      const called = `keyring_${name.charAt(0).toLowerCase()}${name.slice(1)}`;
      const response = structs[`${name}ResponseStruct`] as Struct<unknown>;
      return [called, { request: keyringRpc(called, params), response }];
    }),
  );
}
