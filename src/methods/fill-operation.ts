// Filling a user operation for a request: the account's servers and the user's wishes.
import type { Paymaster } from '../client';
import { TollkeeperError } from '../errors';
import { toCaip2 } from '../eth/chain';
import { fillOperation } from '../fees/fill-user-operation';
import type {
  FilledOperation,
  FillOperationSources,
} from '../fees/fill-user-operation';
import type { OperationRequest } from '../fees/operation-draft';
import type { SmartRecord } from '../state/account-record';
import type { MethodServices, OperationOptions } from './method';
import type { BundledChain } from './user-operation';

/** For which account on which chain an operation is filled. */
export type FillPlace = {
  account: SmartRecord;
  chain: BundledChain;
  options: OperationOptions;
  /** Who is to pay in place of the chain's own paymaster. */
  paymaster?: Paymaster;
};

/**
 * Fill an operation so far as an estimate goes: at what gas costs now.
 *
 * @throws {TollkeeperError} If the paymaster that is to pay does not.
 */
export async function fillForEstimate(
  request: OperationRequest,
  place: FillPlace,
  services: MethodServices,
): Promise<FilledOperation> {
  const filled = await fillOperation(request, toSources(place, services));
  if (filled.sponsorFailure) throw withAdvice(filled.sponsorFailure);
  return filled;
}

/** Tell where a send's fields come from: the fees of the user's level, a free nonce. */
export async function findSendingSources(
  place: FillPlace,
  services: MethodServices,
): Promise<FillOperationSources> {
  const { account, chain } = place;
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const [level, levels] = await Promise.all([
    services.feeLevel(),
    services.prepareFeeLevels(chain),
  ]);
  return {
    ...toSources(place, services),
    findNonce: async (count) => services.nonces.findFree(sender, count),
    fees: { levels, level },
    mayFail: true,
  };
}

function toSources(
  { account, chain, options, paymaster = chain.paymaster }: FillPlace,
  { now }: Pick<MethodServices, 'now'>,
): FillOperationSources {
  const { nonceKey, selfSponsored = false } = options;
  return {
    account,
    chainId: chain.id,
    node: chain.node,
    bundler: chain.bundler.client,
    now,
    ...(nonceKey === undefined ? {} : { nonceKey }),
    ...(paymaster && !selfSponsored ? { paymaster } : {}),
  };
}

function withAdvice(error: TollkeeperError): TollkeeperError {
  const { code, message, context } = error;
  const advice = 'Say "selfSponsored": true beside the params to pay from the account.';
  return new TollkeeperError(code, `${message} ${advice}`, { context, cause: error });
}
