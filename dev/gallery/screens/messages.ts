// Screens of messages and typed data, including the insights in MetaMask's own confirmation.
import { hexToBytes, type Hex } from '@metamask/utils';

import type { TypedData } from '../../../src/core/typed-data';
import { encodeCall } from '../../../src/eth/abi';
import { ZERO_ADDRESS } from '../../../src/eth/hex';
import { HomePage } from '../../../src/insight-snap/home';
import { SignatureInsightView } from '../../../src/insights/signature';
import { TransactionInsightView } from '../../../src/insights/transaction';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import { decodeMessage, findMessageWarnings } from '../../../src/review/messages';
import { readCall } from '../../../src/review/read';
import { listTypedDigests } from '../../../src/review/screen/digests';
import {
  type TypedDataView,
  TypedDataConfirmation,
} from '../../../src/review/screen/document';
import { MessageConfirmation } from '../../../src/review/screen/message';
import { danger, info, warning } from '../../../src/ui/warnings';
import { documentOf, permitOf, seaportOrderOf } from '../../demo/documents';
import { screensOf, type Screen } from '../screen';
import { account } from './access';
import {
  COLLECTION,
  FRIEND,
  MAINNET,
  NOW,
  OWN,
  PHISHER,
  SITE,
  SMART,
  SPENDER,
  TOKEN,
} from './people';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const SIGN_IN = `app.swap.example wants you to sign in with your Ethereum account:
${OWN}

Sign in to see your orders.

URI: https://app.swap.example/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2025-09-22T14:04:00.000Z`;

const PERMIT = permitOf(OWN, TOKEN, {
  spender: SPENDER,
  value: String(2n ** 256n - 1n),
  nonce: '0',
  deadline: '1793000000',
});

const ORDER = seaportOrderOf(
  'address offerer, OfferItem[] offer, ConsiderationItem[] consideration, uint256 startTime, uint256 endTime',
  {
    offerer: OWN,
    offer: [
      {
        itemType: '2',
        token: COLLECTION,
        identifierOrCriteria: '4711',
        startAmount: '1',
        endAmount: '1',
      },
    ],
    consideration: [],
    startTime: '1758549600',
    endTime: '1758636000',
  },
);

const SAFE_PAYMENT = documentOf(
  { chainId: 1, verifyingContract: '0x4F2083f5fBede34C2714aFfb3105539775f7FE64' },
  {
    SafeTx:
      'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce',
  },
  {
    to: TOKEN,
    value: '0',
    data: transferOf('0x8c5ab1e3d2f97604b1c8e05fa9436d7e20b1f4c9', 30_000_000_000n),
    operation: '0',
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '0',
    gasToken: ZERO_ADDRESS,
    refundReceiver: ZERO_ADDRESS,
    nonce: '118',
  },
);

const PHISHING = decodeDocument(
  permitOf(OWN, TOKEN, {
    spender: PHISHER,
    value: String(2n ** 256n - 1n),
    nonce: '3',
    deadline: '1793000000',
  }),
);

const PAYMENT = readCall({
  from: OWN,
  to: TOKEN,
  value: 0n,
  data: transferOf('0x2b6e9a174dc05f83ab91e67c308d4f5be7a2c6d1', 250_000_000n),
});

function transferOf(to: Hex, amount: bigint): Hex {
  return encodeCall('transfer(address,uint256)', [to, amount]);
}

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

const messageOf = (given: Uint8Array, origin = SITE) => {
  const message = decodeMessage(given);
  const warnings = findMessageWarnings(message, { ...context, origin });
  return { origin, account: OWN, message, warnings };
};

const signIn = (origin: string) => messageOf(bytes(SIGN_IN), origin);

export const typed = (data: TypedData): Omit<TypedDataView, 'translate'> => {
  const decoded = decodeDocument(data);
  const warnings = findTypedWarnings(decoded, { ...context, origin: SITE });
  return { ...who, chainId: 1n, typed: decoded, warnings };
};

const fees = {
  level: 'medium',
  isBelowBaseFee: false,
  tenthsOfHigh: 8n,
  mediumCost: 441_000_000_000_000n,
  mediumWait: 30_000,
  congestion: 0.51,
  baseFeeTrend: 'up',
} as const;

export const messageScreens: Screen[] = [
  ...screensOf(MessageConfirmation, {
    'of text': messageOf(bytes('Hello! I agree to the terms of this site.')),
    'to sign in': signIn(SITE),
    'to sign in with a Safe': { ...signIn(SITE), verifier: { chainId: 1n } },
    'to connect and sign in': {
      ...signIn(SITE),
      choices: [account('Tollkeeper 1', OWN, true), account('Tollkeeper 2', FRIEND)],
    },
    'to sign in elsewhere': signIn('https://app-swap.example'),
    'that is the hash of an operation': messageOf(hexToBytes(HASH)),
  }),
  ...screensOf(TypedDataConfirmation, {
    permit: typed(PERMIT),
    'order for nothing': typed(ORDER),
  }),
  ...screensOf(SignatureInsightView, {
    'of a permit for a phisher': {
      chain: MAINNET,
      warnings: [
        danger('typed.spenderNoCode', { address: PHISHER }),
        ...findTypedWarnings(PHISHING, {
          ...context,
          origin: 'https://claim-usdc.example',
        }),
      ],
      typed: PHISHING,
      account: OWN,
      balances: new Map([[TOKEN, 8_214_370_000n]]),
    },
    'of a payment by a Safe': {
      chain: MAINNET,
      warnings: [info('typed.ownSafe', { name: 'Treasury' })],
      typed: decodeDocument(SAFE_PAYMENT),
      account: OWN,
      digests: listTypedDigests(decodeDocument(SAFE_PAYMENT)),
    },
  }),
  ...screensOf(HomePage, {
    'with a Safe': {
      version: 1,
      safes: [{ name: 'Treasury', address: FRIEND }],
      refused: { name: '', address: '0x12' },
    },
  }),
  ...screensOf(TransactionInsightView, {
    'fees that are too high': {
      chain: MAINNET,
      warnings: [
        warning('alert.fee', {
          fee: { fee: 101_368_000_000n },
          high: { fee: 31_677_000_000n },
        }),
      ],
      call: PAYMENT,
      fees: { ...fees, level: 'high', tenthsOfHigh: 32n },
    },
  }),
];
