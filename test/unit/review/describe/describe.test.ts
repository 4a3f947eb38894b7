// Clear-signing descriptions: formats, unknown tokens, nested calls, hostile descriptors and typed
// data.
import { readFileSync } from 'node:fs';

import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  maxUint256,
  multicall3Abi,
  toHex,
} from 'viem';
import type { Hex } from 'viem';

import { bindSources, packFiles } from '../../../../dev/clear-signing/build';
import type { Field, Source } from '../../../../dev/clear-signing/sources';
import type { NodeClient } from '../../../../packages/client/src';
import { readShipped, toShippedPath } from '../../../../src/platform/shared-edges';
import { createDescriber } from '../../../../src/review/describe/describe';
import { listCalls } from '../../../../src/review/effects';
import type { CallEffect, Description } from '../../../../src/review/effects';
import { readCall } from '../../../../src/review/read';
import { selectFittingCalls, warnOfUnshown } from '../../../../src/review/screen/calls';
import { drawDescription } from '../../../../src/review/screen/description';
import { dataOf } from '../../../fixtures/trust/call';
import { STRANGER as FROM, USDC } from '../../../fixtures/trust/document';
import { permitSingle } from '../../../fixtures/trust/shapes';
import { english, textOf, translate } from '../../../support/view';

const ROUTER: Hex = '0x1111111254eeb25477b68fb85ed929f73a960582';
const OTHER: Hex = '0x000000000000000000000000000000000000dEaD';
const STRANGER: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const TOKEN: Hex = '0x9196e18bc349b1f64bc08784eae259525329a1ad';
const USDC_10: Hex = '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85';
const UNISWAP: Hex = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const WETH: Hex = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const NOW = Date.UTC(2026, 10, 23);

const field = (path: string, label: string, rest: object = {}): Field =>
  ({ path, label, ...rest }) as Field;

const swapFields = [
  field('amount', 'Amount to Send', {
    format: 'tokenAmount',
    params: { tokenPath: 'token' },
  }),
  field('to', 'Beneficiary', {
    format: 'addressName',
    params: { senderAddress: OTHER },
  }),
  field('deadline', 'Deadline', { format: 'date', params: { encoding: 'timestamp' } }),
];

const runFields = [
  field('data', 'Call', { format: 'calldata', params: { calleePath: 'target' } }),
];

function descriptorOf(
  fields: Field[],
  rest: object = {},
  { chains = [1], run = runFields }: { chains?: number[]; run?: Field[] } = {},
): Source {
  return {
    context: {
      contract: {
        deployments: chains.map((chainId) => ({ chainId, address: ROUTER })),
      },
    },
    metadata: { owner: '1inch Network' },
    display: {
      formats: {
        'swap(address token, uint256 amount, address to, uint256 deadline)': {
          intent: 'Swap',
          interpolatedIntent: 'Swap {amount} for {to}',
          fields,
          ...rest,
        },
        'run(address target, bytes data)': { intent: 'Run', fields: run },
      },
    },
  };
}

type Stated = { symbol: string; decimals: bigint; name?: string };

type Given = {
  source?: Source;
  tokens?: Record<Hex, Stated>;
  node?: () => Promise<Hex>;
  /** Replaces the files built from `source`. */
  readFile?: (path: string) => Promise<string | null>;
};

function createBench({
  source = descriptorOf(swapFields),
  tokens = {},
  ...given
}: Given) {
  const { node } = given;
  const files = packFiles(bindSources({ 'own.json': source }).bound);
  const readOwn: Given['readFile'] = async (path) =>
    Promise.resolve(files.get(path.replace('clear-signing/', '')) ?? null);
  const asked: Hex[][] = [];
  const answer = (data: Hex): Hex => {
    const { args } = decodeFunctionData({ abi: multicall3Abi, data });
    const [calls] = args as unknown as [{ target: Hex; callData: Hex }[]];
    asked.push(calls.map(({ target }) => target));
    return encodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      result: calls.map(({ target, callData }) => {
        const stated = tokens[target.toLowerCase() as Hex];
        if (!stated) return { success: false, returnData: '0x' as const };
        const { symbol, decimals, name = 'A name' } = stated;
        if (callData === '0x313ce567') {
          return { success: true, returnData: toHex(decimals, { size: 32 }) };
        }
        const text = callData === '0x06fdde03' ? name : symbol;
        const returnData = text.startsWith('0x')
          ? (text as Hex)
          : encodeAbiParameters([{ type: 'string' }], [text]);
        return { success: true, returnData };
      }),
    });
  };
  const logged: string[] = [];
  const describer = createDescriber({
    readFile: given.readFile ?? readOwn,
    now: () => NOW,
    loadTranslate: () => Promise.resolve(translate),
    log: (_level, { event }) => logged.push(event),
    connect: () =>
      Promise.resolve({
        node: {
          request: async (_method: string, [call]: [{ data: Hex }]) =>
            node ? node() : answer(call.data),
        } as unknown as NodeClient,
      }),
  });
  return {
    asked,
    logged,
    describer,
    describe: async (data: Hex, to: Hex = ROUTER, chainId = 1n) => {
      const content = { from: FROM, to, value: 0n, data } as const;
      const [call] = await describer.calls([readCall(content)], chainId);
      return call as CallEffect;
    },
  };
}

