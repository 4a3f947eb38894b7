// Messages and typed data.
import { hexToBytes } from '@metamask/utils';
import type { Hex } from '@metamask/utils';

import type { TypedData } from '../../../src/eth/typed-data';
import { MessageConfirmation } from '../../../src/message/view';
import type { MessageView } from '../../../src/message/view';
import { decodeMessage, findMessageWarnings } from '../../../src/message/warnings';
import { decodeDocument, decodeEntries } from '../../../src/typed-data/decoded';
import { TypedDataConfirmation } from '../../../src/typed-data/view';
import type { TypedDataView } from '../../../src/typed-data/view';
import { findTypedWarnings } from '../../../src/typed-data/warnings';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { FRIEND, LONG_SITE, NOW, OWN, SITE, SMART, SPENDER, TOKEN } from './people';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const SIGN_IN = `app.swap.example wants you to sign in with your Ethereum account:
${OWN}

Sign in to see your orders.

URI: https://app.swap.example/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2025-09-22T14:04:00.000Z`;

const PERMIT: TypedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: TOKEN },
  message: {
    owner: OWN,
    spender: SPENDER,
    value: String(2n ** 256n - 1n),
    nonce: '0',
    deadline: '1793000000',
  },
};

/** An order that gives a collectible for nothing. */
const ORDER: TypedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    OrderComponents: [
      { name: 'offerer', type: 'address' },
      { name: 'offer', type: 'OfferItem[]' },
      { name: 'consideration', type: 'ConsiderationItem[]' },
      { name: 'startTime', type: 'uint256' },
      { name: 'endTime', type: 'uint256' },
    ],
    OfferItem: [
      { name: 'itemType', type: 'uint8' },
      { name: 'token', type: 'address' },
      { name: 'identifierOrCriteria', type: 'uint256' },
      { name: 'startAmount', type: 'uint256' },
      { name: 'endAmount', type: 'uint256' },
    ],
    ConsiderationItem: [
      { name: 'itemType', type: 'uint8' },
      { name: 'token', type: 'address' },
      { name: 'identifierOrCriteria', type: 'uint256' },
      { name: 'startAmount', type: 'uint256' },
      { name: 'endAmount', type: 'uint256' },
      { name: 'recipient', type: 'address' },
    ],
  },
  primaryType: 'OrderComponents',
  domain: { name: 'Seaport', version: '1.6', chainId: 1, verifyingContract: SPENDER },
  message: {
    offerer: OWN,
    offer: [
      {
        itemType: '2',
        token: TOKEN,
        identifierOrCriteria: '4711',
        startAmount: '1',
        endAmount: '1',
      },
    ],
    consideration: [],
    startTime: '1758549600',
    endTime: '1758636000',
  },
};

const HASH: Hex = `0x${'0f'.repeat(32)}`;

const who = { origin: SITE, account: OWN, warnings: [] };

const context = {
  account: OWN,
  chains: [1n],
  now: NOW,
  own: [OWN, SMART],
  known: [],
  operations: [{ hash: HASH, sender: SMART }],
};

const messageOf = (
  given: Uint8Array,
  origin = SITE,
): Omit<MessageView, 'translate'> => {
  const message = decodeMessage(given);
  const warnings = findMessageWarnings(message, { ...context, origin });
  return { origin, account: OWN, message, warnings };
};

const signIn = (origin: string): Omit<MessageView, 'translate'> =>
  messageOf(bytes(SIGN_IN), origin);

const typed = (data: TypedData): Omit<TypedDataView, 'translate'> => {
  const decoded = decodeDocument(data);
  const warnings = findTypedWarnings(decoded, { ...context, origin: SITE });
  return { ...who, chainId: 1n, typed: decoded, warnings };
};

/** Screens of messages and typed data. */
export const messageScreens: Screen[] = [
  ...screensOf(MessageConfirmation, {
    'of text': messageOf(bytes('Hello! I agree to the terms of this site.')),
    'to sign in': signIn(SITE),
    'to sign in elsewhere': signIn('https://app-swap.example'),
    'in hex': messageOf(Uint8Array.from({ length: 80 }, (_, index) => index)),
    'that is a hash': messageOf(hexToBytes(`0x${'b1'.repeat(32)}`)),
    'that is the hash of an operation': messageOf(hexToBytes(HASH)),
    'that is long': messageOf(
      bytes(`**Free** \u202ecoins\u200b ${'unbreakable'.repeat(1_200)}`),
      LONG_SITE,
    ),
  }),
  ...screensOf(TypedDataConfirmation, {
    permit: typed(PERMIT),
    'order for nothing': typed(ORDER),
    'for no contract': {
      ...typed({ ...PERMIT, domain: { name: 'A'.repeat(180) } }),
      chainId: undefined,
    },
    'of version 1': {
      ...who,
      chainId: undefined,
      typed: decodeEntries([
        { type: 'string', name: 'Message', value: 'Hi, Alice!' },
        { type: 'address', name: 'To', value: FRIEND },
      ]),
    },
  }),
];
