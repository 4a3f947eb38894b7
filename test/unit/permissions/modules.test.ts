// Modules of a Safe, listed page by page as its contract does it (ModuleManager 1.4.1).
import { decodeFunctionData, encodeFunctionResult, pad, parseAbi, toHex } from 'viem';
import type { Hex } from 'viem';

import type { NodeClient } from '../../../packages/client/src';
import { fetchControllers } from '../../../src/permissions/permission';
import type { AccountRecord } from '../../../src/state/account-record';

const SAFE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const SENTINEL = pad('0x1', { size: 20 });

const abi = parseAbi([
  'function getModulesPaginated(address start, uint256 size) view returns (address[], address)',
]);

const modulesOf = (count: number): Hex[] =>
  Array.from({ length: count }, (_each, index) => pad(toHex(index + 2), { size: 20 }));

async function list(answer: (start: Hex, size: bigint) => Hex) {
  const request = async (method: string, [call]: [{ data: Hex }]): Promise<Hex> => {
    if (method !== 'eth_call') return Promise.resolve('0x');
    const { args } = decodeFunctionData({ abi, data: call.data });
    return Promise.resolve(answer(...args));
  };
  const record = { type: 'eip155:erc4337', implementation: 'safe', address: SAFE };
  const node = { request } as unknown as NodeClient;
  const found = await fetchControllers(record as AccountRecord, node);
  return found.map(({ spender }) => spender);
}

const encode = (modules: readonly Hex[], next: Hex): Hex =>
  encodeFunctionResult({
    abi,
    functionName: 'getModulesPaginated',
    result: [modules, next],
  });

function pageOf(all: readonly Hex[]): (start: Hex, size: bigint) => Hex {
  return (start, size) => {
    const from = all.indexOf(start) + 1;
    const page = all.slice(from, from + Number(size));
    const isLast = from + page.length >= all.length;
    return encode(page, isLast ? SENTINEL : (page.at(-1) ?? SENTINEL));
  };
}

it.each([0, 1, 50, 51, 120])('lists all of %i modules', async (count) => {
  const modules = modulesOf(count);
  expect(await list(pageOf(modules))).toStrictEqual(modules);
});

it('lists none of a Safe that is not deployed', async () => {
  expect(await list(() => '0x')).toStrictEqual([]);
});

it.each<[string, (start: Hex) => Hex]>([
  ['has no end', () => encode(modulesOf(50), pad('0x33', { size: 20 }))],
  ['is empty and has no end', () => encode([], pad('0x33', { size: 20 }))],
  ['is no list', () => '0x1234'],
  [
    'breaks off',
    (start) =>
      start === SENTINEL
        ? encode(modulesOf(50), modulesOf(50).at(-1) ?? SENTINEL)
        : '0x',
  ],
])('fails if the answer %s', async (_what, answer) => {
  await expect(list(answer)).rejects.toThrow('cannot be read');
});
