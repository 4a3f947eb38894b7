// Questions about new accounts, beside MetaMask's own.
import type { AccountQuestions } from '../accounts/agreement';
import { kindOf } from '../accounts/kinds/kinds';
import { suggestName } from '../accounts/record';
import { isCanonical } from '../eth/smart-account';
import { FactoryConfirmation, UnlistedConfirmation } from '../ui/access';
import type { Consent } from './consent';

/** Creates the questions about accounts that are made together. Each is asked once a factory, and
 * once a type: a range can have a hundred accounts. */
export function askAboutAccounts(origin: string, consent: Consent): AccountQuestions {
  const asked = new Map<string, Promise<unknown>>();
  const once = async (kind: string, ask: () => Promise<unknown>): Promise<unknown> => {
    const answer = asked.get(kind) ?? ask();
    asked.set(kind, answer);
    return answer;
  };
  return {
    // The author of a factory that is not canonical may be able to take everything in the account,
    // and MetaMask's own question shows the address alone.
    create: async (record) => {
      const { smart } = kindOf(record);
      if (!smart || isCanonical(smart.origin)) return undefined;
      const { address, owner, entryPoint, factory, scopes } = smart.record;
      return once(JSON.stringify([entryPoint, factory]), async () =>
        consent.require(origin, (translate) =>
          FactoryConfirmation({
            ...{ translate, origin, account: address, name: suggestName(record) },
            ...{ chain: scopes[0], owner, entryPoint, factory },
          }),
        ),
      );
    },
    createUnlisted: async (record) =>
      once(record.type, async () =>
        consent.require(origin, (translate) =>
          UnlistedConfirmation({
            ...{
              translate,
              origin,
              account: record.address,
              name: suggestName(record),
            },
          }),
        ),
      ),
  };
}
