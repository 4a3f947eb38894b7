// Payloads that MetaMask's own transaction and signature controllers made, given to the insight snap
// by MetaMask's own insights controller, in a wallet with stable flags: no registry can be reached,
// and the allowlist is required. What each payload does was written down by hand.
import { SnapInsightsController } from '@metamask/snaps-controllers';
import type { Json } from '@metamask/utils';

import { INSIGHT_SNAP } from '../../dev/build/build';
import { createMessenger, createRootMessenger } from '../../dev/wallet/base';
import type { Screen } from '../../dev/wallet/screen';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { toShortHex } from '../../src/ui/format';
import payloads from '../fixtures/insight-payloads.json' with { type: 'json' };
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const FRIEND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const POOL = '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2';
const ROUTER = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const SAFE = '0x5afe3855358e112b5647b952709e6165e1c1eeee';
const DELEGATE = '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b';

/** The other contracts that the payloads call: USDC, WETH, a collection, Permit2, MultiSend. */
const others = [
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
  '0x000000000022d473030f116ddee9f6b43ac78ba3',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
];

/** Code that answers every call with 10^18, and with the time of the block. */
const ANSWERS = '0x670de0b6b3a764000060005260206000f3';
const ANSWERS_TIME = '0x4260005260206000f3';

const IMPLEMENTATION_SLOT =
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** What must be said, and whether it is a danger. */
type Expected = { says: string[]; isCritical?: boolean };

