// Screens of the home page: its tabs, and the frame around them.
import { encodeFunctionData, parseAbi } from 'viem';

import { implementations, type Implementation } from '../../../src/core/authorization';
import { encodeIntents } from '../../../src/eth/account-calls';
import type { Hex } from '../../../src/eth/hex';
import type { AccountDetails, ShownDamaged } from '../../../src/home/account-data';
import { CreateForm, ImportForm, RestorePage } from '../../../src/home/account-forms';
import {
  AccountList,
  type AccountListView,
  AccountPage,
  type AccountView,
  DamagedPage,
} from '../../../src/home/accounts';
import { ActivityTab, SentDetails, type ShownSent } from '../../../src/home/activity';
import { ChainForm } from '../../../src/home/chain-form';
import { type GasMarket, GasTab, type GasView } from '../../../src/home/gas';
import { HomeFrame as Frame, type HomeFrameView } from '../../../src/home/page';
import { PermissionsTab, type PermissionsView } from '../../../src/home/permissions';
import { RequestsTab } from '../../../src/home/requests';
import { readOperationSteps, readTransactionSteps } from '../../../src/home/sent-words';
import {
  RemoveChainPage,
  SettingsPage,
  type SettingsView,
} from '../../../src/home/settings';
import type { ChainRow } from '../../../src/state/chain-row';
import { toShortHex } from '../../../src/ui/format';
import { type Screen, screensOf } from '../screen';
import {
  BASE,
  COLLECTION,
  EMPTY_FORM,
  FRIEND,
  LONG_SITE,
  MAINNET,
  NOW,
  OPTIMISM,
  OWN,
  PHISHER,
  SEPOLIA,
  SITE,
  SMART,
  SPENDER,
  TOKEN,
} from './people';
import { TRANSFER } from './transactions';

const GWEI = 1_000_000_000n;

const baseFees = [
  14_215, 14_902, 15_630, 15_011, 14_387, 15_940, 17_612, 18_205, 17_330, 16_118,
  15_204, 14_871, 15_522, 16_980, 18_644, 20_071, 19_356, 18_002, 17_421, 18_239,
].map((thousandths) => BigInt(thousandths) * (GWEI / 1_000n));

const market: GasMarket = {
  levels: {
    low: { maxFeePerGas: 18_489_342_117n, maxPriorityFeePerGas: 250_000_000n },
    medium: { maxFeePerGas: 25_083_436_402n, maxPriorityFeePerGas: GWEI },
    high: { maxFeePerGas: 31_677_530_687n, maxPriorityFeePerGas: 2n * GWEI },
  },
  baseFee: 18_239_342_117n,
  baseFees,
  waits: {
    low: { min: 15_000, max: 60_000 },
    medium: { min: 15_000, max: 30_000 },
    high: { min: 15_000, max: 15_000 },
  },
  source: 'gas-api',
  passedOver: undefined,
  ageMs: 4_000,
  transferGas: { exists: 21_000n, created: 21_000n },
  congestion: 0.58,
  baseFeeTrend: 'up',
  priorityFeeTrend: 'down',
};

const servers: GasView['servers'] = {
  configured: { gas: true, node: true, socket: false, bundler: true, paymaster: false },
  gas: { kind: 'ok', at: NOW - 4_000 },
  node: { kind: 'limited', at: NOW - 90_000, retryAt: NOW + 45_000 },
  inUse: [
    { chain: MAINNET, source: 'gas-api', passedOver: undefined, ageMs: 4_000 },
    { chain: BASE, source: 'rollup-estimate', passedOver: undefined, ageMs: 12_000 },
    { chain: SEPOLIA, source: 'fee-history', passedOver: 'gas-api', ageMs: 7_200_000 },
  ],
  now: NOW,
};

const gasView = {
  chains: [MAINNET, BASE, SEPOLIA],
  chain: MAINNET,
  market: undefined,
  notices: [],
  servers,
};

