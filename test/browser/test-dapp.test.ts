// Presses every applicable button of MetaMask's unmodified test dapp, with Tollkeeper's provider in
// a real Chromium. The page verifies what it can; viem and the chain verify the rest. The page
// finds two providers through EIP-6963: one of MetaMask's own packages, and Tollkeeper's built
// provider.
import { recoverPersonalSignature } from '@metamask/eth-sig-util';
import {
  createPublicClient,
  createTestClient,
  getAddress,
  http,
  parseAbi,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem';
import type { Address, Hex, PublicClient, TypedDataDefinition } from 'viem';

import { configureChain, createAccount, startWorld } from '../../dev/demo/world';
import { startStaticServer } from '../../dev/start/serve';
import { bridgeWallet, startBrowser } from '../../dev/wallet/browser';
import type { Dialog } from '../../dev/wallet/user';
import type { Site } from '../../dev/wallet/wallet';
import { startAnvil, type TestChain } from '../fixtures/wallet/anvil';
import { severitiesOf } from '../support/view';

const TOKEN = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
  'function isApprovedForAll(address, address) view returns (bool)',
  'function balanceOf(address, uint256) view returns (uint256)',
]);

/** Recipient of the page's payments. */
const RECIPIENT = '0x2f318C334780961FB129D2a6c30D0763d9a5C970';

/** Spender in the page's approvals. */
const SPENDER = '0x9bc5baF874d2DA8D216aE9f137804184EE5AfEF4';

const SIGNATURE = /^0x[0-9a-f]{130}$/u;

let dapp: Awaited<ReturnType<typeof openTestDapp>>;
let account: Address;
let node: PublicClient;

beforeAll(async () => {
  dapp = await openTestDapp();
  account = dapp.eoa.address;
  node = createPublicClient({ transport: http(dapp.world.stack.chain.url) });
});

afterAll(async () => {
  await dapp?.stop();
});

const textOf = async (id: string) => dapp.page.locator(`#${id}`).innerText();

const waitFor = async (id: string, text: string): Promise<void> =>
  dapp.page.locator(`#${id}`).filter({ hasText: text }).waitFor();

async function recoverLast(signature: string): Promise<Address> {
  const { method, params: sent } = dapp.requests.findLast(({ method }) =>
    /personal_sign|eth_signTypedData/u.test(method),
  ) as { method: string; params: [string, string] | { params: [string, string] } };
  // On another network, the params are in an envelope that names the network.
  const params = Array.isArray(sent) ? sent : sent.params;
  const own = signature as Hex;
  if (method === 'personal_sign') {
    return recoverMessageAddress({
      message: { raw: params[0] as Hex },
      signature: own,
    });
  }
  // One of the page's addresses has a wrong checksum, which viem refuses.
  const document = JSON.parse(
    params[1].replaceAll(/0x[0-9A-F]{40}\b/giu, (address) => address.toLowerCase()),
  ) as TypedDataDefinition;
  return recoverTypedDataAddress({ ...document, signature: own });
}

describe('connecting', () => {
  it('shows the network first and the account afterwards', async () => {
    expect(await textOf('network')).toBe('31337');
    expect(await textOf('chainId')).toBe('0x7a69');
    await press('connectButton');
    await waitFor('accounts', account);
    await waitFor('connectButton', 'Connected');
    expect(await pressFor('getAccounts', 'getAccountsResult')).toBe(account);
  });

  it('lists permissions', async () => {
    expect(await pressFor('getPermissions', 'permissionsResult')).toBe('eth_accounts');
  });
});

