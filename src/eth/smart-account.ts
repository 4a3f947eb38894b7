// Smart accounts: a SimpleAccount of each EntryPoint, and a Safe (1.4.1, with one owner and the
// Safe4337Module 0.3.0): their counterfactual addresses, their deployment and their nonces, and what
// a Safe's owner signs in its name. Safe's own SDK sets it up in the same way.
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { encodeArguments, encodeCall } from './abi';
import type { ChainId } from './chain';
import {
  concatHex,
  hashHex,
  isSameAddress,
  keccak256,
  quantityBelow,
  toPaddedHex,
  toQuantity,
  withQuantities,
  ZERO_ADDRESS,
} from './hex';
import type { Hex } from './hex';
import { fieldsOf } from './typed-data';
import type { TypedData } from './typed-data';
import { entryPoints, entryPointVersions, SAFE_BOUNDS } from './user-operation';
import type { EntryPointVersion, UserOperation } from './user-operation';

/** The contract of accounts, a SimpleAccount or a Safe, and its factory. */
type AccountContract = {
  implementation?: 'safe';
  entryPoint: EntryPointVersion;
  factory: Hex;
};

export type SmartAccountOrigin = AccountContract & { owner: Hex; salt: bigint };

/** The EntryPoint of a Safe's module. */
export const SAFE_ENTRY_POINT: EntryPointVersion = '0.7';

/** SafeProxyFactory. */
export const SAFE_FACTORY: Hex = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67';

/** The contracts of the accounts that an owner can have without naming any. */
export const canonicalContracts: readonly AccountContract[] = [
  ...entryPointVersions.map((entryPoint) => ({
    entryPoint,
    factory: entryPoints[entryPoint].factory,
  })),
  { implementation: 'safe', entryPoint: SAFE_ENTRY_POINT, factory: SAFE_FACTORY },
];

/** Returns whether a factory is the canonical one for its contract and EntryPoint. */
export function isCanonical(contract: AccountContract): boolean {
  const { implementation, entryPoint, factory } = contract;
  return canonicalContracts.some(
    (each) =>
      each.implementation === implementation &&
      each.entryPoint === entryPoint &&
      isSameAddress(each.factory, factory),
  );
}

/** Computes the address of a contract that an account creates with a nonce (CREATE). */
export function computeCreateAddress(from: Hex, nonce: bigint): Hex {
  return toAddress(RLP.encode([hexToBytes(from), nonce]));
}

/** Computes the address of a contract that another one creates with a salt of 32 bytes and the
 * creation code (EIP-1014). */
export function computeCreate2Address(from: Hex, salt: Hex, code: Hex): Hex {
  return toAddress(hexToBytes(concatHex('0xff', from, salt, hashHex(code))));
}

function toAddress(preimage: Uint8Array): Hex {
  return bytesToHex(keccak256(preimage).slice(-20));
}

/** Computes the address that the factory will give an account (CREATE2), without a node. The
 * factory of a SimpleAccount must be that of its version: the code is that of the first contract
 * that it created. */
export function computeAccountAddress(origin: SmartAccountOrigin): Hex {
  const { implementation, entryPoint, factory, owner } = origin;
  const salt = toPaddedHex(origin.salt, 32);
  if (implementation === 'safe') {
    return computeCreate2Address(
      SAFE_FACTORY,
      hashHex(concatHex(hashHex(encodeSetup(owner)), salt)),
      concatHex(SAFE_PROXY_CODE, encodeArguments(['address'], [SINGLETON])),
    );
  }
  const initialize = encodeCall('initialize(address)', [owner]);
  const parts = [computeCreateAddress(factory, 1n), initialize];
  return computeCreate2Address(
    factory,
    salt,
    concatHex(
      proxyCreationCode[entryPoint],
      encodeArguments(['address', 'bytes'], parts),
    ),
  );
}

/** Encodes the call to its factory that deploys an account. */
export function encodeCreation(origin: SmartAccountOrigin): Hex {
  const { implementation, owner, salt } = origin;
  if (implementation !== 'safe') {
    return encodeCall('createAccount(address,uint256)', [owner, salt]);
  }
  const values = [SINGLETON, encodeSetup(owner), salt];
  return encodeCall('createProxyWithNonce(address,bytes,uint256)', values);
}

