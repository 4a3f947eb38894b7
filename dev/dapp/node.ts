// Asking a JSON-RPC server of development that is no wallet: the chain's node, the bundler.

/** An error as a JSON-RPC server tells it. */
type RpcFailure = { code: number; message: string };

/**
 * Ask a server.
 *
 * @throws {Error} With the server's `code` and message, or what the browser says.
 */
export async function askServer<Result>(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    result: Result;
    error?: RpcFailure;
  };
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}
