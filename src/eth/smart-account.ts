// Smart accounts: a SimpleAccount per EntryPoint, and a Safe (1.4.1, with one owner and the
// Safe4337Module 0.3.0). The Safe setup matches that of Safe's own SDK.
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { entryPoints, entryPointVersions } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import { SAFE_BOUNDS, SAFE_ENTRY_POINT, SAFE_MODULE } from '../core/safe';
import { encodeArguments, encodeCall } from './abi';
import {
  concatHex,
  hashHex,
  isSameAddress,
  keccak256,
  quantityBelow,
  toPaddedHex,
  ZERO_ADDRESS,
} from './hex';
import type { Hex } from './hex';

/**
 * Creation code of the proxies that the canonical factories deploy, without constructor arguments:
 * an ERC-1967 proxy (OpenZeppelin, MIT) for each version's SimpleAccountFactory, and SafeProxy
 * (Safe, LGPL-3.0). With it, an account's address can be computed without trusting a node.
 */
export type ProxyCode = Record<EntryPointVersion | 'safe', Hex>;

type AccountContract = {
  implementation?: 'safe';
  entryPoint: EntryPointVersion;
  factory: Hex;
};

export type SmartAccountOrigin = AccountContract & { owner: Hex; salt: bigint };

export const SAFE_FACTORY: Hex = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67';

export const canonicalContracts: readonly AccountContract[] = [
  ...entryPointVersions.map((entryPoint) => ({
    entryPoint,
    factory: entryPoints[entryPoint].factory,
  })),
  { implementation: 'safe', entryPoint: SAFE_ENTRY_POINT, factory: SAFE_FACTORY },
];

export function isCanonical(contract: AccountContract): boolean {
  const { implementation, entryPoint, factory } = contract;
  return canonicalContracts.some(
    (each) =>
      each.implementation === implementation &&
      each.entryPoint === entryPoint &&
      isSameAddress(each.factory, factory),
  );
}

export function computeCreateAddress(from: Hex, nonce: bigint): Hex {
  return toAddress(RLP.encode([hexToBytes(from), nonce]));
}

/** Computes the address of a contract that is created with a 32-byte salt (EIP-1014). */
export function computeCreate2Address(from: Hex, salt: Hex, code: Hex): Hex {
  return toAddress(hexToBytes(concatHex('0xff', from, salt, hashHex(code))));
}

function toAddress(preimage: Uint8Array): Hex {
  return bytesToHex(keccak256(preimage).slice(-20));
}

/** Computes the address that the factory will give an account (CREATE2), without a node. Supports
 * only the canonical factories, because a SimpleAccount's implementation is computed as well: it is
 * the first contract that the factory created. */
export function computeAccountAddress(
  origin: SmartAccountOrigin,
  proxies: ProxyCode,
): Hex {
  const { implementation, entryPoint, factory, owner } = origin;
  const salt = toPaddedHex(origin.salt, 32);
  if (implementation === 'safe') {
    return computeCreate2Address(
      SAFE_FACTORY,
      hashHex(concatHex(hashHex(encodeSetup(owner)), salt)),
      concatHex(proxies.safe, encodeArguments(['address'], [SINGLETON])),
    );
  }
  const initialize = encodeCall('initialize(address)', [owner]);
  const parts = [computeCreateAddress(factory, 1n), initialize];
  return computeCreate2Address(
    factory,
    salt,
    concatHex(proxies[entryPoint], encodeArguments(['address', 'bytes'], parts)),
  );
}

export function encodeCreation(origin: SmartAccountOrigin): Hex {
  const { implementation, owner, salt } = origin;
  if (implementation !== 'safe') {
    return encodeCall('createAccount(address,uint256)', [owner, salt]);
  }
  const values = [SINGLETON, encodeSetup(owner), salt];
  return encodeCall('createProxyWithNonce(address,bytes,uint256)', values);
}

export function encodeInitCode(origin: SmartAccountOrigin): Hex {
  return concatHex(origin.factory, encodeCreation(origin));
}

