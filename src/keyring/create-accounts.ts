// tollkeeper_createAccounts: the accounts of a range of indices, each as keyring_createAccount
// makes it.
import { exactOptional, type } from '@metamask/superstruct';

import { buildRecord } from '../accounts/create';
import type { CreateServices } from '../accounts/create';
import { parseCreateAccountOptions } from '../accounts/options';
import { InvalidParamsError } from '../errors';
import { parse, parseObjectParams } from '../parse';
import { AccountIndexStruct } from '../state/account-record';
import { integerBetween } from '../structs';
import type { Agreement } from './agreement';
import { announceAll, MAX_ANNOUNCED } from './announce';
import type { Announced } from './announce';
import type { ConfirmAccount } from './keyring';
import type { ProgressPort } from './progress';

const ROOT = 'tollkeeper_createAccounts: params';

/** A range of indices. */
export const RangeStruct = type({
  from: exactOptional(AccountIndexStruct),
  count: integerBetween(1, MAX_ANNOUNCED),
});

/** Options of keyring_createAccount that concern one account alone. */
export const excludedOptions = ['privateKey', 'index', 'metamask'] as const;

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
  const excluded = excludedOptions.find((name) => name in rest);
  if (excluded !== undefined) {
    throw new InvalidParamsError(`${ROOT}.${excluded} is not expected here.`);
  }
  parse(from + count - 1, AccountIndexStruct, `${ROOT}: the last index`);
  const options = parseCreateAccountOptions(rest, ROOT);
  progress.report({ phase: 'checking', done: 0, total: count });
  const indices = Array.from({ length: count }, (_, offset) => from + offset);
  // Together: each can wait for a node that checks the address of a smart account.
  const records = await Promise.all(
    indices.map(async (index) => buildRecord({ ...options, index }, services)),
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
