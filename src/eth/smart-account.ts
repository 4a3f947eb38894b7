// SimpleAccount: its counterfactual address and its deployment.
import { generateAddress, generateAddress2 } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { encodeArguments, encodeCall } from './abi';
import type { EntryPointVersion } from './entry-point';
import { concatHex, toPaddedHex } from './hex';
import type { Hex } from './hex';
import { proxyCreationCode } from './proxy-code';

/** What a SimpleAccountFactory makes an account from. */
export type SmartAccountOrigin = {
  entryPoint: EntryPointVersion;
  factory: Hex;
  owner: Hex;
  salt: bigint;
};

/**
 * Compute the address that the factory will give an account (CREATE2), without a node.
 *
 * @param origin - Its factory must be the SimpleAccountFactory of that version: the
 * implementation is the first contract that it created.
 */
export function computeAccountAddress(origin: SmartAccountOrigin): Hex {
  const factory = hexToBytes(origin.factory);
  const implementation = bytesToHex(generateAddress(factory, Uint8Array.of(1)));
  const initialize = encodeCall('initialize(address)', [origin.owner]);
  const initCode = concatHex(
    proxyCreationCode[origin.entryPoint],
    encodeArguments(['address', 'bytes'], [implementation, initialize]),
  );
  const salt = hexToBytes(toPaddedHex(origin.salt, 32));
  return bytesToHex(generateAddress2(factory, salt, hexToBytes(initCode)));
}

/** Encode what deploys an account: the factory's address and its call. */
export function encodeInitCode({ factory, owner, salt }: SmartAccountOrigin): Hex {
  return concatHex(
    factory,
    encodeCall('createAccount(address,uint256)', [owner, salt]),
  );
}
