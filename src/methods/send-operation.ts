// Sending a user operation: fill, have it paid for, confirm, sign, send, follow. Whatever
// else the account sends waits until it is out, so that two never get one nonce.
import { TollkeeperError, UnavailableError } from '../errors';
import { toCaip2 } from '../eth/chain';
import { entryPoints } from '../eth/entry-point';
import type { EntryPointVersion } from '../eth/entry-point';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { gasLimitsOf, payerOf } from '../eth/operation-cost';
import { keyOf } from '../eth/operation-nonce';
import type { UserOperation } from '../eth/user-operation';
import { fillOperation } from '../fees/fill-user-operation';
import type { FilledOperation } from '../fees/fill-user-operation';
import type { OperationRequest } from '../fees/operation-draft';
import { fetchOperationNonce } from '../fees/operation-state';
import { fetchSponsorship } from '../fees/sponsor-operation';
import type { SponsorPlace } from '../fees/sponsor-operation';
import type { OperationTitle } from '../ui/confirm/user-operation';
import { confirmOperation } from './confirm-operation';
import { findSendingSources } from './fill-operation';
import type { FillPlace } from './fill-operation';
import type { MethodServices } from './method';
import { signAndBroadcast } from './sign-and-broadcast';

/** Who sends what, and from where. */
export type OperationSending = FillPlace & { origin: string; title: OperationTitle };

/** An operation as it is shown: paid for, or why it is not. */
export type PaidOperation = Pick<FilledOperation, 'operation' | 'sponsorFailure'> & {
  sponsor?: { name: string };
  /** How to have it paid for once more, if it must be changed. */
  place?: SponsorPlace;
};

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
  const sources = await findSendingSources(sending, services);
  // Begun together, so that the bundler is asked in one batch.
  const [, filled] = await Promise.all([
    assertSupport(sending),
    fillOperation(request, sources),
  ]);
  const paid = await payFor(filled, sending, services);
  const isNonceOpen = request.nonce === undefined;
  const { account, chain } = sending;
  await confirmOperation(
    paid,
    { ...sending, chainId: chain.id, isNonceOpen },
    services,
  );
  const sender = { chain: toCaip2(chain.id), from: account.address };
  return services.nonces.alone(sender, async () => {
    const final = isNonceOpen
      ? await withFreeNonce(paid, sending, services)
      : paid.operation;
    return signAndBroadcast(final, sending, services);
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

async function payFor(
  filled: FilledOperation,
  { account, chain, paymaster = chain.paymaster }: OperationSending,
  { now }: MethodServices,
): Promise<PaidOperation> {
  const { operation, sponsorship, sponsorFailure } = filled;
  if (!sponsorship || !paymaster) {
    return { operation, ...(sponsorFailure ? { sponsorFailure } : {}) };
  }
  const { id: chainId, node } = chain;
  const place = { chainId, version: account.entryPoint, node, paymaster, now };
  const { sponsor } = sponsorship;
  const words = sponsor ? { sponsor } : {};
  if (sponsorship.isFinal) return { operation, place, ...words };
  try {
    const sponsored = await fetchSponsorship(operation, place);
    return { operation: { ...operation, ...sponsored }, place, ...words };
  } catch (error) {
    // The user sees why, and can pay.
    if (!(error instanceof TollkeeperError)) throw error;
    const own = { ...operation, paymasterAndData: '0x' } as const;
    return { operation: own, sponsorFailure: error };
  }
}

// Another may have been sent while the user decided. What pays for the operation is bound
// to its nonce.
async function withFreeNonce(
  { operation, place }: PaidOperation,
  { account, chain }: OperationSending,
  { nonces }: MethodServices,
): Promise<UserOperation> {
  const key = keyOf(operation.nonce);
  const count = await fetchOperationNonce(account, key, chain.node);
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const nonce = await nonces.findFree(sender, count);
  if (nonce === operation.nonce) return operation;
  const changed = { ...operation, nonce };
  if (!place) return changed;
  const final = { ...changed, ...(await fetchSponsorship(changed, place)) };
  assertApproved(final, operation, account.entryPoint);
  return final;
}

// Its answer of now stood on no screen: it may be signed as far as it changes nothing there.
function assertApproved(
  final: UserOperation,
  approved: UserOperation,
  version: EntryPointVersion,
): void {
  const shown = new Map(gasLimitsOf(approved, version));
  const isWithin = gasLimitsOf(final, version).every(
    ([name, gas]) => gas <= (shown.get(name) ?? 0n),
  );
  const [payer = '', before = ''] = [final, approved].map((each) =>
    payerOf(each, version),
  );
  if (isWithin && isSameAddress(payer, before)) return;
  throw new UnavailableError(
    'The paymaster is another than was approved, or wants higher gas limits. Nothing was ' +
      'sent: try again.',
  );
}