const swap = (token: Hex, to: Hex = FROM, amount = 1_500_000n): Hex =>
  dataOf(
    'swap(address,uint256,address,uint256)',
    token,
    amount,
    to,
    BigInt(NOW / 1000) + 1_200n,
  );

const run = (data: Hex): Hex => dataOf('run(address,bytes)', ROUTER, data);

it('explains a call, and formats its fields', async () => {
  const { describe, asked } = createBench({});
  const { description } = await describe(swap(USDC));
  expect(description).toMatchObject({
    intent: 'Swap',
    sentence: `Swap 1.5 USDC for ${english.self}`,
    owner: '1inch Network',
    omitted: 0,
    stated: [],
    fields: [
      { label: 'Amount to Send', value: { text: '1.5 USDC' } },
      { label: 'Beneficiary', value: { address: FROM, name: english.self } },
      { label: 'Deadline', value: { text: 'Nov 23, 2026, 12:20 AM (in 20 minutes)' } },
    ],
  });
  expect(asked).toStrictEqual([]);
});

it('explains a call in upper-case hex', async () => {
  const data: Hex = `0x${swap(USDC).slice(2).toUpperCase()}`;
  const { description } = await createBench({}).describe(data);
  expect(description?.intent).toBe('Swap');
});

it('shows no date for a deadline of zero', async () => {
  const { describe } = createBench({});
  const data = dataOf('swap(address,uint256,address,uint256)', USDC, 1n, FROM, 0n);
  const { description } = await describe(data);
  expect(description?.fields.at(-1)).toStrictEqual({
    label: 'Deadline',
    value: { text: '0' },
  });
});

it('marks a beneficiary other than the account if it can be a wallet', async () => {
  const to = { path: '#.to', label: 'To', format: 'addressName' };
  const withTypes = (...types: string[]) =>
    createBench({
      source: descriptorOf([...swapFields.slice(0, 1), { ...to, params: { types } }]),
    });
  const other = toHex(0x5a5a_5a5a_5a5a_5a5a_5a5an, { size: 20 });
  for (const [types, note] of [
    [['wallet'], translate('notSelf')],
    [['eoa', 'contract'], translate('notSelf')],
    [['contract'], undefined],
  ] as const) {
    const { description } = await withTypes(...types).describe(swap(USDC, other));
    const { value } = description?.fields[1] ?? {};
    expect(value).toStrictEqual({ address: other, ...(note && { note }) });
    expect(description?.sentence).toMatch(/ for 0x\w{4}…\w{4}$/u);
  }
});

it('says that an amount is unlimited if its unit is known', async () => {
  const { describe } = createBench({});
  const { description } = await describe(swap(USDC, FROM, maxUint256));
  expect(description?.fields[0]?.value).toStrictEqual({ text: 'Unlimited USDC' });
  const unknown = await describe(swap(TOKEN, FROM, maxUint256));
  expect(unknown.description?.fields[0]?.value).toStrictEqual({
    text: expect.stringContaining('(smallest unit of an unknown token)') as string,
    isBare: true,
  });
});

it('writes a unit once if the sentence repeats it after the amount', async () => {
  const source = descriptorOf(swapFields, { interpolatedIntent: 'Swap {amount} USDC' });
  const { description } = await createBench({ source }).describe(swap(USDC));
  expect(description?.sentence).toBe('Swap 1.5 USDC');
});

