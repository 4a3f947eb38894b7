// Correct answers of servers to the samples of openrpc.json.
import type { Json } from '@metamask/utils';
import { keccak256 } from 'viem';
import {
  formatUserOperation,
  getUserOperationHash,
  type RpcUserOperation,
} from 'viem/account-abstraction';

import { entryPoints, entryPointVersions } from '../../src/core/entry-points';
import { computeAccountAddress } from '../../src/eth/smart-account';
import {
  ADDRESS,
  BLOCK,
  HASH,
  INCLUDED,
  OPERATION,
  OPERATION_HASH,
  OPERATION_RECEIPT,
  RECEIPT,
  RECIPIENT,
  SMART_ADDRESS,
  SUGGESTED,
} from '../docs/samples';
import { proxies } from '../stack/proxies';

type Server = Record<string, (params: readonly unknown[]) => unknown>;

const LATEST = {
  ...BLOCK,
  number: '0x1529c50',
  baseFeePerGas: '0x3ca9c3f5a',
  gasLimit: '0x1c9c380',
  gasUsed: '0xe4e1c0',
  transactions: [HASH],
};

const GAS = '0xc350';
const REWARD = ['0x0', '0x1', '0x59682f00', '0x77359400', '0x77359401'];

const node: Server = {
  eth_chainId: () => '0x1',
  eth_blockNumber: () => LATEST.number,
  eth_getBlockByNumber: () => LATEST,
  eth_gasPrice: () => '0x3ca9c3f5b',
  eth_baseFee: () => '0x3ca9c3f5a',
  eth_blobBaseFee: () => '0x1',
  eth_feeHistory: () => ({
    oldestBlock: '0x1529c4c',
    baseFeePerGas: Array.from({ length: 6 }, () => '0x3ca9c3f5a'),
    gasUsedRatio: Array.from({ length: 5 }, () => 0.5),
    reward: Array.from({ length: 5 }, () => REWARD),
  }),
  eth_estimateGas: () => GAS,
  rollup_estimateGas: () => ({
    gasLimit: GAS,
    baseFeePerGas: '0x7',
    priorityFeePerGas: '0x59682f00',
  }),
  eth_getTransactionCount: ([address]) => (isUsed(address) ? '0x9' : '0x0'),
  eth_getBalance: ([address]) => (isUsed(address) ? '0x56bc75e2d63100000' : '0x0'),
  eth_getCode: ([address]) => (isContract(address) ? '0x60' : '0x'),
  eth_call: ([call]) => answerContract(call as { to?: unknown; data?: unknown }),
  eth_sendRawTransaction: ([raw]) => hashOf(raw),
  eth_sendRawTransactionSync: ([raw]) => ({ ...RECEIPT, transactionHash: hashOf(raw) }),
  eth_getTransactionByHash: ([hash]) => ({ ...INCLUDED, hash }),
  eth_getTransactionReceipt: ([hash]) => ({ ...RECEIPT, transactionHash: hash }),
  eth_getUncleByBlockHashAndIndex: () => BLOCK,
  eth_getUncleByBlockNumberAndIndex: () => BLOCK,
  eth_subscribe: () => '0x9ce59a13059e417087c02d3236a0b1cc',
  eth_unsubscribe: () => true,
};

const isSame = (address: string, other: unknown): boolean =>
  address.toLowerCase() === String(other).toLowerCase();

// If every address were used, the search for accounts to restore would run to its limit.
const isUsed = (address: unknown): boolean =>
  [ADDRESS, SMART_ADDRESS].some((each) => isSame(each, address));

const isContract = (address: unknown): boolean =>
  Object.values(entryPoints)
    .flatMap((row) => Object.values(row))
    .some((each) => isSame(each, address));

