// Asking for consent to a user operation, with what is remarkable about it.
import type { Chain } from '../chains/chain';
import { decodeCalls } from '../eth/account-calls';
import type { OperationAlert } from '../eth/alerts';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { FilledOperation } from '../fees/fill-user-operation';
import { findOperationAlerts } from '../fees/operation-guard-rails';
import { fetchOperationMeasures } from '../fees/operation-measures';
import type { SmartRecord } from '../state/account-record';
import { UserOperationConfirmation } from '../ui/confirm/user-operation';
import type { OperationTitle } from '../ui/confirm/user-operation';
import { findCallNotices } from './look-alikes';
import type { MethodServices } from './method';

/** An operation that is shown, who pays for it, or why nobody else does. */
export type ShownOperation = Pick<
  FilledOperation,
  'operation' | 'sponsorship' | 'sponsorFailure' | 'failure' | 'isCallGasAssumed'
>;

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
  const { operation, sponsorship, isCallGasAssumed = false } = shown;
  const { account, chainId, origin, title, isNonceOpen = false } = showing;
  const alerts = services.confirmsItself
    ? await findAlerts(shown, showing, services)
    : [];
  const calls = decodeCalls(account.entryPoint, operation.callData) ?? [];
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
      isCallGasAssumed,
      alerts,
      notices: notices(translate),
      sponsor: sponsorship?.sponsor,
    }),
  );
}

async function findAlerts(
  { operation, sponsorFailure, failure }: ShownOperation,
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
  const measures = await fetchOperationMeasures(operation, account, {
    chainId,
    node: chain?.node,
    levels: async () => services.feeLevels(chain as Chain),
  });
  return findOperationAlerts(operation, {
    ...measures,
    failure: measures.failure ?? failure,
    ...(signed === undefined || signed === hash ? {} : { replaced: { hash: signed } }),
    ...(sponsorFailure ? { sponsorFailure: sponsorFailure.message } : {}),
  });
}