describe('signatures', () => {
  it.each([
    ['personalSign', ['VerifySigUtilResult', 'VerifyECRecoverResult']],
    ['signTypedData', ['VerifyResult']],
    ['signTypedDataV3', ['VerifyResult']],
    ['signTypedDataV4', ['VerifyResult']],
    ['signPermit', ['VerifyResult']],
  ])('from %s are verified by the page', async (id, [first = '', ...others]) => {
    expect(await pressFor(id, `${id}Result`)).toMatch(SIGNATURE);
    expect(await pressFor(`${id}Verify`, `${id}${first}`)).toBe(account);
    for (const other of others) await waitFor(`${id}${other}`, account);
  });

  it.each([
    'signBlurOrder',
    'signPermitBatch',
    'signPermitSingle',
    'signSeaportBulkOrder',
  ])('from %s recover to the account', async (id) => {
    const signature = await pressFor(id, 'signPermitVariantResult');
    expect(await recoverLast(signature)).toBe(getAddress(account));
  });

  it.each([
    ['siwe', []],
    ['siweResources', []],
    ['siweBadDomain', ['danger']],
    ['siweBadAccount', ['danger']],
  ])('from %s are sign-ins with these dangers: %j', async (id, dangers) => {
    const signature = await pressFor(id, 'siweResult');
    expect(await recoverLast(signature)).toBe(getAddress(account));
    const dialog = dapp.world.wallet.user.dialogs.at(-1);
    expect(dialog?.text).toMatch(/^Sign in to /u);
    const found = severitiesOf(dialog?.content).filter((each) => each === 'danger');
    expect(found).toStrictEqual(dangers);
  });

  it('from siweMalformed are plain messages with a danger', async () => {
    const signature = await pressFor('siweMalformed', 'siweResult');
    expect(await recoverLast(signature)).toBe(getAddress(account));
    const dialog = dapp.world.wallet.user.dialogs.at(-1);
    expect(dialog?.text).toMatch(/^Sign a message\n/u);
    expect(severitiesOf(dialog?.content)).toStrictEqual(['danger']);
  });

  it.each(['maliciousPermit', 'maliciousTradeOrder', 'maliciousSeaport'])(
    'from %s are made after a warning',
    async (id) => {
      dapp.printed.length = 0;
      await press(id);
      while (!dapp.printed.some((line) => SIGNATURE.test(line))) {
        await dapp.page.waitForEvent('console');
      }
      const signature = dapp.printed.find((line) => SIGNATURE.test(line)) ?? '';
      expect(await recoverLast(signature)).toBe(getAddress(account));
      const dialog = dapp.world.wallet.user.dialogs.at(-1);
      expect(severitiesOf(dialog?.content).join()).toMatch(/danger|warning/u);
    },
  );

  it('from signExtraDataNotTyped omit the untyped data', async () => {
    const signature = await pressFor('signExtraDataNotTyped', 'signMalformedResult');
    expect(await recoverLast(signature)).toBe(getAddress(account));
  });

  it.each([
    ['signInvalidType', 'types.OrderComponents'],
    ['signEmptyDomain', 'domain.name is missing'],
    ['signInvalidPrimaryType', 'primaryType is not declared'],
    ['signNoPrimaryTypeDefined', 'primaryType is missing'],
    ['signInvalidVerifyingContractType', 'verifyingContract must be of type address'],
  ])('from %s are refused: %s', async (id, reason) => {
    const shown = await pressFor(id, 'signMalformedResult');
    expect(shown).toMatch(/^Error: /u);
    expect(shown).toContain(reason);
  });

  it.each([
    ['maliciousPermitHexPaddedChain', 'domain.chainId must be of type uint256'],
    ['maliciousPermitIntAddress', 'verifyingContract must be of type address'],
  ])('from %s are refused with an exception: %s', async (id, reason) => {
    const thrown = dapp.page.waitForEvent('pageerror');
    await press(id);
    expect((await thrown).message).toContain(reason);
  });

  it('from getEncryptionKeyButton are refused', async () => {
    const shown = await pressFor('getEncryptionKeyButton', 'encryptionKeyDisplay');
    expect(shown).toMatch(/^Error: /u);
  });

  it('from ethSign are refused, as in MetaMask', async () => {
    await press('ethSign');
    await waitFor('ethSign', 'Error: eth_sign is not offered');
  });
});

