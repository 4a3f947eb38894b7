// A client of an ERC-4337 bundler (ERC-7769).
import { larger } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { entryPoints } from '../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../eth/user-operation';
import { toBundlerError } from './bundler-errors';
import {
  bundlerSchema,
  priceMethods,
  readOperation,
  readReceipt,
  toBundlerForm,
} from './bundler-schema';
import type {
  EstimateAnswer,
  FoundOperation,
  OperationReceipt,
  PricesAnswer,
} from './bundler-schema';
import { HttpStatusError, InvalidResponseError, RpcError } from './errors';
import { createRpcClient } from './rpc/rpc-client';
import type { RpcClient } from './rpc/rpc-client';
import type { Transport } from './rpc/transport';

// The lowest fees that a bundler takes, by whichever method of its own it has.

/** The lowest fees that a bundler takes, in wei. */
export type FeeFloor = { maxFeePerGas?: bigint; maxPriorityFeePerGas: bigint };

/** Names the methods that servers have not, as `method at server`. */
export type AbsentMethods = Set<string>;

type PriceMethod = keyof typeof priceMethods;

const METHOD_NOT_FOUND = -32601;

/**
 * Find the lowest fees that a bundler takes, in one batch.
 *
 * @param absent - The methods that are not asked for; it grows by what the server has not.
 * @returns The higher ones where it tells several; undefined if it tells none.
 * @throws What kept all methods from being answered, such as a NetworkError.
 */
export async function findFloor(
  rpc: RpcClient<typeof bundlerSchema>,
  absent: AbsentMethods,
): Promise<FeeFloor | undefined> {
  const nameOf = (method: PriceMethod): string => `${method} at ${rpc.label}`;
  const asked = (Object.keys(priceMethods) as PriceMethod[]).filter(
    (method) => !absent.has(nameOf(method)),
  );
  const failures: unknown[] = [];
  const floors = await Promise.all(
    asked.map(async (method) => {
      try {
        return toFloor(await rpc.request(method, []));
      } catch (error) {
        if (isAbsent(error)) absent.add(nameOf(method));
        failures.push(error);
        return undefined;
      }
    }),
  );
  const found = floors.filter((floor) => floor !== undefined);
  if (found.length > 0) return combine(found);
  const outage = failures.find((error) => !isAnswer(error));
  if (outage !== undefined) throw outage as Error;
  return undefined;
}

