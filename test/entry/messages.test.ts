// Signing messages and typed data, in every form that clients use.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';
import { encodePacked, isHex, stringToHex, verifyMessage } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { SiweMessage } from 'viem/siwe';

import { signIn } from '../fixtures/trust/messages';
import { permit, permitSingle } from '../fixtures/trust/shapes';
import { callersOf } from '../support/callers';
import { keyOfIndex } from '../support/entropy';
import { settle } from '../support/gate';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import { hashV1, mailOf, signMail } from '../support/typed-data';
import { elementsOf, textOf, warningsOf, writeView } from '../support/view';

const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** viem's account with the same key. */
const owner = privateKeyToAccount(keyOfIndex(0));

async function setup() {
  const app = createTestApp();
  const { id, address } = await createAccount(app);
  const { rpc, submit } = callersOf(app);
  await app.services.grants.set(DAPP, [id]);
  return {
    app,
    address: address as Address,
    call: async (method: string, params: Json) => rpc(DAPP, method, params),
    submit: async (method: string, params: Json) =>
      submit({ account: id, method, params }),
  };
}

describe('personal_sign', () => {
  const message = stringToHex('hello');

  it.each([
    ['empty', ''],
    ['a password', 'secret'],
    ['null', null],
  ])('ignores the third param if it is %s', async (_what, third) => {
    const { call, submit, address } = await setup();
    const signature = (await call('personal_sign', [message, address, third])) as Hex;
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true);
    const swapped = await call('personal_sign', [address, message, third]);
    expect(swapped).toBe(signature);
    expect(await submit('personal_sign', [message, address, third])).toStrictEqual({
      pending: false,
      result: signature,
    });
  });

  it.each<string>([
    stringToHex('hello'),
    '0x',
    stringToHex('grüße 🎉 \u202e'),
    '0xff00fe',
    `0x${'12'.repeat(32)}`,
    'hello',
    '0xhello',
    'grüße',
    '1234',
    OTHER,
    owner.address.toLowerCase(),
  ])(
    'signs %j like viem, in either param order and over both routes',
    async (given) => {
      const { app, call, submit, address } = await setup();
      const message = isHex(given) ? { raw: given } : given;
      const signature = await owner.signMessage({ message });
      for (const signer of [address, owner.address]) {
        expect(await call('personal_sign', [given, signer])).toBe(signature);
        expect(await call('personal_sign', [signer, given])).toBe(signature);
        const { result } = (await submit('personal_sign', [given, signer])) as never;
        expect(result).toBe(signature);
      }
      // Requests from MetaMask itself show no dialog.
      expect(app.edges.dialogs.shown).toHaveLength(4);
    },
  );

  it.each<[Json, string]>([
    [['0x'], 'params[1] is missing: it must be a 20-byte address in hex'],
    ...[7, {}, [''], false].map((third): [Json, string] => [
      ['0x', OTHER, third],
      'params[2] must be a string.',
    ]),
    [['0x', OTHER, '', ''], 'params[3] is not expected here.'],
  ])('names the malformed param in its error: %j', async (params, reason) => {
    const { submit } = await setup();
    const signing = submit('personal_sign', params);
    await expectRefusal(signing, -32602, `personal_sign: ${reason}`);
  });

  it("signs no sign-in for a chain other than the request's", async () => {
    const { app, call, address } = await setup();
    const params = [signIn({ chainId: 137 }), address];
    expect(
      await refusalOf(call('personal_sign', { scope: 'eip155:1', params })),
    ).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:1, but its content is for eip155:137.',
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });
});

const entriesV1 = [
  { type: 'string', name: 'Message', value: 'Hi, Alice!' },
  { type: 'uint32', name: 'A number', value: '1337' },
];

const signEntries = async (): Promise<Hex> =>
  owner.sign({
    hash: hashV1(
      ['string Message', 'uint32 A number'],
      encodePacked(['string', 'uint32'], ['Hi, Alice!', 1337]),
    ),
  });

