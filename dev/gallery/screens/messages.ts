// Messages and typed data.
import type { TypedData } from '../../../src/eth/typed-data';
import { MessageConfirmation } from '../../../src/ui/confirm/message';
import { TypedDataConfirmation } from '../../../src/ui/confirm/typed-data';
import { TypedEntriesConfirmation } from '../../../src/ui/confirm/typed-entries';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { FRIEND, LONG_SITE, OWN, SITE, SPENDER, TOKEN } from './people';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const SIGN_IN = `app.swap.example wants you to sign in with your Ethereum account:
${OWN}

Sign in to see your orders.

URI: https://app.swap.example/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2026-03-01T10:00:00.000Z`;

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

const who = { origin: SITE, account: OWN };

/** Screens of messages and typed data. */
export const messageScreens: Screen[] = [
  ...screensOf(MessageConfirmation, {
    'of text': { ...who, message: bytes('Hello! I agree to the terms of this site.') },
    'to sign in': { ...who, message: bytes(SIGN_IN) },
    'in hex': { ...who, message: Uint8Array.from({ length: 80 }, (_, index) => index) },
    'that is long': {
      origin: LONG_SITE,
      account: OWN,
      message: bytes(`**Free** \u202ecoins\u200b ${'unbreakable'.repeat(1_200)}`),
    },
  }),
  ...screensOf(TypedDataConfirmation, {
    permit: { ...who, chainId: 1n, data: PERMIT },
    'for no contract': {
      ...who,
      chainId: undefined,
      data: { ...PERMIT, domain: { name: 'A'.repeat(180) } },
    },
  }),
  ...screensOf(TypedEntriesConfirmation, {
    plain: {
      ...who,
      chainId: undefined,
      data: [
        { type: 'string', name: 'Message', value: 'Hi, Alice!' },
        { type: 'address', name: 'To', value: FRIEND },
      ],
    },
  }),
];