describe('transactions', () => {
  const to = '0x0c54FcCd2e384b4BB6f2E405Bf5Cbc15a017AaFb';

  it.each([
    ['sendButton', { type: 'legacy', gasPrice: 10_000_000_000n }],
    ['sendEIP1559Button', { type: 'eip1559', maxFeePerGas: 10_000_000_000n }],
    ['sendEIP1559WithoutGasButton', { type: 'eip1559' }],
  ])('from %s are sent with its fields', async (id, fields) => {
    const { transaction, receipt } = await pressToSend(id);
    expect(transaction).toMatchObject({ ...fields, to: to.toLowerCase() });
    expect(receipt.status).toBe('success');
  });

  it('from submitForm have the entered values', async () => {
    await dapp.page.locator('#toInput').fill(to);
    await dapp.page.locator('#amountInput').fill('0x7');
    await dapp.page.locator('#gasInput').fill('0x2540be400');
    const { transaction } = await pressToSend('submitForm');
    expect(transaction).toMatchObject({ type: 'legacy', value: 7n });
  });

  it('from sendHeavyHexDataButton have 16 kB of data', async () => {
    const { transaction } = await pressToSend('sendHeavyHexDataButton');
    expect(transaction.input.length).toBeGreaterThan(32_000);
  });

  it.each(['maliciousRawEthButton', 'maliciousContractInteractionButton'])(
    'from %s are sent',
    async (id) => {
      expect((await pressToSend(id)).receipt.status).toBe('success');
    },
  );

  it('from sendEIP1559Queue are sent ten in a row', async () => {
    const nonce = await node.getTransactionCount({ address: account });
    await press('sendEIP1559Queue');
    await expectSoon(
      async () => (await node.getTransactionCount({ address: account })) === nonce + 10,
    );
  });

  it.each([
    ['sendWithInvalidValue', 'value must be a quantity'],
    ['sendWithInvalidTxType', 'type 0x5 is not supported'],
    ['sendWithInvalidRecipient', 'to must be a 20-byte address'],
    ['sendWithInvalidGasLimit', 'gasLimit must be a quantity'],
    ['sendWithInvalidMaxFeePerGas', 'maxFeePerGas must be a quantity'],
  ])('from %s are refused: %s', async (id, reason) => {
    const shown = await pressFor(id, 'sendMalformedResult');
    expect(shown).toMatch(/^Error: /u);
    expect(shown).toContain(reason);
  });

  it.each([
    ['maliciousSendWithOddHexData', 'data must be bytes in hex'],
    ['maliciousApproveERC20WithOddHexData', 'data must be bytes in hex'],
    ['maliciousSendWithoutHexPrefixValue', 'value must be a quantity'],
  ])('from %s are refused: %s', async (id, reason) => {
    expect(await pressFor(id, 'maliciousWarningBypassResult')).toContain(reason);
  });
});