const EXPECTED: Record<string, Expected> = {
  'a payment': { says: ['Your network fee'] },
  'a payment to the zero address': { says: ['the zero address'], isCritical: true },
  'a payment with a note': { says: ['Calldata digest'] },
  'a transfer of USDC': { says: ['You send\n250 USDC', `Tokens go to\n${FRIEND}`] },
  'a transfer of USDC to its own contract': {
    says: ['the contract of the token itself', 'You send\n1 USDC'],
    isCritical: true,
  },
  'a transfer of the tokens of another': {
    says: [`moves tokens of another account: ${FRIEND}`, `Tokens go to\n${FROM}`],
  },
  'a transfer of an ERC-721 token': { says: [`Tokens go to\n${FRIEND}`, 'tokenId\n7'] },
  'a transfer of ERC-1155 tokens': {
    says: [`Tokens go to\n${FRIEND}`, 'id\n7', 'amount\n3'],
  },
  'a limited approval': { says: ['You approve\n1 USDC', ROUTER] },
  'an unlimited approval': {
    says: ['Unlimited approval', `${toShortHex(ROUTER)} can spend all`],
  },
  'an approval for an account without code': {
    says: [`${FRIEND}, is an ordinary account, not a contract`],
    isCritical: true,
  },
  'the end of an approval': { says: ['sets an allowance', '0 USDC'] },
  'a larger allowance': { says: ['You approve\n5 USDC'] },
  'an approval of a collection': {
    says: [`${ROUTER} will be able to take every token`],
    isCritical: true,
  },
  'the end of an approval of a collection': { says: ['approved\nfalse'] },
  'wrapping ETH': { says: ['Wrap', '1 ETH'] },
  'a call of an unknown function': {
    says: [`${POOL} can be upgraded`, 'depends on the block', 'Calldata digest'],
  },
  'a deposit with Aave': {
    says: ['Supply', '50 USDC', `${POOL} can be upgraded`, 'depends on the block'],
  },
  'a call of an address without code': { says: ['There is no contract at'] },
  'a deployment': { says: ['This creates a contract'] },
  'a deployment with value': {
    says: ['This creates a contract', '0.000000000000000001 ETH to the new contract'],
  },
  'a Safe that is executed': { says: ['You send\n1 USDC', `Tokens go to\n${FRIEND}`] },
  'a Safe that is executed with a batch': {
    says: [`${toShortHex(ROUTER)} can spend all`, '0.000005 USDC', FRIEND],
  },
  'a Safe that delegates to an unknown contract': {
    says: [`runs the code of ${POOL} as ${SAFE} itself`],
    isCritical: true,
  },
  'a batch that upgrades the account (EIP-5792, EIP-7702)': {
    says: ['You send\n1 USDC', `Tokens go to\n${FRIEND}`, '0.000000000000000001 ETH'],
  },
  'a batch of an upgraded account': {
    says: ['You send\n1 USDC', `Tokens go to\n${FRIEND}`, '0.000000000000000001 ETH'],
  },
  'a batch with an unlimited approval': {
    says: [`${toShortHex(ROUTER)} can spend all`, 'Supply', '50 USDC'],
  },
  'a batch with an approval of a collection': {
    says: [`${ROUTER} will be able to take every token`, FRIEND],
    isCritical: true,
  },
  'the end of a delegation (EIP-7702)': { says: ['as a standard account again'] },
  'a message': { says: ['ERC-191 digest'] },
  'a sign-in': { says: ['ERC-191 digest'] },
  'a sign-in to another site': {
    says: ['signs in to bank.example', 'comes from https://app.example.org'],
    isCritical: true,
  },
  'a list of version 1': { says: ['Valid on every network'] },
  'a mail of version 3': { says: ['Domain hash', 'Message hash', 'EIP-712 digest'] },
  'a mail of version 4': { says: ['Domain hash', 'Message hash', 'EIP-712 digest'] },
  'a permit': { says: ['A permit', '250 USDC', ROUTER] },
  'an unlimited permit': { says: ['all of your tokens can be taken', ROUTER] },
  'an allowance of Permit2': { says: ['A Permit2 allowance', '1 USDC', ROUTER] },
  'a transaction of a Safe': {
    says: ['You send\n1 USDC', `Tokens go to\n${FRIEND}`, 'Safe transaction hash'],
  },
  'a transaction of a Safe that delegates to an unknown contract': {
    says: [`runs the code of ${POOL} as ${SAFE} itself`, 'Safe transaction hash'],
    isCritical: true,
  },
  'a transaction of a Safe that adds an owner': {
    says: ['changes who controls the account', FRIEND, 'Safe transaction hash'],
    isCritical: true,
  },
  'a message of a Safe': { says: ['A message signed by a Safe', 'Safe message hash'] },
  'an authorization in disguise (EIP-7702)': {
    says: ['EIP-7702 authorization in disguise', FRIEND],
    isCritical: true,
  },
};

/** What a controller of MetaMask does to others. */
type Controller = {
  registerActionHandler: (name: string, handle: (asked: Handled) => unknown) => void;
  publish: (name: string, payload: unknown) => void;
};

type Handled = {
  handler: 'onTransaction' | 'onSignature';
  request: { method: string; params: Record<string, Json> };
};

let chain: TestChain;
let wallet: Wallet;
let insights: SnapInsightsController;
let transactions: Controller;
let requests: Controller;

/** Creates MetaMask's controller of insights over the wallet's controller of snaps. */
function createInsights(): void {
  const root = createRootMessenger();
  const child = (namespace: string): Controller => createMessenger(root, namespace);
  const signatures = { caveats: [{ type: 'signatureOrigin', value: true }] };
  const permissions = {
    'endowment:transaction-insight': {},
    'endowment:signature-insight': signatures,
  };
  const snaps = child('SnapController');
  snaps.registerActionHandler('SnapController:getAll', () => [
    wallet.controller.get(wallet.snapId),
  ]);
  snaps.registerActionHandler(
    'SnapController:handleRequest',
    async ({ handler, request }: Handled) => wallet.invoke(handler, request),
  );
  child('PermissionController').registerActionHandler(
    'PermissionController:getPermissions',
    () => permissions,
  );
  child('SnapInterfaceController').registerActionHandler(
    'SnapInterfaceController:deleteInterface',
    () => undefined,
  );
  transactions = child('TransactionController');
  requests = child('SignatureController');
  type Options = ConstructorParameters<typeof SnapInsightsController>[0];
  const messenger = createMessenger<Options['messenger']>(
    root,
    'SnapInsightsController',
    {
      actions: [
        'SnapController:getAll',
        'SnapController:handleRequest',
        'PermissionController:getPermissions',
        'SnapInterfaceController:deleteInterface',
      ],
      events: [
        'TransactionController:unapprovedTransactionAdded',
        'TransactionController:transactionStatusUpdated',
        'SignatureController:stateChange',
      ],
    },
  );
  insights = new SnapInsightsController({ messenger });
}

