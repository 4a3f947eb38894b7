// Reviews calls with a node that knows only one token.
import { encodeFunctionData } from 'viem';
import type { Hex } from 'viem';

import type { Chain } from '../../src/chains/chain';
import type { InsightContext, KnownAddresses } from '../../src/context';
import type { TypedData } from '../../src/core/typed-data';
import { reviewDocument } from '../../src/review/document-review';
import { decodeDocument } from '../../src/review/documents';
import { readCall } from '../../src/review/read';
import { reviewCalls } from '../../src/review/review';
import { severities } from '../../src/ui/components';
import type { Warning } from '../../src/ui/warnings';
import { toViemAbi } from './viem-abi';

export const ACCOUNT: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const ATTACKER: Hex = '0xbad0000000000000000000000000000000000bad';
export const TOKEN: Hex = '0x3333333333333333333333333333333333333333';
export const FRIEND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
/** Imitates the friend's address. */
export const POISON: Hex = '0x70990000000000000000000000000000000079c8';

export type Call = { to: Hex; value: bigint; data: Hex };

const abis = new Map<string, ReturnType<typeof toViemAbi>>();

export function encode(signature: string, ...args: unknown[]): Hex {
  const abi = abis.get(signature) ?? toViemAbi(signature);
  abis.set(signature, abi);
  return encodeFunctionData({ abi, args });
}

/** A node whose only contract is the token, which has no decimals. */
const node = {
  request: async (method: string, [address]: readonly unknown[]) =>
    Promise.resolve(method === 'eth_getCode' && address === TOKEN ? '0x6080' : '0x'),
  tryRequest: async () => Promise.resolve(),
  lacks: () => true,
} as unknown as Chain['node'];

const context = {
  connect: async () => Promise.resolve({ id: 1n, node }),
  describer: {
    calls: async (calls: unknown) => Promise.resolve(calls),
    document: async () => Promise.resolve(),
  },
  findFork: async () => Promise.resolve(),
  now: () => 0,
  knownAddresses: async () =>
    Promise.resolve<KnownAddresses>({
      own: [ACCOUNT],
      recipients: [FRIEND],
      open: [],
      all: [ACCOUNT, FRIEND],
    }),
} as unknown as InsightContext;

export async function judge(call: Call): Promise<Warning[]> {
  const review = await reviewCalls(
    [readCall({ from: ACCOUNT, ...call })],
    {
      signer: ACCOUNT,
      chainId: 1n,
      chain: { id: 1n, node } as Chain,
      simulated: undefined,
    },
    context,
  );
  return [...review.ofCalls.map(({ warning }) => warning), ...review.ofPast];
}

/** Maps a finding's key to the keys of other findings that cover it. */
const covering: Readonly<Record<string, string[]>> = {
  'alert.control': ['alert.ownCall', 'typed.control'],
};

export async function judgeDocument(data: TypedData): Promise<readonly Warning[]> {
  const signing = {
    origin: 'https://dapp.example',
    account: ACCOUNT,
    own: [ACCOUNT],
    known: [ACCOUNT, FRIEND],
    operations: [],
    chains: undefined,
    now: 0,
  };
  const about = { account: ACCOUNT, chainId: 1n, signing };
  return (await reviewDocument(decodeDocument(data), about, context)).warnings;
}

/**
 * Returns whether the findings include the given one or its equivalent, for the same addresses and
 * at least as severe.
 */
export function includes(
  all: readonly Warning[],
  { key, severity, values = {} }: Warning,
): boolean {
  const named = JSON.stringify(values).toLowerCase();
  return all.some((each) => {
    const isAsBad = severities.indexOf(each.severity) <= severities.indexOf(severity);
    const isSame = each.key === key || covering[key]?.includes(each.key) === true;
    const names = JSON.stringify(each.values ?? {}).toLowerCase();
    const isNamed = [ATTACKER, POISON].every(
      (address) => !named.includes(address) || names.includes(address),
    );
    return isAsBad && isSame && isNamed;
  });
}
