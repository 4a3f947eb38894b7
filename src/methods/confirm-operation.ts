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
import { keyOf, sequenceOf } from '../eth/operation-nonce';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { FilledOperation } from '../fees/fill-user-operation';
import { fetchOperationNonce } from '../fees/operation-draft';
import {
  fetchOperationMeasures,
  findOperationAlerts,
} from '../fees/operation-guard-rails';
import type { SmartRecord } from '../state/account-record';
import { UserOperationConfirmation } from '../ui/confirm/user-operation';
import type { OperationTitle } from '../ui/confirm/user-operation';
import { findCallNotices } from './look-alikes';
import type { MethodServices } from './method';
import {
  findAllowanceAlerts,
  findNonceGap,
  findWithoutCodeAt,
} from './signing-context';

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
  const { account, chainId, origin, title } = showing;
  const calls = decodeCalls(account.entryPoint, operation.callData) ?? [];
  const alerts = services.confirmsItself
    ? await findAlerts({ ...shown, calls }, showing, services)
    : [];
  // What is refused here must not be signed as a message.
  if (services.confirmsItself) {
    const { entryPoint } = account;
    await services.knownOperations.note(operation, { chainId, entryPoint });
  }
  const notices = await findCallNotices(calls, services);
  await services.requireConsent((translate) =>
    UserOperationConfirmation({
      translate,
      title,
      origin,
      chain: toCaip2(chainId),
      entryPoint: account.entryPoint,
      operation,
      isCallGasAssumed,
      alerts,
      notices: notices(translate),
      sponsor: sponsorship?.sponsor,
    }),
  );
}

async function findAlerts(
  {
    operation,
    calls,
    sponsorFailure,
    failure,
  }: ShownOperation & { calls: readonly Call[] },
  showing: OperationShowing,
  services: MethodServices,
): Promise<OperationAlert[]> {
  const { account, chainId, chain } = showing;
  const { entryPoint } = account;
  const hash = hashUserOperation(operation, { chainId, entryPoint });
  const use = {
    chain: toCaip2(chainId),
    sender: operation.sender,
    nonce: toQuantity(operation.nonce),
  };
  const signed = await services.signedOperations.find(use);
  const [measures, found] = await Promise.all([
    fetchOperationMeasures(operation, account, {
      chainId,
      node: chain?.node,
      levels: async () => services.feeLevels(chain as Chain),
    }),
    chain ? lookAt({ operation, calls }, { ...showing, chain }, services) : [],
  ]);
  const alerts = findOperationAlerts(operation, {
    ...measures,
    failure: measures.failure ?? failure,
    ...(signed === undefined || signed === hash ? {} : { replaced: { hash: signed } }),
    ...(sponsorFailure ? { sponsorFailure: sponsorFailure.message } : {}),
  });
  return [...alerts, ...found];
}

// What the chain knows of what the operation calls and allows, and whether others have to
// come first.
async function lookAt(
  { operation, calls }: { operation: UserOperation; calls: readonly Call[] },
  { account, chain }: OperationShowing & { chain: Chain },
  { operationNonces }: Pick<MethodServices, 'operationNonces'>,
): Promise<OperationAlert[]> {
  const { sender: from, nonce } = operation;
  const { id, node } = chain;
  const fetchNext = async (): Promise<bigint> => {
    const next = await fetchOperationNonce(account, keyOf(nonce), node);
    return sequenceOf(
      await operationNonces.skipPending({ chain: toCaip2(id), from }, next),
    );
  };
  const [withoutCode, allowances, nonceGap] = await Promise.all([
    findWithoutCodeAt(listCalled(calls, from), node),
    findAllowanceAlerts(
      calls.map((call) => ({ ...call, from })),
      node,
    ),
    findNonceGap(sequenceOf(nonce), fetchNext),
  ]);
  return [
    ...warnOfDeserted(calls, from, withoutCode),
    ...allowances.map((each) => ({ kind: 'call', ...each }) as const),
    ...nonceGap,
  ];
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
