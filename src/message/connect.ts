// wallet_connect (ERC-7846): connects accounts, and signs in (EIP-4361) with one of them in the
// same dialog.
import { boolean, optional, record, string, tuple, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { getChecksumAddress, stringToBytes } from '@metamask/utils';

import { createNaming } from '../accounts/phrases';
import { serves } from '../accounts/repository';
import { findVerifier, prepareSigning, toTask } from '../accounts/verifier';
import type { AppContext } from '../context';
import { CallsError, InvalidParamsError } from '../core/errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseSiwe, writeSiwe } from '../eth/message';
import { assertSameChain, parseEnvelope } from '../request';
import type { SiteRequest } from '../request';
import { findSigningContext, listChains } from '../review/facts';
import {
  decodeMessage,
  findMessageWarnings,
  refuseAuthorizations,
} from '../review/messages';
import { MessageConfirmation } from '../review/screen/message';
import { offers, routes } from '../routes';
import { parse } from '../schema/parse';
import { list, paramObject, text } from '../schema/structs';
import { askForAccounts, requestAccounts, toChoice } from '../sites/accounts';
import type { Snapshot } from '../sites/consent';
import type { AccountRecord } from '../state/account-record';
import { toPayload } from './request';

const LineStruct = text(2_000);

/** The parameters of a sign-in. Times are written as in EIP-4361. */
const SignInStruct = paramObject({
  nonce: LineStruct,
  chainId: ChainIdStruct,
  version: optional(LineStruct),
  scheme: optional(LineStruct),
  domain: optional(LineStruct),
  uri: optional(LineStruct),
  statement: optional(LineStruct),
  issuedAt: optional(LineStruct),
  expirationTime: optional(LineStruct),
  notBefore: optional(LineStruct),
  requestId: optional(LineStruct),
  resources: optional(list(LineStruct, { min: 0, max: 100 })),
  optional: optional(boolean()),
});

export const ConnectParamsStruct = tuple([
  paramObject({
    version: optional(string()),
    capabilities: optional(record(string(), type({ optional: optional(boolean()) }))),
  }),
]);

type SignIn = Infer<typeof SignInStruct>;

type Connected = {
  accounts: {
    address: string;
    capabilities: { signInWithEthereum?: { message: string; signature: Hex } };
  }[];
};

const NAME = 'signInWithEthereum';

/** Answers `wallet_connect` (ERC-7846). Throws `CallsError` 5700 for a capability that is unknown,
 * or a sign-in that no account can make, unless it is optional. */
export async function connect(
  request: SiteRequest,
  context: AppContext,
): Promise<Connected> {
  const { method } = request;
  const { account, scope, params } = parseEnvelope(method, request.params);
  const root = `${method}: params`;
  if (account !== undefined) {
    throw new InvalidParamsError(
      `${root}.account is not expected here: the user chooses the account.`,
    );
  }
  const [{ capabilities = {} }] = parse(params, ConnectParamsStruct, root);
  for (const [name, value] of Object.entries(capabilities)) {
    if (name === NAME || value.optional === true) continue;
    throw new CallsError(
      'capability',
      `wallet_connect does not offer the capability ${JSON.stringify(name)}. Mark it as ` +
        'optional, or omit it.',
    );
  }
  const path = `${root}[0].capabilities.${NAME}`;
  const fields = parse(capabilities[NAME], optional(SignInStruct), path) ?? undefined;
  assertSameChain(scope, fields?.chainId);
  const signedIn =
    fields &&
    // Identical concurrent sign-ins share one dialog and one signature.
    (await context.consent.share(
      JSON.stringify([request.origin, request.params]),
      async () => signIn(fields, { ...request, path, scope }, context),
    ));
  if (signedIn) return signedIn;
  const addresses = await requestAccounts(request, context);
  return { accounts: addresses.map((address) => ({ address, capabilities: {} })) };
}

// Returns undefined if the sign-in is optional and no account can sign in.
async function signIn(
  fields: SignIn,
  { origin, path, scope }: SiteRequest & { path: string; scope: ChainId | undefined },
  context: AppContext,
): Promise<Connected | undefined> {
  const { consent, core, grants, repository } = context;
  const now = new Date(context.now()).toISOString();
  const write = (address: Hex): string =>
    writeSiwe({
      ...fields,
      // By default, a site signs the user in to itself. The dialog warns of any other domain.
      domain: fields.domain ?? new URL(origin).host,
      uri: fields.uri ?? origin,
      version: fields.version ?? '1',
      issuedAt: fields.issuedAt ?? now,
      resources: fields.resources ?? [],
      address: getChecksumAddress(address),
    });
  if (!parseSiwe(write(ZERO_ADDRESS))) {
    throw new InvalidParamsError(
      `${path} does not form a sign-in message (EIP-4361). Check that nonce has at ` +
        'least 8 letters and digits, that times are in RFC 3339 format, that uri and ' +
        'resources are URIs, and that statement is one line without invisible characters.',
    );
  }
  const known = await repository.list();
  const all = known.length > 0 ? known : await askForAccounts(origin, context);
  const accounts = all.filter(
    (each) => offers(each, routes.personal_sign) && serves(each, fields.chainId),
  );
  const granted = await listIds(origin, context);
  const first = accounts.find(({ id }) => granted.includes(id)) ?? accounts[0];
  if (!first) {
    if (fields.optional === true) return undefined;
    throw new CallsError(
      'capability',
      `No account can sign in on ${toCaip2(fields.chainId)}. SimpleAccounts cannot: their ` +
        'contract has no ERC-1271. Create a standard account or a Safe in Tollkeeper, or connect ' +
        'without signInWithEthereum.',
    );
  }
  const signingSubject = {
    ...context,
    origin,
    scope,
    account: first,
    confirmsItself: true,
  };
  const signing = await findSigningContext(signingSubject, listChains(signingSubject));
  // The site writes the whole text except the address, so it is checked for one account only.
  refuseAuthorizations(
    findMessageWarnings(decodeMessage(stringToBytes(write(first.address))), signing),
  );
  const nameOf = await createNaming(accounts, context.listEntropySources);
  let selected: AccountRecord = first;
  // Needs no node: the request names the chain, and a contract's state is fetched just before
  // signing.
  const takeSnapshot = (): Snapshot => {
    const account = selected;
    const text = write(account.address);
    const bytes = stringToBytes(text);
    const message = decodeMessage(bytes);
    const { address } = account;
    const warnings = findMessageWarnings(message, { ...signing, account: address });
    const choices = accounts.map((each) => ({
      ...toChoice(each, granted, nameOf),
      isChosen: each === account,
    }));
    const verifier = findVerifier(account, fields.chainId);
    const view = { origin, account: address, message, verifier, warnings, choices };
    return {
      tasks: [toTask(account, toPayload(bytes), fields.chainId)],
      draw: (translate, [task]) =>
        MessageConfirmation({ translate, ...view, digest: task?.digest }),
    };
  };
  const ask = async (): Promise<Connected> => {
    const approval = await consent.require(origin, {
      takeSnapshot,
      onInput: ({ name, value }) => {
        const next = accounts.find(({ id }) => name === 'account' && id === value);
        if (!next || next === selected) return false;
        selected = next;
        return true;
      },
    });
    const [task] = core.tasksOf(approval);
    const account = accounts.find(({ id }) => id === task?.account.id) ?? first;
    const message = write(account.address);
    const { sign } = await prepareSigning(
      account,
      async () => Promise.resolve(fields.chainId),
      context,
    );
    const signature = await sign(approval, core);
    // Accounts that were disconnected in the meantime stay disconnected.
    const others = (await listIds(origin, context)).filter((id) => id !== account.id);
    const connected = await grants.set(origin, [account.id, ...others]);
    return {
      accounts: connected.map(({ id, address }) => ({
        address,
        capabilities: id === account.id ? { [NAME]: { message, signature } } : {},
      })),
    };
  };
  const asking = ask();
  // Concurrent connection requests get the same accounts or the same refusal.
  void consent
    .share(origin, async () => asking.then(async () => grants.list(origin)))
    .catch(() => undefined);
  return asking;
}

async function listIds(origin: string, { grants }: AppContext): Promise<string[]> {
  return (await grants.list(origin)).map(({ id }) => id);
}