/** Encodes an account's deployment: the factory's address and its call. */
export function encodeInitCode(origin: SmartAccountOrigin): Hex {
  return concatHex(origin.factory, encodeCreation(origin));
}

/** Ends a signature that says how its account is deployed. */
const UNDEPLOYED_SUFFIX: Hex = `0x${'6492'.repeat(16)}`;

/** Writes the signature of an account that has no code yet, with its deployment, which verifiers
 * carry out before they ask the contract (EIP-6492). */
export function wrapUndeployed(signature: Hex, origin: SmartAccountOrigin): Hex {
  const parts = [origin.factory, encodeCreation(origin), signature];
  return concatHex(
    encodeArguments(['address', 'bytes', 'bytes'], parts),
    UNDEPLOYED_SUFFIX,
  );
}

// A nonce has a key of 192 bits and its own sequence of 64 bits, so that operations of different
// keys do not wait for each other.
const SEQUENCE_BITS = 64n;

export const NonceKeyStruct = quantityBelow(2n ** 192n, '2^192');

export function keyOf(nonce: bigint): bigint {
  return nonce >> SEQUENCE_BITS;
}

export function sequenceOf(nonce: bigint): bigint {
  return BigInt.asUintN(Number(SEQUENCE_BITS), nonce);
}

/** Encodes the EntryPoint call for a sender's next nonce. */
export function toNonceCall({
  entryPoint,
  sender,
  key,
}: {
  entryPoint: EntryPointVersion;
  sender: Hex;
  key: bigint;
}): { to: Hex; data: Hex } {
  return {
    to: entryPoints[entryPoint].entryPoint,
    data: encodeCall('getNonce(address,uint192)', [sender, key]),
  };
}

// The creation codes of proxies, without the constructor's arguments. An account's address is a
// hash over it, so having it here is what lets the address be computed without trusting a node.
// The tests compare them with what the factories really deploy.

const PROXY_08: Hex =
  '0x60806040526102a88038038061001481610168565b92833981016040828203126101645781516001600160a01b03811692909190838303610164576020810151906001600160401b03821161016457019281601f8501121561016457835161006e610069826101a1565b610168565b9481865260208601936020838301011161016457815f926020809301865e86010152823b15610152577f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc80546001600160a01b031916821790557fbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b5f80a282511561013a575f8091610122945190845af43d15610132573d91610113610069846101a1565b9283523d5f602085013e6101bc565b505b604051608d908161021b8239f35b6060916101bc565b50505034156101245763b398979f60e01b5f5260045ffd5b634c9c8ce360e01b5f5260045260245ffd5b5f80fd5b6040519190601f01601f191682016001600160401b0381118382101761018d57604052565b634e487b7160e01b5f52604160045260245ffd5b6001600160401b03811161018d57601f01601f191660200190565b906101e057508051156101d157805190602001fd5b63d6bda27560e01b5f5260045ffd5b81511580610211575b6101f1575090565b639996b31560e01b5f9081526001600160a01b0391909116600452602490fd5b50803b156101e956fe60806040525f8073ffffffffffffffffffffffffffffffffffffffff7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc5416368280378136915af43d5f803e156053573d5ff35b3d5ffdfea264697066735822122012ef914fc5c0fe0eff95047a7f10780a737a1ca4f30269b985bcf38a18e4d23464736f6c634300081c0033';

