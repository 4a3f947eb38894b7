// What is asked to have calls sent, by the kind of the account.
import type { Hex } from 'viem';

import type { Sent } from '../inclusion/find-inclusion';
import type { Call } from './call';

/** Asks the provider. */
export type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;

/** Who sends, and where. */
export type Sender = { address: Hex; isSmart: boolean; chainId: Hex };

/** Have one call sent: by a transaction, or by a user operation. */
export async function sendOne(
  call: Call,
  { address, isSmart, chainId }: Sender,
  request: Request,
): Promise<Sent> {
  const scope = `eip155:${BigInt(chainId)}`;
  const hash = isSmart
    ? await request({
        method: 'eth_sendUserOperation',
        params: { account: address, scope, params: [call] },
      })
    : await request({
        method: 'eth_sendTransaction',
        params: [{ from: address, ...call, chainId }],
      });
  return { kind: isSmart ? 'operation' : 'transaction', hash: hash as Hex, chainId };
}

/** Calls that belong together. */
export type Batch = {
  calls: readonly Call[];
  isAtomic: boolean;
  /** Who is asked to pay; nobody where it is empty. */
  paymasterUrl: string;
};

/** Have calls sent together (EIP-5792). */
export async function sendBatch(
  { calls, isAtomic, paymasterUrl }: Batch,
  { address, chainId }: Sender,
  request: Request,
): Promise<Sent> {
  const url = paymasterUrl.trim();
  const batch = {
    version: '2.0.0',
    from: address,
    chainId,
    atomicRequired: isAtomic,
    calls,
    ...(url === '' ? {} : { capabilities: { paymasterService: { url } } }),
  };
  const { id } = (await request({
    method: 'wallet_sendCalls',
    params: [batch],
  })) as { id: string };
  return { kind: 'calls', id };
}

/** What can be done to a transaction that is pending. */
export type Replacing = 'speedUp' | 'cancel';

/** Have a transaction take the place of a pending one. */
export async function replace(
  { hash, chainId }: { hash: Hex; chainId: Hex },
  action: Replacing,
  request: Request,
): Promise<Sent> {
  const method = 'tollkeeper_replaceTransaction';
  const replacement = await request({ method, params: [hash, { action }] });
  return { kind: 'transaction', hash: replacement as Hex, chainId };
}
