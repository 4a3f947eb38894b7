// The keyring_* methods: one row each, with the request's struct from keyring-api. Our
// own table, because keyring-snap-sdk's dispatcher turns every error into a bare one.
import {
  CreateAccountRequestStruct,
  DeleteAccountRequestStruct,
  FilterAccountChainsStruct,
  GetAccountRequestStruct,
  KeyringRpcMethod,
  ListAccountsRequestStruct,
  SubmitRequestRequestStruct,
  UpdateAccountRequestStruct,
} from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { UnsupportedMethodError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { MethodServices } from '../methods';
import { parse } from '../parse';
import type { StructOf } from '../parse';
import type { Keyring } from './keyring';

/** What a keyring request is answered with. */
export type KeyringCall = {
  keyring: Keyring;
  /** Services for the signing methods, made for the route that the request took. */
  methodServices: MethodServices;
};

type Handler = (request: unknown, call: KeyringCall) => Promise<Json>;

const handlers: Partial<Record<string, Handler>> = {
  [KeyringRpcMethod.ListAccounts]: row(
    ListAccountsRequestStruct,
    async (_request, keyring) => keyring.listAccounts(),
  ),
  [KeyringRpcMethod.GetAccount]: row(
    GetAccountRequestStruct,
    async ({ params }, keyring) => keyring.getAccount(params.id),
  ),
  [KeyringRpcMethod.CreateAccount]: row(
    CreateAccountRequestStruct,
    async ({ params }, keyring) => keyring.createAccount(params.options),
  ),
  [KeyringRpcMethod.UpdateAccount]: row(
    UpdateAccountRequestStruct,
    async ({ params }, keyring) => {
      await keyring.updateAccount(params.account);
      return null;
    },
  ),
  [KeyringRpcMethod.DeleteAccount]: row(
    DeleteAccountRequestStruct,
    async ({ params }, keyring) => {
      await keyring.deleteAccount(params.id);
      return null;
    },
  ),
  [KeyringRpcMethod.FilterAccountChains]: row(
    FilterAccountChainsStruct,
    async ({ params }, keyring) =>
      keyring.filterAccountChains(params.id, params.chains),
  ),
  [KeyringRpcMethod.SubmitRequest]: row(
    SubmitRequestRequestStruct,
    async ({ params }, keyring, services) => {
      const { account, origin, scope, request } = params;
      const { method, params: methodParams = [] } = request;
      const signing = { account, origin, scope: parseScope(scope), method };
      const result = await keyring.submitRequest(
        { ...signing, params: methodParams },
        services,
      );
      return { pending: false, result };
    },
  ),
};

/** Names of the keyring methods that are answered. */
export const keyringMethods: readonly string[] = Object.keys(handlers);

/**
 * Answer a keyring request.
 *
 * @throws {UnsupportedMethodError} If it is none that is answered.
 * @throws {InvalidParamsError} If it is malformed.
 */
export async function dispatchKeyringRequest(
  request: { method: string },
  call: KeyringCall,
): Promise<Json> {
  const { method } = request;
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler) return handler(request, call);
  throw new UnsupportedMethodError(`${method} is not a method of this keyring.`);
}

function row<Request extends { method: string }>(
  struct: StructOf<Request>,
  answer: (
    request: Request,
    keyring: Keyring,
    methodServices: MethodServices,
  ) => Promise<unknown>,
): Handler {
  return async (request, { keyring, methodServices }) => {
    const { method } = request as { method: string };
    const result = await answer(
      parse(request, struct, method),
      keyring,
      methodServices,
    );
    return result as Json;
  };
}

// MetaMask sends an empty scope where nothing names a chain, and a typed-data domain's
// chainId as it stands there, which can be hex, or zero for no chain.
function parseScope(scope: string): ChainId | undefined {
  if (scope === '' || /^eip155:(?:0x)?0+$/u.test(scope)) return undefined;
  return parse(scope, ChainIdStruct, 'keyring_submitRequest: params.scope');
}
