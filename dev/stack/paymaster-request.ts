// What the paymaster service is asked: an operation in the form of its EntryPoint, the
// EntryPoint, the chain, and a context.
import { numberToHex } from 'viem';
import type { Address, Hex } from 'viem';

import { address, bytes, quantity, readFields, requireFields } from '../bundler/fields';
import { gasNames, readDraft } from '../bundler/operation';
import type { Operation } from '../bundler/operation';
import { chainId } from './anvil';
import type { EntryPointVersion } from './artifacts';
import type { Contracts } from './contracts';
import { refuse } from './json-rpc';

/** An operation of EntryPoint 0.6. */
export type Operation06 = {
  sender: Address;
  nonce: bigint;
  initCode: Hex;
  callData: Hex;
  callGasLimit: bigint;
  verificationGasLimit: bigint;
  preVerificationGas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  paymasterAndData: Hex;
  signature: Hex;
};

/** What to pay for; gas fields that were not given are zero. */
export type Draft =
  | { version: '0.6'; operation: Operation06 }
  | { version: '0.7' | '0.8'; operation: Operation };

/** A request of ERC-7677. */
export type PaymasterRequest = { draft: Draft; context: Record<string, unknown> };

const versions: EntryPointVersion[] = ['0.6', '0.7', '0.8'];

const gas = quantity(256n);

const fields06 = {
  sender: address,
  nonce: gas,
  initCode: bytes,
  callData: bytes,
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  maxFeePerGas: gas,
  maxPriorityFeePerGas: gas,
  paymasterAndData: bytes,
  signature: bytes,
};

/**
 * Read the parameters of a call.
 *
 * @param isFinal - Whether gas limits and fees must be there.
 * @throws {RpcFailure} -32602 naming what is wrong.
 */
export function readRequest(
  params: unknown,
  contracts: Contracts,
  isFinal: boolean,
): PaymasterRequest {
  if (!Array.isArray(params) || params.length < 3 || params.length > 4) {
    return refuse(
      'An operation, an EntryPoint, a chain id and a context are expected.',
    );
  }
  const [value, entryPoint, chain, context] = params as unknown[];
  const wanted = numberToHex(chainId);
  if (chain !== wanted) {
    refuse(`The chain ${toShown(chain)} is not sponsored; ${wanted} is.`);
  }
  const draft = readVersion(value, findVersion(entryPoint, contracts));
  if (isFinal) requireFields(value as object, gasNames);
  return { draft, context: readContext(context) };
}

function readVersion(value: unknown, version: EntryPointVersion): Draft {
  if (version !== '0.6') return { version, operation: readDraft(value) };
  const given = readFields(value, fields06);
  requireFields(given, ['sender', 'nonce', 'callData']);
  return { version, operation: { ...zero, ...given } as Operation06 };
}

const zero = {
  initCode: '0x',
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  paymasterAndData: '0x',
  signature: '0x',
} as const;

function findVersion(value: unknown, contracts: Contracts): EntryPointVersion {
  const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
  const version = versions.find(
    (each) => contracts[each].entryPoint.toLowerCase() === lower,
  );
  return (
    version ?? refuse(`There is no paymaster for the EntryPoint ${toShown(value)}.`)
  );
}

function readContext(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    return refuse('The context must be an object.');
  }
  return value as Record<string, unknown>;
}

function toShown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 66) : 'of this type';
}
