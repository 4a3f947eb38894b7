// personal_sign [message, address] → signature (EIP-191). Some dapps send the two the other
// way round, as older wallets wanted them; some add geth's password.
import { nullable, optional, string, tuple } from '@metamask/superstruct';

import { AddressStruct, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findLookAlikes } from '../eth/look-alike';
import { parseMessage, parseSiwe, signMessage } from '../eth/message';
import { findMessageAlerts, listTextAddresses } from '../eth/message-alerts';
import { matches, parse } from '../schema/parse';
import { named } from '../schema/structs';
import { MessageConfirmation } from '../ui/confirm/message';
import type { MessageView } from '../ui/confirm/message';
import { findText } from '../ui/format';
import { assertOwnAddress } from './account-check';
import { defineMethod } from './method';
import type { MethodRequest, MethodServices } from './method';
import { findContext } from './signing-context';

const ROOT = 'personal_sign: params';

// The second is an address unless the first is one.
const SecondStruct = named<string>(
  AddressStruct.type,
  (value) => typeof value === 'string',
);

/** The params in the order of the documentation; the third is ignored. */
export const PersonalSignParamsStruct = tuple([
  string(),
  SecondStruct,
  optional(nullable(string())),
]);

/** A message, and the address that is asked to sign it. */
type Reading = { message: Uint8Array; address: Hex };

/** What the params can mean, as documented first; both if both could be the address. */
type Readings = readonly [Reading, ...Reading[]];

/** Signs a text, or the bytes that a hex string stands for, with the EIP-191 prefix. */
export const personalSign = defineMethod({
  name: 'personal_sign',
  accountType: 'eip155:eoa',
  signs: true,
  parse: (params): Readings => {
    const [first, second] = parse(params, PersonalSignParamsStruct, ROOT);
    const swapped = matches(first, AddressStruct) ? read(second, first) : undefined;
    if (swapped && !matches(second, AddressStruct)) return [swapped];
    const reading = read(first, parse(second, AddressStruct, `${ROOT}[1]`));
    return swapped ? [reading, swapped] : [reading];
  },
  findAddresses: (readings) => readings.map(({ address }) => address),
  run: async (readings, request, services) => {
    const { account } = request;
    const { message, address } = choose(readings, account.address);
    assertOwnAddress(account, address, 'The address');
    const found = services.confirmsItself
      ? await lookAt(message, request, services)
      : {};
    const { origin } = request;
    await services.requireConsent((translate) =>
      MessageConfirmation({
        translate,
        origin,
        account: account.address,
        message,
        ...found,
      }),
    );
    return services.withPrivateKey(account, (key) => signMessage(message, key));
  },
});

/** Find what the signer should know about a message. */
async function lookAt(
  message: Uint8Array,
  request: MethodRequest,
  services: MethodServices,
): Promise<Pick<MessageView, 'signIn' | 'alerts' | 'lookAlikes'>> {
  const [context, known] = await Promise.all([
    findContext(request, services),
    services.knownAddresses(),
  ]);
  const text = findText(message);
  return {
    signIn: text === undefined ? undefined : parseSiwe(text),
    alerts: findMessageAlerts({ bytes: message, text }, context),
    lookAlikes: findLookAlikes(listTextAddresses(text), known.all),
  };
}

function read(message: string, address: Hex): Reading {
  return { message: parseMessage(message), address };
}

// The message can be an address, too: the account's own is the one that signs.
function choose(readings: Readings, own: Hex): Reading {
  return readings.find(({ address }) => isSameAddress(address, own)) ?? readings[0];
}
