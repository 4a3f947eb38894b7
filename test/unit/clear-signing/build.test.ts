import { repository } from 'micro-eth-signer/clearsig.js';
import type { ClearSigResult } from 'micro-eth-signer/clearsig.js';
import { encodeFunctionData, hexToBytes, parseAbi, toFunctionSelector } from 'viem';

import { bindSources, packFiles } from '../../../dev/clear-signing/build';
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

it('leaves out what the engine does not read', () => {
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

/** Renders a call of 255 by a built descriptor. */
async function render(format: Format): Promise<ClearSigResult | undefined> {
  const source = descriptor({
    display: { formats: { 'send(uint256 amount)': format } },
  });
  const files = packFiles(bindSources({ 'a.json': source }).bound);
  const { ofCall } = createDescriptors(
    (file) => Promise.resolve(files.get(file.slice('clear-signing/'.length)) ?? null),
    () => undefined,
  );
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

it('lets an amount of the coin have a threshold, which the engine ignores', async () => {
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

it.each(['amount', '#.amount'])('finds %s of a sentence by its path', async (path) => {
  const amount = { path: '#.amount', label: 'Amount' };
  const result = await render({
    interpolatedIntent: `Send {${path}}`,
    fields: [amount],
  });
  expect(result?.interpolatedIntent).toBe('Send 255');
});

it.each<[string, Sources, string]>([
  ['a missing include', { 'a.json': { includes: 'b.json' } }, 'missing'],
  [
    'itself',
    { 'a.json': { includes: 'b.json' }, 'b.json': { includes: './a.json' } },
    'itself',
  ],
  [
    'a signature that is none',
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
    'a format that fits into no file',
    {
      'a.json': descriptor({
        display: {
          formats: { 'send(uint256 a)': { interpolatedIntent: 'x'.repeat(40_000) } },
        },
      }),
    },
    'larger than a file',
  ],
])('names a descriptor with %s, and goes on', (_, sources, reason) => {
  const { bound, invalid } = bindSources({ ...sources, 'z.json': descriptor() });
  expect(invalid[0]?.name).toBe('a.json');
  expect(invalid[0]?.reason).toContain(reason);
  expect(bound.map(({ name }) => name)).toContain('z.json');
});

it('keeps to the limits of files, also for newer and larger entries', () => {
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
