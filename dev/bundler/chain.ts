// The node behind the bundler: a client of viem's, and calls without a transaction that
// also tell the events, which `eth_call` does not.
import { createPublicClient, http, numberToHex } from 'viem';
import type { Address, Hex, Log, PublicClient } from 'viem';
import { foundry } from 'viem/chains';

/** A client of the node. */
export type Chain = PublicClient;

/** A call as it would be now. */
export type TrialCall = {
  from?: Address;
  to: Address;
  data: Hex;
  gas: bigint;
  /** What is otherwise than on the chain, by address. */
  overrides?: Record<Address, { code?: Hex; balance?: Hex }>;
};

/** How a call would end. */
export type Trial =
  { success: true; data: Hex; logs: Log[] } | { success: false; data: Hex };

// viem's own has parsed numbers in it.
type Schema = {
  Method: 'eth_simulateV1';
  Parameters: [object, 'latest'];
  ReturnType: [{ calls: { status: Hex; returnData: Hex; logs: Log[] }[] }];
};

const NOBODY: Address = '0x000000000000000000000000000000000000f00d';

/** Create a client that asks each thing once. */
export function createChain(url: string): Chain {
  return createPublicClient({
    chain: foundry,
    transport: http(url, { retryCount: 0, timeout: 10_000 }),
    cacheTime: 0,
  });
}

/** Try a call on top of the newest block; nothing of it stays. */
export async function tryCall(chain: Chain, call: TrialCall): Promise<Trial> {
  const { from = NOBODY, to, data, gas, overrides = {} } = call;
  const blocks = {
    blockStateCalls: [
      {
        stateOverrides: overrides,
        calls: [{ from, to, data, gas: numberToHex(gas) }],
      },
    ],
  };
  const [block] = await chain.request<Schema>({
    method: 'eth_simulateV1',
    params: [blocks, 'latest'],
  });
  const [result] = block.calls;
  if (result === undefined) throw new Error('The node did not try the call.');
  const { status, returnData, logs } = result;
  return status === '0x1'
    ? { success: true, data: returnData, logs }
    : { success: false, data: returnData };
}
