// Connects sites to accounts: eth_requestAccounts asks if nothing is granted,
// wallet_requestPermissions every time. Also asks the questions about new accounts that MetaMask
// does not ask.
import { object, record, string, tuple } from '@metamask/superstruct';

import type { AccountQuestions } from '../accounts/agreement';
import { kindOf } from '../accounts/kinds/kinds';
import { createNaming } from '../accounts/phrases';
import { suggestName } from '../accounts/repository';
import { restoreAccounts } from '../accounts/restore';
import type { AppContext } from '../context';
import {
  InvalidParamsError,
  NotFoundError,
  UnavailableError,
  UserRejectedError,
} from '../core/errors';
import { isCanonical } from '../eth/smart-account';
import type { SiteRequest } from '../request';
import { parse } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';
import {
  ConnectConfirmation,
  FactoryConfirmation,
  FirstAccountConfirmation,
  UnlistedConfirmation,
} from '../ui/access';
import type { AccountChoice } from '../ui/access';
import { HOME_ORIGIN } from './consent';
import type { Consent } from './consent';

/** A permission (EIP-2255). */
type AccountsPermission = {
  invoker: string;
  parentCapability: 'eth_accounts';
  caveats: [{ type: 'restrictReturnedAccounts'; value: string[] }];
};

export const PermissionsStruct = tuple([record(string(), object())]);

/** The permissions that connect a site. MetaMask has a separate one for networks; here, a connected
 * site can use all networks. */
const CONNECTING = ['eth_accounts', 'endowment:permitted-chains'];

/** A permission that MetaMask drops from a site's request. */
const DROPPED = 'endowment:caip25';

/**
 * Answers `eth_requestAccounts`: returns the granted addresses, or asks the user to choose accounts
 * if none is granted.
 *
 * @throws {NotFoundError} If the user asks to restore accounts but none is found, or the chosen
 *   accounts were removed in the meantime.
 * @throws {UnavailableError} If no account is found and the search was incomplete.
 * @throws {UserRejectedError} If the user refuses or chooses no account.
 */
export async function requestAccounts(
  { origin }: SiteRequest,
  context: AppContext,
): Promise<string[]> {
  const { grants } = context;
  const granted = await grants.list(origin);
  // The unencrypted document may have been refused when the site connected.
  if (granted.length > 0) await grants.tidyMark(origin);
  const records = granted.length > 0 ? granted : await askForAccounts(origin, context);
  return records.map(({ address }) => address);
}

export async function listGrantedAddresses(
  { origin }: SiteRequest,
  { grants }: AppContext,
): Promise<string[]> {
  return (await grants.list(origin)).map(({ address }) => address);
}

/** Answers `wallet_requestPermissions` (EIP-2255): asks the user again, whatever was granted
 * before. Throws the errors of {@link requestAccounts}, and `InvalidParamsError` if Tollkeeper
 * cannot grant the requested permissions. An error leaves earlier grants unchanged. */
export async function requestPermissions(
  request: SiteRequest,
  context: AppContext,
): Promise<AccountsPermission[]> {
  const { origin, method } = request;
  const others = parsePermissions(request);
  if (others.length > 0) {
    throw new InvalidParamsError(
      `${method}: params[0] has ${JSON.stringify(others[0])}, which Tollkeeper cannot grant: ask MetaMask for it.`,
    );
  }
  return toPermissions(origin, await askForAccounts(origin, context));
}

/** Answers `wallet_getPermissions` (EIP-2255): returns the grants of the calling origin. */
export async function getPermissions(
  { origin }: SiteRequest,
  { grants }: AppContext,
): Promise<AccountsPermission[]> {
  const granted = await grants.list(origin);
  return granted.length > 0 ? toPermissions(origin, granted) : [];
}

/** Answers `wallet_revokePermissions`: disconnects the site. Throws `InvalidParamsError` if the
 * request names none of {@link CONNECTING}. */
export async function revokePermissions(
  request: SiteRequest,
  context: AppContext,
): Promise<null> {
  parsePermissions(request);
  return disconnect(request, context);
}

/** Answers `wallet_disconnect` (EIP-7846): removes the grants of the calling origin. */
export async function disconnect(
  { origin }: SiteRequest,
  { grants }: AppContext,
): Promise<null> {
  // Writes nothing if nothing was granted, because any site may call this as often as it likes.
  await grants.revoke(origin);
  return null;
}

// Returns the keys that are neither in CONNECTING nor dropped. Throws if the request has no key in
// CONNECTING.
function parsePermissions({ method, params }: SiteRequest): string[] {
  const [wanted] = parse(params, PermissionsStruct, `${method}: params`);
  const keys = Object.keys(wanted);
  const others = keys.filter((key) => !CONNECTING.includes(key) && key !== DROPPED);
  if (keys.some((key) => CONNECTING.includes(key))) return others;
  throw new InvalidParamsError(
    `${method}: params[0] must have the key ${CONNECTING.join(' or ')}.`,
  );
}