// Each row: the method, its data, the expected signature, and text in the dialog.
const signings: [string, Json, () => Promise<Hex>, string[]][] = [
  [
    'personal_sign',
    stringToHex('hello'),
    async () => owner.signMessage({ message: 'hello' }),
    ['hello', '0x68656c6c6f'],
  ],
  [
    'eth_signTypedData_v1',
    entriesV1,
    signEntries,
    ['Hi, Alice!', 'A number', 'uint32', '1337'],
  ],
  [
    'eth_signTypedData_v3',
    mailOf(1),
    async () => signMail(owner, 1n),
    ['Ether Mail: Mail', 'Hello, Bob!', 'Ethereum'],
  ],
  [
    'eth_signTypedData_v4',
    mailOf(1),
    async () => signMail(owner, 1n),
    ['Ether Mail: Mail', 'Hello, Bob!', '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC'],
  ],
];

describe.each(signings)('%s', (method, data, ...[expected, parts]) => {
  it('signs like viem, with the params in either order, and shows the message', async () => {
    const { app, call, submit, address } = await setup();
    const signature = await expected();
    const forms = method === 'personal_sign' ? [data] : [data, JSON.stringify(data)];
    for (const form of forms) {
      expect(await call(method, [address, form])).toBe(signature);
      expect(await call(method, [form, address])).toBe(signature);
      expect(await submit(method, [address, form])).toHaveProperty('result', signature);
    }
    const view = writeView(app.edges.dialogs.shown[0]);
    for (const part of [DAPP, address, ...parts]) expect(view).toContain(part);
  });
});

describe('the chain ID of typed data', () => {
  it.each<[Json | undefined, bigint | undefined]>([
    [1, 1n],
    ['1', 1n],
    ['0x1', 1n],
    [137, 137n],
    [0, 0n],
    [undefined, undefined],
  ])('may be %j', async (chainId, hashed) => {
    const { call, address } = await setup();
    const document = mailOf(chainId);
    for (const method of ['eth_signTypedData_v3', 'eth_signTypedData_v4']) {
      const signature = await signMail(owner, hashed);
      expect(await call(method, [address, document])).toBe(signature);
      const scope = `eip155:${hashed || 1n}`;
      const scoped = { scope, params: [address, document] };
      expect(await call(method, scoped)).toBe(signature);
    }
  });

  it.each(['eth_signTypedData_v3', 'eth_signTypedData_v4'])(
    'must match the chain of the request (%s)',
    async (method) => {
      const { app, call, address } = await setup();
      for (const chainId of [5, '5', '0x5']) {
        const params = { scope: 'eip155:1', params: [address, mailOf(chainId)] };
        expect(await refusalOf(call(method, params))).toStrictEqual({
          code: -32602,
          message: 'The request is for eip155:1, but its content is for eip155:5.',
        });
      }
      expect(app.edges.dialogs.shown).toStrictEqual([]);
    },
  );
});