const gasWithHistory: Omit<GasView, 'translate'> = { ...gasView, market };

const [DELEGATE] = implementations as [Implementation];

const standard: Omit<AccountDetails, 'id' | 'name' | 'address'> = {
  entryPoint: undefined,
  implementation: undefined,
  index: 0,
  phrase: undefined,
  balance: undefined,
  deployment: undefined,
  unlisted: undefined,
  payers: [],
  origins: [],
};

const own: AccountDetails = {
  ...standard,
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d001',
  name: 'Tollkeeper 1',
  address: OWN,
  balance: { amount: '1.408372914650218734', unit: 'ETH' },
  delegations: [
    [MAINNET, undefined],
    [BASE, { address: DELEGATE.address, implementation: DELEGATE, isPoor: false }],
    [
      OPTIMISM,
      {
        address: SPENDER,
        implementation: undefined,
        isPoor: true,
        rescue: { status: 'included', settledAt: NOW },
      },
    ],
    [SEPOLIA, 'unknown'],
  ],
  payers: [['b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d002', 'Tollkeeper 2 0xa160…e4c2']],
  origins: [SITE, 'https://wallet.example', LONG_SITE],
};

const imported: AccountDetails = {
  ...standard,
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d002',
  name: 'Savings from the old wallet, whose name is as long as a name can be',
  address: FRIEND,
  index: undefined,
};

const smart: AccountDetails = {
  ...standard,
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d003',
  name: 'Household',
  address: SMART,
  index: 1,
  phrase: { name: 'Secret Recovery Phrase 2' },
  entryPoint: '0.7',
  balance: { amount: '0', unit: 'ETH' },
  deployment: 'deployed',
  contract: {
    owner: OWN,
    factory: SPENDER,
    chains: [
      { chain: MAINNET, state: 'deployed', takeover: 'owner' },
      { chain: BASE, state: 'absent', takeover: undefined },
      { chain: SEPOLIA, state: 'unknown', takeover: undefined },
    ],
    others: [OPTIMISM],
  },
  origins: [SITE],
};

const damaged: ShownDamaged = {
  id: 'accounts.1',
  collection: 'accounts',
  key: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d001',
  address: OWN,
  hasKey: true,
  problem:
    'A record of the stored encrypted state is damaged and was set aside: encrypted ' +
    'state.accounts[1].type must be the only allowed value.',
};

const list: Omit<AccountListView, 'translate'> = {
  accounts: [own, imported, smart],
  damaged: [],
  page: 1,
  pages: 3,
  chain: MAINNET,
  chains: [MAINNET, BASE, SEPOLIA],
  progress: undefined,
  listedSmart: 1,
};

const search = { form: EMPTY_FORM, phrases: [] };

const step = {
  step: 'show',
  keystore: undefined,
  form: EMPTY_FORM,
} as const;

const page: Omit<AccountView, 'translate'> = { ...step, account: own };

const form = { chains: [MAINNET, BASE], form: EMPTY_FORM };

const COIN = 10n ** 18n;

const hash = (byte: string): ShownSent['hash'] => `0x${byte.repeat(32)}`;

const stepsOf = (to: Hex, value: bigint, data: Hex = '0x'): ShownSent['steps'] =>
  readTransactionSteps({ from: OWN, to, value, data }, {});

const revocation = stepsOf(
  TOKEN,
  0n,
  encodeFunctionData({
    abi: parseAbi(['function approve(address, uint256)']),
    args: [FRIEND, 0n],
  }),
);

