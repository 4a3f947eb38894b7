// Calls to MetaMask, to the snap in it, and to the chain and the bundler of `npm start`.

/** Ask MetaMask. */
export async function wallet(method, params) {
  if (!window.ethereum) {
    throw new Error('MetaMask Flask was not found in this browser.');
  }
  return window.ethereum.request({ method, params });
}

/** Call a method of the snap. */
export function snap({ stack }, method, params) {
  return wallet('wallet_invokeSnap', {
    snapId: stack.snapId,
    request: { method, params },
  });
}

/** Call a method of the snap's keyring. */
export function keyring({ stack }, method, params) {
  return wallet('wallet_invokeKeyring', {
    snapId: stack.snapId,
    request: { method, params },
  });
}

/** Call a JSON-RPC server of the stack. */
export async function rpc(url, method, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}