describe('the page', () => {
  const follow = async (id: string, resultId: string, done: string): Promise<string> =>
    pressUntil(id, { resultId, text: new RegExp(`^${done}$`, 'u') });

  it('deploys a piggy bank, deposits and withdraws', async () => {
    await follow('deployButton', 'contractStatus', 'Deployed');
    await follow('depositButton', 'contractStatus', 'Deposit completed');
    const { to: bank } = await newestTransaction();
    expect(await node.getBalance({ address: bank })).toBe(parseEther('4'));
    await follow('withdrawButton', 'contractStatus', 'Withdrawn');
    expect(await node.getBalance({ address: bank })).toBe(parseEther('3'));
  });

  it('sends to contracts that run out of gas', async () => {
    await follow('deployFailingButton', 'failingContractStatus', 'Deployed');
    const failing = await pressToSend('sendFailingButton');
    expect(failing.receipt.status).toBe('reverted');
    await follow('deployMultisigButton', 'multisigContractStatus', 'Deployed');
    const multisig = await pressToSend('sendMultisigButton');
    expect(multisig.receipt.status).toBe('reverted');
    await waitFor('multisigContractStatus', 'Transaction completed as expected.');
  });

  it('creates, transfers and approves ERC-20 tokens', async () => {
    const token = (await pressUntil('createToken', {
      resultId: 'erc20TokenAddresses',
      text: /^0x/u,
    })) as Address;
    const read = { address: token, abi: TOKEN } as const;
    await pressToSend('transferTokens');
    await pressToSend('transferTokensWithoutGas');
    expect(
      await node.readContract({
        ...read,
        functionName: 'balanceOf',
        args: [RECIPIENT],
      }),
    ).toBe(30_000n);
    await pressToSend('approveTokens');
    await pressToSend('increaseTokenAllowance');
    const args = [account, SPENDER] as const;
    expect(await node.readContract({ ...read, functionName: 'allowance', args })).toBe(
      80_000n,
    );
    await dapp.page.locator('#allowanceOwner').fill(account);
    await dapp.page.locator('#allowanceSpender').fill(SPENDER);
    expect(await pressFor('getAllowance', 'allowanceAmountResult')).toBe('8.0000');
    await pressToSend('approveTokensWithoutGas');
  });

  it('mints, approves and transfers NFTs', async () => {
    await follow('deployNFTsButton', 'nftsStatus', 'Deployed');
    await follow('mintButton', 'nftsStatus', 'Mint completed');
    const { to: address } = await newestTransaction();
    const read = { address, abi: TOKEN } as const;
    await follow('approveButton', 'nftsStatus', 'Approve completed');
    const isApproved = async (): Promise<boolean> =>
      node.readContract({
        ...read,
        functionName: 'isApprovedForAll',
        args: [account, SPENDER],
      });
    await follow(
      'setApprovalForAllButton',
      'nftsStatus',
      'Set Approval For All completed',
    );
    expect(await isApproved()).toBe(true);
    await follow('revokeButton', 'nftsStatus', 'Revoke completed');
    expect(await isApproved()).toBe(false);
    await follow('transferFromButton', 'nftsStatus', 'Transfer From completed');
    expect(
      await node.readContract({ ...read, functionName: 'ownerOf', args: [1n] }),
    ).toBe(RECIPIENT);
    // The page omits EIP712Domain, and verifies a signature without a domain.
    const signature = await pressFor('sign721Permit', 'sign721PermitResult');
    expect(await recoverLast(signature)).toBe(getAddress(account));
  });

  it('mints, transfers and approves ERC-1155 tokens', async () => {
    await follow('deployERC1155Button', 'erc1155Status', 'Deployed');
    for (const [id, value] of Object.entries({
      batchMintTokenIds: '1, 2',
      batchMintIdAmounts: '5, 6',
      batchTransferTokenIds: '1, 2',
      batchTransferTokenAmounts: '1, 2',
    })) {
      await dapp.page.locator(`#${id}`).fill(value);
    }
    await follow('batchMintButton', 'erc1155Status', 'Batch Minting completed');
    await follow(
      'batchTransferFromButton',
      'erc1155Status',
      'Batch Transfer From completed',
    );
    await follow(
      'setApprovalForAllERC1155Button',
      'erc1155Status',
      'Set Approval For All completed',
    );
    await follow('revokeERC1155Button', 'erc1155Status', 'Revoke completed');
    const { to: address } = await newestTransaction();
    const read = { address, abi: TOKEN, functionName: 'balanceOf' } as const;
    expect(await node.readContract({ ...read, args: [account, 2n] })).toBe(4n);
    expect(await node.readContract({ ...read, args: [RECIPIENT, 2n] })).toBe(2n);
  });

  it('asks MetaMask to watch tokens', async () => {
    expect(
      await pressUntil('eip747WatchButton', {
        resultId: 'eip747Status',
        text: /NFT|error/u,
      }),
    ).toBe('NFT added successfully');
    for (const id of ['watchAssets', 'watchNFTButton', 'watchAssetButton']) {
      const before = dapp.requests.length;
      await press(id);
      // ethers may poll for new blocks first.
      await expectSoon(() =>
        dapp.requests
          .slice(before)
          .some(({ method }) => method === 'wallet_watchAsset'),
      );
    }
  });
});

