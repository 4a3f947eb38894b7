// A client for an ERC-4337 bundler (ERC-7769).
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../../src/core/entry-points';
import type { EntryPointVersion } from '../../../src/core/entry-points';
import { isSameAddress } from '../../../src/core/hex';
import type { UserOperation } from '../../../src/core/payload';
import { larger, toQuantity } from '../../../src/eth/hex';
import type { Hex } from '../../../src/eth/hex';
import { isAbsent } from '../../../src/schema/structs';
import { toBundlerError } from './bundler-errors';
import {
  bundlerSchema,
  EstimateStruct,
  FoundOperationStruct,
  OperationReceiptStruct,
  priceMethods,
  toBundlerForm,
} from './bundler-schema';
import type { PricesAnswer } from './bundler-schema';
import {
  HttpStatusError,
  invalidAnswer,
  InvalidResponseError,
  readAnswer,
  readAt,
  RpcError,
} from './errors';
import type { Place } from './errors';
import { createRpcClient } from './rpc/rpc-client';
import type { AbsentMethods, RpcClient } from './rpc/rpc-client';
import { tidy } from './rpc/tidy';
import type { Row } from './rpc/tidy';
import type { Transport } from './rpc/transport';

/** The lowest fees that a bundler accepts, in wei. */
export type FeeFloor = { maxFeePerGas?: bigint; maxPriorityFeePerGas: bigint };

/** Gas limits of a user operation, estimated by a bundler. */
export type GasEstimate = {
  callGasLimit: bigint;
  verificationGasLimit: bigint;
  preVerificationGas: bigint;
  paymasterVerificationGasLimit?: bigint;
  paymasterPostOpGasLimit?: bigint;
};

export type OperationReceipt = {
  userOpHash: Hex;
  sender: Hex;
  nonce: bigint;
  /** Whether the calls of the operation succeeded. */
  success: boolean;
  actualGasUsed: bigint;
  /** Amount paid by the account or its paymaster, in wei. */
  actualGasCost: bigint;
  transactionHash: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  /** The bundler's answer, with amounts, flags and hashes in the specification's form. */
  raw: Json;
};

/** EntryPoint version and hash of the user operation to send. */
export type SentOperation = { version: EntryPointVersion; hash: Hex };

/** Sender and nonce of a user operation whose hash is known. */
export type KnownOperation = Pick<UserOperation, 'sender' | 'nonce'>;

export type BundlerSupport = { chainId: bigint; entryPoints: Hex[] };

type BundlerRpc = RpcClient<typeof bundlerSchema>;

/** Client for an ERC-4337 bundler. A refusal throws {@link BundlerError} if its explanation is
 * known, otherwise {@link RpcError}. */
export type BundlerClient = {
  /** Name of the bundler in messages, without credentials. */
  readonly label: string;
  /** Fetches the chain and the supported EntryPoints, in one batch. */
  readonly fetchSupport: () => Promise<BundlerSupport>;
  /** Estimates the gas of a user operation, whose signature only needs the right form. */
  readonly estimate: (
    operation: UserOperation,
    version: EntryPointVersion,
  ) => Promise<GasEstimate>;
  /** Sends a user operation once, without retries; returns its hash.
   * @throws {InvalidResponseError} If the bundler answers with a different hash. */
  readonly send: (operation: UserOperation, sent: SentOperation) => Promise<Hex>;
  /** Finds a user operation by its hash, or null. Answers lack the hash, so known fields are checked.
   * @throws {InvalidResponseError} If the answer is about a different operation. */
  readonly findOperation: (hash: Hex, known?: KnownOperation) => Promise<Json | null>;
  /** Finds the receipt of an included user operation; null if there is none.
   * @throws {InvalidResponseError} If the receipt is for a different operation. */
  readonly findReceipt: (hash: Hex) => Promise<OperationReceipt | null>;
  /** Finds the lowest accepted fees, in one batch; undefined if not reported. */
  readonly findFloor: () => Promise<FeeFloor | undefined>;
};

