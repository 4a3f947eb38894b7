// The insight snap in MetaMask's SnapController. As in stable MetaMask, the controller enforces an
// allowlist; it is empty, so the insight snap installs and the keyring snap does not. MetaMask's
// insights controller forwards payloads from its transaction and signature controllers; the
// expected insights are written by hand.
import { readFile } from 'node:fs/promises';

import { SnapInsightsController } from '@metamask/snaps-controllers';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import {
  concat,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  maxUint256,
  pad,
} from 'viem';
import type { Hex } from 'viem';

import { INSIGHT_SNAP } from '../../dev/build/build';
import { createMessenger, messengerFor } from '../../dev/wallet/base';
import { provide } from '../../dev/wallet/controllers';
import { listElements } from '../../dev/wallet/screen';
import type { Screen } from '../../dev/wallet/screen';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { toShortHex } from '../../src/ui/format';
import payloads from '../fixtures/insight-payloads.json' with { type: 'json' };
import { safeTransaction } from '../fixtures/safe-transaction';
import { dataOf } from '../fixtures/trust/call';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { createNode } from '../support/smart-world';
import { severitiesOf, textOf } from '../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const TOKEN = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f985';
const SPENDER = '0x000000000000000000000000000000000000dead';

const OTHER_CHAIN = 4242;

let chain: TestChain;
let other: TestChain;
let wallet: Wallet;

beforeAll(async () => {
  [chain, other] = await Promise.all([startAnvil(1), startAnvil(OTHER_CHAIN)]);
  wallet = await startWallet({
    snapFolder: INSIGHT_SNAP,
    requireAllowlist: true,
    chain,
    otherChains: [other],
  });
});

afterAll(async () => {
  await wallet?.stop();
  chain?.stop();
  other?.stop();
});

async function insightOf(
  handler: 'onTransaction' | 'onSignature',
  params: Record<string, Json>,
): Promise<Screen | null> {
  const origin = handler === 'onTransaction' ? 'transactionOrigin' : 'signatureOrigin';
  const request = { method: '', params: { ...params, [origin]: null } };
  const answer = await wallet.invoke(handler, request);
  return answer === null ? null : wallet.screen((answer as { id: string }).id);
}

async function insightOfApproval(chainId: string): Promise<Screen | null> {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [SPENDER, maxUint256],
  });
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' };
  const transaction = { from: FROM, to: TOKEN, value: '0x0', data, gas: '0xb3b0' };
  return insightOf('onTransaction', {
    transaction: { ...transaction, ...fees },
    chainId,
  });
}

it('needs no allowlist entry, unlike the keyring snap', async () => {
  expect(wallet.controller.get(wallet.snapId)).toMatchObject({ status: 'running' });
  // MetaMask logs the refusal.
  jest.spyOn(console, 'error').mockReturnValue();
  const keyring = startWallet({ snapFolder: '.', requireAllowlist: true, chain });
  await expect(keyring).rejects.toThrow('The snap is not on the allowlist.');
});

it.each([1, OTHER_CHAIN])(
  "shows an insight on chain %d with MetaMask's own node",
  async (chainId) => {
    const screen = await insightOfApproval(`eip155:${chainId}`);
    expect(screen?.text.toLowerCase()).toContain(
      textOf('alert.unlimited', {
        spender: toShortHex(SPENDER),
        token: toShortHex(TOKEN),
      })
        .replace('. ', '.\n')
        .toLowerCase(),
    );
    expect(screen?.text).toContain(textOf('insight.fee'));
    expect(screen?.text).toContain(textOf('insight.medium'));
  },
);

const typed = { signatureMethod: 'eth_signTypedData_v4' };