/** The ERC-1967 proxy (OpenZeppelin, MIT) of each version's SimpleAccountFactory. */
export const proxyCreationCode: Record<EntryPointVersion, Hex> = {
  '0.6':
    '0x60806040526040516107c13803806107c183398101604081905261002291610321565b61002e82826000610035565b505061043e565b61003e8361006b565b60008251118061004b5750805b156100665761006483836100ab60201b6100291760201c565b505b505050565b610074816100d7565b6040516001600160a01b038216907fbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b90600090a250565b60606100d0838360405180606001604052806027815260200161079a602791396101a9565b9392505050565b6100ea8161022260201b6100551760201c565b6101515760405162461bcd60e51b815260206004820152602d60248201527f455243313936373a206e657720696d706c656d656e746174696f6e206973206e60448201526c1bdd08184818dbdb9d1c9858dd609a1b60648201526084015b60405180910390fd5b806101887f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc60001b61023160201b6100711760201c565b80546001600160a01b0319166001600160a01b039290921691909117905550565b6060600080856001600160a01b0316856040516101c691906103ef565b600060405180830381855af49150503d8060008114610201576040519150601f19603f3d011682016040523d82523d6000602084013e610206565b606091505b50909250905061021886838387610234565b9695505050505050565b6001600160a01b03163b151590565b90565b606083156102a357825160000361029c576001600160a01b0385163b61029c5760405162461bcd60e51b815260206004820152601d60248201527f416464726573733a2063616c6c20746f206e6f6e2d636f6e74726163740000006044820152606401610148565b50816102ad565b6102ad83836102b5565b949350505050565b8151156102c55781518083602001fd5b8060405162461bcd60e51b8152600401610148919061040b565b634e487b7160e01b600052604160045260246000fd5b60005b838110156103105781810151838201526020016102f8565b838111156100645750506000910152565b6000806040838503121561033457600080fd5b82516001600160a01b038116811461034b57600080fd5b60208401519092506001600160401b038082111561036857600080fd5b818501915085601f83011261037c57600080fd5b81518181111561038e5761038e6102df565b604051601f8201601f19908116603f011681019083821181831017156103b6576103b66102df565b816040528281528860208487010111156103cf57600080fd5b6103e08360208301602088016102f5565b80955050505050509250929050565b600082516104018184602087016102f5565b9190910192915050565b602081526000825180602084015261042a8160408501602087016102f5565b601f01601f19169190910160400192915050565b61034d8061044d6000396000f3fe60806040523661001357610011610017565b005b6100115b610027610022610074565b6100b9565b565b606061004e83836040518060600160405280602781526020016102f1602791396100dd565b9392505050565b73ffffffffffffffffffffffffffffffffffffffff163b151590565b90565b60006100b47f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc5473ffffffffffffffffffffffffffffffffffffffff1690565b905090565b3660008037600080366000845af43d6000803e8080156100d8573d6000f35b3d6000fd5b60606000808573ffffffffffffffffffffffffffffffffffffffff16856040516101079190610283565b600060405180830381855af49150503d8060008114610142576040519150601f19603f3d011682016040523d82523d6000602084013e610147565b606091505b509150915061015886838387610162565b9695505050505050565b606083156101fd5782516000036101f65773ffffffffffffffffffffffffffffffffffffffff85163b6101f6576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152601d60248201527f416464726573733a2063616c6c20746f206e6f6e2d636f6e747261637400000060448201526064015b60405180910390fd5b5081610207565b610207838361020f565b949350505050565b81511561021f5781518083602001fd5b806040517f08c379a00000000000000000000000000000000000000000000000000000000081526004016101ed919061029f565b60005b8381101561026e578181015183820152602001610256565b8381111561027d576000848401525b50505050565b60008251610295818460208701610253565b9190910192915050565b60208152600082518060208401526102be816040850160208701610253565b601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe016919091016040019291505056fe416464726573733a206c6f772d6c6576656c2064656c65676174652063616c6c206661696c6564a26469706673582212201cd78ab6a31213989661cff2d7d05fc9b9c38b1a848e8249e2e398659a9eb7e364736f6c634300080f0033416464726573733a206c6f772d6c6576656c2064656c65676174652063616c6c206661696c6564',
  '0.7':
    '0x608060405260405161041738038061041783398101604081905261002291610268565b61002c8282610033565b5050610352565b61003c82610092565b6040516001600160a01b038316907fbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b90600090a280511561008657610081828261010e565b505050565b61008e610185565b5050565b806001600160a01b03163b6000036100cd57604051634c9c8ce360e01b81526001600160a01b03821660048201526024015b60405180910390fd5b7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc80546001600160a01b0319166001600160a01b0392909216919091179055565b6060600080846001600160a01b03168460405161012b9190610336565b600060405180830381855af49150503d8060008114610166576040519150601f19603f3d011682016040523d82523d6000602084013e61016b565b606091505b50909250905061017c8583836101a6565b95945050505050565b34156101a45760405163b398979f60e01b815260040160405180910390fd5b565b6060826101bb576101b682610205565b6101fe565b81511580156101d257506001600160a01b0384163b155b156101fb57604051639996b31560e01b81526001600160a01b03851660048201526024016100c4565b50805b9392505050565b8051156102155780518082602001fd5b604051630a12f52160e11b815260040160405180910390fd5b634e487b7160e01b600052604160045260246000fd5b60005b8381101561025f578181015183820152602001610247565b50506000910152565b6000806040838503121561027b57600080fd5b82516001600160a01b038116811461029257600080fd5b60208401519092506001600160401b03808211156102af57600080fd5b818501915085601f8301126102c357600080fd5b8151818111156102d5576102d561022e565b604051601f8201601f19908116603f011681019083821181831017156102fd576102fd61022e565b8160405282815288602084870101111561031657600080fd5b610327836020830160208801610244565b80955050505050509250929050565b60008251610348818460208701610244565b9190910192915050565b60b7806103606000396000f3fe6080604052600a600c565b005b60186014601a565b605e565b565b600060597f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc5473ffffffffffffffffffffffffffffffffffffffff1690565b905090565b3660008037600080366000845af43d6000803e808015607c573d6000f35b3d6000fdfea2646970667358221220d7f23a80daebb5531c9e4a18d87e812fca112e5df7e56433218edcc12bbe415d64736f6c63430008170033',
  '0.8': PROXY_08,
  '0.9': PROXY_08,
};

