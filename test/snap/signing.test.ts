// The built snap in snaps-jest's simulated wallet: signatures for a site, with every button and
// field of the dialogs, and insights next to the wallet's own confirmations. The content of the
// insights is covered by test/entry/insights.test.ts.
import type { KeyringAccount } from '@metamask/keyring-api';
import { installSnap } from '@metamask/snaps-jest';
import type { SnapInterface } from '@metamask/snaps-jest';
import type { Json } from '@metamask/utils';
import {
  encodeFunctionData,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  stringToHex,
  verifyMessage,
} from 'viem';
import type { Hex, TypedDataDefinition } from 'viem';

import { contract } from '../../dev/docs/contract';
import { FEE_CHOICE, feeInputs } from '../../src/transaction/fee-editor';
import { FEE_ANSWERS } from '../support/fees';
import { TO, transactions } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import { toViem } from '../support/viem-transaction';
import {
  buttonOf,
  elementsOf,
  namesOf,
  textOf,
  warningsOf,
  writeView,
} from '../support/view';

const COMPANION = 'http://localhost:8000';
const DAPP = 'https://dapp.example';
const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

type Snap = Awaited<ReturnType<typeof installSnap>>;

type Params = NonNullable<Parameters<Snap['request']>[0]['params']>;

type Dialog = Pick<SnapInterface, 'clickElement' | 'content' | 'waitForUpdate'>;

const node: Record<string, Json> = {
  eth_chainId: '0x1',
  eth_getTransactionCount: '0x5',
  eth_estimateGas: '0x5208',
  eth_getBalance: '0x8ac7230489e80000',
  ...FEE_ANSWERS,
};

let snap: Snap;
let address: Hex;

// An installation takes a second, so all tests share one.
beforeAll(async () => {
  snap = await installSnap();
  snap.mockJsonRpc(({ method }) =>
    method === 'snap_manageAccounts' ? null : undefined,
  );
  for (const [method, result] of Object.entries(node)) {
    snap.mockJsonRpc({ method, result });
  }
  const created = await snap.onKeyringRequest({
    origin: 'metamask',
    method: 'keyring_createAccount',
    params: { options: {} },
  });
  address = (resultIn(created) as KeyringAccount).address as Hex;
  await confirm('eth_requestAccounts');
});

async function confirm(method: string, params?: Params) {
  const call = { origin: DAPP, method };
  const asking = snap.request(params === undefined ? call : { ...call, params });
  const dialog = await asking.getInterface();
  await approve(dialog);
  return { result: resultIn(await asking), content: dialog.content };
}

/** Acknowledges the dangers, and presses the approve button. */
async function approve(dialog: Dialog): Promise<void> {
  const box = elementsOf(dialog.content).find(
    ({ type, props }) => type === 'Checkbox' && props.checked === false,
  );
  if (!box) return dialog.clickElement(buttonOf(dialog.content, 'approve'));
  // An opened interface keeps its first content.
  const updating = dialog.waitForUpdate();
  await dialog.clickElement(String(box.props.name));
  return approve(await updating);
}

/**
 * Copies a result, because the simulation's objects belong to another realm.
 *
 * @throws If the call was refused.
 */
function resultIn({ response }: { response: unknown }): unknown {
  const answer = JSON.parse(JSON.stringify(response)) as object;
  if ('result' in answer) return answer.result;
  throw new Error('The call was refused.', { cause: answer });
}

it('returns the contract to any site, from the file next to the bundle', async () => {
  for (const origin of [DAPP, COMPANION]) {
    const answer = await snap.request({ origin, method: 'rpc.discover' });
    expect(resultIn(answer)).toStrictEqual(contract);
  }
});

async function senderOf(fields: Record<string, Json>, signature: unknown) {
  const { v, r, s } = signature as Record<'v' | 'r' | 's', Hex>;
  const isLegacy = fields.type === '0x0';
  const parity = isLegacy ? { v: BigInt(v) } : { yParity: Number(v), v: BigInt(v) };
  const serializedTransaction = serializeTransaction(toViem(fields), {
    r,
    s,
    ...parity,
  });
  const sender = await recoverTransactionAddress({ serializedTransaction });
  return sender.toLowerCase();
}

describe('a site with access to an account', () => {
  it('gets a message signed', async () => {
    const { result, content } = await confirm('personal_sign', [
      stringToHex('hello'),
      address,
    ]);
    const signature = result as Hex;
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true);
    for (const part of [DAPP, address, 'hello']) {
      expect(writeView(content)).toContain(part);
    }
  });

  it('gets typed data signed', async () => {
    const { result, content } = await confirm('eth_signTypedData_v4', [
      address,
      mailOf(1),
    ]);
    const signature = result as Hex;
    const typed: unknown = mailOf(1);
    const document = typed as TypedDataDefinition;
    const signer = await recoverTypedDataAddress({ ...document, signature });
    expect(signer.toLowerCase()).toBe(address);
    expect(writeView(content)).toContain('Hello, Bob!');
  });

  it.each(Object.entries(transactions))('gets %s signed', async (_type, fields) => {
    const params = [{ from: address, ...fields }];
    const { result, content } = await confirm('eth_signTransaction', params);
    expect(Object.keys(result as object).sort()).toStrictEqual(['r', 's', 'v']);
    expect(await senderOf(fields, result)).toBe(address);
    expect(writeView(content)).toContain(TO);
  });
});

