// What is remarkable about a user operation by itself, whatever the chain is like.
import { decodeCalls, isCanonical } from './account-calls';
import type { Call } from './account-calls';
import type { ContentAlert } from './alerts';
import { isSameAddress } from './hex';
import type { Hex } from './hex';
import { findKnownCall } from './known-calls';
import { payerOf, ZERO_ADDRESS } from './operation-cost';
import { findNumberedAlerts } from './transaction-alerts';
import type { EntryPointVersion, UserOperation } from './user-operation';

/** An inner call with its number. */
type Numbered = { call: Call; number: number };

/** Find what an operation says that its signer should know, the worst first. */
export function findContentAlerts(
  operation: UserOperation,
  version: EntryPointVersion,
): ContentAlert[] {
  const { sender, callData } = operation;
  const { maxFeePerGas: fee, maxPriorityFeePerGas: priority } = operation;
  const calls = (decodeCalls(version, callData) ?? []).map((call, index): Numbered => ({
    call,
    number: index + 1,
  }));
  // A transfer to itself changes nothing.
  const own = calls.filter(
    ({ call }) => isSameAddress(call.to, sender) && call.data !== '0x',
  );
  const burning = calls.filter(
    ({ call }) => isSameAddress(call.to, ZERO_ADDRESS) && call.value > 0n,
  );
  return [
    ...findNumbered('upgrade', own.filter(isUpgrade)),
    ...findNumbered(
      'ownCall',
      own.filter((each) => !isUpgrade(each)),
    ),
    ...findNumbered('burn', burning).map((alert) => ({
      ...alert,
      value: burning.reduce((sum, { call }) => sum + call.value, 0n),
    })),
    ...findEncodingAlerts(callData, version),
    ...findOthers(calls, sender),
    ...(payerOf(operation, version) ? [] : [{ kind: 'paymaster' } as const]),
    ...(priority > fee ? [{ kind: 'priority', priority, fee } as const] : []),
  ];
}

// Without call data the EntryPoint does not call the account.
function findEncodingAlerts(callData: Hex, version: EntryPointVersion): ContentAlert[] {
  if (callData === '0x') return [];
  if (!decodeCalls(version, callData)) return [{ kind: 'opaque' }];
  return isCanonical(version, callData) ? [] : [{ kind: 'hiddenBytes' }];
}

// What is said above of all calls together is not said again of each.
function findOthers(calls: readonly Numbered[], from: Hex): ContentAlert[] {
  const alerts = findNumberedAlerts(calls.map(({ call }) => ({ from, ...call })));
  return alerts
    .filter(({ alert }) => alert.kind !== 'ownData')
    .filter(({ alert }) => alert.kind !== 'nobody' || alert.value === 0n)
    .map((each) => ({ kind: 'call', ...each }));
}

function isUpgrade({ call }: Numbered): boolean {
  return findKnownCall(call.data)?.signature.startsWith('upgradeTo') ?? false;
}

function findNumbered<Kind extends string>(
  kind: Kind,
  found: readonly Numbered[],
): { kind: Kind; calls: number[] }[] {
  return found.length === 0 ? [] : [{ kind, calls: found.map(({ number }) => number) }];
}
