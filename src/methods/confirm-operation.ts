// Asking for consent to a user operation, with what is remarkable about it.
import type { Chain } from '../chains/chain';
import { decodeCalls } from '../eth/account-calls';
import type { OperationAlert } from '../eth/alerts';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { keyOf, sequenceOf } from '../eth/operation-nonce';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import { findOperationAlerts } from '../fees/operation-guard-rails';
import { fetchOperationMeasures } from '../fees/operation-measures';
import { fetchOperationNonce } from '../fees/operation-state';
import type { SmartRecord } from '../state/account-record';
import { UserOperationConfirmation } from '../ui/confirm/user-operation';
import type { OperationTitle } from '../ui/confirm/user-operation';
import { findCallNotices } from './look-alikes';
import type { MethodServices } from './method';
import { findAllowanceAlerts, findNonceGap } from './signing-context';

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
      alerts,
      notices: notices(translate),
      sponsor,
    }),
  );
}

async function findAlerts(
  { operation, sponsorFailure }: ShownOperation,
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
    fetchOperationMeasures(account, {
      chainId,
      node: chain?.node,
      levels: async () => services.feeLevels(chain as Chain),
    }),
    chain ? lookAt(operation, { ...showing, chain }, services) : [],
  ]);
  const alerts = findOperationAlerts(operation, {
    ...measures,
    ...(signed === undefined || signed === hash ? {} : { replaced: { hash: signed } }),
    ...(sponsorFailure ? { sponsorFailure: sponsorFailure.message } : {}),
  });
  return [...alerts, ...found];
}

// What the chain knows of what the operation allows, and whether others have to come first.
async function lookAt(
  { sender: from, nonce, callData }: UserOperation,
  { account, chain, isNonceOpen = false }: OperationShowing & { chain: Chain },
  { nonces }: Pick<MethodServices, 'nonces'>,
): Promise<OperationAlert[]> {
  const { id, node } = chain;
  const calls = decodeCalls(account.entryPoint, callData) ?? [];
  const fetchNext = async (): Promise<bigint> => {
    const next = await fetchOperationNonce(account, keyOf(nonce), node);
    return sequenceOf(await nonces.findFree({ chain: toCaip2(id), from }, next));
  };
  const [allowances, nonceGap] = await Promise.all([
    findAllowanceAlerts(
      calls.map((call) => ({ ...call, from })),
      node,
    ),
    isNonceOpen ? [] : findNonceGap(sequenceOf(nonce), fetchNext),
  ]);
  return [
    ...allowances.map((each) => ({ kind: 'call', ...each }) as const),
    ...nonceGap,
  ];
}
