// The forms of the page in a real Chromium, against the built snap in MetaMask's packages:
// every method once refused and once answered, in the order of a first visit.
import { getAddress } from 'viem';

import { methodGroups } from '../../dev/dapp/methods/rows';
import { wrongParams } from '../../dev/fuzz/wrong-params';
import { startFormPage } from '../support/form-page';
import type { FormPage } from '../support/form-page';
import { findBarriers } from '../support/page-looks';

let forms: FormPage;
const answered = new Set<string>();

beforeAll(async () => {
  forms = await startFormPage();
});

afterAll(async () => {
  await forms?.stop();
});

const expectRefusal = async (name: string): Promise<void> => {
  forms.refuse();
  const refused = { code: '4001', text: 'The user refused the request.' };
  expect(await forms.ask(name)).toStrictEqual(refused);
};

const expectAnswer = async (name: string, part: string): Promise<void> => {
  forms.approve();
  const { code, text } = await forms.ask(name);
  expect(code).toBeUndefined();
  expect(text).toContain(part);
  answered.add(name);
};

it('says what to do first, and asks nothing', async () => {
  expect(await forms.ask('personal_sign')).toStrictEqual({
    text: 'Create an ordinary account and connect this site to it first.',
  });
});

it('says where JSON breaks off, and asks nothing', async () => {
  const before = forms.world.wallet.calls.length;
  expect(await forms.ask('personal_sign', '["a",\n  ]')).toStrictEqual({
    text: 'Line 2, column 3: a value was expected.',
  });
  expect(forms.world.wallet.calls).toHaveLength(before);
});

it('shows that the user refused to connect', async () => {
  await expectRefusal('eth_requestAccounts');
  await expectRefusal('wallet_requestPermissions');
});

describe('params that are wrong', () => {
  it.each(wrongParams)('are refused by %s', async (name, params, code) => {
    const said = await forms.ask(name, params);
    expect(said.code).toBe(code);
    expect(said.text).not.toBe('');
  });
});

describe('accounts and signatures', () => {
  it('connects', async () => {
    await expectAnswer('eth_requestAccounts', forms.ordinary.address);
    await expectAnswer('eth_accounts', forms.smart.address);
    await expectAnswer('wallet_getPermissions', 'eth_accounts');
    await expectAnswer('wallet_requestPermissions', 'eth_accounts');
    await expectAnswer('eth_chainId', '0x7a69');
    await expectAnswer('wallet_getCapabilities', '"status": "unsupported"');
  });

  it.each([
    'personal_sign',
    'eth_signTypedData_v4',
    'eth_signTypedData_v3',
    'eth_signTypedData_v1',
    'eth_signTypedData',
    'eth_signTransaction',
  ])('signs, and verifies who did: %s', async (name) => {
    await expectRefusal(name);
    await expectAnswer(name, name === 'eth_signTransaction' ? '"raw": "0x02' : '0x');
    expect(await forms.verified(name)).toBe(
      `Right Recovered address: ${getAddress(forms.ordinary.address)}, the account's own.`,
    );
  });
});

describe('transactions', () => {
  it('sends what was signed, and follows it', async () => {
    await expectAnswer('eth_sendRawTransaction', '0x');
    expect(await forms.verified('eth_sendRawTransaction')).toMatch(
      /^Right Receipt: Included in block \d+\.$/u,
    );
  });

  it('sends, and speeds up what is pending', async () => {
    await expectAnswer('eth_fillTransaction', '"raw"');
    await expectRefusal('eth_sendTransaction');
    await forms.miner.setAutomine(false);
    await expectAnswer('eth_sendTransaction', '0x');
    await expectRefusal('tollkeeper_replaceTransaction');
    await expectAnswer('tollkeeper_replaceTransaction', '0x');
    await forms.miner.setAutomine(true);
    await forms.miner.mine({ blocks: 1 });
    expect(await forms.verified('tollkeeper_replaceTransaction')).toMatch(/^Right/u);
    await expectAnswer('eth_getTransactionReceipt', '"status": "0x1"');
    await expectAnswer('eth_getTransactionByHash', '"blockNumber": "0x');
    await expectAnswer('eth_getUncleByBlockNumberAndIndex', 'null');
    await expectAnswer('eth_getUncleByBlockHashAndIndex', 'null');
  });
});