const UNDEPLOYED_SUFFIX: Hex = `0x${'6492'.repeat(16)}`;

/** Wraps a signature of an undeployed account with its deployment (ERC-6492), which verifiers
 * execute before they ask the contract. */
export function wrapUndeployed(signature: Hex, origin: SmartAccountOrigin): Hex {
  const parts = [origin.factory, encodeCreation(origin), signature];
  return concatHex(
    encodeArguments(['address', 'bytes', 'bytes'], parts),
    UNDEPLOYED_SUFFIX,
  );
}

// A nonce consists of a 192-bit key and a 64-bit sequence number. Each key has its own sequence, so
// operations with different keys do not wait for each other.
const SEQUENCE_BITS = 64n;

export const NonceKeyStruct = quantityBelow(2n ** 192n, '2^192');

export function keyOf(nonce: bigint): bigint {
  return nonce >> SEQUENCE_BITS;
}

export function sequenceOf(nonce: bigint): bigint {
  return BigInt.asUintN(Number(SEQUENCE_BITS), nonce);
}

export function toNonceCall(
  entryPoint: EntryPointVersion,
  sender: Hex,
  key: bigint,
): { to: Hex; data: Hex } {
  return {
    to: entryPoints[entryPoint].entryPoint,
    data: encodeCall('getNonce(address,uint192)', [sender, key]),
  };
}

/** The implementation of a Safe's proxy. */
const SINGLETON: Hex = '0x41675C099F32341bf84BFc5382aF534df5C7461a';

/** SafeModuleSetup, through which a new Safe enables the module. */
const MODULE_SETUP: Hex = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47';

/** MultiSendCallOnly, to which a Safe delegates to make several calls. */
export const SAFE_MULTI_SEND: Hex = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';

/** MultiSend and MultiSendCallOnly 1.5.0, which call the Safe itself if the recipient is zero. */
export const selfCallingMultiSends: readonly Hex[] = [
  '0x218543288004CD07832472D464648173c77D7eB7',
  '0xA83c336B20401Af773B6219BA5027174338D1836',
];

/** MultiSend and MultiSendCallOnly of all versions. A Safe that delegates to one of them only
 * executes the transactions in its argument; MultiSend also allows delegatecalls there. */
export const multiSends: readonly Hex[] = [
  // 1.1.1, 1.3.0 at its two addresses, 1.4.1, 1.5.0.
  '0x8D29bE29923b68abfDD21e541b9374737B49cdAD',
  '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761',
  '0x998739BFdAAdde7C933B942a68053933098f9EDa',
  '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D',
  '0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B',
  '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  SAFE_MULTI_SEND,
  ...selfCallingMultiSends,
  // 1.3.0 and 1.4.1 on ZKsync, which computes addresses differently.
  '0x0dFcccB95225ffB03c6FBB2559B530C2B7C8A912',
  '0xf220D3b4DFb23C4ade8C88E526C1353AbAcbC38F',
  '0x309D0B190FeCCa8e1D5D8309a16F7e3CB133E885',
  '0x0408EF011960d02349d50286D20531229BCef773',
];

function encodeSetup(owner: Hex): Hex {
  return encodeCall(
    'setup(address[],uint256,address,bytes,address,address,uint256,address)',
    [
      [owner],
      1n,
      MODULE_SETUP,
      encodeCall('enableModules(address[])', [[SAFE_MODULE]]),
      SAFE_MODULE,
      ZERO_ADDRESS,
      0n,
      ZERO_ADDRESS,
    ],
  );
}

/** Finds the owner's signature in a Safe's signature of a user operation; undefined unless its
 * validity is unlimited, as in all signatures by this snap. */
export function findSafeSignature(signature: Hex): Hex | undefined {
  return signature.startsWith(SAFE_BOUNDS)
    ? `0x${signature.slice(SAFE_BOUNDS.length)}`
    : undefined;
}