it('shortens an address only in the sentence', async () => {
  const { description } = await createBench({}).describe(swap(USDC, USDC));
  expect(description?.sentence).toBe('Swap 1.5 USDC for 0xa0b8…eb48');
  expect(description?.fields[1]?.value).toStrictEqual({
    address: USDC.toLowerCase(),
    note: translate('notSelf'),
  });
});

it("does not replace a real address with the sender's", async () => {
  const params = { senderAddress: STRANGER };
  const fields = [field('to', 'Beneficiary', { format: 'addressName', params })];
  const { describe } = createBench({ source: descriptorOf(fields) });
  const { description } = await describe(swap(USDC, STRANGER));
  expect(description?.fields[0]?.value).toStrictEqual({ address: STRANGER });
});

it("replaces the descriptor's placeholder address with the sender's", async () => {
  const { description } = await createBench({}).describe(swap(USDC, OTHER));
  expect(description?.fields[1]?.value).toStrictEqual({
    address: FROM,
    name: english.self,
  });
});

it.each<[string, { to?: Hex; chainId?: bigint; data: Hex }]>([
  ['a different contract', { to: OTHER, data: swap(USDC) }],
  ['a different chain', { chainId: 10n, data: swap(USDC) }],
  ['another function', { data: '0xa9059cbb' }],
  ['a call whose arguments are cut off', { data: swap(USDC).slice(0, 200) as Hex }],
])('does not describe %s', async (_what, { to, chainId, data }) => {
  const call = await createBench({}).describe(data, to, chainId);
  expect(call).not.toHaveProperty('description');
});

describe('an unknown token', () => {
  it('states its own unit, which is requested once and cached', async () => {
    const tokens = { [TOKEN]: { symbol: 'XEN', decimals: 6n } };
    const { describe, asked } = createBench({ tokens });
    const calls = [swap(TOKEN), swap(TOKEN)];
    const data = dataOf('multicall(bytes[])', calls);
    const inner = listCalls((await describe(data)).inside);
    expect(inner.map(({ description }) => description?.fields[0]?.value)).toStrictEqual(
      [{ text: '1.5 XEN' }, { text: '1.5 XEN' }],
    );
    expect(inner[0]?.description?.stated).toStrictEqual([
      { address: TOKEN, symbol: 'XEN' },
    ]);
    await describe(swap(TOKEN));
    expect(asked).toHaveLength(1);
  });

  it('may state its symbol as bytes32', async () => {
    const stated = { symbol: `0x${'4d4b52'.padEnd(64, '0')}`, decimals: 6n };
    const { describe } = createBench({ tokens: { [TOKEN]: stated } });
    const { description } = await describe(swap(TOKEN));
    expect(description?.fields[0]?.value).toStrictEqual({ text: '1.5 MKR' });
  });

  it.each<[string, Stated]>([
    ["the native currency's symbol", { symbol: 'ETH', decimals: 6n }],
    ["a known token's symbol", { symbol: 'usdc', decimals: 6n }],
    ["a symbol that resembles a known token's", { symbol: 'USDC.', decimals: 6n }],
    [
      "a symbol that resembles the native currency's",
      { symbol: '-ETH-', decimals: 6n },
    ],
    ['a variant of a known symbol', { symbol: 'USD₮', decimals: 6n }],
    ['300 decimals', { symbol: 'XEN', decimals: 300n }],
    ['control characters', { symbol: 'XEN\u202e', decimals: 6n }],
    ['a Cyrillic letter', { symbol: 'ЕTH', decimals: 6n }],
    ['a sentence', { symbol: 'ETH to you', decimals: 6n }],
    ['no symbol', { symbol: '', decimals: 6n }],
    ['a long symbol', { symbol: 'X'.repeat(10_000), decimals: 6n }],
    ['a symbol that is not a string', { symbol: '0x01', decimals: 6n }],
  ])('is shown in base units if it has %s', async (_what, stated) => {
    const { describe } = createBench({ tokens: { [TOKEN]: stated } });
    const { description } = await describe(swap(TOKEN));
    expect(description?.fields[0]?.value).toStrictEqual({
      text: '1,500,000 (smallest unit of an unknown token)',
      isBare: true,
    });
    expect(description?.stated).toStrictEqual([]);
  });

  it('shows its address, and has no sentence, if its symbol belongs to a known asset', async () => {
    const describeWith = async (symbol: string) => {
      const tokens = { [TOKEN]: { symbol, decimals: 6n } };
      const { description } = await createBench({ tokens }).describe(swap(TOKEN));
      const drawn = drawDescription(description as Description, translate);
      return [description?.sentence, JSON.stringify(drawn).includes(TOKEN)];
    };
    expect(await describeWith('XEN')).toStrictEqual([
      expect.stringMatching(/XEN/u),
      false,
    ]);
    for (const symbol of ['xWBTC', 'wstETH.e', 'POL', 'BNB']) {
      expect(await describeWith(symbol)).toStrictEqual([undefined, true]);
    }
  });

  it.each([
    'ETH+10.000.USDC',
    'aUSDC',
    'USDCx',
    'WstETHER',
    '1000',
    '5.0',
    'X-Y',
    '$',
    'XEN2',
  ])(
    'has no sentence, and shows its address and a quoted symbol, if the symbol is %s',
    async (symbol) => {
      const tokens = { [TOKEN]: { symbol, decimals: 6n } };
      const { description } = await createBench({ tokens }).describe(swap(TOKEN));
      expect(description?.fields[0]?.value).toStrictEqual({ text: `1.5 “${symbol}”` });
      expect(description).not.toHaveProperty('sentence');
      const drawn = drawDescription(description as Description, translate);
      expect(JSON.stringify(drawn)).toContain(TOKEN);
    },
  );

  // swapETHForExactTokens(uint256,address[],address,uint256) of the Uniswap router.
  it('has no sentence in the shipped descriptors if its symbol is misleading', async () => {
    const describeWith = async (symbol: string) => {
      const { describe } = createBench({
        readFile: async (path) =>
          readShipped(readFileSync(toShippedPath(path), 'base64')),
        tokens: { [TOKEN]: { symbol, decimals: 6n } },
      });
      const data = dataOf(
        'swapETHForExactTokens(uint256,address[],address,uint256)',
        4_242_420_000n,
        [WETH, TOKEN],
        FROM,
        2_000_000_000n,
      );
      const { description } = await describe(data, UNISWAP);
      const drawn = JSON.stringify(
        drawDescription(description as Description, translate),
      );
      return [
        description?.sentence,
        drawn.includes(TOKEN),
        drawn.includes(`“${symbol}”`),
      ];
    };
    expect(await describeWith('XEN')).toStrictEqual([
      expect.stringContaining('4,242.42 XEN'),
      false,
      false,
    ]);
    expect(await describeWith('ETH+10.000.USDC')).toStrictEqual([
      undefined,
      true,
      true,
    ]);
  });

  it.each<[string, () => Promise<Hex>]>([
    ['fails', () => Promise.reject(new Error('down'))],
    ['has no Multicall3', () => Promise.resolve('0x' as const)],
    ['returns garbage', () => Promise.resolve(`0x${'ff'.repeat(64)}` as const)],
  ])('is shown in base units if the node %s', async (_what, node) => {
    const { description } = await createBench({ node }).describe(swap(TOKEN));
    expect(description?.fields[0]?.value).toStrictEqual({
      text: '1,500,000 (smallest unit of an unknown token)',
      isBare: true,
    });
  });
});

