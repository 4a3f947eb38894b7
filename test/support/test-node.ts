// A client of a node that is a table of answers.
import type { NodeClient, RpcCall } from '../../src/client';
import { createNodeClient } from '../../src/client/rpc/rpc-client';

/** A client, and the calls that it passed on. */
export type TestNode = { node: NodeClient; sent: RpcCall[] };

/** Create a client of a node that answers each method as given. */
export function createTestNode(
  results: Record<string, unknown> = {},
  chainId?: bigint,
): TestNode {
  const sent: RpcCall[] = [];
  const request = (call: RpcCall): Promise<unknown> => {
    sent.push(call);
    return Promise.resolve(results[call.method]);
  };
  return { node: createNodeClient({ label: 'It', request }, chainId), sent };
}