describe("Walletbeat's benchmark transactions for legibility", () => {
  const ZKSYNC_USDC = '0x1d17cbcf0d6d143135ae902365d2e5e2a16538d4';
  const COLLECTION = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d';
  const FRIEND = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
  const SAFE = '0x5afe3855358e112b5647b952709e6165e1c1eeee';
  const AAVE = '0x78e30497a3c7527d953c6b1e3541b021a98ac43c';
  const TOKEN = '0x5a7d6b2f92c77fad6ccabd7ee0624e64907eaf3e';
  const HOLDER = '0x9467919138e36f0252886519f34a0f8016ddb3a3';
  const MULTI_SEND = '0xf220d3b4dfb23c4ade8c88e526c1353abacbc38f';
  const ZERO: Hex = `0x${'0'.repeat(40)}`;
  const amount = 50n * 10n ** 18n;
  const supply = dataOf(
    'supply(address,uint256,address,uint16)',
    TOKEN,
    amount,
    HOLDER,
    0,
  );
  const nftsOf = (signature: string, ...rest: unknown[]): Hex =>
    dataOf(signature, FROM, FRIEND, 7n, ...rest);
  const execute = (to: string, data: Hex, operation: number): Hex =>
    dataOf(
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
      to,
      0n,
      data,
      operation,
      0n,
      0n,
      0n,
      ZERO,
      ZERO,
      '0x',
    );
  const packed = (to: Hex, data: Hex): Hex =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, to, 0n, BigInt(data.length / 2 - 1), data],
    );
  const transfer = dataOf('transfer(address,uint256)', FRIEND, 1_000_000n);
  const approve = dataOf('approve(address,uint256)', AAVE, amount);
  const batch = concat([packed(TOKEN, approve), packed(AAVE, supply)]);

  type Case = [what: string, to: string, data: string, texts: string[]];

  it.each<Case>([
    ['ERC-20 tokens', ZKSYNC_USDC, transfer, [FRIEND]],
    [
      'an ERC-721 token',
      COLLECTION,
      nftsOf('safeTransferFrom(address,address,uint256)'),
      ['tokenId\n7', FRIEND],
    ],
    [
      'ERC-1155 tokens',
      COLLECTION,
      nftsOf('safeTransferFrom(address,address,uint256,uint256,bytes)', 3n, '0x'),
      ['amount\n3', FRIEND],
    ],
    ['an approval', TOKEN, approve, ['You approve', AAVE]],
    ['a deposit to Aave', AAVE, supply, ['Supply', HOLDER]],
    ['a deposit by a Safe', SAFE, execute(AAVE, supply, 0), [AAVE, 'Supply', HOLDER]],
    [
      'a batch by a Safe',
      SAFE,
      execute(MULTI_SEND, dataOf('multiSend(bytes)', batch), 1),
      [AAVE, 'You approve', 'Supply', HOLDER],
    ],
  ])('are explained with all inner calls: %s', async (_what, ...[to, data, texts]) => {
    const transaction = { from: FROM, to, value: '0x0', data };
    const screen = await insightOf('onTransaction', {
      transaction,
      chainId: 'eip155:324',
    });
    for (const text of texts) {
      expect(screen?.text.toLowerCase()).toContain(text.toLowerCase());
    }
    // The calldata can be copied.
    const copied = listElements(screen?.content as JSXElement).map(
      ({ element }) => (element.props as { value?: unknown }).value,
    );
    expect(copied).toContain(data);
    expect(severitiesOf(screen?.content)).not.toContain('danger');
  });
});

/** Creates the signature request for a Safe transaction that pays its signer. */
const createSafeSignature = (safe: string): Record<string, Json> => ({
  from: FROM,
  ...typed,
  data: safeTransaction(safe, { to: FROM }),
});

const TREASURY = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const ownSafe = textOf('typed.ownSafe', { name: 'Treasury' });
const otherSafe = textOf('typed.otherSafe', { address: SPENDER }).replace('. ', '.\n');

async function insightOfSafe(safe: string): Promise<string> {
  const signature = createSafeSignature(safe);
  const screen = await insightOf('onSignature', { signature });
  return screen?.text ?? '';
}

it('knows the Safes named on its page, and marks others as unknown', async () => {
  const page = await wallet.openHomePage();
  expect(page.text).toContain(textOf('home.insight'));
  expect(page.text).toContain(textOf('home.insight.noSafes'));
  expect(await insightOfSafe(SPENDER)).not.toContain(otherSafe);
  await page.fill('name', ' Treasury ');
  await page.fill('address', 'no address');
  await page.submit('add');
  expect(page.text).toContain(textOf('home.insight.invalid'));
  await page.fill('name', 'Treasury');
  await page.fill('address', TREASURY);
  await page.submit('add');
  expect(page.text).not.toContain(textOf('home.insight.invalid'));
  await wallet.stopSnap();
  expect((await wallet.openHomePage()).text).toContain('Treasury');
  expect(await insightOfSafe(TREASURY)).toContain(ownSafe);
  expect(await insightOfSafe(SPENDER)).toContain(otherSafe);
  const again = await wallet.openHomePage();
  await again.click(`remove:${TREASURY}`);
  expect(again.text).not.toContain('Treasury');
  expect(await insightOfSafe(SPENDER)).not.toContain(otherSafe);
});

it('uses the language chosen on its page', async () => {
  const page = await wallet.openHomePage();
  await page.fill('language', 'de');
  const german = await readTexts('de');
  expect(page.text).toContain(german['home.insight.safes']);
  await wallet.stopSnap();
  expect((await insightOfApproval('eip155:1'))?.text).toContain(german['insight.fee']);
  await page.fill('language', '');
  expect(page.text).toContain(textOf('home.insight.safes'));
});

async function readTexts(locale: string): Promise<Record<string, string>> {
  const text = await readFile(`locales/ui/${locale}.json`, 'utf8');
  return JSON.parse(text) as Record<string, string>;
}

