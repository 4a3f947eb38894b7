// What was sent, what waits and which sites there are, on the home page.
import { ActivityTab, SentDetails } from '../../../src/home/activity';
import type { ShownSent } from '../../../src/home/activity';
import { RequestsTab } from '../../../src/home/requests';
import { SitesTab } from '../../../src/home/sites';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import {
  BASE,
  FRIEND,
  LONG_SITE,
  MAINNET,
  NOW,
  OWN,
  SITE,
  SMART,
  TOKEN,
} from './people';

const COIN = 10n ** 18n;

const hash = (byte: string): ShownSent['hash'] => `0x${byte.repeat(32)}`;

const pending: ShownSent = {
  hash: hash('a1'),
  chain: MAINNET,
  isOperation: false,
  from: OWN,
  to: FRIEND,
  value: COIN / 4n,
  nonce: 118n,
  origin: SITE,
  sentAt: NOW - 40_000,
  settledAt: undefined,
  state: 'pending',
  cost: undefined,
  maxCost: 526_752_164_442_000n,
  price: 25_083_436_402n,
  block: undefined,
  gasUsed: undefined,
  replaces: undefined,
  replacedBy: undefined,
  canBeReplaced: true,
};

const included: ShownSent = {
  ...pending,
  hash: hash('b2'),
  nonce: 117n,
  sentAt: NOW - 3_600_000,
  settledAt: NOW - 3_570_000,
  state: 'included',
  cost: 404_026_184_457_000n,
  block: 23_412_877n,
  gasUsed: 21_000n,
  canBeReplaced: false,
};

const failed: ShownSent = {
  ...included,
  hash: hash('c3'),
  chain: BASE,
  isOperation: true,
  from: SMART,
  to: null,
  value: 0n,
  origin: LONG_SITE,
  state: 'failed',
  cost: 1_204_000_000_001n,
  gasUsed: 312_904n,
};

const replaced: ShownSent = {
  ...included,
  hash: hash('d4'),
  to: TOKEN,
  value: 0n,
  state: 'replaced',
  cost: undefined,
  maxCost: undefined,
  block: undefined,
  gasUsed: undefined,
  replacedBy: hash('b2'),
};

const request = {
  id: '41f6a1c2-74b3-4d55-b6a9-9e6b6f1c0001',
  method: 'eth_signTransaction',
  origin: SITE,
  chain: MAINNET,
  account: OWN,
};

const waiting = [
  request,
  { ...request, method: 'eth_signUserOperation', chain: BASE, account: SMART },
  { ...request, method: 'personal_sign', origin: LONG_SITE, chain: undefined },
  { ...request, method: 'eth_signOfTheFuture', account: undefined },
];

const one = { page: 0, pages: 1 };

const sites = [
  {
    origin: SITE,
    accounts: [
      { id: 'own', address: OWN },
      { id: 'smart', address: SMART },
    ],
  },
  { origin: LONG_SITE, accounts: [{ id: 'own', address: OWN }] },
  { origin: 'https://nobody.example', accounts: [] },
];

/** Screens of what was sent, of requests and of sites. */
export const homeActivityScreens: Screen[] = [
  ...screensOf(ActivityTab, {
    'of every outcome': {
      sent: [pending, included, failed, replaced],
      page: 0,
      pages: 12,
      open: undefined,
    },
    'of nothing': { ...one, sent: [], open: undefined },
  }),
  ...screensOf(SentDetails, {
    'of what is pending': { sent: { ...pending, replaces: hash('e5') } },
    'of what is included': { sent: included },
    'of what failed': { sent: failed },
    'of what was replaced': { sent: replaced },
  }),
  ...screensOf(RequestsTab, {
    'of some': { ...one, waiting, isAsynchronous: true },
    'of none': { ...one, waiting: [], isAsynchronous: false },
  }),
  ...screensOf(SitesTab, {
    'of some': { ...one, sites },
    'of none': { ...one, sites: [] },
  }),
];