type Open = Awaited<ReturnType<ReturnType<Snap['request']>['getInterface']>>;

/** Signs a transfer of 1 wei; `use` gets the dialog, and a function that returns its new state. */
async function sign(
  use: (dialog: Open, now: () => Promise<Open>) => Promise<void>,
  fields: Record<string, Json> = {},
): Promise<unknown> {
  const asking = snap.request({
    origin: DAPP,
    method: 'eth_signTransaction',
    params: [{ from: address, to: TO, value: '0x1', ...fields }],
  });
  await use(await asking.getInterface(), async () => asking.getInterface());
  return resultIn(await asking);
}

const feesIn = (signed: unknown): object => {
  const { raw } = signed as { raw: Hex };
  const { maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw);
  return { maxFeePerGas, maxPriorityFeePerGas };
};

describe('the dialog of a transaction', () => {
  it('shows its effect and cost, and signs with the fee level of the settings', async () => {
    let view = '';
    const signed = await sign(async (dialog) => {
      view = writeView(dialog.content);
      await approve(dialog);
    });
    for (const part of [DAPP, TO, 'Ethereum', '0.000000000000000001 ETH']) {
      expect(view).toContain(part);
    }
    expect(view).toContain(textOf('source.feeHistory'));
    expect(feesIn(signed)).toStrictEqual({
      maxFeePerGas: 1_710_000_000n,
      maxPriorityFeePerGas: 10_000_000n,
    });
  });

  it.each([
    ['low', { maxFeePerGas: 1_501_000_000n, maxPriorityFeePerGas: 1_000_000n }],
    ['medium', { maxFeePerGas: 1_710_000_000n, maxPriorityFeePerGas: 10_000_000n }],
    ['high', { maxFeePerGas: 2_100_000_000n, maxPriorityFeePerGas: 100_000_000n }],
  ])('signs with the chosen fee level: %s', async (level, fees) => {
    const signed = await sign(async (dialog, now) => {
      await dialog.selectFromRadioGroup(FEE_CHOICE, level);
      await approve(await now());
    });
    expect(feesIn(signed)).toStrictEqual(fees);
  });

  it('accepts typed fees, and shows errors next to the field', async () => {
    const signed = await sign(async (dialog, now) => {
      await dialog.selectFromRadioGroup(FEE_CHOICE, 'custom');
      const fields = await now();
      expect(namesOf(fields.content, 'Input')).toStrictEqual([
        feeInputs.maxFeePerGas,
        feeInputs.maxPriorityFeePerGas,
      ]);
      await fields.typeInField(feeInputs.maxFeePerGas, 'much');
      const wrong = await now();
      expect(writeView(wrong.content)).toContain(textOf('fee.unpriced'));
      expect(JSON.stringify(wrong.content)).toContain(textOf('fee.malformed'));
      await wrong.typeInField(feeInputs.maxFeePerGas, '2');
      await (await now()).typeInField(feeInputs.maxPriorityFeePerGas, '1');
      await approve(await now());
    });
    expect(feesIn(signed)).toStrictEqual({
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    });
  });

  it('accepts a typed gas price if it is the only fee', async () => {
    const signed = await sign(
      async (dialog, now) => {
        await dialog.selectFromRadioGroup(FEE_CHOICE, 'custom');
        const fields = await now();
        expect(namesOf(fields.content, 'Input')).toStrictEqual([feeInputs.gasPrice]);
        await fields.typeInField(feeInputs.gasPrice, '2.5');
        await approve(await now());
      },
      { type: '0x0' },
    );
    const { raw } = signed as { raw: Hex };
    expect(parseTransaction(raw).gasPrice).toBe(2_500_000_000n);
  });
});

async function expectCritical(
  asking: ReturnType<Snap['onTransaction']>,
  warning: string,
): Promise<void> {
  const answer = await asking;
  // Notices about checks that need a node come later.
  expect(warningsOf(answer.getInterface().content)[0]).toBe(warning);
  expect(answer.response).toHaveProperty('result.severity', 'critical');
}

it('warns of a transaction that approves an operator for a whole collection', async () => {
  const operator = TO.toLowerCase() as `0x${string}`;
  const data = encodeFunctionData({
    abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
    args: [operator, true],
  });
  const transaction = { from: FROM, to: TO, value: '0x0', data, nonce: '0x1' } as const;
  const fees = {
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
  } as const;
  const asking = snap.onTransaction({ ...transaction, ...fees, origin: DAPP });
  await expectCritical(asking, textOf('alert.operator', { operator }));
});

it("warns of another site's sign-in", async () => {
  const signIn = [
    'bank.example wants you to sign in with your Ethereum account:',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\nWelcome.\n\nURI: https://bank.example',
    'Version: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2020-01-01T00:00:00Z',
  ].join('\n');
  const asking = snap.onSignature({
    from: FROM,
    origin: DAPP,
    data: stringToHex(signIn),
    signatureMethod: 'personal_sign',
  });
  const values = { domain: 'bank.example', origin: DAPP };
  await expectCritical(asking, textOf('siwe.otherDomain', values));
});
