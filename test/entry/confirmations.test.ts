// Confirmation dialogs: each field, exactly as shown, and the signed content.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { getAddress, maxUint256, stringToHex } from 'viem';
import type { Hex } from 'viem';

import { entryPoints, entryPointVersions } from '../../src/core/entry-points';
import { encodeIntents } from '../../src/eth/account-calls';
import type { TextKey } from '../../src/ui/i18n';
import { dataOf } from '../fixtures/trust/call';
import { phishingOrigins } from '../fixtures/trust/origins';
import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import { toFieldPairs } from '../support/field-pairs';
import { createOperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { createAccount, createTestApp } from '../support/test-app';
import { AUTHORIZATION } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import { textOf, textsOf, warningsOf } from '../support/view';

const DATA = '0xa9059cbb';
const OTHER: Hex = '0x00000000000000000000000000000000000000bb';
const USDC: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const BLOB: Hex = `0x01${'ab'.repeat(31)}`;

const gwei = (amount: string): string => textOf('unit.gwei', { amount });
const sizeOf = (data: string): string => `${(data.length - 2) / 2} B`;

function read(content: JSXElement | undefined) {
  // Labels of well-known contracts include the contract's name.
  const fields = toFieldPairs(content).map(([name, value]) => [
    value.startsWith('0x') ? name.replace(/ \([^()]+\)$/u, '') : name,
    value,
  ]);
  const texts = textsOf(content);
  return { fields: Object.fromEntries(fields) as Record<string, string>, texts };
}

function rawOf({ texts }: ReturnType<typeof read>): unknown {
  return JSON.parse(texts[texts.indexOf(textOf('raw.title')) + 1] ?? '');
}

let bench: SendBench;

beforeEach(async () => {
  bench = await createSendBench();
  bench.edges.wallet.answers.eth_getCode = '0x60';
});

async function show(method: string, params: Json): Promise<ReturnType<typeof read>> {
  await bench.call(method, params);
  return read(bench.edges.dialogs.shown.at(-1));
}

describe('the confirmation of a transaction', () => {
  const confirm = async (fields: Record<string, Json>) =>
    show('eth_signTransaction', [
      {
        from: bench.address,
        to: RECIPIENT,
        value: '0x14d1120d7b160000',
        data: DATA,
        gas: '0x186a0',
        nonce: '0x5',
        chainId: '0x1',
        ...fields,
      },
    ]);

  const feeFields = {
    maxFeePerGas: '0x6fc23ac00',
    maxPriorityFeePerGas: '0x3b9aca00',
  };

  it('shows the origin, the transfer, the recipient and the maximum cost', async () => {
    const shown = await confirm({ type: '0x0', gasPrice: '0x4a817c801' });
    expect(shown.fields).toStrictEqual({
      [textOf('changes.title')]: textOf('changes.unknown'),
      [textOf('field.to')]: RECIPIENT,
      [textOf('field.origin')]: 'https://dapp.example',
      [textOf('field.value')]: '1.5 ETH',
      [textOf('field.networkFee')]: '≈ 0.002 ETH',
      [textOf('field.maxCost')]: '1.5020000000001 ETH',
      [textOf('field.account')]: bench.address,
      [textOf('field.meaning')]: textOf('call.transfer'),
      [textOf('field.function')]: 'transfer(address,uint256)',
      [textOf('field.arguments')]: textOf('arguments.unread'),
      [textOf('field.balanceAfter')]: '8.4979999999999 ETH',
      [textOf('field.gasLimit')]: '100,000',
      [textOf('field.gasPrice')]: gwei('20.000000001'),
      [textOf('field.nonce')]: '5',
    });
    expect(rawOf(shown)).toStrictEqual({
      type: '0x0',
      chainId: '0x1',
      nonce: '0x5',
      from: bench.address,
      to: RECIPIENT,
      value: '0x14d1120d7b160000',
      data: DATA,
      gasLimit: '0x186a0',
      gasPrice: '0x4a817c801',
    });
  });

  it.each<[string, Record<string, Json>, Partial<Record<TextKey, string>>]>([
    [
      'the maximum cost with a dynamic fee',
      feeFields,
      {
        'field.maxCost': '1.503 ETH',
        'field.maxFee': gwei('30'),
        'field.priorityFee': gwei('1'),
      },
    ],
    [
      'a contract creation',
      { ...feeFields, to: null },
      { 'field.to': textOf('field.creation') },
    ],
    [
      'the recipient of tokens',
      {
        ...feeFields,
        to: USDC,
        value: '0x0',
        data: dataOf('transfer(address,uint256)', OTHER, 1n),
      },
      { 'field.tokensTo': OTHER, 'field.contract': USDC },
    ],
    [
      'the amount of an unknown token in base units',
      {
        ...feeFields,
        to: RECIPIENT,
        value: '0x0',
        data: dataOf('transfer(address,uint256)', OTHER, 1n),
      },
      {
        'field.tokensTo': OTHER,
        'field.value': textOf('changes.units', { amount: '1' }),
      },
    ],
    [
      'the recipient of ether that is sent with tokens',
      {
        ...feeFields,
        to: USDC,
        value: '0x1',
        data: dataOf('transfer(address,uint256)', OTHER, 1n),
      },
      { 'field.tokensTo': OTHER, 'field.to': USDC },
    ],
    [
      'an access list',
      { ...feeFields, accessList: [{ address: RECIPIENT, storageKeys: [] }] },
      { 'field.accessList': '1' },
    ],
    [
      'blobs and their cost',
      {
        ...feeFields,
        type: '0x3',
        maxFeePerBlobGas: '0x77359400',
        blobVersionedHashes: [BLOB, BLOB],
      },
      {
        'field.blobs': '2',
        'field.maxBlobFee': gwei('2'),
        'field.maxCost': '1.503524288 ETH',
      },
    ],
    [
      'an authorization',
      { ...feeFields, authorizationList: [AUTHORIZATION] },
      {
        'field.authorizations': '1',
        'field.delegator': textOf('delegate.nobody'),
        'field.delegate': AUTHORIZATION.address,
        'field.delegateChain': textOf('delegate.everyChain'),
      },
    ],
  ])('shows %s', async (_which, changes, expected) => {
    const shown = await confirm(changes);
    const { fields } = shown;
    for (const [key, value] of Object.entries(expected)) {
      expect([key, fields[textOf(key as TextKey)]]).toStrictEqual([key, value]);
    }
    expect(rawOf(shown)).toMatchObject(changes);
    const isLabelled = (key: TextKey): boolean => textOf(key) in fields;
    expect(isLabelled('field.blobs')).toBe('blobVersionedHashes' in changes);
    expect(isLabelled('field.authorizations')).toBe('authorizationList' in changes);
    expect(isLabelled('field.accessList')).toBe('accessList' in changes);
    expect(isLabelled('field.gasPrice')).toBe(false);
  });

  it('counts the authorizations that it does not list', async () => {
    const authorizationList = Array.from({ length: 12 }, () => AUTHORIZATION);
    const { texts } = await confirm({ ...feeFields, authorizationList });
    expect(texts.filter((each) => each === textOf('field.delegator'))).toHaveLength(10);
    expect(texts).toContain(textOf('list.more', { count: '2' }));
  });

  it.each<[string, Hex, string]>([
    ["in a known token's unit", USDC, '250.5 USDC (250500000)'],
    ['in base units for a different token', OTHER, '250500000'],
  ])('shows the amount of a transfer %s', async (_unit, to, shown) => {
    const data = dataOf('transfer(address,uint256)', RECIPIENT, 250_500_000n);
    const { fields, texts } = await confirm({ ...feeFields, to, data });
    expect(fields.amount).toBe(shown);
    expect(texts).toContain(data);
  });

  it('names the largest approval amount', async () => {
    const data = dataOf('approve(address,uint256)', RECIPIENT, maxUint256);
    const { fields } = await confirm({ ...feeFields, data });
    expect(fields.amount).toBe(textOf('value.largest'));
  });

  it('shows a token unit only for token amounts', async () => {
    const data = dataOf('deposit(uint256,address)', 250_500_000n, RECIPIENT);
    const { texts } = await confirm({ ...feeFields, to: USDC, data });
    expect(texts.join(' ')).not.toMatch(/\d USDC/u);
  });

  it('shows an unknown function by its selector, and long data in full', async () => {
    const data: Hex = `0x${'ab'.repeat(50_000)}`;
    const { fields, texts } = await confirm({ ...feeFields, data });
    const selector = data.slice(0, 10);
    expect(fields[textOf('field.function')]).toBe(
      textOf('function.unknown', { selector }),
    );
    expect(texts).toContain(data);
  });
});

const callLines = (texts: readonly string[]): string[] =>
  texts
    .filter((each) => /^\d+ · /u.test(each))
    .map((each) => each.replace(/(?<=0x\S{19}) /u, ''));

describe('the confirmation of several transactions', () => {
  it('shows each of them, their total maximum cost, and their signed form', async () => {
    const { edges, sendCalls } = await createCallsBench();
    await sendCalls({
      calls: [
        { to: RECIPIENT, value: '0x1' },
        { to: OTHER, data: DATA },
      ],
    });
    const content = edges.dialogs.shown.at(-1);
    const shown = read(content);
    const { fields, texts } = shown;
    expect(warningsOf(content)).toContain(textOf('warning.notAtomic'));
    expect(fields).toMatchObject({
      [textOf('field.totalValue')]: '0.000000000000000001 ETH',
      [textOf('field.maxCost')]: '0.000079330320000001 ETH',
    });
    expect(callLines(texts)).toStrictEqual([
      `1 · Send 0.000000000000000001 ETH → ${RECIPIENT}`,
      '2 · Call “transfer” → 0x00000000000000000000000000000000000000bb',
    ]);
    expect(texts).toEqual(expect.arrayContaining([textOf('call.transfer'), DATA]));
    expect(rawOf(shown)).toMatchObject([
      { to: RECIPIENT, value: '0x1', nonce: '0x5' },
      { to: OTHER, data: DATA, nonce: '0x6' },
    ]);
  });
});

describe('the confirmation of a user operation', () => {
  it.each(entryPointVersions)(
    'shows its calls, payer, EntryPoint and expiry (%s)',
    async (version) => {
      const { address, call, shown } = await createOperationBench({ version });
      const approve = dataOf('approve(address,uint256)', RECIPIENT, maxUint256);
      const callData = encodeIntents(version, [
        { to: RECIPIENT, value: 0n, data: '0x' },
        { to: OTHER, value: 0n, data: approve },
      ]);
      const operation = { ...operationOf(address), callData };
      await call('eth_signUserOperation', [operation]);
      const { fields, texts } = read(shown().at(-1));
      expect(fields).toMatchObject({
        [textOf('field.account')]: address,
        [textOf('field.function')]: 'approve(address,uint256)',
        spender: RECIPIENT,
        amount: textOf('value.largest'),
        [textOf('field.paidBy')]: textOf('self'),
        [textOf('field.entryPoint')]: version,
        [textOf('field.entryPointAddress')]: entryPoints[version].entryPoint,
        [textOf('field.expiry')]: textOf('expiry.none'),
      });
      expect(callLines(texts)).toStrictEqual([
        `1 · Send 0 ETH → ${RECIPIENT}`,
        `2 · Allow unlimited tokens → ${RECIPIENT}`,
      ]);
      expect(texts).toContain(textOf('data.call', { size: sizeOf(approve) }));
    },
  );

  it("shows the account's own function if it is known, and no calls of opaque call data", async () => {
    const { address, call, shown } = await createOperationBench({ version: '0.7' });
    const sign = async (callData: Hex): Promise<ReturnType<typeof read>> => {
      const operation = { ...operationOf(address), callData };
      await call('eth_signUserOperation', [operation]);
      return read(shown().at(-1));
    };
    const own = await sign(dataOf('withdrawDepositTo(address,uint256)', OTHER, 9n));
    expect(own.fields).toMatchObject({ withdrawAddress: OTHER, amount: '9' });
    for (const callData of [
      '0xdeadbeef',
      encodeIntents('0.7', [{ to: OTHER, value: 0n, data: '0x' }]).slice(0, 60),
    ]) {
      const { texts } = await sign(callData as Hex);
      expect(callLines(texts)).toStrictEqual([]);
    }
  });
});

describe('the confirmation of a signature', () => {
  it('shows a message with its line breaks, its hidden characters and its bytes', async () => {
    const text = 'Hi \u202ethere\n\ttab \u0e17';
    const { texts } = await show('personal_sign', [text, bench.address]);
    expect(texts).toContain('Hi \\u{202e}there\n\ttab \u0e17');
    expect(texts).toContain(stringToHex(text));
  });

  it('shows bytes that are not text as hex', async () => {
    const { texts } = await show('personal_sign', ['0xff00ff', bench.address]);
    expect(texts).toEqual(expect.arrayContaining([textOf('message.hex'), '0xff00ff']));
  });

  it('shows typed data field by field, and the whole signed document', async () => {
    const mail = mailOf(1);
    const shown = await show('eth_signTypedData_v4', [bench.address, mail]);
    const { fields, texts } = shown;
    expect(fields).toMatchObject({
      [textOf('field.origin')]: 'https://dapp.example',
      [textOf('field.account')]: bench.address,
      [textOf('field.primaryType')]: 'Ether Mail: Mail',
      [textOf('field.verifier')]: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
      contents: 'Hello, Bob!',
    });
    const start = texts.indexOf('from: Person');
    expect(texts.slice(start, start + 5)).toStrictEqual([
      'from: Person',
      'name',
      'Cow',
      'wallet',
      '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    ]);
    expect(rawOf(shown)).toStrictEqual(mail);
  });

  it('shows hidden characters in names and strings, and omits unsigned fields', async () => {
    const mail = mailOf(1) as Record<string, Record<string, Json>>;
    const { texts } = await show('eth_signTypedData_v4', [
      bench.address,
      {
        ...mail,
        domain: { ...mail.domain, name: 'Ether\u202eliaM\nx' },
        message: { ...mail.message, contents: 'a\u200bb', promise: 'A prize.' },
      },
    ]);
    expect(texts).toContain(String.raw`Ether\u{202e}liaM x: Mail`);
    expect(texts).toContain(String.raw`a\u{200b}b`);
    expect(texts).not.toContain('A prize.');
  });

  it('shows version 1 typed data with its hidden characters', async () => {
    const list = [
      { type: 'string', name: 'a\u202eb', value: 'c\u200bd' },
      { type: 'uint32', name: 'A number', value: 1337 },
    ];
    const { fields, texts } = await show('eth_signTypedData_v1', [list, bench.address]);
    expect(fields).toMatchObject({
      [String.raw`1. a\u{202e}b`]: String.raw`c\u{200b}d`,
      '2. A number': '1,337',
      [textOf('field.chain')]: textOf('chain.every'),
    });
    const raw = texts[texts.indexOf(textOf('raw.title')) + 1];
    expect(raw).toContain('"value":1337');
  });

  it('shows a whole sign-in, with ten resources and the number of others', async () => {
    const resources = Array.from({ length: 12 }, (_, index) => `ipfs://${index}`);

    const address = getAddress(bench.address);
    const { texts } = await show('personal_sign', [
      [
        `dapp.example wants you to sign in with your Ethereum account:\n${address}\n`,
        'I accept.\n',
        'URI: https://dapp.example/login',
        'Version: 1\nChain ID: 1\nNonce: k13wuyv6db6cz',
        'Issued At: 2023-11-14T22:13:20.000Z',
        'Expiration Time: 2023-11-14T23:13:20.000Z',
        'Not Before: 2023-11-14T22:13:20.000Z',
        'Request ID: 7',
        `Resources:\n${resources.map((each) => `- ${each}`).join('\n')}`,
      ].join('\n'),
      bench.address,
    ]);
    expect(texts[texts.indexOf(textOf('siwe.chain')) + 1]).toBe('Ethereum');
    expect(texts[texts.indexOf(textOf('siwe.resource')) + 1]).toBe('ipfs://0');
    expect(texts).toEqual(
      expect.arrayContaining([
        textOf('act.signIn', { domain: 'dapp.example' }),
        'I accept.',
        'ipfs://9',
        textOf('list.more', { count: '2' }),
      ]),
    );
    expect(texts).not.toContain('ipfs://10');
  });
});

describe('the origin', () => {
  async function confirm(origin: string): Promise<JSXElement | undefined> {
    const app = createTestApp();
    const { address } = await createAccount(app);
    const { rpc } = callersOf(app);
    await rpc(origin, 'eth_requestAccounts');
    await rpc(origin, 'personal_sign', ['hello', address]);
    return app.edges.dialogs.shown.at(-1);
  }

  it.each(phishingOrigins)('causes a warning: %s', async (origin) => {
    expect(warningsOf(await confirm(origin))).not.toHaveLength(0);
  });

  it('is shown both in ASCII and in its own script', async () => {
    expect(read(await confirm('https://xn--bcher-kva.example')).fields).toMatchObject({
      [textOf('field.origin')]: 'https://xn--bcher-kva.example',
      [textOf('field.originLetters')]: 'https://bücher.example',
    });
  });

  it('is shown once, without a warning, if it is ASCII', async () => {
    const content = await confirm('https://dapp.example');
    expect(read(content).fields).not.toHaveProperty(textOf('field.originLetters'));
    expect(warningsOf(content)).toStrictEqual([]);
  });
});
