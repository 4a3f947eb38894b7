import { repository } from 'micro-eth-signer/clearsig.js';
import type { ClearSigResult } from 'micro-eth-signer/clearsig.js';
import { encodeFunctionData, hexToBytes, parseAbi, toFunctionSelector } from 'viem';

import { bindSources, packFiles } from '../../../dev/clear-signing/build';
import type { Bound } from '../../../dev/clear-signing/build';
import { listChanges } from '../../../dev/clear-signing/changes';
import { readPackage } from '../../../dev/clear-signing/sources';
import type { Format, Source, Sources } from '../../../dev/clear-signing/sources';
import { createDescriptors } from '../../../src/review/describe/descriptors';

const contract = '0x1111111254eeb25477b68fb85ed929f73a960582';

const descriptor = (source: Source = {}): Source => ({
  context: { contract: { deployments: [{ chainId: 1, address: contract }] } },
  metadata: { owner: 'Owner' },
  display: {
    formats: {
      'send(uint256 amount)': {
        intent: 'Send',
        fields: [
          { path: 'amount', label: 'Amount', format: 'raw' },
          { path: '@.value', visible: 'never' },
        ],
      },
    },
  } as NonNullable<Source['display']>,
  ...source,
});

const token = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const typeHash = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9';

const swap: Bound = {
  name: 'swap.json',
  eip712: undefined,
  metadata: { owner: '1inch' },
  definitions: { amount: { label: 'Amount' } },
  formats: {
    '0x12aa3caf': ['swap(uint256 amount)', { intent: 'Swap' }],
    '0xe449022e': ['unoswap(uint256 amount)', { intent: 'Swap once' }],
  },
  deployments: { [contract]: [1, 10] },
};

const permit: Bound = {
  name: 'permit.json',
  eip712: { domain: { name: 'USD Coin' } },
  metadata: { owner: 'Circle' },
  definitions: {},
  formats: { [typeHash]: ['Permit(address owner)', { intent: 'Allow' }] },
  deployments: { [token]: [1] },
};

function open(all: readonly Bound[] = [swap, permit]) {
  const files = packFiles(all);
  const read: string[] = [];
  const readFile = (path: string): Promise<string | null> => {
    read.push(path);
    return Promise.resolve(files.get(path.replace('clear-signing/', '')) ?? null);
  };
  return { ...createDescriptors(readFile, () => undefined), read, files };
}

it('omits metadata and fields that the engine does not read', () => {
  const metadata = { owner: 'Owner', info: { url: 'https://owner.example' } };
  const { bound } = bindSources({ 'a.json': descriptor({ metadata }) });
  expect(bound[0]?.metadata).toStrictEqual({ owner: 'Owner' });
  expect(bound[0]?.formats).toStrictEqual({
    [toFunctionSelector('send(uint256)')]: [
      'send(uint256 amount)',
      { intent: 'Send', fields: [{ path: 'amount', label: 'Amount', format: 'raw' }] },
    ],
  });
});

describe('a descriptor', () => {
  const schemaOf = (version: string): string =>
    `https://eips.ethereum.org/assets/eip-7730/erc7730-v${version}.schema.json`;
  const known = bindSources({ 'a.json': descriptor() }).bound;

  it.each(['1', '3', '3.0.0-rc.1', '12'])(
    'is not used if it declares another major version of ERC-7730: %s',
    (version) => {
      const source = descriptor({ $schema: schemaOf(version) });
      const [major] = version.split('.');
      const reason = `a.json is of version ${major} of ERC-7730`;
      expect(bindSources({ 'a.json': source })).toStrictEqual({
        bound: [],
        invalid: [{ name: 'a.json', reason }],
      });
      // A descriptor that includes it is not used either.
      const { $schema: _, ...own } = descriptor({ includes: 'a.json' });
      const { bound } = bindSources({ 'a.json': source, 'b.json': own });
      expect(bound).toStrictEqual([]);
    },
  );

  it.each(['2', '2.0.0', '2.1.0', '2.17.3'])(
    'is used without unknown keys if its major version matches: %s',
    (version) => {
      const { context, metadata, display } = descriptor();
      const formats = Object.entries(display?.formats ?? {}).map(([key, format]) => {
        const fields = format.fields?.map((field) => ({ ...field, newer: { x: [1] } }));
        return [key, { ...format, newer: true, fields }];
      });
      const source = {
        $schema: schemaOf(version),
        newer: 1,
        context: {
          ...context,
          newer: [],
          contract: { ...context?.contract, newer: {} },
        },
        metadata: { ...metadata, newer: 'x' },
        display: {
          ...display,
          newer: null,
          formats: Object.fromEntries(formats) as object,
        },
      } as Source;
      const { bound, invalid } = bindSources({ 'a.json': source });
      expect(invalid).toStrictEqual([]);
      expect(bound.map(({ formats: all }) => Object.keys(all))).toStrictEqual(
        known.map(({ formats: all }) => Object.keys(all)),
      );
    },
  );
});

