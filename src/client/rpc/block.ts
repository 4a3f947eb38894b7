// Blocks as nodes tell them (spec 2.3), and how a caller names one.
import type { Infer } from '@metamask/superstruct';

import {
  Bytes32Struct,
  bytesOf,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { matches } from '../../parse';
import { array, nothing, nullable, optional, type } from '../../quick';
import { eitherOf, named } from '../../structs';

const blockTags = ['latest', 'earliest', 'pending', 'finalized'] as const;

/** A block by number or tag. */
export type BlockParameter = Hex | (typeof blockTags)[number];

/** A block by number or tag. `safe` is not served (spec 4.2). */
export const BlockParameterStruct = named<BlockParameter>(
  `a block number in hex, or one of ${blockTags.join(', ')} (safe is not served: use finalized)`,
  (value) =>
    matches(value, HexQuantityStruct) ||
    (blockTags as readonly unknown[]).includes(value),
);

const LOGS_BLOOM_BYTES = 256;

const NONCE_BYTES = 8;

/** The 256 bytes in which logs are looked for. */
export const LogsBloomStruct = bytesOf(LOGS_BLOOM_BYTES);

const always = {
  parentHash: Bytes32Struct,
  sha3Uncles: Bytes32Struct,
  transactionsRoot: Bytes32Struct,
  stateRoot: Bytes32Struct,
  receiptsRoot: Bytes32Struct,
  miner: NodeAddressStruct,
  difficulty: HexQuantityStruct,
  // Gone since the merge, and null on some chains before it.
  totalDifficulty: optional(nullable(HexQuantityStruct)),
  extraData: NodeBytesStruct,
  size: HexQuantityStruct,
  gasLimit: HexQuantityStruct,
  gasUsed: HexQuantityStruct,
  timestamp: HexQuantityStruct,
  uncles: array(Bytes32Struct),
  mixHash: optional(Bytes32Struct),
  baseFeePerGas: optional(HexQuantityStruct),
};

/** A block of the chain. */
export const IncludedBlockStruct = type({
  ...always,
  number: HexQuantityStruct,
  hash: Bytes32Struct,
  nonce: bytesOf(NONCE_BYTES),
  logsBloom: LogsBloomStruct,
});

/** The block that a node would build now. Nodes fill in some of what the specification has
 * null: the hash alone tells. */
export const PendingBlockStruct = type({
  ...always,
  number: nullable(HexQuantityStruct),
  hash: nothing(),
  nonce: nullable(NodeBytesStruct),
  logsBloom: nullable(NodeBytesStruct),
});

/** A block of the chain. */
export type IncludedBlock = Infer<typeof IncludedBlockStruct>;

/** The block that a node would build now: nobody knows its hash yet. */
export type PendingBlock = Infer<typeof PendingBlockStruct>;

/** A block without its transactions; `hash` tells whether it is pending. */
export type Block = IncludedBlock | PendingBlock;

/** A block (spec 2.3), told apart by its hash. */
export const BlockStruct = eitherOf<PendingBlock, IncludedBlock>(
  ({ hash }) => hash === null,
  PendingBlockStruct,
  IncludedBlockStruct,
);

/** What is read of a block that may be pending; chains leave out others of its fields. */
export const BlockHeaderStruct = type({
  number: nullable(HexQuantityStruct),
  timestamp: HexQuantityStruct,
  gasLimit: optional(HexQuantityStruct),
  baseFeePerGas: optional(HexQuantityStruct),
});

/** The newest block, as the topic `newHeads` tells it. */
export const HeadStruct = type({
  number: HexQuantityStruct,
  hash: Bytes32Struct,
  timestamp: HexQuantityStruct,
  baseFeePerGas: optional(HexQuantityStruct),
});

/** The newest block. */
export type Head = Infer<typeof HeadStruct>;
