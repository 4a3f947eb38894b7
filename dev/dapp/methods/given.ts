// What the examples of the forms are made of: the session, and what other forms answered.
import type { Hex } from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
} from 'viem/account-abstraction';

/** Versions of the EntryPoint that accounts have, with the addresses of the contracts. */
export const entryPoints = {
  '0.6': entryPoint06Address,
  '0.7': entryPoint07Address,
  '0.8': entryPoint08Address,
} as const satisfies Record<string, Hex>;

/** A smart account as the forms need it. */
export type Smart = {
  address: Hex;
  /** Who signs for it. */
  owner: Hex;
  entryPoint: keyof typeof entryPoints;
};

/** A user operation in the eleven-field form. */
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

/** What the forms that were used before have answered. */
export type Known = {
  /** Made of what was prepared, and patched since. */
  operation?: Operation | undefined;
  /** The same with its signature. */
  signed?: Operation | undefined;
  /** Of what was sent last. */
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
  /** Either: the one that was chosen, if it was granted. */
  account?: Hex | undefined;
};

/** What an example cannot be made without. */
export type Need = Exclude<keyof Given, 'snapId' | 'recipient' | 'signed'>;

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

/** Say what is to be done before an example can be made; undefined if nothing. */
export function findFirstStep(
  needs: readonly Need[],
  given: Given,
): string | undefined {
  const missing = needs.find((need) => given[need] === undefined);
  return missing === undefined ? undefined : firstSteps[missing];
}