/** Builds a descriptor with this format, and renders the call send(255) with it. */
async function render(format: Format): Promise<ClearSigResult | undefined> {
  const source = descriptor({
    display: { formats: { 'send(uint256 amount)': format } },
  });
  const { ofCall } = open(bindSources({ 'a.json': source }).bound);
  const selector = toFunctionSelector('send(uint256)');
  const found = await ofCall({ chainId: 1, to: contract, selector });
  const [entry] = repository({ own: found ?? {} }).contracts[1]?.[contract] ?? [];
  const data = encodeFunctionData({
    abi: parseAbi(['function send(uint256 amount)']),
    args: [255n],
  });
  return entry?.(
    { to: contract, value: 0n, chainId: 1n, data: hexToBytes(data) },
    { resolveToken: () => Promise.resolve({ symbol: 'ETH', decimals: 18 }) },
  );
}

it('applies the threshold of a native amount, which the engine itself ignores', async () => {
  const token = '0x0000000000000000000000000000000000000000';
  const params = {
    token,
    nativeCurrencyAddress: token,
    threshold: '0xff',
    message: 'All',
  };
  const amount = { path: 'amount', label: 'Amount', format: 'tokenAmount', params };
  const result = await render({ fields: [amount] });
  expect(result?.fields.Amount?.value).toBe('All ETH');
});

it.each(['amount', '#.amount'])(
  'replaces the placeholder {%s} of a sentence with the value at its path',
  async (path) => {
    const amount = { path: '#.amount', label: 'Amount' };
    const result = await render({
      interpolatedIntent: `Send {${path}}`,
      fields: [amount],
    });
    expect(result?.interpolatedIntent).toBe('Send 255');
  },
);

it.each<[string, Sources, string]>([
  ['a missing include', { 'a.json': { includes: 'b.json' } }, 'missing'],
  [
    'an include of itself',
    { 'a.json': { includes: 'b.json' }, 'b.json': { includes: './a.json' } },
    'itself',
  ],
  [
    'an invalid signature',
    { 'a.json': descriptor({ display: { formats: { send: {} } } }) },
    'expected function signature',
  ],
  [
    'the same function twice',
    {
      'a.json': descriptor({
        display: { formats: { 'send(uint256 a)': {}, 'send(uint256 b)': {} } },
      }),
    },
    'two formats',
  ],
  [
    'a format above the file limit',
    {
      'a.json': descriptor({
        display: {
          formats: { 'send(uint256 a)': { interpolatedIntent: 'x'.repeat(40_000) } },
        },
      }),
    },
    'larger than a file',
  ],
])('reports a descriptor with %s, and continues', (_, sources, reason) => {
  const { bound, invalid } = bindSources({ ...sources, 'z.json': descriptor() });
  expect(invalid[0]?.name).toBe('a.json');
  expect(invalid[0]?.reason).toContain(reason);
  expect(bound.map(({ name }) => name)).toContain('z.json');
});

it('keeps files within their size limits, even with twice as many descriptors', () => {
  const { bound } = bindSources(readPackage());
  const twice = bound.flatMap((each) => [
    each,
    { ...each, metadata: { ...each.metadata, owner: 'Another' } },
  ]);
  for (const [all, most] of [
    [bound, 600_000],
    [twice, Infinity],
  ] as const) {
    const sizes = [...packFiles(all).values()].map((text) => Buffer.byteLength(text));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most);
  }
});

it('builds the same files each time', () => {
  const build = (): Map<string, string> => packFiles(bindSources(readPackage()).bound);
  expect([...build()]).toStrictEqual([...build()]);
});

it('lists the changes by contract', () => {
  const bind = (source: Source) => bindSources({ 'a.json': source }).bound;
  const before = bind(descriptor());
  const formats = {
    'send(uint256 amount)': { intent: 'Give' },
    'burn()': { intent: 'Burn' },
  };
  const change = { contract: `eip155:1:${contract}`, owner: 'Owner' };
  expect(listChanges(before, before)).toStrictEqual([]);
  expect(listChanges(before, bind(descriptor({ display: { formats } })))).toStrictEqual(
    [
      { what: 'changed', ...change, intents: ['Give'] },
      { what: 'added', ...change, intents: ['Burn'] },
    ],
  );
  expect(listChanges(before, [])).toStrictEqual([
    { what: 'removed', ...change, intents: ['Send'] },
  ]);
});