const pending: ShownSent = {
  hash: hash('a1'),
  carriedBy: hash('a1'),
  chain: MAINNET,
  isOperation: false,
  isCancellation: false,
  steps: stepsOf(FRIEND, COIN / 4n),
  from: OWN,
  to: FRIEND,
  value: COIN / 4n,
  nonce: 118n,
  origin: SITE,
  sentAt: NOW - 40_000,
  settledAt: undefined,
  state: 'pending',
  doubt: undefined,
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
  carriedBy: hash('b2'),
  to: TOKEN,
  value: 0n,
  steps: stepsOf(TOKEN, 0n, TRANSFER),
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
  carriedBy: hash('f6'),
  chain: MAINNET,
  isOperation: true,
  steps: readOperationSteps({
    sender: SMART,
    callData: encodeIntents('0.7', [
      { to: TOKEN, value: 0n, data: TRANSFER },
      { to: FRIEND, value: COIN / 2n, data: '0x' },
    ]),
  }),
  from: SMART,
  to: null,
  value: COIN / 2n,
  origin: LONG_SITE,
  state: 'failed',
  cost: 1_204_000_000_001n,
  gasUsed: 312_904n,
};

const replaced: ShownSent = {
  ...included,
  hash: hash('d4'),
  carriedBy: hash('d4'),
  steps: undefined,
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

const singlePage = { page: 0, pages: 1 };

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

const permissionsView: Omit<PermissionsView, 'translate'> = {
  ...singlePage,
  accounts: [['first', `Tollkeeper 1 (${toShortHex(OWN)})`]],
  account: 'first',
  chains: [MAINNET, BASE],
  chain: MAINNET,
  permissions: [],
  count: 0,
  logs: { status: 'complete', fromBlock: 0n, toBlock: 23_000_000n, omitted: 0 },
  failure: undefined,
  outcome: undefined,
  signed: [],
  sites: [],
};

const known = { isKnown: true, isUnlimited: true } as const;

const usdc = { symbol: 'USDC', decimals: 6, isStated: false };

const permissions: PermissionsView['permissions'] = [
  { ...known, kind: 'delegation', spender: DELEGATE.address },
  {
    ...known,
    kind: 'allowance',
    spender: SPENDER,
    token: TOKEN,
    amount: 2n ** 256n - 1n,
    balance: 2_500_000_000n,
    since: NOW - 86_400_000,
    unit: usdc,
  },
  { ...known, kind: 'operator', spender: PHISHER, token: COLLECTION },
  {
    ...known,
    kind: 'permit2',
    spender: PHISHER,
    token: TOKEN,
    isUnlimited: false,
    amount: 400_000_000n,
    balance: 2_500_000_000n,
    expiration: BigInt(NOW / 1_000) + 3_600n,
    unit: usdc,
  },
  {
    ...known,
    kind: 'allowance',
    spender: FRIEND,
    token: SMART,
    isUnlimited: false,
    amount: 5_000_000_000n,
    balance: 12_000_000n,
    unit: { symbol: 'ABC', decimals: 6, isStated: true },
  },
  {
    ...known,
    kind: 'nft',
    spender: FRIEND,
    token: COLLECTION,
    id: 7n,
    isUnlimited: false,
  },
  {
    kind: 'allowance',
    spender: FRIEND,
    token: TOKEN,
    isKnown: false,
    isUnlimited: false,
  },
];

const signed: PermissionsView['signed'] = [
  {
    hash: `0x${'11'.repeat(32)}`,
    account: '',
    kind: 'permit2Allowance',
    chain: MAINNET,
    contract: SPENDER,
    token: TOKEN,
    spender: FRIEND,
    amount: '0xf4240',
    deadline: '0x7fffffff',
    checks: [],
    cancel: '0x',
    origin: SITE,
    signedAt: NOW,
    isKnown: true,
  },
  {
    hash: `0x${'22'.repeat(32)}`,
    account: '',
    kind: 'permit',
    chain: MAINNET,
    contract: TOKEN,
    token: TOKEN,
    spender: SPENDER,
    checks: [],
    amount: `0x${'f'.repeat(64)}`,
    origin: SITE,
    signedAt: NOW,
    isKnown: false,
  },
];

const NODE = 'https://mainnet.node.example/v3';

const settings: Omit<SettingsView, 'translate'> = {
  settings: {
    feeLevel: 'medium',
    approvalMode: 'asynchronous',
    secondConfirmation: true,
    notifications: false,
    prices: true,
  },
  chains: [
    {
      chain: MAINNET,
      servers: [
        ['chain.rpcUrl', `${NODE}/…`],
        ['chain.gasBaseUrl', 'https://gas.api.example'],
        ['chain.bundlerUrl', 'https://bundler.example/rpc/of/ethereum'],
      ],
    },
    { chain: SEPOLIA, servers: [] },
  ],
  page: 0,
  pages: 2,
  form: EMPTY_FORM,
};

/** Screens hide the secrets in the URLs. */
const row: ChainRow = {
  rpcUrl: `${NODE}/secret`,
  wsUrl: 'wss://mainnet.node.example',
  gasBaseUrl: 'https://gas.api.example',
  gasAuth: 'path',
  apiKey: 'a key that is not shown',
  bundlerUrl: 'https://bundler.example/rpc/of/ethereum',
  entryPoint: '0.7',
  factory: SPENDER,
};

const frame: Omit<HomeFrameView, 'translate' | 'content'> = {
  tab: 'permissions',
  notices: [],
  isLocked: false,
  totals: { requests: 0, pending: 0 },
};

function HomeFrame({
  translate,
  ...view
}: Omit<HomeFrameView, 'content'>): ReturnType<typeof Frame> {
  const content =
    view.tab === 'gas'
      ? GasTab({ ...gasWithHistory, translate })
      : PermissionsTab({ ...permissionsView, translate });
  return Frame({ ...view, translate, content: view.isLocked ? undefined : content });
}

export const homeScreens: Screen[] = [
  ...screensOf(GasTab, {
    'with history': gasWithHistory,
  }),
  ...screensOf(AccountList, {
    'with every kind of account': list,
  }),
  ...screensOf(AccountPage, {
    'of an account': page,
    'of a smart account': { ...page, account: smart },
    'before deletion': { ...page, step: 'delete' },
  }),
  ...screensOf(DamagedPage, {
    'with a key': { ...step, damaged },
  }),
  ...screensOf(CreateForm, {
    'with networks': { ...form, phrases: [] },
  }),
  ...screensOf(ImportForm, { 'of a key': form }),
  ...screensOf(RestorePage, {
    'in progress': { ...search, progress: { phase: 'announcing', done: 3, total: 7 } },
  }),
  ...screensOf(ActivityTab, {
    'with every outcome': {
      sent: [pending, included, failed, replaced],
      page: 0,
      pages: 12,
      open: undefined,
    },
  }),
  ...screensOf(SentDetails, {
    'of a pending transaction': { sent: { ...pending, replaces: hash('e5') } },
  }),
  ...screensOf(RequestsTab, {
    'with waiting requests': { ...singlePage, waiting, isAsynchronous: true },
  }),
  ...screensOf(PermissionsTab, {
    'with permissions': {
      ...permissionsView,
      permissions,
      count: 5,
      signed,
      sites,
      outcome: {
        sent: [included, failed, pending].map((each) => ({
          ...each,
          steps: revocation,
        })),
        unsent: 2,
        failure: 'HTTP node did not answer within 10000 ms.',
      },
      logs: {
        status: 'partial',
        fromBlock: 22_000_000n,
        toBlock: 23_000_000n,
        omitted: 3,
      },
    },
  }),
  ...screensOf(SettingsPage, {
    'with networks': settings,
  }),
  ...screensOf(ChainForm, {
    'of a network': { chain: MAINNET, row, form: EMPTY_FORM },
  }),
  ...screensOf(RemoveChainPage, { 'of a network': { chain: MAINNET } }),
  ...screensOf<Omit<HomeFrameView, 'content'>>(HomeFrame, {
    'around the gas market': { ...frame, tab: 'gas' },
  }),
];