describe('the unit of the described contract', () => {
  it.each<[string, { token: Hex; params?: object; metadata?: object }, string]>([
    ['applies to this contract', { token: ROUTER }, '1,500 OWN'],
    ['does not apply to another token', { token: TOKEN }, '1.5 XEN'],
    [
      'does not apply to the same address on another chain',
      { token: ROUTER, params: { chainId: 10 } },
      '1,500,000 (smallest unit of an unknown token)',
    ],
    ['may be missing', { token: ROUTER, metadata: {} }, '1.5 XEN'],
  ])('%s', async (_what, { token, params: more, metadata }, text) => {
    const params = { tokenPath: 'token', ...more };
    const fields = [field('amount', 'Amount', { format: 'tokenAmount', params })];
    const ownUnit = { token: { name: 'Own', ticker: 'OWN', decimals: 3 } };
    const source = { ...descriptorOf(fields), metadata: metadata ?? ownUnit };
    const stated = { symbol: 'XEN', decimals: 6n };
    const tokens = { [TOKEN]: stated, [ROUTER]: stated };
    const { description } = await createBench({ source, tokens }).describe(swap(token));
    expect(description?.fields[0]?.value).toMatchObject({ text });
  });
});

describe('an NFT', () => {
  const position = field('amount', 'Position', {
    format: 'nftName',
    params: { collectionPath: 'token' },
  });
  const source = descriptorOf([position], { interpolatedIntent: 'Swap {amount}' });
  const describeNamed = async (name: string): Promise<Description | undefined> => {
    const tokens = { [TOKEN]: { symbol: 'PUT', decimals: 0n, name } };
    const { describe } = createBench({ source, tokens });
    return (await describe(swap(TOKEN, FROM, 141n))).description;
  };

  it("has its collection's name", async () => {
    const description = await describeNamed('Moonbirds');
    expect(description?.fields[0]?.value).toStrictEqual({ text: 'Moonbirds #141' });
    expect(description?.stated).toStrictEqual([
      { address: TOKEN, symbol: 'Moonbirds' },
    ]);
    expect(description?.sentence).toBe('Swap Moonbirds #141');
  });

  it.each(['pFT NFT', 'nothing but a free sample of'])(
    'has a quoted name and no sentence if its collection is called %s',
    async (name) => {
      const description = await describeNamed(name);
      expect(description?.fields[0]?.value).toStrictEqual({ text: `“${name}” #141` });
      expect(description).not.toHaveProperty('sentence');
    },
  );

  it.each([
    ['that of a known token', 'USDC'],
    ['a sentence', 'Safe: this was checked, approve it'],
    ['too long', 'X'.repeat(33)],
    ['reversed by a control character', 'NFT\u202e'],
    ['empty', ''],
  ])('has only its number if the name of its collection is %s', async (_what, name) => {
    const description = await describeNamed(name);
    expect(description?.fields[0]?.value).toStrictEqual({ text: '#141' });
    expect(description?.stated).toStrictEqual([]);
  });
});

