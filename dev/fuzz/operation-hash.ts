// The hash of a user operation as a bundler computes it: the snap takes no other than the one
// that it signed.
import { getUserOperationHash } from 'viem/account-abstraction';

import { entryPoints, entryPointVersions } from '../../src/eth/entry-point';

/** Hash an operation for chain 1; undefined if it is none. */
export function hashOperation(
  operation: unknown,
  entryPoint: unknown,
): string | undefined {
  const version = entryPointVersions.find(
    (each) =>
      entryPoints[each].entryPoint.toLowerCase() === String(entryPoint).toLowerCase(),
  );
  try {
    return getUserOperationHash({
      chainId: 1,
      entryPointAddress: entryPoints[version ?? '0.7'].entryPoint,
      entryPointVersion: version ?? '0.7',
      userOperation: toNumbers(operation as Record<string, unknown>),
    } as Parameters<typeof getUserOperationHash>[0]);
  } catch {
    return undefined;
  }
}

function toNumbers(operation: Record<string, unknown>): Record<string, unknown> {
  const isNumber = (name: string): boolean => /nonce|gas|fee/iu.test(name);
  return Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [
      name,
      isNumber(name) ? BigInt(String(value)) : value,
    ]),
  );
}
