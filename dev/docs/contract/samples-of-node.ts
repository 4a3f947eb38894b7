// What servers tell of the samples: a transaction and its receipt, an uncle, and the receipt
// of a user operation.
import {
  ADDRESS,
  ENTRY_POINT,
  FILLED,
  HASH,
  INCLUSION,
  OPERATION_HASH,
  RECIPIENT,
  SIGNED,
  SMART_ADDRESS,
} from './samples';

const { accessList = [] } = FILLED.json;

const payment = { from: ADDRESS, to: RECIPIENT, type: '0x2' };

const { r, s, v } = SIGNED.signature;

const NO_LOGS = `0x${'0'.repeat(512)}`;

/** The sample transaction as a node tells it. */
export const INCLUDED = {
  ...INCLUSION,
  ...payment,
  hash: HASH,
  value: '0xde0b6b3a7640000',
  nonce: '0x9',
  chainId: '0x1',
  accessList,
  v,
  r,
  s,
  gas: '0x5208',
  gasPrice: '0x48ab9a4c0',
  maxFeePerGas: '0x7aef40a00',
  maxPriorityFeePerGas: '0x59682f00',
  input: '0x',
};

export const RECEIPT = {
  ...INCLUSION,
  ...payment,
  status: '0x1',
  contractAddress: null,
  cumulativeGasUsed: '0x1cd04',
  effectiveGasPrice: '0x48ab9a4c0',
  gasUsed: '0x5208',
  logs: [],
  logsBloom: NO_LOGS,
  transactionHash: HASH,
};

export const BLOCK = {
  number: '0x29b',
  hash: `0x${'1a'.repeat(32)}`,
  parentHash: `0x${'2b'.repeat(32)}`,
  nonce: '0x689056015818adbe',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  logsBloom: NO_LOGS,
  transactionsRoot:
    '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  stateRoot: `0x${'3c'.repeat(32)}`,
  receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  miner: '0x4e65fda2159562a496f9f3522f89122a3088497a',
  difficulty: '0x4ea3f27bc',
  extraData: '0x476574682f4c5649562f76312e302e302f6c696e75782f676f312e342e32',
  size: '0x220',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x55ba467c',
  uncles: [],
  mixHash: `0x${'4d'.repeat(32)}`,
};

/** The receipt of the sample operation, as bundlers write one. */
export const OPERATION_RECEIPT = {
  userOpHash: OPERATION_HASH,
  entryPoint: ENTRY_POINT,
  sender: SMART_ADDRESS,
  nonce: '0x0',
  paymaster: null,
  actualGasCost: '0xa1b2c3d4e5f60',
  actualGasUsed: '0x6a4c8',
  success: true,
  logs: [],
  receipt: { ...RECEIPT, to: ENTRY_POINT },
};
