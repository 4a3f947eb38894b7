import { packFiles } from '../../../../dev/clear-signing/build';
import type { Bound } from '../../../../dev/clear-signing/build';
import { createDescriptors } from '../../../../src/review/describe/descriptors';

const router = '0x1111111254eeb25477b68fb85ed929f73a960582';
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
  deployments: { [router]: [1, 10] },
};

const permit: Bound = {
  name: 'permit.json',
  eip712: { domain: { name: 'USD Coin' } },
  metadata: { owner: 'Circle' },
  definitions: {},
  formats: { [typeHash]: ['Permit(address owner)', { intent: 'Allow' }] },
  deployments: { [token]: [1] },
};

function open(all: Bound[] = [swap, permit]) {
  const files = packFiles(all);
  const read: string[] = [];
  const readFile = (path: string): Promise<string | null> => {
    read.push(path);
    return Promise.resolve(files.get(path.replace('clear-signing/', '')) ?? null);
  };
  return { ...createDescriptors(readFile, () => undefined), read, files };
}

const swapCall = { chainId: 10, to: router, selector: '0x12aa3caf' } as const;

it('gives a document every descriptor of its type, with the domain that each wants', async () => {
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
  ['another chain', { ...swapCall, chainId: 137 }],
  ['another function', { ...swapCall, selector: '0xdeadbeef' as const }],
  ['no function', { ...swapCall, selector: '0x' as const }],
  ['the name of a prototype', { ...swapCall, selector: '__proto__' as '0x' }],
  ['another contract', { ...swapCall, to: token as '0x' }],
  [
    'a contract with the same last digits',
    { ...swapCall, to: `0x${'0'.repeat(32)}${router.slice(-8)}` as const },
  ],
  ['an address that is none', { ...swapCall, to: '__proto__' as '0x' }],
])('finds nothing for %s', async (_, call) => {
  expect(await open().ofCall(call)).toBeUndefined();
});

it('finds no document of a call, and no call of a document', async () => {
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
  ['is missing', undefined],
  ['is no JSON', '{'],
  ['is something else', 'null'],
  ['names other files', '{"calls":{"3a960582":["../../package"]}}'],
])('finds nothing if the index %s', async (_, text) => {
  const descriptors = open();
  if (text === undefined) descriptors.files.delete('index.json');
  else descriptors.files.set('index.json', text);
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
});

it.each([
  ['is missing', undefined],
  ['is no JSON', '{'],
  ['is something else', '{"descriptors":[{}]}'],
])('finds nothing if a file %s', async (_, text) => {
  const descriptors = open();
  if (text === undefined) descriptors.files.delete('01.json');
  else descriptors.files.set('01.json', text);
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
  const document = { typeHash, chainId: 1, contract: token } as const;
  expect(await descriptors.ofTyped(document)).toStrictEqual([]);
});

it('finds a descriptor when files can be read again', async () => {
  const descriptors = open();
  const file = descriptors.files.get('01.json') ?? '';
  descriptors.files.delete('01.json');
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
  descriptors.files.set('01.json', file);
  expect(await descriptors.ofCall(swapCall)).toBeDefined();
});

it('never fails if files cannot be read', async () => {
  const readFile = (): Promise<never> => Promise.reject(new Error('locked'));
  const descriptors = createDescriptors(readFile, () => undefined);
  expect(await descriptors.ofCall(swapCall)).toBeUndefined();
});

it('reads each file once, and forgets those that it has not used for long', async () => {
  const address = (digit: number): `0x${string}` => `0x${String(digit).repeat(40)}`;
  // Each fills more than half a file.
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
  const asked = [0, 0, 1, 0, 2, 3, 4, 0, 1];
  const reads: number[] = [];
  for (const digit of asked) reads.push(await ask(digit));
  expect(reads).toStrictEqual([2, 0, 1, 0, 1, 1, 1, 0, 1]);
});