describe("the payloads of MetaMask's controllers", () => {
  const FRIEND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
  const POOL = '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2';
  const ROUTER = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
  const SAFE = '0x5afe3855358e112b5647b952709e6165e1c1eeee';
  const DELEGATE = '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b';

  /**
   * Contracts that the payloads call. The addresses are USDC, WETH, a collection, Permit2 and
   * MultiSend.
   */
  const contracts: Hex[] = [
    ROUTER,
    SAFE,
    DELEGATE,
    '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
    '0x000000000022d473030f116ddee9f6b43ac78ba3',
    '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
  ];

  /** Code that returns 10^18 from every call. */
  const RETURNS_ETHER = '0x670de0b6b3a764000060005260206000f3';

  /** Code that returns the block's timestamp from every call. */
  const RETURNS_TIME = '0x4260005260206000f3';

  const IMPLEMENTATION_SLOT =
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

  /** Required texts, and whether the severity is critical. */
  type Expected = { says: string[]; isCritical?: boolean };

  const EXPECTED: Record<string, Expected> = {
    'a payment': { says: ['Your network fee'] },
    'a payment to the zero address': { says: ['the zero address'], isCritical: true },
    'a payment with a note': { says: ['Calldata digest'] },
    'a transfer of USDC': { says: ['You send\n250 USDC', `Tokens go to\n${FRIEND}`] },
    'a transfer of USDC to its own contract': {
      says: ["the token's own contract", 'You send\n1 USDC'],
      isCritical: true,
    },
    'a transfer of the tokens of another': {
      says: [
        `moves tokens that belong to another account: ${FRIEND}`,
        `Tokens go to\n${FROM}`,
      ],
    },
    'a transfer of an ERC-721 token': {
      says: [`Tokens go to\n${FRIEND}`, 'tokenId\n7'],
    },
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
    'the end of an approval': { says: ['revokes a permission', '0 USDC'] },
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
    'a Safe that is executed': {
      says: ['You send\n1 USDC', `Tokens go to\n${FRIEND}`],
    },
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
    'a message of a Safe': {
      says: ['A message signed by a Safe', 'Safe message hash'],
    },
    'an authorization in disguise (EIP-7702)': {
      says: ['EIP-7702 authorization in disguise', FRIEND],
      isCritical: true,
    },
  };

  type Handled = {
    handler: 'onTransaction' | 'onSignature';
    request: { method: string; params: Record<string, Json> };
  };

  let insights: SnapInsightsController;
  const root = createMessenger();
  const events = messengerFor<{
    publish: (name: string, payload: unknown) => void;
  }>(root);

  function createInsights(): void {
    const signatures = { caveats: [{ type: 'signatureOrigin', value: true }] };
    const permissions = {
      'endowment:transaction-insight': {},
      'endowment:signature-insight': signatures,
    };
    provide(root, 'SnapController', {
      getAll: () => [wallet.controller.get(wallet.snapId)],
      handleRequest: async ({ handler, request }: Handled) =>
        wallet.invoke(handler, request),
    });
    provide(root, 'PermissionController', { getPermissions: () => permissions });
    provide(root, 'SnapInterfaceController', { deleteInterface: () => undefined });
    insights = new SnapInsightsController({ messenger: messengerFor(root) });
  }

  beforeAll(async () => {
    const node = createNode(chain.url);
    for (const address of contracts) {
      await node.setCode({ address, bytecode: RETURNS_ETHER });
    }
    await node.setCode({ address: POOL, bytecode: RETURNS_TIME });
    await node.setStorageAt({
      address: POOL,
      index: IMPLEMENTATION_SLOT,
      value: pad(ROUTER),
    });
    await node.setCode({ address: FROM, bytecode: concat(['0xef0100', DELEGATE]) });
    createInsights();
  });

  type Insight = { screen: Screen | undefined; severity: string | undefined };

  /** Waits until MetaMask's controller has the snap's answer. */
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

  const LIMIT_MS = 2_000;

  it('number at least 40, and each has an expected insight', () => {
    const names = [...payloads.transactions, ...payloads.signatures].map(
      ({ name }) => name,
    );
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(Object.keys(EXPECTED).sort()).toStrictEqual(names.sort());
  });

  it.each(payloads.transactions)('are explained: $name', async ({ name, event }) => {
    const start = Date.now();
    events.publish('TransactionController:unapprovedTransactionAdded', event);
    const insight = await answerTo(event.id);
    expect(Date.now() - start).toBeLessThan(LIMIT_MS);
    expectInsight(name, insight);
  });

  it.each(payloads.signatures)('are explained: $name', async ({ name, message }) => {
    const isTyped = message.type === 'eth_signTypedData';
    const start = Date.now();
    events.publish('SignatureController:stateChange', {
      unapprovedPersonalMsgs: isTyped ? {} : { [message.id]: message },
      unapprovedTypedMessages: isTyped ? { [message.id]: message } : {},
      unapprovedPersonalMsgCount: isTyped ? 0 : 1,
      unapprovedTypedMessagesCount: isTyped ? 1 : 0,
    });
    const insight = await answerTo(message.id);
    expect(Date.now() - start).toBeLessThan(LIMIT_MS);
    expectInsight(name, insight);
  });
});

it('calls the platform only for its files, its state and its own page', () => {
  const called = new Set(wallet.calls.map(({ method }) => method));
  const platform = [...called].filter((method) => method.startsWith('snap_'));
  expect(platform.sort()).toStrictEqual([
    'snap_getFile',
    'snap_getState',
    'snap_setState',
    'snap_updateInterface',
  ]);
});
