// Sending a user operation: fill, have it paid for, confirm, sign, send, follow.
import { UnavailableError } from '../errors';
import { toCaip2 } from '../eth/chain';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { entryPoints } from '../eth/user-operation';
import { fillPaidOperation } from '../fees/fill-user-operation';
import type { OperationRequest } from '../fees/operation-draft';
import type { OperationTitle } from '../ui/confirm/user-operation';
import { confirmOperation } from './confirm-operation';
import { findSendingSources } from './fill-operation';
import type { FillPlace } from './fill-operation';
import type { MethodServices } from './method';
import { signAndBroadcast } from './sign-and-broadcast';

/** Who sends what, and from where. */
export type OperationSending = FillPlace & { origin: string; title: OperationTitle };

/**
 * Fill, confirm, sign and send a user operation, and follow it.
 *
 * @returns Its hash.
 * @throws {UnavailableError} If the bundler serves another chain, or not this EntryPoint.
 * @throws What the bundler says if it refuses it.
 */
export async function sendOperation(
  request: OperationRequest,
  sending: OperationSending,
  services: MethodServices,
): Promise<Hex> {
  const { account, chain, options } = sending;
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const wanted = { nonce: request.nonce, key: options.nonceKey };
  return services.operationNonces.lend(sender, wanted, async (lent) => {
    const sources = await findSendingSources(sending, lent, services);
    // Begun together, so that the bundler is asked in one batch.
    const [, paid] = await Promise.all([
      assertSupport(sending),
      fillPaidOperation(request, sources),
    ]);
    if (!paid.state.isDeployed && lent.hasOthers) refuseUndeployed(sending);
    await confirmOperation(paid, { ...sending, chainId: chain.id }, services);
    return signAndBroadcast(paid.operation, sending, services);
  });
}

/** Refuse a bundler that serves another chain, or not the account's EntryPoint. */
export async function assertSupport({
  chain: { id, bundler },
  account,
}: Pick<FillPlace, 'chain' | 'account'>): Promise<void> {
  const { client } = bundler;
  const { chainId, entryPoints: served } = await client.fetchSupport();
  if (chainId !== id) {
    throw new UnavailableError(
      `The bundler at ${client.label} is for ${toCaip2(chainId)}, but the operation is for ` +
        `${toCaip2(id)}. Nothing was sent. Configure another with tollkeeper_setChain.`,
    );
  }
  const { entryPoint } = entryPoints[account.entryPoint];
  if (served.some((each) => isSameAddress(each, entryPoint))) return;
  throw new UnavailableError(
    `The bundler at ${client.label} does not serve the account's EntryPoint ${entryPoint} ` +
      `(version ${account.entryPoint}); it serves ${served.join(', ') || 'none'}. Nothing was sent.`,
  );
}

// Each would deploy the account, which only the first one can.
function refuseUndeployed({ account: { address } }: OperationSending): never {
  throw new UnavailableError(
    `The user operation that deploys ${address} is pending or being confirmed, and the ` +
      'account can send no other before it is included. Nothing was sent: try again then.',
  );
}