describe('nested calls', () => {
  it('are described within their field', async () => {
    const { description } = await createBench({}).describe(run(swap(USDC)));
    expect(description?.fields).toMatchObject([
      {
        label: 'Call',
        value: { call: { to: ROUTER, description: { intent: 'Swap' } } },
      },
    ]);
  });

  it.each<[string, { chains: number[]; token: Hex }, string | undefined]>([
    ['only by a descriptor for that chain', { chains: [1], token: USDC }, undefined],
    ['with the tokens of that chain', { chains: [1, 10], token: USDC_10 }, '1.5 USDC'],
    [
      'without the tokens of this chain',
      { chains: [1, 10], token: USDC },
      '1,500,000 (smallest unit of an unknown token)',
    ],
  ])('are described, for another chain, %s', async (_how, { chains, token }, text) => {
    const params = { calleePath: 'target', chainId: 10 };
    const fields = [field('data', 'Call', { format: 'calldata', params })];
    const source = descriptorOf(swapFields, {}, { chains, run: fields });
    const { description } = await createBench({ source }).describe(run(swap(token)));
    const value = description?.fields[0]?.value;
    const call = value && 'call' in value ? value.call : undefined;
    expect(call?.to).toBe(ROUTER);
    expect(call?.description?.fields[0]?.value).toStrictEqual(
      text && { text, ...(text.includes('unknown') && { isBare: true }) },
    );
  });

  it('are described to a maximum depth and number', async () => {
    const deep = Array.from({ length: 100 }).reduce<Hex>(run, swap(USDC));
    const countRuns = ({ description }: CallEffect): number => {
      if (!description) return 0;
      expect(description.intent).toBe('Run');
      const value = description.fields[0]?.value;
      return 1 + (value && 'call' in value ? countRuns(value.call) : 0);
    };
    expect(countRuns(await createBench({}).describe(deep))).toBe(50);
  });
});

