// Checking and signing: what every request passes, whoever it comes from.
import type { Json } from '@metamask/utils';

import { UnsupportedMethodError } from '../errors';
import type { ChainId } from '../eth/chain';
import { assertServed, findMethod } from '../methods';
import type { Method, MethodServices, OperationOptions } from '../methods';
import { describeUnknown } from '../routes';
import type { AccountRecord } from '../state/account-record';

/** A request to sign something, whoever it comes from. */
export type SigningRequest = {
  /** Account id. */
  account: string;
  origin: string;
  scope: ChainId | undefined;
  method: string;
  params: Json;
  options?: OperationOptions;
};

const NO_MESSAGES =
  ' Its contract, SimpleAccount, has no ERC-1271: nobody could verify the signature.';

/**
 * Check that an account can do what is asked.
 *
 * @param isFromDapp - Whether it came by `wallet_invokeSnap`.
 * @returns The method that does it.
 * @throws {UnsupportedMethodError} If it is no method, not one of this account, or not one
 * for MetaMask, which asks us to sign and does the rest itself.
 * @throws {InvalidParamsError} If the account does not serve the chain.
 */
export function checkRequest(
  account: AccountRecord,
  { method: name, scope }: Pick<SigningRequest, 'method' | 'scope'>,
  isFromDapp: boolean,
): Method {
  const method = findMethod(name);
  if (!method || (method.isForDapps && !isFromDapp)) {
    throw new UnsupportedMethodError(describeUnknown(name));
  }
  if (!method.accountTypes.includes(account.type)) {
    const isMessage = /^(?:personal_sign|eth_signTypedData)/u.test(name);
    throw new UnsupportedMethodError(
      `The account ${account.address} is of type ${account.type} and does not offer ` +
        `${name}.${isMessage ? NO_MESSAGES : ''}`,
    );
  }
  if (scope !== undefined) assertServed(account, scope);
  return method;
}

/** Have a request signed. */
export async function sign(
  account: AccountRecord,
  request: SigningRequest,
  services: MethodServices,
): Promise<Json> {
  const { origin, scope, params, options = {} } = request;
  const method = checkRequest(account, request, services.isFromDapp);
  return method.run(params, { account, origin, scope, options }, services);
}
