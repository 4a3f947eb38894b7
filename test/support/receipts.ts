// A transaction and its receipt as a node returns them (docs/reference/service.md#receipts,
// #transactions).
import type { Json } from '@metamask/utils';

import type { Hex } from '../../src/eth/hex';

export const HASH: Hex = `0x${'ab'.repeat(32)}`;

const BLOCK_HASH: Hex = `0x${'cd'.repeat(32)}`;
const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

export const TRANSACTION = {
  blockHash: BLOCK_HASH,
  blockNumber: '0x10',
  chainId: '0x1',
  from: FROM,
  gas: '0x5208',
  gasPrice: '0x3b9aca00',
  hash: HASH,
  input: '0x',
  nonce: '0x0',
  r: `0x${'01'.repeat(32)}`,
  s: `0x${'02'.repeat(32)}`,
  to: TO,
  transactionIndex: '0x0',
  type: '0x2',
  v: '0x1',
  value: '0x1',
} satisfies Record<string, Json>;

export const RECEIPT = {
  blockHash: BLOCK_HASH,
  blockNumber: '0x10',
  contractAddress: null,
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x3b9aca00',
  from: FROM,
  gasUsed: '0x5208',
  logs: [],
  logsBloom: `0x${'00'.repeat(256)}`,
  status: '0x1',
  to: TO,
  transactionHash: HASH,
  transactionIndex: '0x0',
  type: '0x2',
} satisfies Record<string, Json>;