function toPermissions(
  invoker: string,
  records: readonly AccountRecord[],
): AccountsPermission[] {
  const value = records.map(({ address }) => address);
  const caveat = { type: 'restrictReturnedAccounts', value } as const;
  return [{ invoker, parentCapability: 'eth_accounts', caveats: [caveat] }];
}

/** Lets the user choose the accounts to connect. Concurrent requests of an origin share one dialog
 * and its answer, because libraries send several at the same time. */
export async function askForAccounts(
  origin: string,
  context: AppContext,
): Promise<AccountRecord[]> {
  return context.consent.share(origin, async () => chooseAccounts(origin, context));
}

async function chooseAccounts(
  origin: string,
  context: AppContext,
): Promise<AccountRecord[]> {
  const { grants, repository, consent } = context;
  const records = await repository.list();
  if (records.length === 0) return askForFirstAccount(origin, context);
  const granted = (await grants.list(origin)).map(({ id }) => id);
  const nameOf = await createNaming(records, context.listEntropySources);
  const accounts = records.map((record) => toChoice(record, granted, nameOf));
  const values = await consent.ask(origin, (translate) =>
    ConnectConfirmation({ translate, origin, accounts }),
  );
  const chosen = records.filter(({ id }) => values[id] === true);
  if (chosen.length === 0) throw new UserRejectedError('The user chose no account.');
  const present = await grants.set(
    origin,
    chosen.map(({ id }) => id),
  );
  if (present.some(({ id }) => values[id] === true)) return present;
  throw new NotFoundError(
    'The chosen accounts were removed from Tollkeeper meanwhile.',
  );
}

// If Tollkeeper has no accounts, lets the user create one, which is connected, or restore accounts
// and then choose among them. Throws `NotFoundError` if there was nothing to restore,
// `UnavailableError` if the search was incomplete, `UserRejectedError` if the user refuses.
async function askForFirstAccount(
  origin: string,
  context: AppContext,
): Promise<AccountRecord[]> {
  const { grants, keyring, progress, repository, consent } = context;
  const values = await consent.ask(origin, (translate) =>
    FirstAccountConfirmation({ translate, origin }),
  );
  // The user may have created an account for another site in the meantime.
  if ((await repository.list()).length > 0) return chooseAccounts(origin, context);
  const questions = askAboutAccounts(origin, consent);
  if (values.restore !== true) {
    const { id } = await keyring.createAccount({}, questions);
    return grants.set(origin, [id]);
  }
  const restored = await progress.run(async (port) =>
    restoreAccounts({}, { ...context, questions }, port),
  );
  if ((await repository.list()).length > 0) return chooseAccounts(origin, context);
  const { declined, isComplete, unreachable, unchecked } = restored;
  if (declined.length > 0) throw new UserRejectedError();
  if (!isComplete || unreachable.length > 0 || unchecked.length > 0) {
    throw new UnavailableError(
      'No account was restored, but the search was incomplete. Connect again to continue it.',
    );
  }
  throw new NotFoundError(
    'No used account was found to restore. Connect again to create one.',
  );
}

export function toChoice(
  record: AccountRecord,
  granted: readonly string[],
  nameOf: (record: AccountRecord) => string,
): AccountChoice {
  const { id, address } = record;
  const short = `${address.slice(0, 8)}…${address.slice(-6)}`;
  const label = `${nameOf(record)} (${short})`;
  return { id, label, isChosen: granted.includes(id) };
}

/** Creates the questions about accounts that are created together. Each question is asked once per
 * factory or account type. */
export function askAboutAccounts(origin: string, consent: Consent): AccountQuestions {
  const asked = new Map<string, Promise<unknown>>();
  const once = async (kind: string, ask: () => Promise<unknown>): Promise<unknown> => {
    const answer = asked.get(kind) ?? ask();
    asked.set(kind, answer);
    return answer;
  };
  return {
    // The author of a non-canonical factory may be able to take everything in the account, and
    // MetaMask's own question only shows the address.
    create: async (record) => {
      const { smart } = kindOf(record);
      if (!smart || isCanonical(smart.origin)) return undefined;
      const { address, owner, entryPoint, factory, scopes } = smart.record;
      return once(JSON.stringify([entryPoint, factory]), async () =>
        consent.ask(origin, (translate) =>
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
        ),
      );
    },
    // On the home page, the user has just confirmed this.
    createUnlisted: async (record, why) =>
      why === 'wanted' && origin === HOME_ORIGIN
        ? undefined
        : once(record.type, async () =>
            consent.ask(origin, (translate) =>
              UnlistedConfirmation({
                translate,
                origin,
                account: record.address,
                name: suggestName(record),
                why,
              }),
            ),
          ),
  };
}