describe('another network', () => {
  const pay = async (url: string): Promise<void> => {
    const { receipt } = await pressToSend('sendEIP1559WithoutGasButton', url);
    expect(receipt.status).toBe('success');
  };

  it('is unknown until it is added', async () => {
    await press('openNetworkPicker');
    await dapp.page
      .locator('.network-modal-item', { hasText: 'Linea Sepolia' })
      .click();
    await waitFor('networkError', 'Linea Sepolia is not available in your wallet');
  });

  it('can be added, and the page sends there', async () => {
    const { url } = dapp.otherChain;
    const chain = createTestClient({ mode: 'anvil', transport: http(url) });
    await chain.setBalance({ address: account, value: parseEther('1') });
    await press('addEthereumChain');
    await waitFor('chainId', '0x53a');
    await pay(url);
    const signature = await pressFor('signTypedDataV4', 'signTypedDataV4Result');
    expect(await recoverLast(signature)).toBe(getAddress(account));
  });

  it('can be left, and the page sends to the first network again', async () => {
    const params = [{ chainId: '0x7a69' }];
    await dapp.site.request({ method: 'wallet_switchEthereumChain', params });
    await waitFor('chainId', '0x7a69');
    await pay(dapp.world.stack.chain.url);
  });

  it('can be selected on the page, which then sends there', async () => {
    await press('switchEthereumChain');
    await waitFor('chainId', '0x53a');
    await pay(dapp.otherChain.url);
    const params = [{ chainId: '0x7a69' }];
    await dapp.site.request({ method: 'wallet_switchEthereumChain', params });
    await waitFor('chainId', '0x7a69');
  });
});

describe('batches (EIP-5792)', () => {
  const status = async (): Promise<{ status: number; atomic: boolean }> =>
    JSON.parse(
      await pressFor('eip5792GetCallsStatusButton', 'eip5792GetCallsStatusResult'),
    ) as { status: number; atomic: boolean };

  const capabilities = async (): Promise<unknown> =>
    JSON.parse(
      await pressFor('eip5792GetCapabilitiesButton', 'eip5792GetCapabilitiesResult'),
    );

  it('are not atomic for an ordinary account, and are refused if they must be', async () => {
    expect(await capabilities()).toMatchObject({
      '0x7a69': { atomic: { status: 'unsupported' } },
    });
    expect(await pressFor('eip5792SendCallsButton', 'eip5792SendCallsError')).toContain(
      'A smart account can.',
    );
  });

  it('use the account that the user selects instead', async () => {
    dapp.user.grants = dapp.smart;
    await press('requestPermissions');
    await waitFor('accounts', dapp.smart.address);
    expect(await capabilities()).toMatchObject({
      '0x7a69': { atomic: { status: 'supported' } },
    });
  });

  it.each(['eip5792SendCallsButton', 'eip5792SendCallsApprovalButton'])(
    'from %s are sent by a smart account',
    async (id) => {
      const input = dapp.page.locator('#eip5792RequestIdInput');
      await input.fill('');
      await press(id);
      await expectSoon(async () => (await input.inputValue()) !== '');
      await expectSoon(async () => (await status()).status >= 200);
      expect(await status()).toMatchObject({ status: 200, atomic: true });
    },
  );
});

describe('leaving', () => {
  it('removes the accounts', async () => {
    await press('revokeAccountsPermission');
    await waitFor('connectButton', 'Connect');
    await expectSoon(async () => (await textOf('accounts')) === '');
  });
});

