// The schemas of the contract and the structs that they are made from say the same of the
// values of its examples, whole or with a part that is spoiled.
import fc from 'fast-check';

import { rows } from '../../dev/docs/contract';
import { BLOCK } from '../../dev/docs/contract/samples';
import { namedStructs } from '../../dev/docs/schema/components';
import { matches } from '../../src/schema/parse';
import type { StructOf } from '../../src/schema/parse';
import { receipt, transaction } from '../fixtures/client/node-answers';
import { componentFaults } from '../support/contract';
import { runs } from '../support/runs';
import { without } from '../support/without';

const RUNS = 200;

const ADDRESS = `0x${'9d'.repeat(20)}`;

const HASH = `0x${'1b'.repeat(32)}`;

/** Values that no example has. */
const others: unknown[] = [
  {
    from: ADDRESS,
    to: null,
    type: 2,
    chainId: 'eip155:1',
    data: '0x60',
    gas: '21000',
    maxFeePerGas: 1,
    accessList: [{ address: ADDRESS, storageKeys: [HASH] }],
  },
  { chainId: 0, address: ADDRESS, nonce: '0x1', yParity: 1, r: HASH, s: '0x1' },
  { sender: ADDRESS, factory: ADDRESS, paymasterPostOpGasLimit: '1', signature: '0x' },
  { url: 'https://pays.example', context: { policy: 'x' }, optional: true },
  { account: ADDRESS, scope: 1, nonceKey: '0x1', params: [] },
  receipt,
  { ...without(receipt, 'status'), root: HASH },
  { ...transaction, blockHash: null, blockNumber: null, transactionIndex: null },
  { ...BLOCK, hash: null, number: null, nonce: null, logsBloom: null },
];

const values = [
  ...rows.flatMap(({ examples }) =>
    examples.flatMap(({ params, result }) => [...params, result]),
  ),
  ...others,
].flatMap(listParts);

const junk = fc.constantFrom<unknown>(
  null,
  true,
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  '',
  'x',
  '1',
  '-1',
  '1.5',
  '01',
  '0x',
  '0x0',
  '0x1',
  '0x01',
  '0x012',
  '0xzz',
  `0x${'f'.repeat(65)}`,
  ADDRESS,
  HASH,
  'latest',
  'eip155:1',
  'low',
  'https://pays.example',
  [],
  ['0x'],
  [1],
  {},
  { x: 1 },
);

const spoiling = fc.record({
  pick: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add', 'leave'),
  value: junk,
});

type Spoiling = { pick: number; how: string; value: unknown };

/** Lists a value and what it is made of. */
function listParts(value: unknown): unknown[] {
  const inside = isContainer(value) ? Object.values(value).flatMap(listParts) : [];
  return [value, ...inside];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Spoils one part of a value. */
function spoil(whole: unknown, { pick, how, value }: Spoiling): unknown {
  const copy = structuredClone(whole);
  const places = listParts(copy).filter(isContainer);
  const place = places[pick % places.length] ?? {};
  const names = Object.keys(place);
  const name = names[pick % names.length] ?? '0';
  if (how === 'replace' && !isWrongKind(place[name], value)) place[name] = value;
  if (how === 'add' && !Array.isArray(place)) place.unknown = value;
  if (how === 'remove') remove(place, name);
  return copy;
}

function remove(place: Record<string, unknown>, name: string): void {
  if (Array.isArray(place)) place.pop();
  else delete place[name];
}

// superstruct takes an array for an object without required fields; what reads one first
// makes sure that it is none.
function isWrongKind(before: unknown, after: unknown): boolean {
  return isContainer(before) && !Array.isArray(before) && Array.isArray(after);
}

// superstruct converts the items of a tuple in place.
function fits(value: unknown, struct: StructOf<unknown>): boolean {
  return matches(structuredClone(value), struct);
}

// One schema is that of an array.
function isWhole(name: string, value: unknown): boolean {
  return isContainer(value) && Array.isArray(value) === (name === 'TypedEntries');
}

/** What servers answer. */
const ANSWER = /Transaction$|Receipt|Block$|GasFees$/u;

// Accepted, but not to be written: a zero as MetaMask has it in an authorisation, empty
// texts that dapps write for what a call lacks, and how servers spell words and quantities,
// which are handed on as the specification spells them.
function isTolerated(name: string, value: unknown, { how, value: part }: Spoiling) {
  if (name === 'Authorization') return listParts(value).includes('0x');
  if (name === 'Call') return part === '' || part === '0x';
  return ANSWER.test(name) && how === 'replace' && typeof part === 'string';
}

describe('the schema of a struct', () => {
  it.each(
    namedStructs.map(([struct, name, whole = struct]) => ({ name, struct, whole })),
  )('says what the struct says: $name', ({ name, struct, whole }) => {
    const read = ('validate' in whole ? whole : struct) as unknown as StructOf<unknown>;
    const findFault = componentFaults(name);
    const wholes = values.filter((value) => isWhole(name, value) && fits(value, read));
    expect(wholes.length).toBeGreaterThan(0);
    const property = fc.property(fc.constantFrom(...wholes), spoiling, (whole, how) => {
      const value = spoil(whole, how);
      fc.pre(!isTolerated(name, value, how));
      expect({ value, fits: findFault(value) === undefined }).toStrictEqual({
        value,
        fits: fits(value, read),
      });
    });
    fc.assert(property, runs(RUNS));
  });
});