it('prepares, patches, signs and sends one, each form with the answer before', async () => {
  await expectAnswer('eth_prepareUserOperation', '"callData"');
  await expectAnswer('eth_patchUserOperation', '"paymasterAndData": "0x"');
  await expectAnswer('eth_estimateUserOperationGas', '"callGasLimit"');
  await expectRefusal('eth_sendUserOperation');
  await expectRefusal('eth_signUserOperation');
  await expectAnswer('eth_signUserOperation', '0x');
  expect(await forms.verified('eth_signUserOperation')).toMatch(
    /^Right Recovered address/u,
  );
  await expectAnswer('eth_sendUserOperation', '0x');
  expect(await forms.verified('eth_sendUserOperation')).toMatch(/^Right Receipt/u);
  await expectAnswer('eth_getUserOperationReceipt', '"success": true');
  await expectAnswer('eth_getUserOperationByHash', '"entryPoint"');
  await expectAnswer('eth_supportedEntryPoints', '0x');
});

it('sends calls and tells their status', async () => {
  await expectRefusal('wallet_sendCalls');
  await expectAnswer('wallet_sendCalls', '"id"');
  expect(await forms.verified('wallet_sendCalls')).toMatch(/^Right Receipt/u);
  await expectAnswer('wallet_getCallsStatus', '"status": 200');
  await expectAnswer('wallet_showCallsStatus', 'null');
});

it('tells what gas costs, and what there is to call', async () => {
  await expectAnswer('gas_suggestedGasFees', '"estimatedBaseFee"');
  await expectAnswer('gas_baseFeePercentile', '"baseFeePercentile"');
  await expectAnswer('tollkeeper_getFeeLevels', '"source": "gas-api"');
  await expectAnswer('rollup_estimateGas', '"gasLimit"');
  await expectAnswer('rpc.discover', '"openrpc": "1.3.2"');
});

it('sends and batches, and follows both until they are included', async () => {
  forms.approve();
  const { page, miner } = forms;
  const send = page.locator('#send');
  const row = (title: string) => send.locator('.sent > li').filter({ hasText: title });
  await miner.setAutomine(false);
  await send.getByRole('button', { name: 'Send', exact: true }).click();
  const payment = row('0.001 ETH to');
  await payment.getByText('Waiting for a block').waitFor();
  await payment.getByRole('button', { name: /^Cancel/u }).click();
  await payment.getByText('Being cancelled.').waitFor();
  await miner.setAutomine(true);
  await miner.mine({ blocks: 1 });
  await payment.getByText(/Cancelled\. Included in block \d+/u).waitFor();
  const batch = page.getByRole('article', { name: 'Batch' });
  await batch.getByLabel('From').selectOption({ index: 1 });
  await batch.getByLabel('All or none').check();
  await batch.getByRole('button', { name: 'Send all' }).click();
  await row('2 calls, all or none')
    .getByText(/^Included in block \d+/u)
    .waitFor();
  forms.refuse();
  await send.getByRole('button', { name: 'Send', exact: true }).click();
  await row('0.001 ETH to').getByText('4001: The user refused the request.').waitFor();
  const article = page.getByRole('article', { name: 'Send', exact: true });
  await article.getByLabel('To').fill('0x12');
  await send.getByRole('button', { name: 'Send', exact: true }).click();
  await article.getByText('An address: 0x and 40 hex digits.').waitFor();
});

it('goes through the tabs of a form by arrow keys', async () => {
  const row = await forms.open('personal_sign');
  await row.getByRole('tab', { name: 'Request (JSON)' }).focus();
  await forms.page.keyboard.press('ArrowRight');
  const tab = row.getByRole('tab', { name: 'viem' });
  expect(await tab.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(await row.getByRole('tabpanel').textContent()).toContain('client.signMessage');
});

it('has no serious finding of axe, with forms open and answered', async () => {
  const places = ['#send', '#methods .card:nth-of-type(1)'];
  expect(await findBarriers(forms.page, places)).toStrictEqual([]);
});

it('gives its accounts back', async () => {
  await expectAnswer('wallet_revokePermissions', 'null');
  await expectAnswer('eth_accounts', '[]');
});

it('has used every form for both, broken no rule of the page and thrown nothing', () => {
  expect(forms.problems).toStrictEqual([]);
  const names = methodGroups.flatMap(({ rows }) => rows.map(({ name }) => name));
  expect(names.filter((name) => !forms.refused.has(name))).toStrictEqual([]);
  expect(names.filter((name) => !answered.has(name))).toStrictEqual(['eth_sign']);
});