async function expectSoon(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function newestTransaction(): Promise<{ to: Address }> {
  const { transactions } = await node.getBlock({ includeTransactions: true });
  return { to: getAddress(transactions[0]?.to ?? '0x') };
}

type SnapRequest = { method: string; params?: unknown };

/** The page adds this network, at a fixed port on this machine. */
const OTHER_CHAIN = 0x53a;

async function openTestDapp() {
  const [world, browser, server, otherChain] = await Promise.all([
    startWorld(),
    startBrowser(),
    startStaticServer({
      port: 0,
      folders: {
        '/': 'node_modules/@metamask/test-dapp/dist',
        '/provider/': 'dist/provider',
      },
    }),
    startAnvil(OTHER_CHAIN),
  ]);
  const { wallet, stack } = world;
  await configureChain(world);
  const eoa = await createAccount(world, { type: 'eip155:eoa' });
  const scopes = [`eip155:${stack.chainId}`];
  const type = 'eip155:erc4337';
  const smart = await createAccount(world, { type, entryPoint: '0.7', scopes });
  for (const { address } of [eoa, smart]) await stack.fund(address, '10');
  const user = { grants: eoa };
  wallet.user.onDialog = async (dialog: Dialog) => {
    for (const { id } of [eoa, smart]) {
      if (id in dialog.values) await dialog.fill(id, id === user.grants.id);
    }
    await dialog.approve();
  };
  wallet.connect(server.url);
  const site = wallet.site(server.url);
  const page = await browser.newPage();
  const requests: SnapRequest[] = [];
  const printed: string[] = [];
  page.on('console', (message) => printed.push(message.text()));
  await bridgeWallet(page, site, async (method, params) => {
    requests.push(
      method === 'wallet_invokeSnap'
        ? (params as { request: SnapRequest }).request
        : { method, params },
    );
    return answerAsMetaMask(site, otherChain, { method, params });
  });
  const options = JSON.stringify({ snapId: wallet.snapId });
  await page.addInitScript(
    `import('/provider/index.js').then(({ announce, createProvider }) =>
      announce(createProvider(${options})));`,
  );
  await page.goto(server.url);
  const named = async (name: string): Promise<void> =>
    page.locator('#activeProviderName', { hasText: name }).waitFor();
  // The page first selects MetaMask, because its announcement comes first.
  await named('MetaMask Flask');
  await page.getByRole('button', { name: 'Use Tollkeeper' }).click();
  await named('Tollkeeper');
  const stop = async (): Promise<void> => {
    await browser.close();
    otherChain.stop();
    await Promise.all([server.stop(), world.stop()]);
  };
  return {
    world,
    page,
    site,
    eoa,
    smart,
    otherChain,
    user,
    requests,
    printed,
    stop,
  };
}

// Answers the requests that MetaMask answers without its node.
async function answerAsMetaMask(
  site: Site,
  { url }: TestChain,
  { method, params }: SnapRequest,
): Promise<unknown> {
  const [first, second] = Array.isArray(params) ? (params as unknown[]) : [];
  if (method === 'personal_ecRecover') {
    return recoverPersonalSignature({ data: first as Hex, signature: String(second) });
  }
  if (method === 'wallet_watchAsset') return true;
  if (method !== 'wallet_addEthereumChain') return undefined;
  // The port in the page's URL may be taken on this machine.
  const chain = { ...(first as object), rpcUrls: [url] };
  return (await site.request({ method, params: [chain] as never })) ?? true;
}

async function press(id: string): Promise<void> {
  await dapp.page.locator(`#${id}`).click();
}

async function pressFor(id: string, resultId: string) {
  return pressUntil(id, { resultId, text: /./u });
}

async function pressUntil(
  id: string,
  { resultId, text }: { resultId: string; text: RegExp },
): Promise<string> {
  const output = dapp.page.locator(`#${resultId}`);
  // Clears the previous text, which may be the same.
  await output.evaluate((element) => {
    element.textContent = '';
  });
  await press(id);
  await output.filter({ hasText: text }).waitFor({ state: 'attached' });
  return output.innerText();
}

/**
 * Presses a button that sends a transaction from the ordinary account, and waits for its receipt.
 *
 * @param chainUrl - Node of the expected network.
 */
async function pressToSend(id: string, chainUrl = dapp.world.stack.chain.url) {
  const node = createPublicClient({ transport: http(chainUrl) });
  const { address } = dapp.eoa;
  const nonce = await node.getTransactionCount({ address });
  await press(id);
  while ((await node.getTransactionCount({ address })) === nonce) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { transactions } = await node.getBlock({ includeTransactions: true });
  const transaction = transactions.find(({ from }) => from === address);
  if (!transaction) throw new Error('The newest block has no transaction from it.');
  const { hash } = transaction;
  return { transaction, receipt: await node.getTransactionReceipt({ hash }) };
}
