// MetaMask's provider API from before EIP-1193, for older dapps and libraries: `send`,
// `sendAsync`, which web3 1.x uses for batches, and synchronous properties.
import { toProviderError } from './eip1193';
import type { Ask, ProviderRpcError, RequestArguments } from './eip1193';

/** Synchronous properties, updated by answers and events. */
export type LegacyState = {
  /** Whether requests can be answered, according to the last `connect` or `disconnect` event. */
  readonly isConnected: () => boolean;
  /** @deprecated Use `request` with `eth_chainId`. Null until the provider is connected. */
  readonly chainId: string | null;
  /** @deprecated Use `request` with `eth_accounts`. Null until an account is connected. */
  readonly selectedAddress: string | null;
};

export function toLegacyState(event: string, value: unknown): Partial<LegacyState> {
  if (event === 'accountsChanged') {
    const [selectedAddress = null] = value as string[];
    return { selectedAddress };
  }
  if (event === 'chainChanged') return { chainId: value as string };
  if (event === 'disconnect') return { isConnected: () => false };
  if (event !== 'connect') return {};
  return { ...(value as { chainId: string }), isConnected: () => true };
}

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

/** Receives the response. A batch's errors are in its individual responses. */
export type JsonRpcCallback = (
  error: ProviderRpcError | null,
  answer: never,
) => unknown;

/** Sends a request or a batch. Resolves even if requests fail. Calls the callback, if any. */
export type SendAsync = (
  payload: JsonRpcPayload | readonly JsonRpcPayload[],
  callback?: JsonRpcCallback,
) => Promise<JsonRpcResponse | JsonRpcResponse[]>;

/** Like {@link SendAsync}. Also accepts a method and its params, and then rejects on failure. */
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
      return { ...envelope, error: toProviderError(thrown).toJSON() };
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
