// Asking the user before a smart account is created whose contract comes from a factory that is
// not the canonical one: whoever wrote that may be able to take everything in the account.
// MetaMask's own question, which follows, shows the address alone.
import { suggestName } from '../accounts/record';
import { isCanonicalFactory } from '../eth/user-operation';
import type { ConfirmAccount } from '../keyring/keyring';
import { FactoryConfirmation } from '../ui/access';
import type { Consent } from './consent';

/**
 * Create the question about the accounts of one request. It is asked once a factory: a range
 * can have a hundred accounts.
 */
export function confirmFactory(origin: string, consent: Consent): ConfirmAccount {
  const asked = new Map<string, Promise<unknown>>();
  return async (record) => {
    if (record.type === 'eip155:eoa') return undefined;
    const { address, owner, entryPoint, factory, scopes } = record;
    if (isCanonicalFactory(entryPoint, factory)) return undefined;
    const kind = JSON.stringify([entryPoint, factory]);
    const answer =
      asked.get(kind) ??
      consent.require(origin, (translate) =>
        FactoryConfirmation({
          translate,
          origin,
          account: address,
          name: suggestName(record),
          chain: scopes[0],
          owner,
          entryPoint,
          factory,
        }),
      );
    asked.set(kind, answer);
    return answer;
  };
}
