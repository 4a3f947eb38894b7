// A site that sends transactions signed elsewhere, by an account that was granted to the site.
import type { Json } from '@metamask/utils';
import type { Hex, TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { callersOf } from './callers';
import { keyOfIndex } from './entropy';
import { serving } from './fake-fetch';
import { createFakeNode } from './fake-node';
import { storeChains } from './given';
import { createSendBench, RECIPIENT } from './send-bench';
import { listActivity } from './sent-transactions';

export const SEND_RAW = 'eth_sendRawTransaction';

export const SITE = 'https://other.example';

export const STRANGER: Hex = `0x${'42'.repeat(32)}`;

const FIELDS = {
  chainId: 1,
  nonce: 5,
  to: RECIPIENT,
  value: 1n,
  gas: 21_000n,
} satisfies Partial<TransactionSerializable>;

const DYNAMIC = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };

/** Signs with the first account's key by default. */
export const sign = async (
  fields: Partial<TransactionSerializable> = {},
  key: Hex = keyOfIndex(0),
): Promise<Hex> =>
  privateKeyToAccount(key).signTransaction({
    ...FIELDS,
    ...DYNAMIC,
    ...fields,
  } as never);

/** Signs without EIP-155, so the transaction names no chain. */
export const signUnbound = async (): Promise<Hex> => {
  const unbound = { ...FIELDS, chainId: undefined, type: 'legacy', gasPrice: 3n };
  return privateKeyToAccount(keyOfIndex(0)).signTransaction(unbound as never);
};

/** Sets up the site; the wallet is on chain 1, and chain 5 has its own node. */
export async function createRawBench() {
  const bench = await createSendBench();
  const { rpc } = callersOf(bench.app);
  await rpc(SITE, 'eth_requestAccounts');
  const other = createFakeNode({ [SEND_RAW]: `0x${'11'.repeat(32)}` });
  bench.edges.network.serve('https://node.example', serving(other));
  await storeChains(bench.app, { 'eip155:5': { rpcUrl: 'https://node.example' } });
  return {
    ...bench,
    rpc,
    other,
    sendRaw: async (params: Json) => rpc(SITE, SEND_RAW, params),
    activity: async () => listActivity(bench.app),
  };
}
