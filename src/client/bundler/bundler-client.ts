// A client of an ERC-4337 bundler (ERC-7769).
import { entryPoints } from '../../eth/entry-point';
import type { EntryPointVersion } from '../../eth/entry-point';
import type { Hex } from '../../eth/hex';
import type { UserOperation } from '../../eth/user-operation';
import { InvalidResponseError } from '../errors';
import { createRpcClient } from '../rpc/rpc-client';
import type { RpcClient } from '../rpc/rpc-client';
import type { Transport } from '../rpc/transport';
import { readOperation, readReceipt } from './answers';
import type { FoundOperation, OperationReceipt } from './answers';
import { toBundlerError } from './bundler-error';
import { findFloor } from './floor';
import type { AbsentMethods, FeeFloor } from './floor';
import { toBundlerForm } from './form';
import { bundlerSchema } from './schema';
import type { EstimateAnswer } from './schema';

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