it.each<[string, Json, string]>([
  ['v1', [OTHER, mailOf(1)], '[1] must be an array of 1 to 1000 entries.'],
  ['v1', [OTHER, '{}'], '[1] must be an array, or the JSON text of one.'],
  ['v4', [OTHER], '[1] is missing: it must be an object.'],
  ['v4', [OTHER, OTHER], '[1] must be an object, or the JSON text of one.'],
  ['v4', [{}, OTHER], '[0].types is missing: it must be an object.'],
  ['v4', [OTHER, mailOf('mainnet')], '[1].domain.chainId must be of type uint256.'],
])(
  'names the malformed param of eth_signTypedData_%s in its error (case %#)',
  async (version, params, reason) => {
    const { app, submit } = await setup();
    const method = `eth_signTypedData_${version}`;
    expect(await refusalOf(submit(method, params))).toStrictEqual({
      code: -32602,
      message: `${method}: params${reason}`,
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  },
);

describe('a dialog', () => {
  const VERIFYING_CONTRACT = '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC';
  /** USDC, and an address with the same first and last digits. */
  const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const FAKE_USDC = '0xa0b8bad0000000000000000000000000000ceb48';
  const lookAlike = textOf('warning.lookAlike', { address: FAKE_USDC, known: USDC });
  const mailTo = (wallet: string): Json => {
    const mail = mailOf(1) as { message: Record<string, Json> };
    return { ...mail, message: { ...mail.message, to: { name: 'Bob', wallet } } };
  };
  const fourLookAlikes = [1, 2, 3, 4]
    .map((digit) => FAKE_USDC.replace('bad0', `bad${digit}`))
    .join();
  const signsIn = (changes: object): Json =>
    stringToHex(signIn({ address: owner.address, domain: 'dapp.example', ...changes }));

  it.each<[string, string, Json, string[]]>([
    ['a look-alike', 'personal_sign', `Send it to ${FAKE_USDC}.`, [lookAlike]],
    ['a look-alike', 'eth_signTypedData_v4', mailTo(FAKE_USDC), [lookAlike]],
    [
      'a look-alike',
      'eth_signTypedData_v1',
      [{ type: 'address', name: 'to', value: FAKE_USDC }],
      [lookAlike, textOf('warning.domain')],
    ],
    [
      "another site's sign-in",
      'personal_sign',
      signsIn({ domain: 'bank.example' }),
      [textOf('siwe.otherDomain', { domain: 'bank.example', origin: DAPP })],
    ],
  ])('warns about %s in %s', async (_what, method, ...[data, expected]) => {
    const { app, call, address } = await setup();
    app.edges.wallet.answers.eth_getCode = '0x60';
    await call(method, [address, data]);
    const warnings = warningsOf(app.edges.dialogs.shown.at(-1));
    expect(warnings).toStrictEqual(expect.arrayContaining(expected));
    if (method !== 'eth_signTypedData_v1') {
      expect(warnings).toHaveLength(expected.length);
    }
  });

  const FORGED = 'URI: https://evil.example';

  it.each<[string, string]>([
    ['\r', '\\u{d}'],
    ['\t', '\\u{9}'],
    ['\0', '\\u{0}'],
    ['\u0085', '\\u{85}'],
    ['\u2028', '\\u{2028}'],
    ['\u2029', '\\u{2029}'],
    ['\u202e', '\\u{202e}'],
    ['\u2067', '\\u{2067}'],
    ['\u200b', '\\u{200b}'],
    ['\ufeff', '\\u{feff}'],
  ])('escapes %j, which could forge a line in a sign-in', async (char, shown) => {
    const { app, call, address } = await setup();
    const statement = `I accept${char}${FORGED}`;
    const text = signIn({ address, domain: 'dapp.example', statement });
    expect(await call('personal_sign', [stringToHex(text), address])).toMatch(/^0x/u);
    const dialog = app.edges.dialogs.shown.at(-1);
    expect(warningsOf(dialog)).toStrictEqual([textOf('siwe.malformed')]);
    expect(writeView(dialog)).toContain(`I accept${shown}${FORGED}`);
    expect(writeView(dialog)).not.toContain(
      textOf('act.signIn', { domain: 'dapp.example' }),
    );
  });

  it('lists the characters in a sign-in that EIP-4361 forbids, and still signs it', async () => {
    const { app, call, address } = await setup();
    const statement = 'Willkommen –\u00a0„weiter“';
    const message = signIn({
      address,
      domain: 'dapp.example',
      uri: 'https://dapp.example',
      statement,
    });
    const params = [stringToHex(message), address];
    const signature = (await call('personal_sign', params)) as Hex;
    expect(await verifyMessage({ address, message, signature })).toBe(true);
    const dialog = app.edges.dialogs.shown.at(-1);
    expect(warningsOf(dialog)).toStrictEqual([
      textOf('siwe.characters', { characters: '– U+00A0 „ “' }),
    ]);
    expect(writeView(dialog)).toContain(statement.replace('\u00a0', ' '));
    expect(writeView(dialog)).toContain(
      textOf('act.signIn', { domain: 'dapp.example' }),
    );
  });

  it.each<[string, Partial<SiweMessage>]>([
    ['a long statement', { statement: `Sign in. ${'a'.repeat(2_000)} END` }],
    [
      'many resources',
      { resources: [...Array<string>(10).fill('https://dapp.example'), 'urn:END'] },
    ],
    ['a long resource', { resources: [`urn:recap:${'a'.repeat(2_000)}END`] }],
  ])('shows the full sign-in uncollapsed if it has %s', async (_what, changes) => {
    const { app, call } = await setup();
    const text = signIn({ domain: 'dapp.example', uri: DAPP, ...changes });
    const visibleText = async (message: string): Promise<string> => {
      await call('personal_sign', [message, owner.address]);
      const elements = elementsOf(app.edges.dialogs.shown.at(-1));
      const sections = elements.filter(({ type }) => type === 'CollapsibleSection');
      const collapsed = new Set(sections.flatMap((section) => elementsOf(section)));
      return elements
        .filter((each) => each.type === 'Copyable' && !collapsed.has(each))
        .map(({ props }) => String(props.value))
        .join();
    };
    expect(await visibleText(text)).toContain('END');
    expect(await visibleText(signIn({ domain: 'dapp.example', uri: DAPP }))).toBe('');
  });

  it('warns about at most three look-alike addresses, and counts the rest', async () => {
    const { app, call, address } = await setup();
    await call('personal_sign', [fourLookAlikes, address]);
    expect(warningsOf(app.edges.dialogs.shown.at(-1))).toStrictEqual([
      ...Array<unknown>(3).fill(expect.stringContaining('resembles')),
      textOf('alert.more', { count: '1' }),
    ]);
  });

  it('warns about a verifying contract without code', async () => {
    const { app, call, address } = await setup();
    app.edges.wallet.answers.eth_getCode = '0x';
    await call('eth_signTypedData_v4', [address, mailOf(1)]);
    expect(warningsOf(app.edges.dialogs.shown.at(-1))).toStrictEqual([
      textOf('typed.noCode', { address: VERIFYING_CONTRACT }),
    ]);
  });

  afterEach(() => void jest.useRealTimers());

  it.each(['eth_getCode', 'eth_chainId'])(
    'is shown after 1.5 seconds if the node does not answer %s',
    async (method) => {
      const { app, call, address } = await setup();
      const { edges } = app;
      edges.wallet.answers[method] = (() => new Promise(() => undefined)) as never;
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
      const signing = call('eth_signTypedData_v4', [address, mailTo(OTHER)]);
      while (jest.getTimerCount() === 0) await settle();
      await settle();
      await jest.advanceTimersByTimeAsync(1_499);
      await settle();
      expect(edges.dialogs.shown).toStrictEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      while (edges.dialogs.shown.length === 0) await settle();
      expect(warningsOf(edges.dialogs.shown.at(-1))).toStrictEqual([
        textOf('alert.codeUnknown', { address: VERIFYING_CONTRACT }),
      ]);
      expect(await signing).toMatch(/^0x/u);
    },
  );
});

describe('eth_signTypedData', () => {
  it('signs like eth_signTypedData_v1', async () => {
    const { app, call, address } = await setup();
    const signature = await signEntries();
    expect(await call('eth_signTypedData', [entriesV1, address])).toBe(signature);
    expect(writeView(app.edges.dialogs.shown.at(-1))).toContain('Hi, Alice!');
    const text = JSON.stringify(entriesV1);
    expect(await call('eth_signTypedData', [address, text])).toBe(signature);
  });

  it('rejects documents, which need eth_signTypedData_v4', async () => {
    const { call, address } = await setup();
    const document = { types: {}, primaryType: 'A', domain: {}, message: {} };
    const signing = call('eth_signTypedData', [address, document]);
    await expectRefusal(signing, -32602);
  });
});

describe('a field name in typed data', () => {
  const sign = async (name: string) => {
    const { app, call, address } = await setup();
    app.edges.wallet.answers.eth_getCode = '0x60';
    const types = { Survey: [{ name, type: 'string' }] };
    const domain = (mailOf(1) as { domain: Json }).domain;
    const message = { [name]: 'my value' };
    const document = { types, primaryType: 'Survey', domain, message };
    const signature = await call('eth_signTypedData_v4', [address, document]);
    expect(signature).toBe(await owner.signTypedData(document as never));
    const dialog = app.edges.dialogs.shown.at(-1);
    return { warnings: warningsOf(dialog), shown: writeView(dialog) };
  };

  it.each(['walletAddress', 'wallet_address', '$wallet1', '__proto__'])(
    'causes no warning if it is ordinary: %s',
    async (name) => {
      expect((await sign(name)).warnings).toStrictEqual([]);
    },
  );

  it.each(['Wallet address', 'Dirección', 'from-address', '1', "it's", '🙂', '%'])(
    'is named in a notice if it is unusual: %s',
    async (name) => {
      const { warnings, shown } = await sign(name);
      expect(warnings).toStrictEqual([textOf('typed.oddName', { names: `"${name}"` })]);
      expect(shown).toContain(`${name}\nmy value`);
    },
  );

  it.each([
    ['', ''],
    [' amount', '\\u{20}amount'],
    ['amount ', 'amount\\u{20}'],
    ['to  whom', 'to \\u{20}whom'],
    ['to\u00a0whom', 'to\\u{a0}whom'],
    ['to\nwhom', 'to\\u{a}whom'],
    ['to\twhom', 'to\\u{9}whom'],
    ['to\u2028whom', 'to\\u{2028}whom'],
    ['\u202eotnuoma', '\\u{202e}otnuoma'],
    ['to\u200b', 'to\\u{200b}'],
    ['to\0', 'to\\u{0}'],
    ['to\u3164', 'to\\u{3164}'],
    ['to,uint256 amount', 'to,uint256 amount'],
    ['to)Other(uint256 amount', 'to)Other(uint256 amount'],
    ['to[]', 'to[]'],
    ['details › amount', 'details › amount'],
  ])(
    'causes a danger warning if it can imitate another field, and is escaped: %j',
    async (name, text) => {
      const { warnings, shown } = await sign(name);
      expect(warnings).toStrictEqual([
        textOf('typed.forgedName', { names: `"${text}"` }),
      ]);
      expect(shown).toContain(`${text || '–'}\nmy value`);
    },
  );
});

describe('a dialog for typed data that lets others take tokens', () => {
  it.each<[Json, 'typed.spenderNoCode' | 'alert.codeUnknown']>([
    ['0x', 'typed.spenderNoCode'],
    ['0x0', 'typed.spenderNoCode'],
    [null, 'typed.spenderNoCode'],
    ['0x608', 'alert.codeUnknown'],
  ])('warns about a spender whose code is %j: %s', async (code, key) => {
    const { app, call, address } = await setup();
    const document = permit();
    const { spender } = document.message as { spender: string };
    app.edges.wallet.answers.eth_getCode = ([asked]) =>
      asked === spender.toLowerCase() ? code : '0x60';
    await call('eth_signTypedData_v4', [address, document]);
    expect(warningsOf(app.edges.dialogs.shown.at(-1))).toContain(
      textOf(key, { address: spender }),
    );
  });

  it('shows when a Permit2 allowance ends: in the same block if the expiration is 0', async () => {
    const { app, call, address } = await setup();
    const until = textOf('allowance.valid');
    const ends = textOf('allowance.ends');
    for (const [expiration, end] of [
      [0, textOf('value.sameBlock')],
      ['0x0', textOf('value.sameBlock')],
      [1_700_086_400, 'Nov 15, 2023, 10:13 PM'],
    ] as const) {
      const document = permitSingle({ expiration }, { sigDeadline: 1_700_001_800 });
      await call('eth_signTypedData_v4', [address, document]);
      const shown = writeView(app.edges.dialogs.shown.at(-1));
      expect(shown).toContain(`${ends}\n${end}`);
      expect(shown).toContain(`${until}\nNov 14, 2023, 10:43 PM`);
      expect(shown).not.toContain('1970');
    }
  });

  const unlimited = textOf('typed.unlimited');
  const noDeadline = textOf('typed.noDeadline');

  const maxOf = (bits: number): string => String(2n ** BigInt(bits) - 1n);

  it.each<[string, Json, string[]]>([
    ['2^128', permit({ value: String(2n ** 128n) }), [unlimited]],
    ['2^128 - 1, which is a limit', permit({ value: maxOf(128) }), []],
    ['2^96 - 1', permit({ value: maxOf(96) }), [unlimited]],
    ["Permit2's largest amount", permitSingle({ amount: maxOf(160) }), [unlimited]],
    ["Permit2's latest time", permitSingle({ expiration: maxOf(48) }), [noDeadline]],
  ])('warns unless there is a limit: %s', async (_what, document, expected) => {
    const { app, call, address } = await setup();
    await call('eth_signTypedData_v4', [address, document]);
    const warnings = warningsOf(app.edges.dialogs.shown.at(-1));
    const limits = warnings.filter((each) => [unlimited, noDeadline].includes(each));
    expect(limits).toStrictEqual(expected);
  });
});
