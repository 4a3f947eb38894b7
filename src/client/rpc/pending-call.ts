// A call on its way: written once, answered once, whatever happens to the messages that
// carry it.
import { InvalidParamsError } from '../../errors';
import type { RpcCall } from './transport';

/** How a call ended. */
export type Outcome = { result: unknown } | { error: unknown };

/** A call that waits for its answer. */
export type PendingCall = {
  readonly id: number;
  readonly method: string;
  /** The request as JSON text. */
  readonly body: string;
  readonly idempotent: boolean;
  /** Whether the caller has been answered, or has given the call up. */
  readonly isSettled: () => boolean;
  /** Answer the caller; only the first answer counts. */
  readonly settle: (outcome: Outcome) => void;
  /** Call `listener` once the call is settled. */
  readonly onSettled: (listener: () => void) => void;
};

/**
 * Start a call.
 *
 * @param send - Puts the call on its way, and settles it in the end.
 * @returns The result.
 * @throws {InvalidParamsError} If the params cannot be written as JSON; else whatever the
 * call is settled with, or the reason of its signal.
 */
export async function startCall(
  id: number,
  call: RpcCall,
  send: (pending: PendingCall) => void,
): Promise<unknown> {
  const { method, signal, idempotent = false } = call;
  signal?.throwIfAborted();
  const body = write(id, call);
  const listeners: (() => void)[] = [];
  let isSettled = false;
  return new Promise((resolve, reject: (reason: Error) => void) => {
    const settle = (outcome: Outcome): void => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', giveUp);
      listeners.forEach((listener) => listener());
      if ('error' in outcome) reject(outcome.error as Error);
      else resolve(outcome.result);
    };
    const giveUp = (): void => settle({ error: signal?.reason });
    signal?.addEventListener('abort', giveUp);
    send({
      id,
      method,
      body,
      idempotent,
      settle,
      isSettled: () => isSettled,
      onSettled: (listener) => listeners.push(listener),
    });
  });
}

// Before it joins the others: what cannot be written must harm no other call.
function write(id: number, { method, params }: RpcCall): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, method, params });
  } catch (cause) {
    throw new InvalidParamsError(`${method}: params cannot be written as JSON.`, {
      cause,
    });
  }
}
