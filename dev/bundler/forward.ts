// Hands a call on to the bundler for EntryPoint 0.6 behind this one.
import { RpcFailure } from '../stack/json-rpc';
import type { Handle } from '../stack/json-rpc';

type Answer = { result?: unknown; error?: RpcFailure['error'] };

/**
 * Create what hands calls on.
 *
 * @returns The other bundler's results; its errors are thrown as they came.
 */
export function createForward(url: string): Handle {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as Answer;
    if (error) throw new RpcFailure(error);
    return result ?? null;
  };
}
