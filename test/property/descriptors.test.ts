// The engine renders every descriptor the same way from the registry and from the snap's package.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { eip712, repository } from 'micro-eth-signer/clearsig.js';
import type {
  ClearSigOpt,
  ClearSigRepositoryEntry,
  ClearSigTypedInput,
} from 'micro-eth-signer/clearsig.js';
import { encodeFunctionData, getAddress, hexToBytes, toFunctionSelector } from 'viem';
import type { AbiFunction, AbiParameter } from 'viem';

import { bindSources, packFiles } from '../../dev/clear-signing/build';
import type { Bound } from '../../dev/clear-signing/build';
import { readPackage } from '../../dev/clear-signing/sources';
import type { Hex } from '../../src/eth/hex';
import { createDescriptors } from '../../src/review/describe/descriptors';
import { address, bytes, fixedBytes, uint } from '../support/arbitraries';
import { runs } from '../support/runs';

const sources = readPackage();
const { bound } = bindSources(sources);

/** Whether the snap changes a format on purpose; see `trimParams` and `toLoose`. */
const isChangedOnPurpose = (each: Bound, key: string): boolean => {
  const [signature = ''] = each.formats[key] ?? [];
  const format = JSON.stringify(
    sources[each.name]?.display?.formats?.[signature] ?? {},
  );
  return [
    ['"nativeCurrencyAddress"', '"threshold"'],
    ['"interpolatedIntent"', '"path":"#.'],
  ].some((parts) => parts.every((part) => format.includes(part)));
};

const files = packFiles(bound);
const descriptors = createDescriptors(
  (path) => Promise.resolve(files.get(path.replace('clear-signing/', '')) ?? null),
  () => undefined,
);

const options: ClearSigOpt = {
  resolveToken: () => Promise.resolve({ symbol: 'TOKEN', decimals: 6 }),
  resolveNft: () => Promise.resolve({ collectionName: 'NFT' }),
};

async function rendered(render: () => Promise<unknown>): Promise<unknown> {
  return render().catch((error: Error) => error.message);
}

const registry = repository(sources);

const selectorOf = ({ fn }: ClearSigRepositoryEntry): string =>
  toFunctionSelector({ ...fn, outputs: [] } as unknown as AbiFunction);

type Deployment = { chainId: number; contract: Hex; key: Hex; each: Bound };

const deploymentOf = (all: readonly Bound[]): Arbitrary<Deployment> =>
  fc
    .constantFrom(
      ...all.flatMap((each) =>
        (Object.keys(each.formats) as Hex[])
          .filter((key) => !isChangedOnPurpose(each, key))
          .map((key) => ({ each, key })),
      ),
    )
    .chain(({ each, key }) =>
      fc.constantFrom(
        ...Object.entries(each.deployments).flatMap(([contract, chains]) =>
          chains.map((chainId) => ({ each, key, chainId, contract: contract as Hex })),
        ),
      ),
    );

function valueOf(parameter: AbiParameter): Arbitrary<unknown> {
  const { type } = parameter;
  const array = /^(.*)\[(\d*)\]$/u.exec(type);
  if (array) {
    const [, inner = '', length] = array;
    const size = length
      ? { minLength: Number(length), maxLength: Number(length) }
      : { maxLength: 3 };
    return fc.array(valueOf({ ...parameter, type: inner }), size);
  }
  if (type === 'tuple') {
    const { components } = parameter as { components: readonly AbiParameter[] };
    const entries = components.map((each, index) => [
      each.name ?? index,
      valueOf(each),
    ]);
    return fc.record(Object.fromEntries(entries) as Record<string, Arbitrary<unknown>>);
  }
  const [, kind = '', size = ''] = /^([a-z]+)(\d*)$/u.exec(type) ?? [];
  const kinds: Record<string, () => Arbitrary<unknown>> = {
    address: () => address,
    bool: () => fc.boolean(),
    string: () => fc.string(),
    bytes: () => (size ? fixedBytes(Number(size)) : bytes()),
    uint: () => uint(Number(size)),
    int: () => uint(Number(size) - 1),
  };
  const make = kinds[kind];
  if (!make) throw new Error(`No values of ${type}.`);
  return make();
}

