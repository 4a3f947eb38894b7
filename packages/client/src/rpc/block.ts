// Blocks as nodes return them (docs/reference/service.md#blocks), and the block parameter.
import { literal, nullable, optional, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import {
  Bytes32Struct,
  bytesOf,
  HexQuantityStruct,
  isHexQuantity,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../../../src/eth/hex';
import type { Hex } from '../../../../src/eth/hex';
import { parse } from '../../../../src/schema/parse';
import { eitherOf, list, normalized } from '../../../../src/schema/structs';

const blockTags = ['latest', 'earliest', 'pending', 'finalized'] as const;

/** A block by number (hex) or tag. */
export type BlockParameter = Hex | 'latest' | 'earliest' | 'pending' | 'finalized';

export const BlockParameterStruct = normalized<BlockParameter>(
  `a block number in hex, or one of ${blockTags.join(', ')} (safe is not served: use finalized)`,
  (value) => isTag(value) || isHexQuantity(value),
  (value) => (isTag(value) ? value : parse(value, HexQuantityStruct, 'block')),
);

function isTag(value: unknown): value is (typeof blockTags)[number] {
  return (blockTags as readonly unknown[]).includes(value);
}

export const LogsBloomStruct = bytesOf(256);

const commonFields = {
  parentHash: Bytes32Struct,
  sha3Uncles: Bytes32Struct,
  transactionsRoot: Bytes32Struct,
  stateRoot: Bytes32Struct,
  receiptsRoot: Bytes32Struct,
  miner: NodeAddressStruct,
  difficulty: HexQuantityStruct,
  // Often omitted since the Merge; some chains returned null even before.
  totalDifficulty: optional(nullable(HexQuantityStruct)),
  extraData: NodeBytesStruct,
  size: HexQuantityStruct,
  gasLimit: HexQuantityStruct,
  gasUsed: HexQuantityStruct,
  timestamp: HexQuantityStruct,
  // More than any chain allows per block.
  uncles: list(Bytes32Struct, { max: 100 }),
  mixHash: optional(Bytes32Struct),
  baseFeePerGas: optional(HexQuantityStruct),
};

export const IncludedBlockStruct = type({
  ...commonFields,
  number: HexQuantityStruct,
  hash: Bytes32Struct,
  nonce: bytesOf(8),
  logsBloom: LogsBloomStruct,
});

/** Some nodes fill in fields that should be null, so only a null hash marks a pending block. */
export const PendingBlockStruct = type({
  ...commonFields,
  number: nullable(HexQuantityStruct),
  hash: literal(null),
  nonce: nullable(NodeBytesStruct),
  logsBloom: nullable(NodeBytesStruct),
});

/** An included block, without its transactions. @interface */
export type IncludedBlock = Infer<typeof IncludedBlockStruct>;

/** The block that a node would build now, without its transactions or a hash. @interface */
export type PendingBlock = Infer<typeof PendingBlockStruct>;

/** A block without its transactions. `hash` is null if it is pending. */
export type Block = IncludedBlock | PendingBlock;

export const BlockStruct = eitherOf<PendingBlock, IncludedBlock>(
  ({ hash }) => hash === null,
  PendingBlockStruct,
  IncludedBlockStruct,
);

/** Only the fields that callers read, of included and pending blocks: some chains omit others. */
export const BlockHeaderStruct = type({
  number: nullable(HexQuantityStruct),
  timestamp: HexQuantityStruct,
  gasLimit: optional(HexQuantityStruct),
  baseFeePerGas: optional(HexQuantityStruct),
});

export const HeadStruct = type({
  number: HexQuantityStruct,
  hash: Bytes32Struct,
  timestamp: HexQuantityStruct,
  baseFeePerGas: optional(HexQuantityStruct),
});

/** The newest block, as `eth_subscribe` announces it. @interface */
export type Head = Infer<typeof HeadStruct>;
