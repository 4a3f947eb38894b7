// Errors of the mock wallet, with the codes of the snap and of MetaMask.
import { ProviderRpcError } from '../../provider/src/eip1193';

const codes = {
  rejected: 4001,
  unauthorized: 4100,
  unsupported: 4200,
  unknownChain: 4902,
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateId: 5720,
  unknownId: 5730,
  tooManyCalls: 5740,
  notAtomic: 5760,
  unavailable: -32002,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/**
 * Fails a request.
 *
 * @throws {ProviderRpcError} With the code of the reason.
 */
export function fail(reason: keyof typeof codes, message: string): never {
  throw new ProviderRpcError(codes[reason], message);
}

/** Finds what the node says in what viem throws. */
export function findNodeError(thrown: unknown): ProviderRpcError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof ProviderRpcError) return error;
    const { code, details, data } = error as Error & Record<string, unknown>;
    if (Number.isInteger(code) && typeof details === 'string') {
      return new ProviderRpcError(code as number, details, data);
    }
  }
  return undefined;
}