it('shows every call as the registry describes it', async () => {
  const calls = bound.filter(({ eip712: typed }) => !typed);
  const call = deploymentOf(calls).chain((found) => {
    const { chainId, contract, key } = found;
    const entries = registry.contracts[chainId]?.[contract] ?? [];
    const original = entries.find((each) => selectorOf(each) === key);
    const fn = { ...original?.fn, outputs: [] } as unknown as AbiFunction;
    const args = fc.tuple(...fn.inputs.map(valueOf));
    return fc.record({
      found: fc.constant(found),
      original: fc.constant(original),
      data: args.map((values) => encodeFunctionData({ abi: [fn], args: values })),
      value: uint(256),
    });
  });
  let shown = 0;
  const check = fc.asyncProperty(call, async ({ found, original, data, value }) => {
    const { chainId, contract: to, key: selector } = found;
    const descriptor = await descriptors.ofCall({ chainId, to, selector });
    const repo = repository({ 'found.json': descriptor ?? {} });
    const [entry] = repo.contracts[chainId]?.[to] ?? [];
    const from = getAddress(to);
    const input = { to, from, data: hexToBytes(data), value, chainId: BigInt(chainId) };
    const expected = await rendered(async () => original?.(input, options));
    expect(await rendered(async () => entry?.(input, options))).toEqual(expected);
    if (typeof expected === 'object') shown += 1;
  });
  await fc.assert(check, runs(300));
  expect(shown).toBeGreaterThan(0);
});

it('shows every document as the registry describes it', async () => {
  const documents = bound.filter(({ eip712: typed }) => typed);
  const typed = deploymentOf(documents).chain((found) => {
    const [type = ''] = found.each.formats[found.key] ?? [];
    const types = readTypes(type);
    const [primaryType = ''] = Object.keys(types);
    const { domain } = found.each.eip712 ?? {};
    const { chainId, contract: verifyingContract } = found;
    return valueOf(toParameter(primaryType, types)).map((message) => ({
      found,
      document: {
        types,
        primaryType,
        domain: { name: 'Name', ...domain, chainId, verifyingContract },
        message,
      } as unknown as ClearSigTypedInput,
    }));
  });
  let shown = 0;
  const check = fc.asyncProperty(typed, async ({ found, document }) => {
    const { chainId, contract, key: typeHash } = found;
    const all = await descriptors.ofTyped({ typeHash, chainId, contract });
    const original = registry.eip712[chainId]?.[contract]?.[typeHash];
    const expected = await rendered(async () => original?.(document, options));
    const clearSig = Object.fromEntries(Object.entries(all));
    expect(
      await rendered(async () => eip712(document, { ...options, clearSig })),
    ).toEqual(expected);
    if (typeof expected === 'object') shown += 1;
  });
  await fc.assert(check, runs(300));
  expect(shown).toBeGreaterThan(0);
});

type Types = Record<string, { name: string; type: string }[]>;

// Parses an encoded type such as `Mail(Person from,string text)Person(address wallet)`.
function readTypes(encoded: string): Types {
  const types = [...encoded.matchAll(/([^\s,()]+)\(([^)]*)\)/gu)].map(
    ([, name = '', members = '']) => {
      const parts = members === '' ? [] : members.split(',');
      return [name, parts.map((each) => each.trim().split(/\s+/u))] as const;
    },
  );
  return Object.fromEntries(
    types.map(([name, members]) => [
      name,
      members.map(([type = '', member = '']) => ({ type, name: member })),
    ]),
  );
}

function toParameter(type: string, types: Types, name = ''): AbiParameter {
  const [, base = '', arrays = ''] = /^([^[]+)((?:\[\d*\])*)$/u.exec(type) ?? [];
  const members = Object.hasOwn(types, base) ? types[base] : undefined;
  if (!members) return { type, name };
  const components = members.map((each) => toParameter(each.type, types, each.name));
  return { type: `tuple${arrays}`, name, components };
}
