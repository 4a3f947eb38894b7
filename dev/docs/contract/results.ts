// Structs of results for which the code has none. The live tests compare the built snap's results
// with them.
import {
  array,
  boolean,
  enums,
  exactOptional,
  literal,
  nullable,
  object,
  optional,
  record,
  string,
  tuple,
  type,
} from '@metamask/superstruct';

import { SuggestedGasFeesStruct } from '../../../packages/client/src/gas-api';
import { BatchIdStruct, CALLS_VERSION } from '../../../src/calls/params';
import { credentials } from '../../../src/chains/probe';
import { transactionTypes } from '../../../src/core/payload';
import {
  AddressStruct,
  Bytes32Struct,
  bytesOf,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../../src/eth/hex';
import { TransactionRequestStruct } from '../../../src/eth/transaction';
import { GweiStruct } from '../../../src/eth/units';
import { EntryPointVersionStruct } from '../../../src/eth/user-operation';
import { PermissionStruct as AssetPermissionStruct } from '../../../src/permissions/permission';
import { integerBetween, oneOf } from '../../../src/schema/structs';
import { ScopeStruct } from '../../../src/state/account-record';
import { ChainRowStruct } from '../../../src/state/chain-row';
import { StoredLevelsStruct } from '../../../src/state/public-state';
import { component, namedStructs } from '../schema/components';

const CountStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

export const AddressesStruct = array(AddressStruct);

export const SignatureStruct = bytesOf(65);

export const SignedAuthorizationStruct = object({
  chainId: HexQuantityStruct,
  address: AddressStruct,
  nonce: HexQuantityStruct,
  yParity: HexQuantityStruct,
  r: bytesOf(32),
  s: bytesOf(32),
});

/** EIP-2255. */
export const PermissionStruct = component('Permission', {
  invoker: string(),
  parentCapability: literal('eth_accounts'),
  caveats: tuple([
    object({ type: literal('restrictReturnedAccounts'), value: AddressesStruct }),
  ]),
});

export const PermissionsStruct = array(PermissionStruct);

export const FoundPermissionStruct = component('FoundPermission', {
  ...AssetPermissionStruct.schema,
  ...Object.fromEntries(
    ['id', 'amount', 'balance', 'expiration', 'block'].map(
      (name) => [name, exactOptional(HexQuantityStruct)] as const,
    ),
  ),
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

/** Result of wallet_connect (ERC-7846). */
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

/** A complete transaction; quantities are minimal hex. */
export const FilledTransactionStruct = component('FilledTransaction', {
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

/** `v`, `r` and `s`; `tx` and `raw` if something was filled in. */
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

/** Capabilities by chain id in hex (EIP-5792). */
export const CapabilitiesStruct = record(
  HexQuantityStruct,
  object({
    atomic: object({ status: oneOf(['supported', 'ready', 'unsupported']) }),
    paymasterService: object({ supported: boolean() }),
    gasLimitOverride: object({ supported: boolean() }),
  }),
);

/** EIP-5792. */
export const CallsReceiptStruct = component('CallsReceipt', {
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

/** Status of a batch (EIP-5792). */
export const CallsStatusStruct = object({
  version: literal(CALLS_VERSION),
  id: BatchIdStruct,
  chainId: HexQuantityStruct,
  status: enums([100, 200, 400, 500, 600]),
  atomic: boolean(),
  receipts: exactOptional(array(CallsReceiptStruct)),
  capabilities: exactOptional(object({ status: object({ reason: string() }) })),
});

export const FeePairStruct = component('FeePair', {
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
});

export const BaseFeeStruct = object({
  baseFeePercentile: GweiStruct,
  source: exactOptional(oneOf(['fee-history'])),
});

/** Suggested fees; `source` if they are not from a gas API. */
export const SuggestedFeesStruct = type({
  ...SuggestedGasFeesStruct.schema,
  source: exactOptional(oneOf(['fee-history'])),
});
namedStructs.push([SuggestedFeesStruct, 'SuggestedGasFees']);

export const FeeLevelsStruct = object({
  source: StoredLevelsStruct.schema.source,
  passedOver: StoredLevelsStruct.schema.passedOver,
  ageMs: CountStruct,
  estimatedBaseFee: HexQuantityStruct,
  low: FeePairStruct,
  medium: FeePairStruct,
  high: FeePairStruct,
});

// Results for the companion page.

const shownRow = Object.fromEntries(
  Object.entries(ChainRowStruct.schema).map(([name, struct]) => {
    const shown = name.endsWith('Url') ? optional(string()) : struct;
    const isSecret = (credentials as readonly string[]).includes(name);
    return [name, isSecret ? optional(literal('[redacted]')) : shown] as const;
  }),
);

/** A chain's configuration with labels for URLs and without credentials. */
export const ChainStruct = component('Chain', {
  chainId: ScopeStruct,
  ...shownRow,
  contracts: optional(
    object({
      entryPoint: object({ version: EntryPointVersionStruct, address: AddressStruct }),
      factory: AddressStruct,
    }),
  ),
});
