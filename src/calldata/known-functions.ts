// Functions that people meet often: what a call says, for those who are to sign it. A name
// proves nothing about the contract: four bytes are all that a call has of it.
import { bytesToHex } from '@metamask/utils';

import { abi, decodeFunction, listTypes } from '../eth/abi';
import type { AbiValue } from '../eth/abi';
import { byteLength } from '../eth/hex';
import type { Hex } from '../eth/hex';

/** Longest call whose arguments are decoded: nobody reads longer ones. */
const MAX_BYTES = 20_000;

/** Names of arguments in a function, also within tuples. */
const NAMES = / \w+(?=[,)])/gu;

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

/** Functions by selector, with the names of their arguments. */
const functions: Readonly<Record<Hex, string>> = {
  ...Object.fromEntries(
    Object.entries(abi).map(([signature, { selector }]) => [selector, signature]),
  ),
  ...safeControls,
  // ERC-20, with the permits of EIP-2612, of DAI, and the approval of Permit2.
  '0xa9059cbb': 'transfer(address to,uint256 amount)',
  '0x095ea7b3': 'approve(address spender,uint256 amount)',
  '0x23b872dd': 'transferFrom(address from,address to,uint256 amount)',
  '0x39509351': 'increaseAllowance(address spender,uint256 addedAmount)',
  '0xa457c2d7': 'decreaseAllowance(address spender,uint256 subtractedAmount)',
  '0xd73dd623': 'increaseApproval(address spender,uint256 addedAmount)',
  '0xd505accf':
    'permit(address owner,address spender,uint256 amount,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
  '0x8fcbaf0c':
    'permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)',
  '0x87517c45':
    'approve(address token,address spender,uint160 amount,uint48 expiration)',
  '0x42966c68': 'burn(uint256 amount)',
  // ERC-721 and ERC-1155.
  '0x42842e0e': 'safeTransferFrom(address from,address to,uint256 tokenId)',
  '0xb88d4fde': 'safeTransferFrom(address from,address to,uint256 tokenId,bytes data)',
  '0xa22cb465': 'setApprovalForAll(address operator,bool approved)',
  '0xf242432a':
    'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)',
  '0x2eb2c2d6':
    'safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)',
  // Wrapped coins.
  '0xd0e30db0': 'deposit()',
  '0x2e1a7d4d': 'withdraw(uint256 amount)',
  // Several calls in one.
  '0xac9650d8': 'multicall(bytes[] calls)',
  '0x5ae401dc': 'multicall(uint256 deadline,bytes[] calls)',
  '0x1f0464d1': 'multicall(bytes32 previousBlockhash,bytes[] calls)',
  '0x252dba42': 'aggregate((address,bytes)[] calls)',
  '0xbce38bd7': 'tryAggregate(bool requireSuccess,(address,bytes)[] calls)',
  '0x82ad56cb': 'aggregate3((address,bool,bytes)[] calls)',
  '0x174dea71': 'aggregate3Value((address,bool,uint256,bytes)[] calls)',
  // Safes and modular accounts (ERC-7579).
  '0x6a761202':
    'execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
  '0x7bb37428': 'executeUserOp(address to,uint256 value,bytes data,uint8 operation)',
  '0x8d80ff0a': 'multiSend(bytes transactions)',
  '0xe9ae5c53': 'execute(bytes32 mode,bytes executionCalldata)',
  // Accounts, proxies and owners.
  '0x4a58db19': 'addDeposit()',
  '0x4d44560d': 'withdrawDepositTo(address withdrawAddress,uint256 amount)',
  '0x3659cfe6': 'upgradeTo(address newImplementation)',
  '0x4f1ef286': 'upgradeToAndCall(address newImplementation,bytes data)',
  '0xf2fde38b': 'transferOwnership(address newOwner)',
  '0x79ba5097': 'acceptOwnership()',
  '0x715018a6': 'renounceOwnership()',
  '0x13af4035': 'setOwner(address owner)',
  '0x8f283970': 'changeAdmin(address newAdmin)',
  '0x7eff275e': 'changeProxyAdmin(address proxy,address newAdmin)',
  '0x99a88ec4': 'upgrade(address proxy,address implementation)',
  '0x9623609d': 'upgradeAndCall(address proxy,address implementation,bytes data)',
  '0x2f2ff15d': 'grantRole(bytes32 role,address account)',
  // The EntryPoint.
  '0xb760faf9': 'depositTo(address account)',
  '0x205c2878': 'withdrawTo(address withdrawAddress,uint256 amount)',
  '0x0396cb60': 'addStake(uint32 unstakeDelaySec)',
  '0xbb9fe6bf': 'unlockStake()',
  '0xc23a5cea': 'withdrawStake(address withdrawAddress)',
  '0x0bd28e3b': 'incrementNonce(uint192 key)',
};

/** Signatures by selector; the tests compare each pair. */
export const knownSignatures: Readonly<Record<Hex, string>> = Object.fromEntries(
  Object.entries(functions).map(([selector, each]) => [
    selector,
    each.replace(NAMES, ''),
  ]),
);

/** A call of a known function. */
export type KnownCall = {
  signature: string;
  types: readonly string[];
  /** Names of the arguments; their types where they have none. */
  names: readonly string[];
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
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  const known = Object.hasOwn(functions, selector) ? functions[selector] : undefined;
  return known === undefined ? undefined : decodeKnown(known, data);
}

/**
 * Decodes a call of a function.
 *
 * @param declared - As in `swap(address token, (uint256 amount, bytes data) order)`.
 */
export function decodeKnown(declared: string, data: Hex): KnownCall {
  const named = declared.replace(/,\s+/gu, ',');
  const signature = named.replace(NAMES, '');
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  const types = listTypes(signature);
  const decoded =
    byteLength(data) > MAX_BYTES
      ? undefined
      : decodeFunction({ selector, types }, data);
  const { values, isCanonical = false } = decoded ?? {};
  const names = listTypes(named).map(
    (each, index) => / (\w+)$/u.exec(each)?.[1] ?? types[index] ?? '',
  );
  return { signature, types, names, values, isCanonical };
}

/** Writes an argument: numbers in decimals, bytes in hex, lists in brackets. */
export function writeArgument(value: AbiValue): string {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'object') return `[${value.map(writeArgument).join(', ')}]`;
  return String(value);
}
