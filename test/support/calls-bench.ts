// A site that sends calls from an ordinary and a smart account, with an in-memory node, bundler and
// paymaster.
import type { Json } from '@metamask/utils';

import type { EntryPointVersion } from '../../src/core/entry-points';
import { hashUserOperation } from '../../src/core/operation';
import type { UserOperation } from '../../src/core/payload';
import type { Hex } from '../../src/eth/hex';
import type { CallBatch } from '../../src/state/sent-transaction';
import { answerAsContract } from './account-contract';
import { answer07 } from './bundler-bench';
import { serving } from './fake-fetch';
import { createFakeNode, refuses } from './fake-node';
import type { FakeNode } from './fake-node';
import { storeChains } from './given';
import { BUNDLER_URL, readOperation } from './operation-bench';
import { answerEntryPointCalls } from './operations';
import { RECEIPT } from './receipts';
import { createSendBench, RECIPIENT } from './send-bench';
import { operationReceipt } from './sent-operations';
import { createAccount, DAPP } from './test-app';

export type CallsBench = Awaited<ReturnType<typeof createCallsBench>>;

export const PAYMASTER_URL = 'https://paymaster.example/rpc';

export const LOG = {
  address: RECIPIENT,
  blockHash: RECEIPT.blockHash,
  blockNumber: RECEIPT.blockNumber,
  data: '0x01',
  logIndex: '0x0',
  removed: false,
  topics: [`0x${'07'.repeat(32)}`],
  transactionHash: RECEIPT.transactionHash,
  transactionIndex: '0x0',
} satisfies Record<string, Json>;

const GAS = {
  callGasLimit: '0x1000',
  verificationGasLimit: '0x1000',
  preVerificationGas: '0x1000',
};

export const CALLS = [
  { to: RECIPIENT, value: '0x1' },
  { to: RECIPIENT, value: '0x2' },
];

/** Creates the params for wallet_sendCalls: two transfers that need not be atomic. */
export function sendCallsParam(from: string, fields: Record<string, Json> = {}) {
  const batch = { version: '2.0.0', chainId: '0x1', atomicRequired: false };
  return { ...batch, from, calls: CALLS, ...fields };
}

export async function createCallsBench(version: EntryPointVersion = '0.7') {
  const bench = await createSendBench();
  const { app, edges, address, call } = bench;
  Object.assign(edges.wallet.answers, { eth_getCode: '0x', eth_call: answerCall });
  const operations = new Map<Hex, UserOperation>();
  const bundler = createBundler(operations, version);
  const paymaster = createFakeNode({
    pm_getPaymasterStubData: answer07,
    pm_getPaymasterData: answer07,
  });
  edges.network.serve(BUNDLER_URL, serving(bundler));
  edges.network.serve(PAYMASTER_URL, serving(paymaster));
  await storeChains(app, { 'eip155:1': { bundlerUrl: BUNDLER_URL } });
  const { grants } = app.services;
  const options = { type: 'eip155:erc4337', entryPoint: version };
  const smart = await createAccount(app, options);
  edges.wallet.answers.eth_call = answerAsContract(smart, answerCall);
  const [ordinary] = await grants.list(DAPP);
  await grants.set(DAPP, [ordinary?.id ?? '', smart.id]);
  return {
    ...bench,
    smart,
    bundler,
    paymaster,
    /** The operations sent to the bundler, by hash. */
    operations,
    /** Sends two transfers from the ordinary account, with changes to the batch. */
    sendCalls: async (fields: Record<string, unknown> = {}) => {
      const params = [sendCallsParam(address, fields as Record<string, Json>)];
      return (await call('wallet_sendCalls', params)) as { id: string };
    },
    status: async (id: string) => call('wallet_getCallsStatus', [id]),
    batches: () => (edges.backend.document as { batches: CallBatch[] }).batches,
    include: (hash: Hex, fields: Record<string, Json> = {}) =>
      include(bundler, operations, { hash, fields }),
  };
}

/** A bench whose site has sent calls with the id `mine`, and the hashes of their transactions. */
export type SentBench = CallsBench & { hashes: Hex[] };

/** Sends two transfers from the ordinary account to a node that accepts this many of them. */
export async function createSentBench(accepted = 2): Promise<SentBench> {
  const bench = await createCallsBench();
  const { pool, sendCalls, batches, beforeSend } = bench;
  beforeSend(() => {
    if (pool.size >= accepted) refuses('no')();
  });
  await sendCalls({ id: 'mine' });
  return { ...bench, hashes: [...(batches()[0]?.hashes ?? [])] };
}

/** Creates the receipt that a site gets for {@link RECEIPT}. */
export function callReceiptOf(hash: Json | undefined, status = '0x1'): object {
  const { blockHash, blockNumber, gasUsed } = RECEIPT;
  const transactionHash = hash ?? null;
  return { logs: [], status, blockHash, blockNumber, gasUsed, transactionHash };
}

// The paymaster's contract accepts everything.
function answerCall(params: Json[]): Json {
  const isPaymaster = JSON.stringify(params[0]).includes(answer07.paymaster);
  return isPaymaster ? `0x${'00'.repeat(64)}` : answerEntryPointCalls(params);
}

function createBundler(
  operations: Map<Hex, UserOperation>,
  entryPoint: EntryPointVersion,
): FakeNode {
  return createFakeNode({
    eth_chainId: '0x1',
    eth_supportedEntryPoints: [
      '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
      '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    ],
    eth_estimateUserOperationGas: GAS,
    eth_sendUserOperation: ([json]) => {
      const operation = readOperation(json, entryPoint);
      const hash = hashUserOperation(operation, { chainId: 1n, entryPoint });
      operations.set(hash, operation);
      return hash;
    },
    eth_getUserOperationByHash: null,
    eth_getUserOperationReceipt: null,
  });
}

function include(
  bundler: FakeNode,
  operations: ReadonlyMap<Hex, UserOperation>,
  { hash, fields }: { hash: Hex; fields: Record<string, Json> },
): void {
  const { sender = '', nonce = 0n } = operations.get(hash) ?? {};
  bundler.answers.eth_getUserOperationReceipt = operationReceipt(1, {
    userOpHash: hash,
    sender,
    nonce: `0x${nonce.toString(16)}`,
    logs: [LOG],
    ...fields,
  });
}
