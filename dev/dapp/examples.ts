// Examples of the methods, from the description that the snap gives of itself (rpc.discover),
// filled in for the chosen account, the network and what other methods have answered.
import type { KeyringAccount } from '@metamask/keyring-api';

import { findRoute } from '../../src/routes';

/** A method as the snap's OpenRPC document describes it. */
export type Method = {
  name: string;
  summary: string;
  'x-open-to': readonly string[];
  params: readonly { name: string }[];
  examples: readonly Example[];
};

type Example = { params: readonly { value: unknown }[]; result: { value: unknown } };

/** Values of the document's examples, such as hashes, and their replacements here. */
export type Values = Readonly<Record<string, string>>;

export type Given = {
  methods: readonly Method[];
  /** The connected accounts, the chosen one first. */
  accounts: readonly KeyringAccount[];
  chainId: string;
  values: Values;
};

/** Writes the params of a method as JSON that works for the account and the network. */
export function writeExample(method: Method, given: Given): string {
  const params = (findExample(method)?.params ?? [])
    // The account's own EntryPoint applies.
    .filter((_, index) => method.params[index]?.name !== 'entryPoint')
    .map(({ value }) => value);
  const account = findAccount(method, given.accounts);
  const route = findRoute(method.name);
  const written = JSON.stringify(
    // Calls name no account themselves.
    route?.takesOptions && account ? { account: account.address, params } : params,
    null,
    2,
  );
  const [ordinary = '', smart = ''] = findSampleAccounts(given.methods);
  const sample = written.includes(smart) ? smart : ordinary;
  const replaced = { ...given.values, ...(account && { [sample]: account.address }) };
  return (
    Object.entries(replaced)
      .reduce((text, [from, to]) => text.replaceAll(from, to), written)
      .replace(/"chainId": 1\b/gu, `"chainId": ${Number(given.chainId)}`)
      // A param or a field; not a value of one wei.
      .replace(/^(\s+|.*"chainId": )"0x1"/gmu, `$1"${given.chainId}"`)
  );
}

/** Says which accounts offer a method. */
export function writeAccounts({ name }: Method): string {
  const { accounts = [], byContract, byDelegation } = findRoute(name) ?? {};
  const [ordinary, smart] = (['eip155:eoa', 'eip155:erc4337'] as const).map((type) =>
    accounts.includes(type),
  );
  if (ordinary && smart) return 'any account';
  if (ordinary) return byContract ? 'standard account or Safe' : 'standard account';
  if (!smart) return '';
  return byDelegation
    ? 'smart account, or standard account with a delegation'
    : 'smart account';
}

/** Finds the method whose answer an example still lacks. */
export function findMissing(method: Method, given: Given): string | undefined {
  const text = JSON.stringify(findExample(method)?.params ?? []);
  return given.methods.find((source) => {
    if (findRoute(source.name)?.kind !== 'signing') return false;
    const example = findExample(source)?.result.value;
    const lacks = Object.keys(learnValues(example, example)).filter(
      (value) => text.includes(value) && !(value in given.values),
    );
    return lacks.length > 0;
  })?.name;
}

/** Remembers the replacements for the values of an example's result: hashes, ids, encoded data. */
export function learn(method: Method, result: unknown): Values {
  return learnValues(findExample(method)?.result.value, result);
}

/** Length of 32 bytes in hex; shorter values are not unique. */
const HASH_LENGTH = 66;

function learnValues(example: unknown, result: unknown): Values {
  if (typeof example === 'string' && typeof result === 'string') {
    return example.length >= HASH_LENGTH ? { [example]: result } : {};
  }
  if (Object(example) !== example || Object(result) !== result) return {};
  const own = result as Record<string, unknown>;
  const parts = Object.entries(example as Record<string, unknown>).map(([key, value]) =>
    learnValues(value, own[key]),
  );
  return Object.assign({}, ...parts) as Values;
}

// The shortest leaves most to the snap.
function findExample({ examples }: Method): Example | undefined {
  const lengthOf = ({ params }: Example): number => JSON.stringify(params).length;
  return [...examples].sort((one, other) => lengthOf(one) - lengthOf(other))[0];
}

// The chosen account, if it offers the method; else the first that does.
function findAccount({ name }: Method, accounts: readonly KeyringAccount[]) {
  const types: readonly string[] | undefined = findRoute(name)?.accounts;
  const offers = ({ type, methods }: KeyringAccount): boolean =>
    !types || types.includes(type) || methods.includes(name);
  return accounts.find(offers) ?? accounts[0];
}

// The accounts that the document's examples are about: an ordinary one and a smart one.
function findSampleAccounts(methods: readonly Method[]): readonly string[] {
  const connect = methods.find(({ name }) => name === 'eth_requestAccounts');
  return (connect?.examples[0]?.result.value ?? []) as string[];
}
