// Methods that some servers have and others lack. A server that says that it lacks one is not asked
// for it again for a day.
import { RpcError } from '../errors';

/** The methods that a server is known to lack. */
export type AbsentMethods = {
  readonly has: (method: string) => boolean;
  /** Remembers that the server lacks a method. Never fails. */
  readonly add: (method: string) => unknown;
};

/** How long a server is taken to lack a method, in ms: one day. */
export const ABSENT_MS = 24 * 60 * 60 * 1_000;

/** Codes of a server that does not have a method (JSON-RPC), does not support it (EIP-1474) or has it
 * turned off (Besu). */
const CODES: readonly number[] = [-32601, -32004, -32604];

/** What other servers and wallets say. The words of a contract that reverts count for nothing. */
const WORDS =
  /^(?!.*revert)(?=.*method).*(?:\bnot\b|n't\b|unsupported|unknown|unavailable|disabled)/isu;

/** Creates a memory for one client. */
export function createAbsentMethods(now: () => number = Date.now): AbsentMethods {
  const since = new Map<string, number>();
  return {
    has: (method) => now() - (since.get(method) ?? -Infinity) < ABSENT_MS,
    add: (method) => since.set(method, now()),
  };
}

/** Returns whether a server refused a call because it lacks the method. */
export function isAbsence(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false;
  return CODES.includes(error.code) || WORDS.test(error.said);
}
