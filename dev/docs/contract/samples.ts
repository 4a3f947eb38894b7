// What the examples are about: the account of EIP-155's example key, what it signs, and what
// a node tells of it. Signatures are computed, so that they are true.
import { privateToAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes, type Json } from '@metamask/utils';

import { entryPoints } from '../../../src/core/entry-points';
import { hashUserOperation } from '../../../src/core/operation';
import type { Transaction } from '../../../src/core/payload';
import { toTransactionJson } from '../../../src/core/transaction';
import { encodeIntents } from '../../../src/eth/account-calls';
import { toOthersAuthorization } from '../../../src/eth/delegation';
import type { Hex } from '../../../src/eth/hex';
import { parseMessage } from '../../../src/eth/message';
import { parseRawTransaction } from '../../../src/eth/raw-transaction';
import { computeAccountAddress, encodeInitCode } from '../../../src/eth/smart-account';
import { DUMMY_SIGNATURE, toUserOperationJson } from '../../../src/eth/user-operation';
import { toSignedJson } from '../../../src/transaction/authorization';
import {
  signAuthorization,
  signMessage,
  signTransaction,
  signUserOperation,
} from '../../signing';
import { proxies } from '../../stack/proxies';

/** The private key of EIP-155's example. */
export const KEY = hexToBytes(`0x${'46'.repeat(32)}`);

/** The private key of a smart account's owner. */
export const OWNER_KEY = hexToBytes(`0x${'47'.repeat(32)}`);

/** The account of {@link KEY}. */
export const ADDRESS: Hex = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f';

export const RECIPIENT: Hex = '0x3535353535353535353535353535353535353535';

/** A message in hex, as MetaMask and most libraries send it. */
export const MESSAGE: Hex = '0x54686520746f6c6c20697320706169642e';

export const MESSAGE_SIGNATURE = signMessage(parseMessage(MESSAGE), KEY);

/** A revocation that {@link KEY} has signed. */
export const REVOCATION = toSignedJson(
  signAuthorization(toOthersAuthorization(1n, { authority: ADDRESS, nonce: 5n }), KEY),
);

const payment = {
  chainId: 1n,
  nonce: 9n,
  from: ADDRESS,
  to: RECIPIENT,
  value: 10n ** 18n,
  data: '0x',
  gasLimit: 21_000n,
} as const;

const whole: Transaction = { ...payment, type: '0x0', gasPrice: 20_000_000_000n };

/** EIP-155's example: it lacks nothing. */
export const WHOLE = toTransactionJson(whole);

export const WHOLE_SIGNATURE = signTransaction(whole, KEY).signature;

const fees = { maxFeePerGas: 33_000_000_000n, maxPriorityFeePerGas: 1_500_000_000n };

const filled: Transaction = { ...payment, ...fees, type: '0x2', accessList: [] };

/** A transaction of which its sender leaves the rest to be filled in. */
export const LACKING = { from: ADDRESS, to: RECIPIENT, value: '0xde0b6b3a7640000' };

/** {@link LACKING} with nothing left open. */
export const FILLED = { transaction: filled, json: toTransactionJson(filled) };

export const SIGNED = signTransaction(filled, KEY);

export const HASH = parseRawTransaction(SIGNED.raw, 'raw').hash;

export const BLOCK_HASH: Hex = `0x${'b7'.repeat(32)}`;

export const INCLUSION = {
  blockHash: BLOCK_HASH,
  blockNumber: '0x1529c4e',
  transactionIndex: '0x3',
};

const origin = {
  entryPoint: '0.7',
  factory: entryPoints['0.7'].factory,
  owner: bytesToHex(privateToAddress(OWNER_KEY)),
  salt: 0n,
} as const;

/** The smart account of {@link OWNER_KEY}. */
export const SMART_ADDRESS = computeAccountAddress(origin, proxies);

const intent = { to: RECIPIENT, value: 10n ** 16n, data: '0x' } as const;

export const INTENT = { ...intent, value: '0x2386f26fc10000' };

const operation = {
  sender: SMART_ADDRESS,
  nonce: 0n,
  initCode: encodeInitCode(origin),
  callData: encodeIntents('0.7', [intent]),
  callGasLimit: 38_400n,
  verificationGasLimit: 377_000n,
  preVerificationGas: 55_300n,
  ...fees,
  paymasterAndData: '0x' as const,
  signature: DUMMY_SIGNATURE,
};

const domain = { chainId: 1n, entryPoint: '0.7' } as const;

export const ENTRY_POINT = entryPoints['0.7'].entryPoint;

/** An operation that carries {@link INTENT} out and deploys the account. */
export const OPERATION: Record<string, Json> = toUserOperationJson(operation);

export const OPERATION_SIGNATURE = signUserOperation(operation, domain, OWNER_KEY);

export const OPERATION_HASH = hashUserOperation(operation, domain);

const { accessList = [] } = FILLED.json;

const told = { from: ADDRESS, to: RECIPIENT, type: '0x2' };

const NO_LOGS = `0x${'0'.repeat(512)}`;

/** The sample transaction as a node tells it. */
export const INCLUDED = {
  ...INCLUSION,
  ...told,
  hash: HASH,
  value: '0xde0b6b3a7640000',
  nonce: '0x9',
  chainId: '0x1',
  accessList,
  ...SIGNED.signature,
  gas: '0x5208',
  gasPrice: '0x48ab9a4c0',
  maxFeePerGas: '0x7aef40a00',
  maxPriorityFeePerGas: '0x59682f00',
  input: '0x',
};

export const RECEIPT = {
  ...INCLUSION,
  ...told,
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

const level = (priority: string, maximum: string, wait: number) => ({
  suggestedMaxPriorityFeePerGas: priority,
  suggestedMaxFeePerGas: maximum,
  minWaitTimeEstimate: 15_000,
  maxWaitTimeEstimate: wait,
});

/** What a gas API answers for the suggested fees. */
export const SUGGESTED = {
  low: level('0.05', '16.334026964', 30_000),
  medium: level('0.1', '22.083436402', 45_000),
  high: level('0.3', '27.982845839', 60_000),
  estimatedBaseFee: '16.284026964',
  networkCongestion: 0.5125,
  latestPriorityFeeRange: ['0', '3'],
  historicalPriorityFeeRange: ['0.000000001', '89'],
  historicalBaseFeeRange: ['13.773088584', '29.912845463'],
  priorityFeeTrend: 'down',
  baseFeeTrend: 'up',
} satisfies Json;