/** Creates a client for a bundler. `absent` holds the methods the bundler is known to lack. */
export function createBundlerClient(
  transport: Transport,
  absent?: AbsentMethods,
): BundlerClient {
  const plain = createRpcClient(bundlerSchema, transport, absent && { absent });
  const { label } = plain;
  const request: BundlerRpc['request'] = async (...call) =>
    plain.request(...call).catch((error: unknown) => {
      throw toBundlerError(error) as Error;
    });
  const at = (method: string): Place => ({ label: `${method} at ${label}` });
  return {
    label,
    fetchSupport: async () => {
      const [chainId, served] = await Promise.all([
        request('eth_chainId', []),
        request('eth_supportedEntryPoints', []),
      ]);
      return { chainId, entryPoints: served };
    },
    estimate: async (operation, version) => {
      const params = toParams(operation, version);
      const answer = await request('eth_estimateUserOperationGas', params);
      const known = Object.entries(answer).filter(
        ([name, gas]) => Object.hasOwn(EstimateStruct.schema, name) && !isAbsent(gas),
      );
      return Object.fromEntries(known) as GasEstimate;
    },
    send: async (operation, { version, hash }) => {
      const method = 'eth_sendUserOperation';
      const answered = await request(method, toParams(operation, version));
      if (answered.toLowerCase() === hash.toLowerCase()) return hash;
      throw new InvalidResponseError(
        { ...at(method), mayBeDone: true },
        `it returned the hash ${answered} for the operation ${hash}.`,
      );
    },
    findOperation: async (hash, known) => {
      const method = 'eth_getUserOperationByHash';
      const raw = await request(method, [hash]);
      if (raw) readAt(at(method), () => checkFound(raw, known));
      return raw;
    },
    findReceipt: async (hash) => {
      const method = 'eth_getUserOperationReceipt';
      const raw = await request(method, [hash]);
      return raw && readAt(at(method), () => readReceipt(raw, hash));
    },
    findFloor: async () => findFloor(plain),
  };
}

function toParams(
  operation: UserOperation,
  version: EntryPointVersion,
): [operation: ReturnType<typeof toBundlerForm>, entryPoint: Hex] {
  return [toBundlerForm(operation, version), entryPoints[version].entryPoint];
}

function checkFound(given: Row, known: KnownOperation | undefined): void {
  // Some bundlers add the position to the operation itself.
  const nested = 'sender' in given ? { ...given, userOperation: given } : given;
  const { sender, nonce } = readAnswer(nested, FoundOperationStruct).userOperation;
  if (!known || (isSameAddress(sender, known.sender) && nonce === known.nonce)) return;
  throw invalidAnswer(`it is about another operation: nonce ${nonce} of ${sender}.`);
}

function readReceipt(given: Row, hash: Hex): OperationReceipt | null {
  const { receipt } = given;
  const transactionReceipt = isObject(receipt) ? tidy(receipt) : receipt;
  const raw = { ...tidy(given), receipt: transactionReceipt } as Record<string, Json>;
  // The bundle's transaction is not in a block yet.
  if (isObject(transactionReceipt) && transactionReceipt.blockHash === null) {
    return null;
  }
  const answer = readAnswer(raw, OperationReceiptStruct);
  const { userOpHash, sender, nonce, success, actualGasUsed, actualGasCost } = answer;
  if (userOpHash.toLowerCase() !== hash.toLowerCase()) {
    throw invalidAnswer(`it is about the operation ${userOpHash}, not ${hash}.`);
  }
  const { transactionHash, blockHash, blockNumber } = answer.receipt;
  return {
    userOpHash,
    sender,
    nonce,
    success,
    actualGasUsed,
    actualGasCost,
    transactionHash,
    blockHash,
    blockNumber: toQuantity(blockNumber),
    raw,
  };
}

// Calls every vendor's method. If several succeed, the highest fees win.
async function findFloor(rpc: BundlerRpc): Promise<FeeFloor | undefined> {
  const asked = Object.keys(priceMethods) as (keyof typeof priceMethods)[];
  const outcomes = await Promise.allSettled(
    asked.map(async (method) => rpc.tryRequest(method, [])),
  );
  const found = outcomes.flatMap((each) => ('value' in each ? (each.value ?? []) : []));
  if (found.length > 0) return combine(found.map(toFloor));
  for (const each of outcomes) {
    if ('reason' in each && !isAnswer(each.reason)) throw each.reason as Error;
  }
  return undefined;
}

function toFloor(answer: bigint | PricesAnswer): FeeFloor {
  if (typeof answer === 'bigint') return { maxPriorityFeePerGas: answer };
  return 'standard' in answer ? (answer.slow ?? answer.standard) : answer;
}

function combine(floors: readonly FeeFloor[]): FeeFloor {
  const priorities = floors.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas);
  const maxima = floors.flatMap(({ maxFeePerGas }) => maxFeePerGas ?? []);
  return {
    maxPriorityFeePerGas: priorities.reduce(larger),
    ...(maxima.length > 0 && { maxFeePerGas: maxima.reduce(larger) }),
  };
}

// Bundlers report missing methods in many ways, some with an HTTP status.
function isAnswer(error: unknown): boolean {
  if (error instanceof HttpStatusError) return error.status < 500;
  return error instanceof RpcError || error instanceof InvalidResponseError;
}