describe('a hostile descriptor', () => {
  it('shows at most 40 fields, and the addresses in the others are a danger', async () => {
    const many = Array.from({ length: 10_000 }, (_each, index) =>
      field('amount', `Amount ${index}`, { format: 'raw' }),
    );
    const { describe } = createBench({ source: descriptorOf(many.slice(0, 400)) });
    const call = await describe(swap(USDC));
    expect(call.description?.fields).toHaveLength(40);
    expect(call.description?.omitted).toBe(360);
    // Addresses that only a collapsed section shows are named in a danger.
    const notShown = { key: 'alert.notShown', severity: 'danger' };
    expect(warnOfUnshown([call], { chain: 'eip155:1' })).toMatchObject([notShown]);
    expect(
      JSON.stringify(warnOfUnshown([call], { chain: 'eip155:1' })).toLowerCase(),
    ).toContain(USDC.toLowerCase());
    expect(selectFittingCalls([call]).warnings).toMatchObject([notShown]);
    const whole = createBench({ source: descriptorOf(many.slice(0, 40)) });
    expect(
      warnOfUnshown([await whole.describe(swap(USDC))], { chain: 'eip155:1' }),
    ).toStrictEqual([]);
  });

  it('has its control characters escaped and its long strings cut', async () => {
    const label = `Safe\u202e\n\n\n✓ checked${'x'.repeat(1_000)}`;
    const source = descriptorOf([field('amount', label)], {
      intent: `\u0000Nothing\u200b${'y'.repeat(1_000)}`,
      interpolatedIntent: undefined,
    });
    const { description } = await createBench({ source }).describe(swap(USDC));
    expect(description?.intent).toMatch(/^\\u\{0\}Nothing\\u\{200b\}y+…$/u);
    expect(description?.intent.length).toBeLessThanOrEqual(61);
    expect(description?.fields[0]?.label).toMatch(/^Safe\\u\{202e\} ✓ checkedx+…$/u);
  });

  it.each<[string, Field[]]>([
    ['names a missing value', [field('nothing', 'Amount')]],
    ['contradicts itself', [{ ...field('to', 'To'), value: 'me' }]],
    [
      'requires a different value',
      [field('amount', 'Amount', { visible: { mustMatch: ['0'] } })],
    ],
  ])('is ignored and logged if it %s', async (_what, fields) => {
    const { describe, logged } = createBench({ source: descriptorOf(fields) });
    const call = await describe(swap(USDC));
    expect(call).not.toHaveProperty('description');
    expect(logged).toStrictEqual(['a descriptor does not fit']);
  });
});

describe('typed data', () => {
  const document = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Order: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'Order',
    domain: { name: 'Shop', chainId: 1, verifyingContract: ROUTER },
    message: { token: USDC, amount: '2500000' },
  };
  const source: Source = {
    context: {
      eip712: {
        deployments: [{ chainId: 1, address: ROUTER }],
        domain: { name: 'Shop' },
      } as object,
    },
    metadata: { owner: 'Shop' },
    display: {
      formats: {
        'Order(address token,uint256 amount)': {
          intent: 'Order',
          fields: [
            field('amount', 'Amount', {
              format: 'tokenAmount',
              params: { tokenPath: 'token' },
            }),
          ],
        },
      },
    },
  };
  const describeDomain = async (domain: object): Promise<Description | undefined> => {
    const { describer } = createBench({ source });
    const given = { ...document, domain: { ...document.domain, ...domain } };
    return describer.document(given, FROM);
  };

  it('is described for the domain that the descriptor names', async () => {
    const description = await describeDomain({});
    const fields = [{ value: { text: '2.5 USDC' } }];
    expect(description).toMatchObject({ intent: 'Order', owner: 'Shop', fields });
  });

  const SAME_BLOCK = textOf('value.sameBlock');

  it.each<[string, Parameters<typeof permitSingle>, string]>([
    ["Permit2's zero, which means the same block", [{ expiration: 0 }], SAME_BLOCK],
    ["Permit2's zero in hex", [{ expiration: '0x0' }], SAME_BLOCK],
    ['a zero in an expired signature', [{ expiration: 0 }, { sigDeadline: 0 }], '0'],
    [
      'the largest time',
      [{ expiration: String(2n ** 48n - 1n) }],
      '281,474,976,710,655',
    ],
  ])('has no date for %s', async (_what, changes, text) => {
    const permit = permitSingle(...changes);
    const { describer } = createBench({
      source: {
        context: {
          eip712: {
            deployments: [{ chainId: 1, address: permit.domain.verifyingContract }],
          },
        } as object,
        metadata: { owner: 'Uniswap' },
        display: {
          formats: {
            'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)':
              {
                intent: 'Approve',
                fields: [
                  field('details.expiration', 'Approval expires', {
                    format: 'date',
                    params: { encoding: 'timestamp' },
                  }),
                ],
              },
          },
        },
      },
    });
    expect(await describer.document(permit, FROM)).toMatchObject({
      fields: [{ label: 'Approval expires', value: { text } }],
    });
  });

  it.each([
    { chainId: 10 },
    { verifyingContract: OTHER },
    { name: 'Other' },
    { chainId: undefined },
    { verifyingContract: undefined },
    { verifyingContract: 'none' },
    { chainId: 'one' },
  ])('is not described for %j', async (domain) => {
    expect(await describeDomain(domain)).toBeUndefined();
  });
});
