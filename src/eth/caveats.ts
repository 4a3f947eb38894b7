// Reads the caveats of MetaMask's delegations (ERC-7710) that cap a token's total amount. Other
// caveats, and those of other delegation managers, are ignored.
import { bytesToBigInt, hexToBytes } from '@metamask/utils';

import { matches } from '../schema/parse';
import { findAddress, isSameAddress, NodeBytesStruct, WORD_BYTES } from './hex';
import type { Hex } from './hex';

/** DelegationManager 1.3.0, which has the same address on every chain.
 * @see https://github.com/MetaMask/delegation-framework/blob/main/documents/Deployments.md */
const MANAGER = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';

/** Byte offset of the cap in each enforcer's terms, which start with the token's address. */
const caps: Readonly<Record<string, number>> = {
  // ERC20TransferAmountEnforcer
  '0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc': 20,
  // ERC20StreamingEnforcer
  '0x56c97ae02f233b29fa03502ecc0457266d9be00e': 52,
};

export function findCap(
  manager: Hex,
  enforcer: unknown,
  terms: unknown,
): { token: Hex; amount: bigint } | undefined {
  const start = caps[findAddress(enforcer)?.toLowerCase() ?? ''];
  if (start === undefined || !isSameAddress(manager, MANAGER)) return undefined;
  if (!matches(terms, NodeBytesStruct)) return undefined;
  const bytes = hexToBytes(terms);
  if (bytes.length < start + WORD_BYTES) return undefined;
  const amount = bytesToBigInt(bytes.slice(start, start + WORD_BYTES));
  return { token: `0x${terms.slice(2, 42)}`, amount };
}