function toFloor(answer: bigint | PricesAnswer): FeeFloor {
  if (typeof answer === 'bigint') return { maxPriorityFeePerGas: answer };
  const price = 'standard' in answer ? (answer.slow ?? answer.standard) : answer;
  const { maxFeePerGas, maxPriorityFeePerGas } = price;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function combine(floors: readonly FeeFloor[]): FeeFloor {
  const maxFees = floors
    .map(({ maxFeePerGas }) => maxFeePerGas)
    .filter((fee) => fee !== undefined);
  const maxPriorityFeePerGas = floors
    .map((floor) => floor.maxPriorityFeePerGas)
    .reduce(larger);
  return maxFees.length === 0
    ? { maxPriorityFeePerGas }
    : { maxFeePerGas: maxFees.reduce(larger), maxPriorityFeePerGas };
}

function isAbsent(error: unknown): boolean {
  return error instanceof RpcError && error.code === METHOD_NOT_FOUND;
}

// What does not know these methods says so in many ways, some with a status.
function isAnswer(error: unknown): boolean {
  if (error instanceof HttpStatusError) return error.status < 500;
  return error instanceof RpcError || error instanceof InvalidResponseError;
}

/** Gas limits as a bundler estimates them. */
export type GasEstimate = {
  callGasLimit: bigint;
  verificationGasLimit: bigint;
  preVerificationGas: bigint;
  paymasterVerificationGasLimit?: bigint;
  paymasterPostOpGasLimit?: bigint;
};

/** An operation on its way: the version that it is for, and the hash that it has. */
export type SentOperation = { version: EntryPointVersion; hash: Hex };

/** What a bundler says that it serves. */
export type BundlerSupport = { chainId: bigint; entryPoints: Hex[] };

/**
 * Calls a bundler. What it refuses comes as a {@link BundlerError} where its code has a
 * meaning, else as an RpcError.
 */
export type BundlerClient = {
  /** How messages name the bundler. */
  readonly label: string;
  /** Fetch the chain and the EntryPoints that it serves, in one batch. */
  readonly fetchSupport: () => Promise<BundlerSupport>;
  /**
   * Estimate the gas of an operation.
   *
   * @param operation - With a signature of the right length that need not be valid.
   */
  readonly estimate: (
    operation: UserOperation,
    version: EntryPointVersion,
  ) => Promise<GasEstimate>;
  /**
   * Send an operation. It is sent once, whatever happens.
   *
   * @returns Its hash.
   * @throws {InvalidResponseError} If the bundler took it for one with another hash.
   */
  readonly send: (operation: UserOperation, sent: SentOperation) => Promise<Hex>;
  /** Find an operation that it knows. */
  readonly findOperation: (hash: Hex) => Promise<FoundOperation | null>;
  /**
   * Find the receipt of an operation that a block includes.
   *
   * @throws {InvalidResponseError} If it answers about another operation.
   */
  readonly findReceipt: (hash: Hex) => Promise<OperationReceipt | null>;
  /** Find the lowest fees that it takes, in one batch; undefined if it tells none. */
  readonly findFloor: () => Promise<FeeFloor | undefined>;
};

/**
 * Create a client of a bundler.
 *
 * @param absent - The methods that bundlers are known not to have, kept for other clients
 * of the same one.
 */
export function createBundlerClient(
  transport: Transport,
  absent: AbsentMethods = new Set(),
): BundlerClient {
  const plain = createRpcClient(bundlerSchema, transport);
  const rpc = withWords(plain);
  return {
    label: rpc.label,
    fetchSupport: async () => {
      const [chainId, served] = await Promise.all([
        rpc.request('eth_chainId', []),
        rpc.request('eth_supportedEntryPoints', []),
      ]);
      return { chainId, entryPoints: served };
    },
    estimate: async (operation, version) => {
      const params = toParams(operation, version);
      return toEstimate(await rpc.request('eth_estimateUserOperationGas', params));
    },
    send: async (operation, sent) => send(operation, sent, rpc),
    findOperation: async (hash) => {
      const method = 'eth_getUserOperationByHash';
      const raw = await rpc.request(method, [hash]);
      return raw && readOperation(raw, { label: `${method} at ${rpc.label}` });
    },
    findReceipt: async (hash) => {
      const method = 'eth_getUserOperationReceipt';
      const raw = await rpc.request(method, [hash]);
      return raw && readReceipt(raw, hash, { label: `${method} at ${rpc.label}` });
    },
    findFloor: async () => findFloor(plain, absent),
  };
}

type BundlerRpc = RpcClient<typeof bundlerSchema>;

function withWords(rpc: BundlerRpc): BundlerRpc {
  return {
    label: rpc.label,
    request: async (...call) =>
      rpc.request(...call).catch((error: unknown) => {
        throw toBundlerError(error) as Error;
      }),
  };
}

async function send(
  operation: UserOperation,
  { version, hash }: SentOperation,
  rpc: BundlerRpc,
): Promise<Hex> {
  const method = 'eth_sendUserOperation';
  const answered = await rpc.request(method, toParams(operation, version));
  if (answered.toLowerCase() === hash.toLowerCase()) return hash;
  throw new InvalidResponseError(
    { label: `${method} at ${rpc.label}`, mayBeDone: true },
    `it gave the hash ${answered} to the operation ${hash}.`,
  );
}

function toParams(
  operation: UserOperation,
  version: EntryPointVersion,
): [operation: ReturnType<typeof toBundlerForm>, entryPoint: Hex] {
  return [toBundlerForm(operation, version), entryPoints[version].entryPoint];
}

function toEstimate(answer: EstimateAnswer): GasEstimate {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = answer;
  const { paymasterVerificationGasLimit: verification } = answer;
  const { paymasterPostOpGasLimit: postOp } = answer;
  return {
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    ...(verification === undefined || verification === null
      ? {}
      : { paymasterVerificationGasLimit: verification }),
    ...(postOp === undefined || postOp === null
      ? {}
      : { paymasterPostOpGasLimit: postOp }),
  };
}
