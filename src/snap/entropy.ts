// The wallet's entropy for the snap. The same salt gives the same bytes, also after the
// snap was removed and installed again.
import type { Hex } from '@metamask/utils';

import { heardUnlocked } from './answered';

/**
 * Get 32 bytes that only this snap can derive.
 *
 * @param salt - Which bytes; other salts give unrelated ones.
 * @param source - The wallet's entropy source; its primary one by default.
 */
export async function getEntropy(salt: string, source?: string): Promise<Hex> {
  const method = 'snap_getEntropy';
  const params = { version: 1 as const, salt, ...(source !== undefined && { source }) };
  return heardUnlocked(method, snap.request({ method, params }));
}
