// The request without a library: MetaMask is asked to invoke the snap.
import { findProviderRoute } from '../../../../src/routes';
import type { Params } from '../row';
import { print } from './print';
import type { Subject } from './snippet';

/** Write the request as a page makes it that has no provider. */
export function writeRaw(subject: Subject): string {
  const { row, given } = subject;
  const request = { method: row.name, params: nameChain(subject) };
  const invocation = {
    method: 'wallet_invokeSnap',
    params: { snapId: given.snapId, request },
  };
  return `const result = await window.ethereum.request(${print(invocation)});\n`;
}

// The provider names the chain that MetaMask has chosen for the site; without it that has
// to be said.
function nameChain({ row, params, given: { chainId } }: Subject): Params {
  const route = findProviderRoute(row.name);
  const isOnChain =
    route === 'on-chain' ||
    route === 'look-up' ||
    (route === 'transaction' && !hasChain(params));
  if (!isOnChain || !Array.isArray(params) || chainId === undefined) return params;
  return { scope: `eip155:${BigInt(chainId)}`, params };
}

function hasChain(params: Params): boolean {
  const [transaction] = Array.isArray(params) ? (params as unknown[]) : [];
  return 'chainId' in Object(transaction);
}