async function setOnChain(method: string, ...params: Json[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const { error } = (await (
    await fetch(chain.url, { method: 'POST', headers, body })
  ).json()) as { error?: { message: string } };
  if (error) throw new Error(error.message);
}

beforeAll(async () => {
  chain = await startAnvil(1);
  wallet = await startWallet({
    snapFolder: INSIGHT_SNAP,
    requireAllowlist: true,
    chain,
  });
  for (const each of [ROUTER, SAFE, DELEGATE, ...others]) {
    await setOnChain('anvil_setCode', each, ANSWERS);
  }
  await setOnChain('anvil_setCode', POOL, ANSWERS_TIME);
  const word = `0x${'0'.repeat(24)}${ROUTER.slice(2)}`;
  await setOnChain('anvil_setStorageAt', POOL, IMPLEMENTATION_SLOT, word);
  await setOnChain('anvil_setCode', FROM, `0xef0100${DELEGATE.slice(2)}`);
  createInsights();
});

afterAll(async () => {
  await wallet?.stop();
  chain?.stop();
});

type Insight = { screen: Screen | undefined; severity: string | undefined };

/** Waits for MetaMask's controller to have the snap's answer. */
async function answerTo(id: string): Promise<Insight> {
  for (;;) {
    const insight = insights.state.insights[id]?.[wallet.snapId];
    if (insight && !insight.loading) {
      expect(insight.error).toBeUndefined();
      const { interfaceId, severity } = insight;
      return {
        screen: interfaceId ? wallet.screen(interfaceId) : undefined,
        severity,
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function expectInsight(name: string, { screen, severity }: Insight): void {
  const { says, isCritical = false } = EXPECTED[name] as Expected;
  const text = screen?.text.toLowerCase();
  for (const said of says) expect(text).toContain(said.toLowerCase());
  expect(severity).toBe(isCritical ? 'critical' : undefined);
}

/** Longest time that an insight may take, in ms. */
const LIMIT_MS = 2_000;

it('has an expectation for each of at least 40 payloads', () => {
  const names = [...payloads.transactions, ...payloads.signatures].map(
    ({ name }) => name,
  );
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(Object.keys(EXPECTED).sort()).toStrictEqual(names.sort());
});

it.each(payloads.transactions)('explains $name', async ({ name, event }) => {
  const start = Date.now();
  transactions.publish('TransactionController:unapprovedTransactionAdded', event);
  const insight = await answerTo(event.id);
  expect(Date.now() - start).toBeLessThan(LIMIT_MS);
  expectInsight(name, insight);
});

it.each(payloads.signatures)('explains $name', async ({ name, message }) => {
  const isTyped = message.type === 'eth_signTypedData';
  const start = Date.now();
  requests.publish('SignatureController:stateChange', {
    unapprovedPersonalMsgs: isTyped ? {} : { [message.id]: message },
    unapprovedTypedMessages: isTyped ? { [message.id]: message } : {},
    unapprovedPersonalMsgCount: isTyped ? 0 : 1,
    unapprovedTypedMessagesCount: isTyped ? 1 : 0,
  });
  const insight = await answerTo(message.id);
  expect(Date.now() - start).toBeLessThan(LIMIT_MS);
  expectInsight(name, insight);
});