// A factory answers with the account's address, and any other contract with zero.
function answerContract({ to, data }: { to?: unknown; data?: unknown }): string {
  const entryPoint = entryPointVersions.find((version) =>
    isSame(entryPoints[version].factory, to),
  );
  const [, owner, salt] = /^0x.{8}.{24}(.{40})(.{64})$/u.exec(String(data)) ?? [];
  if (!entryPoint || owner === undefined) return `0x${'0'.repeat(64)}`;
  const origin = {
    entryPoint,
    factory: entryPoints[entryPoint].factory,
    owner: `0x${owner}`,
    salt: BigInt(`0x${salt}`),
  } as const;
  return `0x${'0'.repeat(24)}${computeAccountAddress(origin, proxies).slice(2)}`;
}

const bundler: Server = {
  eth_chainId: () => '0x1',
  eth_supportedEntryPoints: () =>
    Object.values(entryPoints).map(({ entryPoint }) => entryPoint),
  eth_estimateUserOperationGas: () => ({
    callGasLimit: '0x9600',
    verificationGasLimit: '0x5c0c8',
    preVerificationGas: '0xd804',
  }),
  eth_sendUserOperation: ([operation, entryPoint]) =>
    hashOperation(operation, entryPoint) ?? OPERATION_HASH,
  eth_getUserOperationByHash: () => ({
    userOperation: OPERATION,
    entryPoint: OPERATION_RECEIPT.entryPoint,
    blockNumber: RECEIPT.blockNumber,
    blockHash: RECEIPT.blockHash,
    transactionHash: RECEIPT.transactionHash,
  }),
  eth_getUserOperationReceipt: ([hash]) => ({ ...OPERATION_RECEIPT, userOpHash: hash }),
  pimlico_getUserOperationGasPrice: () => ({
    slow: { maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x1' },
    standard: { maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x1' },
  }),
};

const paymasterData = {
  paymaster: RECIPIENT,
  paymasterData: '0x01',
  paymasterAndData: `${RECIPIENT}01`,
};

const paymaster: Server = {
  pm_getPaymasterStubData: () => ({
    ...paymasterData,
    paymasterVerificationGasLimit: '0x7530',
    paymasterPostOpGasLimit: '0x0',
    sponsor: { name: 'A sponsor' },
  }),
  pm_getPaymasterData: () => paymasterData,
};

const servers: Record<string, Server> = {
  node,
  wallet: node,
  node10: { ...node, eth_chainId: () => '0xa' },
  bundler,
  paymaster,
};

type WireCall = { id?: Json; method: string; params?: Json };

/** Answers a request. The first segment of the path names the server. */
export function findRight(url: string, body: string): Json {
  const [, server = ''] = url.split('/');
  if (server === 'gas') {
    return url.endsWith('Percentile')
      ? { baseFeePercentile: '23.227829059' }
      : SUGGESTED;
  }
  try {
    const calls = JSON.parse(body) as WireCall | WireCall[];
    return Array.isArray(calls)
      ? calls.map((call) => answerCall(server, call))
      : answerCall(server, calls);
  } catch {
    return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } };
  }
}

function answerCall(server: string, { id = null, method, params }: WireCall): Json {
  const found = servers[server]?.[method];
  if (found) {
    const result = found(Array.isArray(params) ? params : []) as Json;
    return { jsonrpc: '2.0', id, result };
  }
  const message = `the method ${method} does not exist`;
  return { jsonrpc: '2.0', id, error: { code: -32601, message } };
}

function hashOf(raw: unknown): string {
  const isHex = typeof raw === 'string' && /^0x(?:[0-9a-f]{2})+$/iu.test(raw);
  return isHex ? keccak256(raw as `0x${string}`) : HASH;
}

// The snap accepts only the hash that a bundler computes.
function hashOperation(operation: unknown, entryPoint: unknown): string | undefined {
  const version =
    entryPointVersions.find((each) =>
      isSame(entryPoints[each].entryPoint, entryPoint),
    ) ?? '0.7';
  try {
    return getUserOperationHash({
      chainId: 1,
      entryPointAddress: entryPoints[version].entryPoint,
      entryPointVersion: version,
      userOperation: formatUserOperation(operation as RpcUserOperation),
    });
  } catch {
    return undefined;
  }
}
