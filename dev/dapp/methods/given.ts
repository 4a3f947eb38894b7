// A method as the page shows it, and what its example is made of: the session, and what other
// forms were answered.
import type { Hex } from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';

import type { Request } from '../inclusion';

/** Addresses of the EntryPoint contracts. */
export const entryPoints = {
  '0.6': entryPoint06Address,
  '0.7': entryPoint07Address,
  '0.8': entryPoint08Address,
  '0.9': entryPoint09Address,
} as const satisfies Record<string, Hex>;

export type Smart = { address: Hex; owner: Hex; entryPoint: keyof typeof entryPoints };

/** A user operation of EntryPoint 0.6, with its eleven fields. */
export type Operation = Record<
  | 'sender'
  | 'nonce'
  | 'initCode'
  | 'callData'
  | 'callGasLimit'
  | 'verificationGasLimit'
  | 'preVerificationGas'
  | 'maxFeePerGas'
  | 'maxPriorityFeePerGas'
  | 'paymasterAndData'
  | 'signature',
  Hex
>;

/** What other forms were answered. */
export type Known = {
  /** Made of a prepared operation, and patched since. */
  operation?: Operation | undefined;
  /** The same with its signature. */
  signed?: Operation | undefined;
  operationHash?: Hex | undefined;
  transactionHash?: Hex | undefined;
  callsId?: string | undefined;
  /** A transaction that was signed and not sent. */
  raw?: Hex | undefined;
};

/** What examples are made of. What is not there yet is undefined. */
export type Given = Known & {
  snapId: string;
  /** Where examples send to. */
  recipient: Hex;
  chainId?: Hex | undefined;
  /** An ordinary account that this site was granted. */
  ordinary?: Hex | undefined;
  /** A smart account that this site was granted. */
  smart?: Smart | undefined;
  /** Either of them: the selected account, if it was granted. */
  account?: Hex | undefined;
};

/** What an example cannot be made without. */
export type Need = Exclude<keyof Given, 'snapId' | 'recipient' | 'signed'>;

/** Params of a method: the array that it takes, or an object that says more. */
export type Params = readonly unknown[] | Record<string, unknown>;

/** An answer, and what it answers. */
export type Answered = { params: Params; result: unknown; given: Given };

/** What a check of an answer found; `isRight` is undefined if nothing can be said. */
export type Finding = { isRight?: boolean; text: string };

/** Checks an answer; undefined if there is nothing to check. */
export type Check = (
  answered: Answered,
  tools: { request: Request; signal: AbortSignal },
) => Promise<Finding | undefined>;

/** A method that sites may call. */
export type MethodRow = {
  name: string;
  /** What it does, in a line. */
  about: string;
  /** What its example cannot be made without. */
  needs: readonly Need[];
  /** Makes its example, once what it needs is there. */
  example: (given: Given) => Params;
  /** Finds what other forms use in its answer. */
  learn?: (answered: Answered, request: Request) => Known | Promise<Known>;
  verify?: Check;
  /** Whether MetaMask has a method of the same name, so that the snap must be invoked. */
  isWallets?: boolean;
};

const firstSteps: Record<Need, string> = {
  chainId: 'Connect to MetaMask first: its network is not known yet.',
  ordinary: 'Create an ordinary account and connect this site to it first.',
  smart: 'Create a smart account and connect this site to it first.',
  account: 'Create an account and connect this site to it first.',
  operation: 'Use eth_prepareUserOperation first: its answer is filled in here.',
  operationHash: 'Send a user operation first: its hash is filled in here.',
  transactionHash: 'Send a transaction first: its hash is filled in here.',
  callsId: 'Use wallet_sendCalls first: its id is filled in here.',
  raw: 'Use eth_signTransaction first: its raw transaction is filled in here.',
};

/** Says what must be done before an example can be made; undefined if nothing. */
export function findFirstStep(
  needs: readonly Need[],
  given: Given,
): string | undefined {
  const missing = needs.find((need) => given[need] === undefined);
  return missing === undefined ? undefined : firstSteps[missing];
}

type OwnAccount = { type: string; address: string; options: Record<string, unknown> };

/** Pays where no recipient is configured: nobody has the key of this address. */
const NOBODY = '0x000000000000000000000000000000000000dEaD';

/** Gathers what examples are made of. */
export function toGiven(
  session: {
    config: { snapId: string; recipient?: string | undefined };
    usable: readonly OwnAccount[];
    selected?: OwnAccount | undefined;
    chainId?: string | undefined;
  },
  known: Known,
): Given {
  const { config, chainId, usable, selected } = session;
  // The selected account comes first, if it was granted.
  const accounts = [
    ...usable.filter((account) => account === selected),
    ...usable.filter((account) => account !== selected),
  ];
  const ordinary = accounts.find(({ type }) => type === 'eip155:eoa')?.address;
  return {
    ...known,
    snapId: config.snapId,
    recipient: (config.recipient ?? NOBODY) as Hex,
    chainId: chainId as Hex | undefined,
    ordinary: ordinary as Hex | undefined,
    smart: accounts.map(toSmart).find((each) => each !== undefined),
    account: accounts[0]?.address as Hex | undefined,
  };
}

function toSmart({ type, address, options }: OwnAccount): Smart | undefined {
  const { owner, entryPoint } = options;
  if (type !== 'eip155:erc4337' || typeof owner !== 'string') return undefined;
  if (typeof entryPoint !== 'string' || !Object.hasOwn(entryPoints, entryPoint)) {
    return undefined;
  }
  const version = entryPoint as Smart['entryPoint'];
  return { address: address as Hex, owner: owner as Hex, entryPoint: version };
}

/** Lists params; those in an object are unwrapped. */
export function listParams(params: Params): readonly unknown[] {
  if (Array.isArray(params)) return params as unknown[];
  const { params: own } = params as { params?: unknown };
  return Array.isArray(own) ? (own as unknown[]) : [];
}
