// What methods answer, where the code that answers has no struct of its own for it. The live
// tests hold the answers of the built snap against these.
import {
  array,
  boolean,
  enums,
  exactOptional,
  literal,
  nullable,
  object,
  record,
  string,
  tuple,
  type,
} from '@metamask/superstruct';

import { SuggestedGasFeesStruct } from '../../../packages/client/src/gas-api';
import { BatchIdStruct, CALLS_VERSION } from '../../../src/calls/params';
import {
  AddressStruct,
  Bytes32Struct,
  bytesOf,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../../src/eth/hex';
import {
  TransactionRequestStruct,
  transactionTypes,
} from '../../../src/eth/transaction';
import { GweiStruct } from '../../../src/eth/units';
import { permissionKinds } from '../../../src/permissions/permission';
import { integerBetween, oneOf } from '../../../src/schema/structs';
import { StoredLevelsStruct } from '../../../src/state/public-state';

const CountStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

export const AddressesStruct = array(AddressStruct);

export const SignatureStruct = bytesOf(65);

/** A signed authorization (EIP-7702). */
export const SignedAuthorizationStruct = object({
  chainId: HexQuantityStruct,
  address: AddressStruct,
  nonce: HexQuantityStruct,
  yParity: HexQuantityStruct,
  r: bytesOf(32),
  s: bytesOf(32),
});

/** A permission as EIP-2255 writes it. */
export const PermissionStruct = object({
  invoker: string(),
  parentCapability: literal('eth_accounts'),
  caveats: tuple([
    object({ type: literal('restrictReturnedAccounts'), value: AddressesStruct }),
  ]),
});

export const PermissionsStruct = array(PermissionStruct);

export const FoundPermissionStruct = object({
  kind: oneOf(permissionKinds),
  spender: AddressStruct,
  token: exactOptional(AddressStruct),
  id: exactOptional(HexQuantityStruct),
  amount: exactOptional(HexQuantityStruct),
  balance: exactOptional(HexQuantityStruct),
  expiration: exactOptional(HexQuantityStruct),
  block: exactOptional(HexQuantityStruct),
  isUnlimited: boolean(),
  isKnown: boolean(),
});

export const FoundPermissionsStruct = object({
  permissions: array(FoundPermissionStruct),
  logs: object({
    status: oneOf(['running', 'complete', 'partial', 'refused', 'failed']),
    fromBlock: exactOptional(HexQuantityStruct),
    toBlock: exactOptional(HexQuantityStruct),
    omitted: CountStruct,
  }),
});

/** What wallet_connect answers (ERC-7846). */
export const ConnectedStruct = object({
  accounts: array(
    object({
      address: AddressStruct,
      capabilities: object({
        signInWithEthereum: exactOptional(
          object({ message: string(), signature: SignatureStruct }),
        ),
      }),
    }),
  ),
});

/** A transaction with nothing left open; every quantity as minimal hex. */
export const FilledTransactionStruct = object({
  type: oneOf(transactionTypes),
  chainId: HexQuantityStruct,
  nonce: HexQuantityStruct,
  from: AddressStruct,
  to: nullable(AddressStruct),
  value: HexQuantityStruct,
  data: BytesStruct,
  gasLimit: HexQuantityStruct,
  gasPrice: exactOptional(HexQuantityStruct),
  maxFeePerGas: exactOptional(HexQuantityStruct),
  maxPriorityFeePerGas: exactOptional(HexQuantityStruct),
  maxFeePerBlobGas: exactOptional(HexQuantityStruct),
  accessList: TransactionRequestStruct.schema.accessList,
  blobVersionedHashes: TransactionRequestStruct.schema.blobVersionedHashes,
  authorizationList: TransactionRequestStruct.schema.authorizationList,
});

/** `v`, `r` and `s`, and what was signed if something was filled in. */
export const SignedTransactionStruct = object({
  v: HexQuantityStruct,
  r: Bytes32Struct,
  s: Bytes32Struct,
  tx: exactOptional(FilledTransactionStruct),
  raw: exactOptional(BytesStruct),
});

export const UnsignedTransactionStruct = object({
  raw: BytesStruct,
  tx: FilledTransactionStruct,
});

const limits = {
  callGasLimit: HexQuantityStruct,
  verificationGasLimit: HexQuantityStruct,
  preVerificationGas: HexQuantityStruct,
};

export const PreparedOperationStruct = object({
  callData: BytesStruct,
  initCode: BytesStruct,
  nonce: HexQuantityStruct,
  gasLimits: object(limits),
  dummySignature: BytesStruct,
  dummyPaymasterAndData: BytesStruct,
  bundlerUrl: string(),
});

export const PatchedOperationStruct = object({ paymasterAndData: BytesStruct });

export const OperationGasStruct = object({
  ...limits,
  paymasterVerificationGasLimit: exactOptional(HexQuantityStruct),
  paymasterPostOpGasLimit: exactOptional(HexQuantityStruct),
});

/** On which chains calls can be sent, by chain id in hex, and how (EIP-5792). */
export const CapabilitiesStruct = record(
  HexQuantityStruct,
  object({
    atomic: object({ status: oneOf(['supported', 'unsupported']) }),
    paymasterService: object({ supported: boolean() }),
  }),
);

/** The receipt of calls (EIP-5792). */
export const CallsReceiptStruct = object({
  logs: array(
    object({
      address: NodeAddressStruct,
      data: NodeBytesStruct,
      topics: array(Bytes32Struct),
    }),
  ),
  status: oneOf(['0x0', '0x1']),
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  gasUsed: HexQuantityStruct,
  transactionHash: Bytes32Struct,
});

/** What became of calls (EIP-5792). */
export const CallsStatusStruct = object({
  version: literal(CALLS_VERSION),
  id: BatchIdStruct,
  chainId: HexQuantityStruct,
  status: enums([100, 200, 400, 500, 600]),
  atomic: boolean(),
  receipts: exactOptional(array(CallsReceiptStruct)),
});

/** The fees of a level, in wei. */
export const FeePairStruct = object({
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
});

/** A base fee in decimal gwei. */
export const BaseFeeStruct = object({
  baseFeePercentile: GweiStruct,
  source: exactOptional(oneOf(['fee-history'])),
});

/** Suggested fees, and where they came from if no gas API told them. */
export const SuggestedFeesStruct = type({
  ...SuggestedGasFeesStruct.schema,
  source: exactOptional(oneOf(['fee-history'])),
});

/** Levels of fees in wei, and where they came from. */
export const FeeLevelsStruct = object({
  source: StoredLevelsStruct.schema.source,
  passedOver: StoredLevelsStruct.schema.passedOver,
  ageMs: CountStruct,
  estimatedBaseFee: HexQuantityStruct,
  low: FeePairStruct,
  medium: FeePairStruct,
  high: FeePairStruct,
});
