// Fetches a paymaster's data for a user operation (ERC-7677) and checks them before the operation is
// signed.
import { BundlerError, PaymasterError, RpcError } from '../../packages/client/src';
import type { NodeClient, Paymaster } from '../../packages/client/src';
import { TollkeeperError } from '../errors';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { maxCostOf } from '../eth/operation-cost';
import { encodeValidation, findVerdict } from '../eth/sign-user-operation';
import { entryPoints } from '../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../eth/user-operation';

/** Longest lead of a paymaster's clock, whose data are valid from then on. */
const CLOCK_TOLERANCE_S = 60n;

/** Code for an operation that its paymaster refuses (ERC-7769). */
const PAYMASTER_REFUSED = -32501;

export type SponsorPlace = {
  chainId: ChainId;
  version: EntryPointVersion;
  node: NodeClient;
  paymaster: Paymaster;
  now: () => number;
};

/**
 * Fetches the paymaster's data for an operation that lacks only its signature. Changes no other
 * field.
 *
 * @param operation - Its `paymasterAndData` is the stub.
 * @throws {PaymasterError} If the paymaster refuses, or its contract does not take its data.
 */
export async function fetchSponsorship(
  operation: UserOperation,
  place: SponsorPlace,
): Promise<{ paymasterAndData: Hex }> {
  const { chainId, version, paymaster } = place;
  const { client, context } = paymaster;
  const asked = { chainId, version, context };
  const { paymasterAndData } = await client.fetchData(operation, asked);
  await assertTaken({ ...operation, paymasterAndData }, place);
  return { paymasterAndData };
}

/** Returns whether the paymaster refused an operation, or a bundler because of the paymaster. */
export function isPaymasterRefusal(error: unknown): error is TollkeeperError {
  if (error instanceof PaymasterError) return true;
  if (!(error instanceof BundlerError)) return false;
  return error.code === PAYMASTER_REFUSED || /^AA3/u.test(error.aaCode ?? '');
}

/**
 * Checks, with the EntryPoint's own call, that a paymaster's contract accepts its data for an
 * operation. Data for another sender, EntryPoint or time look like any others.
 *
 * @throws {PaymasterError} If it does not accept them.
 */
export async function assertTaken(
  operation: UserOperation,
  { chainId, version, node, paymaster, now }: SponsorPlace,
): Promise<void> {
  const { entryPoint: from } = entryPoints[version];
  const to = operation.paymasterAndData.slice(0, 42) as Hex;
  const data = encodeValidation(
    operation,
    { chainId, entryPoint: version },
    { contract: 'paymaster', amount: maxCostOf(operation, version) },
  );
  const refuse = (words: string, cause: { cause?: unknown } = {}): never => {
    throw new PaymasterError(paymaster.client.label, words, cause);
  };
  const answer = await node
    .request('eth_call', [{ from, to, data }, 'latest'])
    .catch((error: unknown) => {
      if (!(error instanceof TollkeeperError)) throw error;
      // A node that cannot be reached says nothing about the contract.
      const what =
        error instanceof RpcError ? 'refuses the operation' : 'could not be asked';
      return refuse(`Its contract ${what}: ${error.message}`, { cause: error });
    });
  const verdict = findVerdict(answer) ?? refuse(`${to} is no paymaster.`);
  const { isSignatureValid, validAfter, validUntil } = verdict;
  if (!isSignatureValid) {
    refuse(`Its contract ${to} does not take the data for this operation.`);
  }
  const seconds = BigInt(Math.floor(now() / 1000));
  if (validUntil !== 0n && validUntil <= seconds) refuse('Its data have expired.');
  if (validAfter > seconds + CLOCK_TOLERANCE_S) refuse('Its data are not valid yet.');
}
