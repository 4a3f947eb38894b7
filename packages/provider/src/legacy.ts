// `send` and `sendAsync` as MetaMask's provider had them before EIP-1193, for web3 1.x, which sends
// its batches so, and for older libraries.
import { toProviderError } from './eip1193';
import type { Ask, ProviderRpcError, RequestArguments } from './eip1193';

export type JsonRpcResponse = {
  id: unknown;
  jsonrpc: '2.0';
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
};

export type JsonRpcPayload = {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: unknown;
};

/** Gets an answer; a batch's errors are in its answers. */
export type JsonRpcCallback = (
  error: ProviderRpcError | null,
  answer: never,
) => unknown;

/** Sends a request or a batch; resolves, whatever becomes of it, and calls back where it is to. */
export type SendAsync = (
  payload: JsonRpcPayload | readonly JsonRpcPayload[],
  callback?: JsonRpcCallback,
) => Promise<JsonRpcResponse | JsonRpcResponse[]>;

/** As {@link SendAsync}; or sends a method with its params, and rejects if it fails. */
export type Send = SendAsync &
  ((method: string, params?: readonly unknown[]) => Promise<JsonRpcResponse>);

export function createLegacySend(request: Ask): { send: Send; sendAsync: SendAsync } {
  const answer = async (payload: JsonRpcPayload): Promise<JsonRpcResponse> => {
    const { id = null, method, params } = Object(payload) as JsonRpcPayload;
    const envelope = { id, jsonrpc: '2.0' } as const;
    try {
      const args = { method, params } as RequestArguments;
      return { ...envelope, result: await request(args) };
    } catch (thrown) {
      const { code, message, data } = toProviderError(thrown);
      // Written out, since JSON leaves out the message of an Error.
      const error = { code, message, ...(data !== undefined && { data }) };
      return { ...envelope, error };
    }
  };
  const sendAsync: SendAsync = async (payload, callback) => {
    const response = Array.isArray(payload)
      ? await Promise.all(payload.map(answer))
      : await answer(payload as JsonRpcPayload);
    const { error } = response as JsonRpcResponse;
    callback?.(error ? toProviderError(error) : null, response as never);
    return response;
  };
  const send = async (first: unknown, second?: unknown): Promise<unknown> => {
    if (typeof first !== 'string') return sendAsync(first as never, second as never);
    const args = { method: first, params: second } as RequestArguments;
    return { id: null, jsonrpc: '2.0', result: await request(args) };
  };
  return { send: send as Send, sendAsync };
}
