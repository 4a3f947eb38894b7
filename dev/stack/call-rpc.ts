// A single call of a JSON-RPC server, whatever it answers.
import type { Hex } from 'viem';

/** What a JSON-RPC server answers. */
export type RpcAnswer = {
  result?: unknown;
  error?: { code: number; message: string; data?: Hex };
};

/** Calls a method of a JSON-RPC server; returns `result` or `error` as it came. */
export async function callRpc(
  url: string,
  method: string,
  params: unknown[],
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  // Read here: what `json` makes is of another realm, and equal to nothing in a test.
  const { result, error } = JSON.parse(await response.text()) as RpcAnswer;
  return error ? { error } : { result };
}
