// What the confirmations show of a request: each field, exactly, and the bytes that are signed.
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
const bytes = (data: string): string => `${(data.length - 2) / 2} B`;

/** Reads the value of each label, and all texts. */
function read(content: JSXElement | undefined) {
  // Contracts that people know have their names beside their labels.
  const fields = toFieldPairs(content).map(([name, value]) => [
    value.startsWith('0x') ? name.replace(/ \([^()]+\)$/u, '') : name,
    value,
  ]);
  const texts = textsOf(content);
  return { fields: Object.fromEntries(fields) as Record<string, string>, texts };
}

/** Reads the signed content. */
function rawOf({ texts }: ReturnType<typeof read>): unknown {
  return JSON.parse(texts[texts.indexOf(textOf('raw.title')) + 1] ?? '');
}

const label = (key: TextKey): string => textOf(key);

describe('the confirmation of a transaction', () => {
  let bench: SendBench;

  beforeEach(async () => {
    bench = await createSendBench();
    bench.edges.wallet.answers.eth_getCode = '0x60';
  });

  async function show(fields: Record<string, Json>): Promise<ReturnType<typeof read>> {
    await bench.call('eth_signTransaction', [
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
    return read(bench.edges.dialogs.shown.at(-1));
  }

  const dynamic = { maxFeePerGas: '0x6fc23ac00', maxPriorityFeePerGas: '0x3b9aca00' };

  it('shows the origin, the transfer, the recipient and the maximum cost', async () => {
    const shown = await show({ type: '0x0', gasPrice: '0x4a817c801' });
    expect(shown.fields).toStrictEqual({
      [label('changes.title')]: label('changes.unknown'),
      [label('field.to')]: RECIPIENT,
      [label('field.origin')]: 'https://dapp.example',
      [label('field.value')]: '1.5 ETH',
      [label('field.networkFee')]: '≈ 0.002 ETH',
      [label('field.maxCost')]: '1.5020000000001 ETH',
      [label('field.account')]: bench.address,
      [label('field.meaning')]: label('call.transfer'),
      [label('field.function')]: 'transfer(address,uint256)',
      [label('field.arguments')]: label('arguments.unread'),
      [label('field.balanceAfter')]: '8.4979999999999 ETH',
      [label('field.gasLimit')]: '100,000',
      [label('field.gasPrice')]: gwei('20.000000001'),
      [label('field.nonce')]: '5',
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
      'the maximum of a dynamic fee',
      dynamic,
      {
        'field.maxCost': '1.503 ETH',
        'field.maxFee': gwei('30'),
        'field.priorityFee': gwei('1'),
      },
    ],
    [
      'a contract to be',
      { ...dynamic, to: null },
      { 'field.to': label('field.creation') },
    ],
    [
      'whom tokens are for',
      {
        ...dynamic,
        to: USDC,
        value: '0x0',
        data: dataOf('transfer(address,uint256)', OTHER, 1n),
      },
      { 'field.tokensTo': OTHER, 'field.contract': USDC },
    ],
    [
      'how much is sent of a token that is not known',
      {
        ...dynamic,
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
      'who gets coins with a transfer of tokens',
      {
        ...dynamic,
        to: USDC,
        value: '0x1',
        data: dataOf('transfer(address,uint256)', OTHER, 1n),
      },
      { 'field.tokensTo': OTHER, 'field.to': USDC },
    ],
    [
      'an access list',
      { ...dynamic, accessList: [{ address: RECIPIENT, storageKeys: [] }] },
      { 'field.accessList': '1' },
    ],
    [
      'blobs and what they cost',
      {
        ...dynamic,
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
      'code that may act',
      { ...dynamic, authorizationList: [AUTHORIZATION] },
      {
        'field.authorizations': '1',
        'field.delegator': label('delegate.nobody'),
        'field.delegate': AUTHORIZATION.address,
        'field.delegateChain': label('delegate.everyChain'),
      },
    ],
  ])('shows %s', async (_what, given, expected) => {
    const shown = await show(given);
    const { fields } = shown;
    for (const [key, value] of Object.entries(expected)) {
      expect([key, fields[label(key as TextKey)]]).toStrictEqual([key, value]);
    }
    expect(rawOf(shown)).toMatchObject(given);
    const isLabelled = (key: TextKey): boolean => label(key) in fields;
    expect(isLabelled('field.blobs')).toBe('blobVersionedHashes' in given);
    expect(isLabelled('field.authorizations')).toBe('authorizationList' in given);
    expect(isLabelled('field.accessList')).toBe('accessList' in given);
    expect(isLabelled('field.gasPrice')).toBe(false);
  });

  it('counts the authorizations that it does not list', async () => {
    const authorizationList = Array.from({ length: 12 }, () => AUTHORIZATION);
    await show({ ...dynamic, authorizationList });
    const texts = textsOf(bench.edges.dialogs.shown.at(-1));
    expect(texts.filter((each) => each === label('field.delegator'))).toHaveLength(10);
    expect(texts).toContain(textOf('list.more', { count: '2' }));
  });

  it.each<[string, Hex, string]>([
    ['in the unit of a known token', USDC, '250.5 USDC (250500000)'],
    ['in base units for another', OTHER, '250500000'],
  ])('shows the amount of a transfer %s', async (_what, to, shown) => {
    const data = dataOf('transfer(address,uint256)', RECIPIENT, 250_500_000n);
    const { fields, texts } = await show({ ...dynamic, to, data });
    expect(fields.amount).toBe(shown);
    expect(texts).toContain(data);
  });

  it('names the largest amount of an approval', async () => {
    const data = dataOf('approve(address,uint256)', RECIPIENT, maxUint256);
    const { fields } = await show({ ...dynamic, data });
    expect(fields.amount).toBe(label('value.largest'));
  });

  it('shows only amounts of tokens in the unit of a token', async () => {
    const data = dataOf('deposit(uint256,address)', 250_500_000n, RECIPIENT);
    const { texts } = await show({ ...dynamic, to: USDC, data });
    expect(texts.join(' ')).not.toMatch(/\d USDC/u);
  });

  it('shows an unknown function by its selector, and long data in full', async () => {
    const data: Hex = `0x${'ab'.repeat(50_000)}`;
    const { fields, texts } = await show({ ...dynamic, data });
    const selector = data.slice(0, 10);
    expect(fields[label('field.function')]).toBe(
      textOf('function.unknown', { selector }),
    );
    expect(texts).toContain(data);
  });
});

/** The lines of the calls of a batch. */
const linesOf = (texts: readonly string[]): string[] =>
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
    expect(warningsOf(content)).toContain(label('warning.notAtomic'));
    expect(fields).toMatchObject({
      [label('field.totalValue')]: '0.000000000000000001 ETH',
      [label('field.maxCost')]: '0.000079330320000001 ETH',
    });
    expect(linesOf(texts)).toStrictEqual([
      `1 · Send 0.000000000000000001 ETH → ${RECIPIENT}`,
      '2 · Call “transfer” → 0x00000000000000000000000000000000000000bb',
    ]);
    expect(texts).toEqual(expect.arrayContaining([label('call.transfer'), DATA]));
    expect(rawOf(shown)).toMatchObject([
      { to: RECIPIENT, value: '0x1', nonce: '0x5' },
      { to: OTHER, data: DATA, nonce: '0x6' },
    ]);
  });
});

describe('the confirmation of a user operation', () => {
  it.each(entryPointVersions)(
    'shows its calls, who pays, its gas and its EntryPoint (%s)',
    async (version) => {
      const bench = await createOperationBench({ version });
      const approve = dataOf('approve(address,uint256)', RECIPIENT, maxUint256);
      const callData = encodeIntents(version, [
        { to: RECIPIENT, value: 0n, data: '0x' },
        { to: OTHER, value: 0n, data: approve },
      ]);
      const operation = { ...operationOf(bench.address), callData };
      await bench.call('eth_signUserOperation', [operation]);
      const { fields, texts } = read(bench.shown().at(-1));
      expect(fields).toMatchObject({
        [label('field.account')]: bench.address,
        [label('field.function')]: 'approve(address,uint256)',
        spender: RECIPIENT,
        amount: label('value.largest'),
        [label('field.paidBy')]: label('self'),
        [label('field.entryPoint')]: version,
        [label('field.entryPointAddress')]: entryPoints[version].entryPoint,
        [label('field.expiry')]: label('expiry.none'),
      });
      expect(linesOf(texts)).toStrictEqual([
        `1 · Send 0 ETH → ${RECIPIENT}`,
        `2 · Allow unlimited tokens → ${RECIPIENT}`,
      ]);
      expect(texts).toContain(textOf('data.call', { size: bytes(approve) }));
    },
  );

  it('shows its own calls if they are known, and none if they cannot be read', async () => {
    const bench = await createOperationBench({ version: '0.7' });
    const sign = async (callData: Hex): Promise<ReturnType<typeof read>> => {
      const operation = { ...operationOf(bench.address), callData };
      await bench.call('eth_signUserOperation', [operation]);
      return read(bench.shown().at(-1));
    };
    const own = await sign(dataOf('withdrawDepositTo(address,uint256)', OTHER, 9n));
    expect(own.fields).toMatchObject({ withdrawAddress: OTHER, amount: '9' });
    for (const callData of [
      '0xdeadbeef',
      encodeIntents('0.7', [{ to: OTHER, value: 0n, data: '0x' }]).slice(0, 60),
    ]) {
      const { texts } = await sign(callData as Hex);
      expect(linesOf(texts)).toStrictEqual([]);
    }
  });
});

describe('the confirmation of a signature', () => {
  let bench: SendBench;

  beforeEach(async () => {
    bench = await createSendBench();
    bench.edges.wallet.answers.eth_getCode = '0x60';
  });

  async function show(method: string, params: Json): Promise<ReturnType<typeof read>> {
    await bench.call(method, params);
    return read(bench.edges.dialogs.shown.at(-1));
  }

  it('shows a message with its line breaks, its hidden characters, and its bytes', async () => {
    const text = 'Hi \u202ethere\n\ttab \u0e17';
    const { texts } = await show('personal_sign', [text, bench.address]);
    expect(texts).toContain('Hi \\u{202e}there\n\ttab \u0e17');
    expect(texts).toContain(stringToHex(text));
  });

  it('shows bytes that are not text unchanged', async () => {
    const { texts } = await show('personal_sign', ['0xff00ff', bench.address]);
    expect(texts).toEqual(expect.arrayContaining([label('message.hex'), '0xff00ff']));
  });

  it('shows typed data field by field, and the whole signed document', async () => {
    const mail = mailOf(1);
    const shown = await show('eth_signTypedData_v4', [bench.address, mail]);
    const { fields, texts } = shown;
    expect(fields).toMatchObject({
      [label('field.origin')]: 'https://dapp.example',
      [label('field.account')]: bench.address,
      [label('field.primaryType')]: 'Ether Mail: Mail',
      [label('field.verifier')]: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
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

  it('shows hidden characters of names and texts, and no unsigned field', async () => {
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

  it('shows typed data of version 1, each value with its hidden characters', async () => {
    const list = [
      { type: 'string', name: 'a\u202eb', value: 'c\u200bd' },
      { type: 'uint32', name: 'A number', value: 1337 },
    ];
    const { fields, texts } = await show('eth_signTypedData_v1', [list, bench.address]);
    expect(fields).toMatchObject({
      [String.raw`1. a\u{202e}b`]: String.raw`c\u{200b}d`,
      '2. A number': '1,337',
      [label('field.chain')]: label('chain.every'),
    });
    const raw = texts[texts.indexOf(label('raw.title')) + 1];
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
    expect(texts[texts.indexOf(label('siwe.chain')) + 1]).toBe('Ethereum');
    expect(texts[texts.indexOf(label('siwe.resource')) + 1]).toBe('ipfs://0');
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
  async function ask(origin: string): Promise<JSXElement | undefined> {
    const app = createTestApp();
    const { address } = await createAccount(app);
    const { rpc } = callersOf(app);
    await rpc(origin, 'eth_requestAccounts');
    await rpc(origin, 'personal_sign', ['hello', address]);
    return app.edges.dialogs.shown.at(-1);
  }

  it.each(phishingOrigins)('causes a warning: %s', async (origin) => {
    expect(warningsOf(await ask(origin))).not.toHaveLength(0);
  });

  it('is shown both in ASCII and in its own script', async () => {
    expect(read(await ask('https://xn--bcher-kva.example')).fields).toMatchObject({
      [label('field.origin')]: 'https://xn--bcher-kva.example',
      [label('field.originLetters')]: 'https://bücher.example',
    });
  });

  it('is shown once, without a warning, if it is ASCII', async () => {
    const content = await ask('https://dapp.example');
    expect(read(content).fields).not.toHaveProperty(label('field.originLetters'));
    expect(warningsOf(content)).toStrictEqual([]);
  });
});
