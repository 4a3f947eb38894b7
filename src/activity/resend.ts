// Sending once more what a chain's servers do not know: the same bytes, which can be included
// once.
import { UserOperationStruct } from '../eth/user-operation';
import { parse } from '../parse';
import type { SentTransaction } from '../state/sent-transaction';
import { sendRaw } from './broadcast';
import { sendSigned } from './broadcast-operation';
import type { Observed } from './observe';

/**
 * Send something again as it was signed.
 *
 * @returns Whether the chain's servers have it now; false if it is not kept as it was signed.
 */
export async function resend(
  { hash, raw, operation, entryPoint: version }: SentTransaction,
  { node, bundler }: Observed,
): Promise<boolean> {
  try {
    if (raw !== undefined) await sendRaw(node, { raw, hash });
    else if (operation && version !== undefined && bundler) {
      const signed = parse(operation, UserOperationStruct, 'operation');
      await sendSigned(bundler.client, signed, { version, hash });
    } else return false;
    return true;
  } catch {
    // It is asked for again, and given up in time.
    return false;
  }
}
