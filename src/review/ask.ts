// Requests to a node with a short time limit, for dialogs.
import { RpcError } from '../../packages/client/src';
import type { NodeClient } from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import type { Chain } from '../chains/chain';
import { encodeCall, toWord } from '../eth/abi';
import { toLower } from '../eth/hex';
import type { Hex } from '../eth/hex';

const LIMIT_MS = 1_500;

/** Maximum number of contracts to look up at once. */
export const MAX_CONTRACTS = 100;

export type Pending<Result> = {
  now: () => Result;
  /** Settles when the result is complete; never rejects. Undefined if nothing is pending. */
  pending: () => Promise<void> | undefined;
};

/** Runs a task within the time limit. Returns undefined if it fails or takes longer. */
export async function tryBriefly<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  return tryInTime(run, LIMIT_MS);
}

/** Creates an error handler that returns a value for a reverted call and rethrows other errors. */
export function ifReverted<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof RpcError && error.kind === 'reverted') return value;
    throw error;
  };
}

/** Asks a contract for a number. Returns undefined if the answer is missing or not one 32-byte
 * word. */
export async function askForWord(
  call: { to: Hex; data: Hex },
  node: NodeClient | undefined,
): Promise<bigint | undefined> {
  const answer = await tryBriefly(async (signal) =>
    node?.request('eth_call', [call, 'latest'], { signal }),
  );
  return answer === undefined ? undefined : toWord(answer);
}

/** Fetches the code at an address. If another node is configured, also asks MetaMask's node, so
 * that neither can hide or invent code while the other answers. Returns `disputed` if they
 * disagree, undefined if neither answers. */
export async function askForCode(
  address: Hex,
  node: Chain['node'],
): Promise<Hex | 'disputed' | undefined> {
  const ask = async ({ request }: NodeClient, signal: AbortSignal): Promise<Hex> =>
    request('eth_getCode', [toLower(address), 'latest'], { signal });
  const { second } = node;
  const [code, other] = await Promise.all([
    tryBriefly(async (signal) => ask(node, signal)),
    second && tryBriefly(async (signal) => ask(await second(), signal)),
  ]);
  const isDisputed = code && other && toLower(code) !== toLower(other);
  return isDisputed ? 'disputed' : (code ?? other);
}

/** Fetches an account's balances of the first {@link MAX_CONTRACTS} tokens, by their addresses in
 * lower case. Omits unknown ones. Sends its requests in the same tick, so that they can share a
 * batch. */
export async function findBalances(
  allowances: readonly { token: Hex }[],
  account: Hex,
  node: NodeClient | undefined,
): Promise<ReadonlyMap<Hex, bigint>> {
  const tokens = [...new Set(allowances.map(({ token }) => toLower(token)))];
  const data = encodeCall('balanceOf(address)', [account]);
  const found = await Promise.all(
    tokens.slice(0, MAX_CONTRACTS).map(async (to) => {
      const balance = await askForWord({ to, data }, node);
      return balance === undefined ? [] : [[to, balance] as const];
    }),
  );
  return new Map(found.flat());
}
