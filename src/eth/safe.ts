// Safe 1.4.1 with one owner and the Safe4337Module 0.3.0, for EntryPoint 0.7: its address, its
// deployment, and what its owner signs in its name. Safe's own SDK sets it up in the same way.
import { hexToBytes } from '@metamask/utils';

import { encodeArguments, encodeCall } from './abi';
import type { ChainId } from './chain';
import { computeCreate2Address } from './create-address';
import { concatHex, keccak256, toPaddedHex, toQuantity, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import type { TypedData } from './typed-data';
import { fieldsOf } from './typed-data-types';
import type { TypedField } from './typed-data-types';
import { entryPoints, SAFE_BOUNDS } from './user-operation';
import type { EntryPointVersion, UserOperation } from './user-operation';

/** The EntryPoint of its module. */
export const SAFE_ENTRY_POINT: EntryPointVersion = '0.7';

/** SafeProxyFactory. */
export const SAFE_FACTORY: Hex = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67';

/** MultiSendCallOnly, which a Safe delegates to for several calls. */
export const SAFE_MULTI_SEND: Hex = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';

/** MultiSend and MultiSendCallOnly of all versions: a Safe that delegates to one makes the calls in
 * it, and nothing else. */
export const multiSends: readonly Hex[] = [
  // 1.1.1, 1.3.0 at its two addresses, 1.4.1, 1.5.0.
  '0x8D29bE29923b68abfDD21e541b9374737B49cdAD',
  '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761',
  '0x998739BFdAAdde7C933B942a68053933098f9EDa',
  '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D',
  '0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B',
  '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  SAFE_MULTI_SEND,
  '0x218543288004CD07832472D464648173c77D7eB7',
  '0xA83c336B20401Af773B6219BA5027174338D1836',
  // 1.3.0 on ZKsync, where addresses are computed in another way.
  '0x0dFcccB95225ffB03c6FBB2559B530C2B7C8A912',
  '0xf220D3b4DFb23C4ade8C88E526C1353AbAcbC38F',
];

/** The code that a Safe's proxy delegates to. */
const SINGLETON: Hex = '0x41675C099F32341bf84BFc5382aF534df5C7461a';

/** Safe4337Module, which is the fallback handler, too: it has ERC-1271. */
export const SAFE_MODULE: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';

/** SafeModuleSetup, which enables the module while the Safe is set up. */
const MODULE_SETUP: Hex = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47';

/** Owner and salt of a Safe: its address follows from them. */
export type SafeOrigin = { owner: Hex; salt: bigint };

/** Computes the address that the factory will give a Safe (CREATE2), without a node. */
export function computeSafeAddress({ owner, salt }: SafeOrigin, proxy: Hex): Hex {
  const initializer = keccak256(hexToBytes(encodeSetup(owner)));
  const nonce = hexToBytes(toPaddedHex(salt, 32));
  const code = concatHex(proxy, encodeArguments(['address'], [SINGLETON]));
  return computeCreate2Address(
    hexToBytes(SAFE_FACTORY),
    keccak256(Uint8Array.of(...initializer, ...nonce)),
    hexToBytes(code),
  );
}

/** Encodes the call to the factory that deploys a Safe. */
export function encodeSafeCreation({ owner, salt }: SafeOrigin): Hex {
  return encodeCall('createProxyWithNonce(address,bytes,uint256)', [
    SINGLETON,
    encodeSetup(owner),
    salt,
  ]);
}

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

/** Writes a Safe's user operation as its owner signs it; limits and fees are below 2^128. */
export function toSafeOperation(operation: UserOperation, chainId: ChainId): TypedData {
  const { sender, nonce, initCode, callData, paymasterAndData } = operation;
  return toDocument('SafeOp', OPERATION_TYPE, {
    domain: { chainId: toQuantity(chainId), verifyingContract: SAFE_MODULE },
    message: {
      safe: sender,
      nonce: toQuantity(nonce),
      initCode,
      callData,
      verificationGasLimit: toQuantity(operation.verificationGasLimit),
      callGasLimit: toQuantity(operation.callGasLimit),
      preVerificationGas: toQuantity(operation.preVerificationGas),
      maxPriorityFeePerGas: toQuantity(operation.maxPriorityFeePerGas),
      maxFeePerGas: toQuantity(operation.maxFeePerGas),
      paymasterAndData,
      validAfter: 0,
      validUntil: 0,
      entryPoint: entryPoints[SAFE_ENTRY_POINT].entryPoint,
    },
  });
}

/** Writes the hash of a message as its owner signs it in the Safe's name (ERC-1271). */
export function toSafeMessage(
  hash: Hex,
  { address, chainId }: { address: Hex; chainId: ChainId },
): TypedData {
  return toDocument('SafeMessage', fieldsOf('bytes message'), {
    domain: { chainId: toQuantity(chainId), verifyingContract: address },
    message: { message: hash },
  });
}

/** Puts the bounds of a user operation's validity before its owner's signature. */
export function toSafeSignature(signature: Hex): Hex {
  return concatHex(SAFE_BOUNDS, signature);
}

/** Takes them off again; undefined if there are others. */
export function findSafeSignature(signature: Hex): Hex | undefined {
  return signature.startsWith(SAFE_BOUNDS)
    ? `0x${signature.slice(SAFE_BOUNDS.length)}`
    : undefined;
}

function toDocument(
  primaryType: string,
  fields: TypedField[],
  document: { domain: TypedData['domain']; message: TypedData['message'] },
): TypedData {
  const types = { EIP712Domain: DOMAIN_TYPE, [primaryType]: fields };
  return { types, primaryType, ...document };
}

const DOMAIN_TYPE = fieldsOf('uint256 chainId,address verifyingContract');

const OPERATION_TYPE = fieldsOf(
  'address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,' +
    'uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,' +
    'uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,' +
    'address entryPoint',
);