/** SafeProxy (Safe, LGPL-3.0). */
export const SAFE_PROXY_CODE: Hex =
  '0x608060405234801561001057600080fd5b506040516101e63803806101e68339818101604052602081101561003357600080fd5b8101908080519060200190929190505050600073ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff1614156100ca576040517f08c379a00000000000000000000000000000000000000000000000000000000081526004018080602001828103825260228152602001806101c46022913960400191505060405180910390fd5b806000806101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff1602179055505060ab806101196000396000f3fe608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033496e76616c69642073696e676c65746f6e20616464726573732070726f7669646564';

/** The code that a Safe's proxy delegates to. */
const SINGLETON: Hex = '0x41675C099F32341bf84BFc5382aF534df5C7461a';

/** Safe4337Module, which is the fallback handler, too: it has ERC-1271. */
export const SAFE_MODULE: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';

/** SafeModuleSetup, which enables the module while the Safe is set up. */
const MODULE_SETUP: Hex = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47';

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
  const { sender: safe, signature: _signature, ...fields } = operation;
  const { entryPoint } = entryPoints[SAFE_ENTRY_POINT];
  return {
    types: { EIP712Domain: DOMAIN_TYPE, SafeOp: OPERATION_TYPE },
    primaryType: 'SafeOp',
    domain: { chainId: toQuantity(chainId), verifyingContract: SAFE_MODULE },
    message: withQuantities({
      ...fields,
      safe,
      entryPoint,
      validAfter: 0,
      validUntil: 0,
    }),
  };
}

/** Writes the hash of a message as its owner signs it in the Safe's name (ERC-1271). */
export function toSafeMessage(
  hash: Hex,
  { address, chainId }: { address: Hex; chainId: ChainId },
): TypedData {
  return {
    types: { EIP712Domain: DOMAIN_TYPE, SafeMessage: fieldsOf('bytes message') },
    primaryType: 'SafeMessage',
    domain: { chainId: toQuantity(chainId), verifyingContract: address },
    message: { message: hash },
  };
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

const DOMAIN_TYPE = fieldsOf('uint256 chainId,address verifyingContract');

const OPERATION_TYPE = fieldsOf(
  'address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,' +
    'uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,' +
    'uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,' +
    'address entryPoint',
);
