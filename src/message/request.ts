// personal_sign [message, address] → signature (EIP-191). Some dapps swap the params, as older
// wallets expected, or append a password, as geth expects.
import { define, nullable, optional, string, tuple } from '@metamask/superstruct';
import { bytesToHex } from '@metamask/utils';

import { prepareSigning } from '../accounts/verifier';
import { defineMethod } from '../context';
import { AddressStruct, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseMessage } from '../eth/message';
import { assertNamed, assertSameChain, chooseChain } from '../request';
import { findSigningContext, listChains } from '../review/facts';
import {
  decodeMessage,
  findMessageWarnings,
  refuseAuthorizations,
} from '../review/messages';
import { MessageConfirmation } from '../review/screen/message';
import { matches, parse } from '../schema/parse';
import { toConfirmation } from '../sites/consent';

const ROOT = 'personal_sign: params';

// Accepts any string, because the params may be swapped, but errors name an address.
const SecondStruct = define<string>(
  AddressStruct.type,
  (value) => typeof value === 'string',
);

/** The params in their documented order. The third one is ignored. */
export const PersonalSignParamsStruct = tuple([
  string(),
  SecondStruct,
  optional(nullable(string())),
]);

type Reading = { message: Uint8Array; address: Hex };

/** The possible readings of the params. If both params are addresses, there are two: first the
 * documented order, then the other. */
type Readings = readonly [Reading, ...Reading[]];

/** Signs a text, or the bytes in a hex string, with the EIP-191 prefix. */
export const personalSign = defineMethod({
  parse: (params): Readings => {
    const [first, second] = parse(params, PersonalSignParamsStruct, ROOT);
    const swapped = matches(first, AddressStruct) ? read(second, first) : undefined;
    if (swapped && !matches(second, AddressStruct)) return [swapped];
    const reading = read(first, parse(second, AddressStruct, `${ROOT}[1]`));
    return swapped ? [reading, swapped] : [reading];
  },
  accounts: (readings) => readings.map(({ address }) => address),
  prepare: async (readings, context) => {
    const { account } = context;
    // If both params are addresses, the one of the account is the signer.
    const { message: bytes, address } =
      readings.find((each) => isSameAddress(each.address, account.address)) ??
      readings[0];
    assertNamed(account, address, 'The address');
    const message = decodeMessage(bytes);
    assertSameChain(context.scope, message.signIn?.chainId);
    const signing = await prepareSigning(
      account,
      async () => chooseChain(context, message.signIn?.chainId),
      context,
    );
    return { bytes, message, ...signing };
  },
  review: async ({ bytes, message, verifier, toTask }, context) => {
    const { account, origin } = context;
    const chains = message.signIn && listChains(context);
    const known = await findSigningContext(context, chains);
    const warnings = findMessageWarnings(message, known);
    refuseAuthorizations(warnings);
    const view = { origin, account: account.address, message, verifier, warnings };
    return toConfirmation([toTask(toPayload(bytes))], (translate, [task]) =>
      MessageConfirmation({ translate, ...view, digest: task?.digest }),
    );
  },
  sign: async (approval, { sign }, { core }) => sign(approval, core),
});

export function toPayload(message: Uint8Array): { kind: 'message'; bytes: Hex } {
  return { kind: 'message', bytes: bytesToHex(message) };
}

function read(message: string, address: Hex): Reading {
  return { message: parseMessage(message), address };
}
