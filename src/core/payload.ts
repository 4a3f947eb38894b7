// Everything that can be signed, as plain data.
import type { EntryPointVersion } from './entry-points';
import type { Hex } from './hex';
import type { TypedData, TypedEntry } from './typed-data';

/** Types that can be signed: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
export const transactionTypes = ['0x0', '0x1', '0x2', '0x3', '0x4'] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** Addresses and storage keys that a transaction declares (EIP-2930). */
export type AccessList = { address: Hex; storageKeys: Hex[] }[];

export type DynamicFields = {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  accessList: AccessList;
};

export type BlobFields = { maxFeePerBlobGas: bigint; blobVersionedHashes: Hex[] };

/** An EIP-7702 authorization. Our own are unsigned while `r` is zero. */
export type Authorization = {
  /** Zero means every chain. */
  chainId: bigint;
  /** The contract to delegate to. The zero address revokes the delegation. */
  address: Hex;
  nonce: bigint;
  /** 0n or 1n. */
  yParity: bigint;
  r: bigint;
  s: bigint;
  /** The account that signs, if it is not the transaction's sender. */
  authority?: Hex;
};

/** Fields that are never filled in from the network. */
export type TransactionBody = { from: Hex; to: Hex | null; value: bigint; data: Hex };

/** Fees and value are in wei. */
export type Transaction = TransactionBody & {
  chainId: bigint;
  nonce: bigint;
  gasLimit: bigint;
} & (
    | { type: '0x0'; gasPrice: bigint }
    | { type: '0x1'; gasPrice: bigint; accessList: AccessList }
    | ({ type: '0x2' } & DynamicFields)
    | ({ type: '0x3' } & DynamicFields & BlobFields)
    | ({ type: '0x4'; authorizationList: Authorization[] } & DynamicFields)
  );

/**
 * An ERC-4337 user operation in the eleven-field form. Fees are in wei. From EntryPoint 0.7 on,
 * `initCode` and `paymasterAndData` are packed as on chain.
 *
 * @interface
 */
export type UserOperation = {
  sender: Hex;
  nonce: bigint;
  initCode: Hex;
  callData: Hex;
  callGasLimit: bigint;
  verificationGasLimit: bigint;
  preVerificationGas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  paymasterAndData: Hex;
  signature: Hex;
};

/** The chain and EntryPoint that an operation is valid for. Its hash depends on them. */
export type UserOperationDomain = { chainId: bigint; entryPoint: EntryPointVersion };

/** A domain, and the account contract that verifies the signature: SimpleAccount by default. */
export type SigningDomain = UserOperationDomain & { implementation?: 'safe' };

/** The Safe on whose behalf its owner signs the hash of a message or document (ERC-1271). */
export type SafePlace = { address: Hex; chainId: bigint };

/** Bytes are hex strings, which are immutable. */
export type SigningPayload =
  | { kind: 'message'; bytes: Hex; safe?: SafePlace | undefined }
  | { kind: 'document'; document: TypedData; safe?: SafePlace | undefined }
  /** Typed data of version 1. No contract verifies it. */
  | { kind: 'entries'; entries: readonly TypedEntry[] }
  | { kind: 'transaction'; transaction: Transaction }
  | { kind: 'operation'; operation: UserOperation; domain: SigningDomain }
  | { kind: 'authorization'; authorization: Authorization }
  | { kind: 'key' };

/** The source of a key: the wallet's entropy or an import. The owner key of a smart account depends
 * on its contract and EntryPoint, because accounts that share a key could sign for each other. */
export type KeyRef =
  | {
      kind: 'derived';
      index: number;
      entropySource?: string | undefined;
      implementation?: 'safe' | undefined;
      entryPoint?: EntryPointVersion | undefined;
    }
  /** The address of the stored key. */
  | { kind: 'imported'; held: Hex };

export type AccountRef = {
  id: string;
  address: Hex;
  /** The address of its key. */
  owner: Hex;
  /** Possible sources of its key, the likeliest first. */
  keys: readonly KeyRef[];
};

/** A field that stays open until signing. The dialog says so, except for signatures. */
export type OpenField =
  /** The nonce of a transaction, or of an authorization. */
  | 'nonce'
  /** Signatures in a transaction's data, from other tasks of the same approval. */
  | 'signatures'
  /** The deployment of an operation. Omitted if the account has been deployed since. */
  | 'deployment';

export type SigningTask = {
  account: AccountRef;
  payload: SigningPayload;
  open?: readonly OpenField[];
};
