// Functions that people meet often: what a call says, for those who are to sign it. A name
// proves nothing about the contract: four bytes are all that a call has of it.
import { bytesToHex } from '@metamask/utils';

import { abi, decodeFunction, listTypes } from '../eth/abi';
import type { AbiValue } from '../eth/abi';
import { byteLength } from '../eth/hex';
import type { Hex } from '../eth/hex';

/** Longest call whose arguments are decoded: nobody reads longer ones. */
const MAX_BYTES = 20_000;

/** Signatures by selector; the tests compare each pair. */
export const knownSignatures: Readonly<Record<Hex, string>> = {
  ...Object.fromEntries(
    Object.entries(abi).map(([signature, { selector }]) => [selector, signature]),
  ),
  // ERC-20, with the permits of EIP-2612, of DAI, and the approval of Permit2.
  '0xa9059cbb': 'transfer(address,uint256)',
  '0x095ea7b3': 'approve(address,uint256)',
  '0x23b872dd': 'transferFrom(address,address,uint256)',
  '0x39509351': 'increaseAllowance(address,uint256)',
  '0xa457c2d7': 'decreaseAllowance(address,uint256)',
  '0xd73dd623': 'increaseApproval(address,uint256)',
  '0xd505accf': 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  '0x8fcbaf0c': 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  '0x87517c45': 'approve(address,address,uint160,uint48)',
  '0x42966c68': 'burn(uint256)',
  // ERC-721 and ERC-1155.
  '0x42842e0e': 'safeTransferFrom(address,address,uint256)',
  '0xb88d4fde': 'safeTransferFrom(address,address,uint256,bytes)',
  '0xa22cb465': 'setApprovalForAll(address,bool)',
  '0xf242432a': 'safeTransferFrom(address,address,uint256,uint256,bytes)',
  '0x2eb2c2d6': 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  // Wrapped coins.
  '0xd0e30db0': 'deposit()',
  '0x2e1a7d4d': 'withdraw(uint256)',
  // Several calls in one.
  '0xac9650d8': 'multicall(bytes[])',
  '0x5ae401dc': 'multicall(uint256,bytes[])',
  '0x1f0464d1': 'multicall(bytes32,bytes[])',
  '0x252dba42': 'aggregate((address,bytes)[])',
  '0xbce38bd7': 'tryAggregate(bool,(address,bytes)[])',
  '0x82ad56cb': 'aggregate3((address,bool,bytes)[])',
  '0x174dea71': 'aggregate3Value((address,bool,uint256,bytes)[])',
  // Accounts, proxies and owners.
  '0x4a58db19': 'addDeposit()',
  '0x4d44560d': 'withdrawDepositTo(address,uint256)',
  '0x3659cfe6': 'upgradeTo(address)',
  '0x4f1ef286': 'upgradeToAndCall(address,bytes)',
  '0xf2fde38b': 'transferOwnership(address)',
  '0x79ba5097': 'acceptOwnership()',
  '0x715018a6': 'renounceOwnership()',
  '0x13af4035': 'setOwner(address)',
  '0x8f283970': 'changeAdmin(address)',
  '0x7eff275e': 'changeProxyAdmin(address,address)',
  '0x99a88ec4': 'upgrade(address,address)',
  '0x9623609d': 'upgradeAndCall(address,address,bytes)',
  '0x2f2ff15d': 'grantRole(bytes32,address)',
  '0x610b5925': 'enableModule(address)',
  // The EntryPoint.
  '0xb760faf9': 'depositTo(address)',
  '0x205c2878': 'withdrawTo(address,uint256)',
  '0x0396cb60': 'addStake(uint32)',
  '0xbb9fe6bf': 'unlockStake()',
  '0xc23a5cea': 'withdrawStake(address)',
  '0x0bd28e3b': 'incrementNonce(uint192)',
};

/** Functions that change who controls a Safe: whoever gets an owner's signature for one of
 * them can have the whole account. By selector; the tests compare each pair. */
export const safeControls: Readonly<Record<string, string>> = {
  '0x0d582f13': 'addOwnerWithThreshold(address,uint256)',
  '0xf8dc5dd9': 'removeOwner(address,address,uint256)',
  '0xe318b52b': 'swapOwner(address,address,address)',
  '0x694e80c3': 'changeThreshold(uint256)',
  '0x610b5925': 'enableModule(address)',
  '0xe19a9dd9': 'setGuard(address)',
  '0xf08a0323': 'setFallbackHandler(address)',
};

/** A call of a known function. */
export type KnownCall = {
  signature: string;
  types: readonly string[];
  /** Undefined if they cannot be read, or are too long to be. */
  values: readonly AbiValue[] | undefined;
  /** Whether its arguments are written as an encoder writes them, to the last byte. */
  isCanonical: boolean;
};

/** Finds the signature of a well-known function by a call's selector. */
export function findSignature(data: Hex): string | undefined {
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  return Object.hasOwn(knownSignatures, selector)
    ? knownSignatures[selector]
    : undefined;
}

/** Decodes a call, if its selector is that of a well-known function. */
export function findKnownCall(data: Hex): KnownCall | undefined {
  const signature = findSignature(data);
  if (signature === undefined) return undefined;
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  const types = listTypes(signature);
  const decoded =
    byteLength(data) > MAX_BYTES
      ? undefined
      : decodeFunction({ selector, types }, data);
  const { values, isCanonical = false } = decoded ?? {};
  return { signature, types, values, isCanonical };
}

/** Writes an argument: numbers in decimals, bytes in hex, lists in brackets. */
export function writeArgument(value: AbiValue): string {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'object') return `[${value.map(writeArgument).join(', ')}]`;
  return String(value);
}
