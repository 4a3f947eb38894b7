// The insight snap in MetaMask's own SnapController, which demands an allowlist, as MetaMask's
// stable version does, and has an empty one: the insight snap is installed, and works; the
// keyring snap is refused.
import { readFile } from 'node:fs/promises';

import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { concat, encodeFunctionData, encodePacked, erc20Abi, maxUint256 } from 'viem';
import type { Hex } from 'viem';

import { INSIGHT_SNAP } from '../../dev/build/build';
import { listElements } from '../../dev/wallet/screen';
import type { Screen } from '../../dev/wallet/screen';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { toShortHex } from '../../src/ui/format';
import { safeTransaction } from '../fixtures/safe-transaction';
import { dataOf } from '../fixtures/trust/call';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { severitiesOf, textOf } from '../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const TOKEN = '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984';
const SPENDER = '0x000000000000000000000000000000000000dead';

const OTHER_CHAIN = 4242;

let chain: TestChain;
let other: TestChain;
let wallet: Wallet;

beforeAll(async () => {
  [chain, other] = await Promise.all([startAnvil(), startAnvil(OTHER_CHAIN)]);
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
  const asked = { method: '', params: { ...params, [origin]: null } };
  const answer = await wallet.invoke(handler, asked);
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

it('is installed without being on the allowlist; the keyring snap is refused', async () => {
  expect(wallet.controller.get(wallet.snapId)).toMatchObject({ status: 'running' });
  // MetaMask logs the refusal.
  jest.spyOn(console, 'error').mockReturnValue();
  const keyring = startWallet({ snapFolder: '.', requireAllowlist: true, chain });
  await expect(keyring).rejects.toThrow('The snap is not on the allowlist.');
});

it.each([31337, OTHER_CHAIN])(
  "shows an insight on chain %d by MetaMask's own node",
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

describe("the benchmark transactions of Walletbeat's transaction legibility", () => {
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

  type Case = [what: string, to: string, data: string, said: string[]];

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
    ['a deposit with Aave', AAVE, supply, ['Supply', HOLDER]],
    ['a deposit of a Safe', SAFE, execute(AAVE, supply, 0), [AAVE, 'Supply', HOLDER]],
    [
      'a batch of a Safe',
      SAFE,
      execute(MULTI_SEND, dataOf('multiSend(bytes)', batch), 1),
      [AAVE, 'You approve', 'Supply', HOLDER],
    ],
  ])(
    'are explained with all that is inside: %s',
    async (_what, ...[to, data, said]) => {
      const transaction = { from: FROM, to, value: '0x0', data };
      const asked = { transaction, chainId: 'eip155:324' };
      const screen = await insightOf('onTransaction', asked);
      for (const each of said) {
        expect(screen?.text.toLowerCase()).toContain(each.toLowerCase());
      }
      // Its bytes can be copied.
      const copied = listElements(screen?.content as JSXElement).map(
        ({ element }) => (element.props as { value?: unknown }).value,
      );
      expect(copied).toContain(data);
      expect(severitiesOf(screen?.content)).not.toContain('danger');
    },
  );
});

/** A transaction of a Safe that pays its signer. */
const ofSafe = (safe: string): Record<string, Json> => ({
  from: FROM,
  ...typed,
  data: safeTransaction(safe, { to: FROM, chainId: 31337 }),
});

const TREASURY = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const ownSafe = textOf('typed.ownSafe', { name: 'Treasury' });
const otherSafe = textOf('typed.otherSafe', { address: SPENDER }).replace('. ', '.\n');

async function insightOfSafe(safe: string): Promise<string> {
  const screen = await insightOf('onSignature', { signature: ofSafe(safe) });
  return screen?.text ?? '';
}

it('knows the Safes that are named on its page, and says which are none of them', async () => {
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

it('speaks the language that is chosen on its page', async () => {
  const page = await wallet.openHomePage();
  await page.fill('language', 'de');
  const german = await readTexts('de');
  expect(page.text).toContain(german['home.insight.safes']);
  await wallet.stopSnap();
  expect((await insightOfApproval('eip155:31337'))?.text).toContain(
    german['insight.fee'],
  );
  await page.fill('language', '');
  expect(page.text).toContain(textOf('home.insight.safes'));
});

it('asks for nothing but the files, its settings, the node and its own page', () => {
  const asked = new Set(wallet.calls.map(({ method }) => method));
  const platform = [...asked].filter((method) => method.startsWith('snap_'));
  expect(platform.sort()).toStrictEqual([
    'snap_getFile',
    'snap_getState',
    'snap_setState',
    'snap_updateInterface',
  ]);
});

async function readTexts(locale: string): Promise<Record<string, string>> {
  const text = await readFile(`locales/ui/${locale}.json`, 'utf8');
  return JSON.parse(text) as Record<string, string>;
}
