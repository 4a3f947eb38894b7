// Filling a user operation for a request: the account's servers and the user's wishes.
import type { LentNonce } from '../activity/nonces';
import type { Paymaster } from '../client';
import { TollkeeperError } from '../errors';
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
  /** The least gas for the calls, whatever the bundler estimates. */
  leastCallGas?: bigint | undefined;
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
  const { account, chain } = place;
  const domain = { chainId: chain.id, entryPoint: account.entryPoint };
  await services.knownOperations.note(filled.operation, domain);
  return filled;
}

/** Tell where a send's fields come from: the fees of the user's level, a nonce that is lent. */
export async function findSendingSources(
  place: FillPlace,
  { key, choose }: LentNonce,
  services: MethodServices,
): Promise<FillOperationSources> {
  const [level, levels] = await Promise.all([
    services.feeLevel(),
    services.prepareFeeLevels(place.chain),
  ]);
  return {
    ...toSources(place, services),
    nonceKey: key,
    findNonce: choose,
    fees: { levels, level },
    mayFail: true,
  };
}

function toSources(
  { account, chain, options, leastCallGas, paymaster = chain.paymaster }: FillPlace,
  { now }: Pick<MethodServices, 'now'>,
): FillOperationSources {
  const { nonceKey, selfSponsored = false } = options;
  return {
    account,
    chainId: chain.id,
    node: chain.node,
    bundler: chain.bundler.client,
    now,
    leastCallGas,
    ...(nonceKey === undefined ? {} : { nonceKey }),
    ...(paymaster && !selfSponsored ? { paymaster } : {}),
  };
}

function withAdvice(error: TollkeeperError): TollkeeperError {
  const { code, message, context } = error;
  const advice = 'Say "selfSponsored": true beside the params to pay from the account.';
  return new TollkeeperError(code, `${message} ${advice}`, { context, cause: error });
}
