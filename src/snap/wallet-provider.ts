// The wallet's own provider. It serves the snap's own network there, which follows
// neither the user nor the dapp, and it takes no batches.
import type { Json } from '@metamask/utils';

import { heard } from './answered';

/** Ask the wallet's node. */
export async function requestWallet(call: {
  method: string;
  params: Json[];
}): Promise<unknown> {
  return heard(call.method, ethereum.request(call));
}
