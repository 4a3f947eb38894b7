// Contracts that an account creates: it calls the deterministic deployer (Arachnid's), which
// takes a salt of 32 bytes and the init code, and creates by CREATE2.
import { generateAddress2 } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import type { Call } from './account-calls';
import { isSameAddress } from './hex';
import type { Hex } from './hex';
import { DETERMINISTIC_DEPLOYER } from './user-operation';

/** `0x` and the digits of the salt. */
const SALT_END = 66;

/** A contract to be, and the salt that its address depends on. */
export type Deployment = { address: Hex; salt: Hex };

/**
 * Compute the address of the contract that a call creates.
 *
 * @returns Undefined if the call is not for the deployer, or gives it no init code.
 * @see https://eips.ethereum.org/EIPS/eip-1014
 */
export function computeDeployment({
  to,
  data,
}: Pick<Call, 'to' | 'data'>): Deployment | undefined {
  if (!isSameAddress(to, DETERMINISTIC_DEPLOYER) || data.length <= SALT_END) {
    return undefined;
  }
  const salt = data.slice(0, SALT_END).toLowerCase() as Hex;
  const address = generateAddress2(
    hexToBytes(DETERMINISTIC_DEPLOYER),
    hexToBytes(salt),
    hexToBytes(`0x${data.slice(SALT_END)}`),
  );
  return { address: bytesToHex(address), salt };
}
