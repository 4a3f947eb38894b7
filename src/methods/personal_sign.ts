// personal_sign [message, address] → signature (EIP-191).
import { string, tuple } from '@metamask/superstruct';

import { AddressStruct } from '../eth/hex';
import { parseMessage, signMessage } from '../eth/message';
import { parse } from '../parse';
import { MessageConfirmation } from '../ui/confirm/message';
import { assertOwnAddress } from './account-check';
import { defineMethod } from './method';

const ParamsStruct = tuple([string(), AddressStruct]);

/** Signs a text, or the bytes that a hex string stands for, with the EIP-191 prefix. */
export const personalSign = defineMethod({
  name: 'personal_sign',
  accountType: 'eip155:eoa',
  signs: true,
  parse: (params) => {
    const [message, address] = parse(params, ParamsStruct, 'personal_sign: params');
    return { message: parseMessage(message), address };
  },
  findAddress: ({ address }) => address,
  run: async ({ message, address }, { account, origin }, services) => {
    assertOwnAddress(account, address, 'The address');
    await services.requireConsent((translate) =>
      MessageConfirmation({ translate, origin, account: account.address, message }),
    );
    return services.withPrivateKey(account, (key) => signMessage(message, key));
  },
});