const swapCall = { chainId: 10, to: contract, selector: '0x12aa3caf' } as const;

it("finds all descriptors of a document's type, each with the domain it requires", async () => {
  const other = { ...permit, name: 'other.json', eip712: { domain: { version: '2' } } };
  const descriptors = await open([permit, other]).ofTyped({
    typeHash,
    chainId: 1,
    contract: token,
  });
  const deployments = [{ chainId: 1, address: token }];
  expect(descriptors.map(({ context }) => context)).toStrictEqual([
    { eip712: { domain: { name: 'USD Coin' }, deployments } },
    { eip712: { domain: { version: '2' }, deployments } },
  ]);
});

it('reads addresses, selectors and type hashes in any case', async () => {
  const descriptors = open();
  const to = '0x1111111254EEB25477B68fb85Ed929f73A960582';
  expect(
    await descriptors.ofCall({ ...swapCall, to, selector: '0x12AA3CAF' }),
  ).toBeDefined();
  const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  expect(
    await descriptors.ofTyped({
      typeHash: `0x${typeHash.slice(2).toUpperCase()}`,
      chainId: 1,
      contract,
    }),
  ).toHaveLength(1);
});

it.each([
  ['a different chain', { ...swapCall, chainId: 137 }],
  ['another function', { ...swapCall, selector: '0xdeadbeef' as const }],
  ['no function', { ...swapCall, selector: '0x' as const }],
  ['the selector __proto__', { ...swapCall, selector: '__proto__' as '0x' }],
  ['a different contract', { ...swapCall, to: token as '0x' }],
  [
    'a contract with the same last digits',
    { ...swapCall, to: `0x${'0'.repeat(32)}${contract.slice(-8)}` as const },
  ],
  ['an invalid address', { ...swapCall, to: '__proto__' as '0x' }],
])('finds nothing for %s', async (_, call) => {
  expect(await open().ofCall(call)).toBeUndefined();
});

it('finds no document by a selector, and no call by a type hash', async () => {
  const descriptors = open();
  const { selector, to: contract, chainId } = swapCall;
  expect(
    await descriptors.ofTyped({ typeHash: selector, contract, chainId }),
  ).toStrictEqual([]);
  expect(
    await descriptors.ofCall({ chainId: 1, to: token, selector: typeHash }),
  ).toBeUndefined();
});

it.each([
  ['index.json', 'is missing', undefined],
  ['index.json', 'is not JSON', '{'],
  ['index.json', 'has an unexpected form', 'null'],
  ['index.json', 'names other files', '{"calls":{"3a960582":["../../package"]}}'],
  ['01.json', 'is missing', undefined],
  ['01.json', 'is not JSON', '{'],
  ['01.json', 'has an unexpected form', '{"descriptors":[{}]}'],
])('finds nothing if %s %s', async (file, _what, text) => {
  const descriptors = open();
  if (text === undefined) descriptors.files.delete(file);
  else descriptors.files.set(file, text);
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
  const document = { typeHash, chainId: 1, contract: token } as const;
  expect(await descriptors.ofTyped(document)).toStrictEqual([]);
});

it('finds a descriptor once its file can be read again', async () => {
  const descriptors = open();
  const file = descriptors.files.get('01.json') ?? '';
  descriptors.files.delete('01.json');
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
  descriptors.files.set('01.json', file);
  expect(await descriptors.ofCall(swapCall)).toBeDefined();
});

it('finds nothing if no file can be read', async () => {
  const readFile = (): Promise<never> => Promise.reject(new Error('locked'));
  const descriptors = createDescriptors(readFile, () => undefined);
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
});

it('reads each file once, and drops the files that were not used recently', async () => {
  const address = (digit: number): `0x${string}` => `0x${String(digit).repeat(40)}`;
  // Each descriptor fills more than half a file.
  const all = Array.from({ length: 6 }, (_, digit) => ({
    ...swap,
    metadata: { owner: String(digit).repeat(20_000) },
    deployments: { [address(digit)]: [1] },
  }));
  const descriptors = open(all);
  const ask = async (digit: number): Promise<number> => {
    const before = descriptors.read.length;
    const call = { ...swapCall, chainId: 1, to: address(digit) };
    expect(await descriptors.ofCall(call)).toBeDefined();
    return descriptors.read.length - before;
  };
  const sequence = [0, 0, 1, 0, 2, 3, 4, 0, 1];
  const reads: number[] = [];
  for (const digit of sequence) reads.push(await ask(digit));
  expect(reads).toStrictEqual([2, 0, 1, 0, 1, 1, 1, 0, 1]);
});
