// From a keyring request to its row. Our own table, because keyring-snap-sdk's dispatcher
// turns every error into a bare one, which kills the snap.
import type { Json } from '@metamask/utils';

import { UnsupportedMethodError } from '../errors';
import { rows } from './rows';
import type { KeyringCall, KeyringHandler } from './rows';

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
  const byName: Record<string, KeyringHandler> = rows;
  const handler = Object.hasOwn(byName, method) ? byName[method] : undefined;
  if (handler) return handler(request, call);
  throw new UnsupportedMethodError(`${method} is not a method of this keyring.`);
}
