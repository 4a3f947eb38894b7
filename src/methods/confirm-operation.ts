// Asking for consent to a user operation, with what is remarkable about it.
import type { Chain } from '../chains/chain';
import { decodeCalls } from '../eth/account-calls';
import type { Call } from '../eth/account-calls';
import type { OperationAlert } from '../eth/alerts';
import { findDeserted, listCalled } from '../eth/calldata';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import { findOperationAlerts } from '../fees/operation-guard-rails';
import { fetchOperationMeasures } from '../fees/operation-measures';
import type { SmartRecord } from '../state/account-record';
import { UserOperationConfirmation } from '../ui/confirm/user-operation';
import type { OperationTitle } from '../ui/confirm/user-operation';
import { findCallNotices } from './look-alikes';
import type { MethodServices } from './method';
import { findWithoutCodeAt } from './signing-context';

/** An operation that is shown, and why nobody else pays for it. */
export type ShownOperation = {
  operation: UserOperation;
  sponsor?: { name: string };
  sponsorFailure?: Error;
};

/** How an operation is shown. */
export type OperationShowing = {
  account: SmartRecord;
  chainId: ChainId;
  /** Undefined if it has no server: then little can be measured. */
  chain: Chain | undefined;
  origin: string;
  title: OperationTitle;
  /** Whether the nonce is settled only when the user has approved. */
  isNonceOpen?: boolean;
};

/**
 * Obtain consent to a user operation.
 *
 * @throws {UserRejectedError} If the user refuses.
 */
export async function confirmOperation(
  shown: ShownOperation,
  showing: OperationShowing,
  services: MethodServices,
): Promise<void> {
  const { operation, sponsor } = shown;
  const { account, chainId, origin, title, isNonceOpen = false } = showing;
  const calls = decodeCalls(account.entryPoint, operation.callData) ?? [];
  const alerts = services.confirmsItself
    ? await findAlerts({ ...shown, calls }, showing, services)
    : [];
  const notices = await findCallNotices(calls, services);
  await services.requireConsent((translate) =>
    UserOperationConfirmation({
      translate,
      title,
      origin,
      chain: toCaip2(chainId),
      entryPoint: account.entryPoint,
      operation,
      isNonceOpen,
      alerts,
      notices: notices(translate),
      sponsor,
    }),
  );
}

async function findAlerts(
  { operation, calls, sponsorFailure }: ShownOperation & { calls: readonly Call[] },
  { account, chainId, chain }: OperationShowing,
  services: MethodServices,
): Promise<OperationAlert[]> {
  const { entryPoint } = account;
  const hash = hashUserOperation(operation, { chainId, entryPoint });
  const use = {
    chain: toCaip2(chainId),
    sender: operation.sender,
    nonce: toQuantity(operation.nonce),
  };
  const signed = await services.signedOperations.find(use);
  const [measures, withoutCode] = await Promise.all([
    fetchOperationMeasures(account, {
      chainId,
      node: chain?.node,
      levels: async () => services.feeLevels(chain as Chain),
    }),
    chain ? findWithoutCodeAt(listCalled(calls, account.address), chain.node) : [],
  ]);
  const alerts = findOperationAlerts(operation, {
    ...measures,
    ...(signed === undefined || signed === hash ? {} : { replaced: { hash: signed } }),
    ...(sponsorFailure ? { sponsorFailure: sponsorFailure.message } : {}),
  });
  return [...alerts, ...warnOfDeserted(calls, account.address, withoutCode)];
}

function warnOfDeserted(
  calls: readonly Call[],
  from: Hex,
  withoutCode: readonly Hex[],
): OperationAlert[] {
  const isDeserted = findDeserted(calls, from, withoutCode);
  return calls.flatMap(({ to }, index): OperationAlert[] => {
    if (isDeserted[index] !== true) return [];
    const alert = { kind: 'noContract', address: to } as const;
    return [{ kind: 'call', alert, number: index + 1 }];
  });
}
