// Sending a signed user operation to a bundler.
import { InvalidResponseError } from '../client';
import type { BundlerClient } from '../client';
import type { ChainId } from '../eth/chain';
import type { EntryPointVersion } from '../eth/entry-point';
import type { Hex } from '../eth/hex';
import { toUserOperationJson } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import { keepAndSend } from './keep-and-send';
import type { Outgoing, SendServices } from './keep-and-send';

/** The bundler that an operation is sent to. */
export type OperationTarget = { id: ChainId; bundler: { client: BundlerClient } };

/** What is kept of an operation that is sent. */
export type OutgoingOperation = Outgoing & { entryPoint: EntryPointVersion };

/** Sends a signed user operation, once, and follows it; answers its hash. */
export type BroadcastOperation = (
  target: OperationTarget,
  outgoing: OutgoingOperation,
  operation: UserOperation,
) => Promise<Hex>;

/** Create the one who sends operations; what it throws, {@link keepAndSend} tells. */
export function createBroadcastOperation(services: SendServices): BroadcastOperation {
  return async ({ id: chainId, bundler }, outgoing, operation) => {
    const { hash, entryPoint } = outgoing;
    const send = async (): Promise<void> =>
      sendSigned(bundler.client, operation, { version: entryPoint, hash });
    const kept = { ...outgoing, operation: toUserOperationJson(operation) as never };
    return keepAndSend(kept, { chainId, noun: 'user operation', send }, services);
  };
}

/** Send a signed operation to a bundler that may have it already. */
export async function sendSigned(
  bundler: BundlerClient,
  operation: UserOperation,
  sent: { version: EntryPointVersion; hash: Hex },
): Promise<void> {
  try {
    await bundler.send(operation, sent);
  } catch (error) {
    // One that tells of another hash is not to be believed about ours either.
    if (error instanceof InvalidResponseError) throw error;
    // It may have arrived, or have been there before: then all is well.
    if (!(await isKnown(bundler, sent.hash))) throw error;
  }
}

async function isKnown(bundler: BundlerClient, hash: Hex): Promise<boolean> {
  try {
    return (await bundler.findOperation(hash)) !== null;
  } catch {
    // The first failure is the one to tell.
    return false;
  }
}
