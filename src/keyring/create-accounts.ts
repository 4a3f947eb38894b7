// tollkeeper_createAccounts: the accounts of a range of indices, each as keyring_createAccount
// makes it.
import { exactOptional } from '@metamask/superstruct';

import { createMaker } from '../accounts/create';
import type { CreateServices } from '../accounts/create';
import {
  CreateAccountOptionsStruct,
  parseCreateAccountOptions,
} from '../accounts/options';
import { toDerivedKey } from '../accounts/record';
import { parse, parseObjectParams } from '../schema/parse';
import { integerBetween, paramObject } from '../schema/structs';
import { AccountIndexStruct } from '../state/account-record';
import type { Agreement } from './agreement';
import { announceAll, MAX_ANNOUNCED } from './announce';
import type { Announced } from './announce';
import type { ConfirmAccount } from './keyring';
import type { ProgressPort } from './progress';

const ROOT = 'tollkeeper_createAccounts: params';

const { type, entropySource, scopes, entryPoint, factory, salt } =
  CreateAccountOptionsStruct.schema;

/** A range of indices, and the options of keyring_createAccount that do not concern one
 * account alone. */
export const RangeStruct = paramObject({
  from: exactOptional(AccountIndexStruct),
  count: integerBetween(1, MAX_ANNOUNCED),
  ...{ type, entropySource, scopes, entryPoint, factory, salt },
});

/** What creating needs. */
export type CreateAccountsServices = CreateServices & { agreement: Agreement };

/** What creating needs, and how the user is asked about an account. */
type AskingServices = CreateAccountsServices & { confirm: ConfirmAccount };

/**
 * Create the accounts of a range of indices. An index that exists gives the account that is
 * there, announced again.
 *
 * @param params - `[{ from?, count, …options }]` or the object alone; the options are those
 * of keyring_createAccount but for `index` and `privateKey`.
 * @throws {InvalidParamsError} If an option is malformed; nothing is created then.
 */
export async function createAccounts(
  params: unknown,
  services: AskingServices,
  progress: ProgressPort,
): Promise<Announced> {
  const { from = 0, count, ...rest } = parseObjectParams(params, RangeStruct, ROOT);
  parse(from + count - 1, AccountIndexStruct, `${ROOT}: the last index`);
  const options = parseCreateAccountOptions(rest, ROOT);
  progress.report({ phase: 'checking', done: 0, total: count });
  const indices = Array.from({ length: count }, (_, offset) => from + offset);
  const make = await createMaker(options, services);
  // Together: each can wait for a node that checks the address of a smart account.
  const records = await Promise.all(
    indices.map(async (index) => make(toDerivedKey(index, options.entropySource))),
  );
  return announceAll(
    records,
    async (record) => {
      await services.confirm(record);
      return services.agreement.add(record);
    },
    progress,
  );
}
