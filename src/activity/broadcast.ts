// Sending a signed transaction to a node.
import { isNearHeadOnly, RpcError } from '../client';
import type { NodeClient } from '../client';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { keepAndSend } from './keep-and-send';
import type { Outgoing, SendServices } from './keep-and-send';

/** The chain that a transaction is sent to. */
export type Target = { id: ChainId; node: NodeClient };

/** Sends a signed transaction, once, and follows it; answers its hash. */
export type Broadcast = (target: Target, outgoing: Outgoing, raw: Hex) => Promise<Hex>;

/** Create the one who sends transactions; what it throws, {@link keepAndSend} tells. */
export function createBroadcast(services: SendServices): Broadcast {
  return async (target, outgoing, raw) => {
    const { hash } = outgoing;
    const head = await fetchHead(target);
    const send = async (): Promise<Hex> => sendRaw(target.node, { raw, hash });
    return keepAndSend(
      { ...outgoing, ...head },
      { chainId: target.id, noun: 'transaction', send },
      services,
    );
  };
}

/**
 * Send a signed transaction that is none of ours to follow.
 *
 * @returns Its hash.
 */
export async function sendRaw(
  node: NodeClient,
  { raw, hash }: { raw: Hex; hash: Hex },
): Promise<Hex> {
  try {
    await node.request('eth_sendRawTransaction', [raw]);
  } catch (error) {
    // It may have arrived, or have been there before: then all is well.
    if (!isKnownAlready(error) && !(await isKnown(node, hash))) throw error;
  }
  return hash;
}

// Nodes have no code for it: geth's and Nethermind's words, and Besu's and Erigon's.
function isKnownAlready(error: unknown): boolean {
  return (
    error instanceof RpcError &&
    /already ?known|known transaction/iu.test(error.message)
  );
}

async function isKnown(node: NodeClient, hash: Hex): Promise<boolean> {
  try {
    return (await node.request('eth_getTransactionByHash', [hash])) !== null;
  } catch {
    // The first failure is the one to tell.
    return false;
  }
}

// A block in which it cannot be yet: where nodes forget, its age must be known.
async function fetchHead({ id, node }: Target): Promise<{ head?: Hex }> {
  return isNearHeadOnly(id) ? { head: await node.request('eth_blockNumber', []) } : {};
}
