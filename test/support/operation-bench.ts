// A granted smart account that sends user operations, with an in-memory node, bundler and
// paymaster, all on chain 1.
import type { Json } from '@metamask/utils';
import { toFunctionSelector } from 'viem';
import type { Hex } from 'viem';

import { entryPoints } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { hashUserOperation } from '../../src/core/operation';
import { withQuantities } from '../../src/eth/hex';
import {
  parseOperationRequest,
  toPackedRequest,
} from '../../src/eth/operation-request';
import { UserOperationStruct } from '../../src/eth/user-operation';
import { parse } from '../../src/schema/parse';
import { answerAsContract } from './account-contract';
import { callersOf } from './callers';
import { serving } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { configOf } from './forks';
import { storeChains } from './given';
import { createAccount, createTestApp, DAPP, pollLater } from './test-app';
import type { TestApp } from './test-app';

export type OperationBench = Awaited<ReturnType<typeof createOperationBench>>;

export type OperationBenchOptions = {
  version?: EntryPointVersion;
  node?: NodeAnswers;
  bundler?: NodeAnswers;
  /** A paymaster's answers; without them, no paymaster is configured. */
  paymaster?: NodeAnswers;
};

export const ESTIMATE = {
  callGasLimit: '0x186a0',
  verificationGasLimit: '0x30d40',
  preVerificationGas: '0xc350',
};

export const BUNDLER_URL = 'https://bundler.example';

const PAYMASTER_URL = 'https://paymaster.example';

const selectors = {
  nonce: toFunctionSelector('getNonce(address,uint192)'),
  deposit: toFunctionSelector('balanceOf(address)'),
};

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * Answers contract calls: every nonce key has this count, nothing is deposited, and the paymaster
 * accepts everything.
 */
export const answerContractCalls =
  (count = 7n) =>
  ([call]: Json[]): Json => {
    const { data } = call as { data: Hex };
    if (data.startsWith(selectors.nonce)) {
      return word((BigInt(`0x${data.slice(-48)}`) << 64n) + count);
    }
    if (data.startsWith(selectors.deposit)) return word(0n);
    return `${word(64n)}${'00'.repeat(64)}`;
  };

/** Sets up a deployed smart account with 10 ether, granted to a site. */
export async function createOperationBench({
  version = '0.7',
  ...answers
}: OperationBenchOptions = {}) {
  const app = createTestApp();
  const { edges } = app;
  const callers = callersOf(app);
  Object.assign(edges.wallet.answers, { eth_call: '0x', eth_getCode: '0x' });
  const options = { type: 'eip155:erc4337', entryPoint: version };
  const account = await createAccount(app, options);
  const { owner } = account.options as { owner: Hex };
  const address = account.address as Hex;
  const bundler = createFakeNode({
    eth_chainId: '0x1',
    eth_supportedEntryPoints: Object.values(entryPoints).map((each) => each.entryPoint),
    eth_estimateUserOperationGas: ESTIMATE,
    eth_sendUserOperation: ([operation]: Json[]) =>
      hashUserOperation(readOperation(operation, version), {
        chainId: 1n,
        entryPoint: version,
      }),
    eth_getUserOperationByHash: null,
    eth_getUserOperationReceipt: null,
    ...answers.bundler,
  });
  const paymaster = createFakeNode(answers.paymaster ?? {});
  Object.assign(edges.wallet.answers, {
    eth_call: answerContractCalls(),
    eth_config: configOf('prague'),
    // Agrees with the bundler's estimates.
    eth_estimateGas: '0x186a0',
    eth_getCode: '0x6080',
    ...answers.node,
  });
  const { answers: nodeAnswers } = edges.wallet;
  nodeAnswers.eth_call = answerAsContract(account, nodeAnswers.eth_call);
  await configure(app, { bundler, paymaster: answers.paymaster && paymaster });
  await callers.rpc(DAPP, 'eth_requestAccounts');
  const dialogs = edges.dialogs.shown.length;
  const listOperations = (method: string): Record<string, Json>[] =>
    bundler.calls
      .filter((each) => each.method === method)
      .map(({ params }) => withQuantities(readOperation(params[0], version)));
  return {
    app,
    edges,
    id: account.id,
    address,
    owner,
    version,
    bundler,
    paymaster,
    /** Calls as the site. */
    call: async (method: string, params: Json) => callers.rpc(DAPP, method, params),
    /**
     * Lists the operations sent to the bundler, in the eleven-field form of
     * docs/reference/service.md#user-operations.
     */
    sent: () => listOperations('eth_sendUserOperation'),
    /** Lists the operations that the bundler estimated, in the same form. */
    estimated: () => listOperations('eth_estimateUserOperationGas'),
    /** The dialogs shown since the account was granted. */
    shown: () => edges.dialogs.shown.slice(dialogs),
    poll: async (ms: number) => pollLater(app, ms),
  };
}

async function configure(
  app: TestApp,
  { bundler, paymaster }: { bundler: FakeNode; paymaster: FakeNode | undefined },
): Promise<void> {
  const { edges } = app;
  edges.network.serve(BUNDLER_URL, serving(bundler));
  if (paymaster) edges.network.serve(PAYMASTER_URL, serving(paymaster));
  const row = {
    bundlerUrl: BUNDLER_URL,
    ...(paymaster
      ? { paymasterUrl: PAYMASTER_URL, paymasterContext: { plan: 7 } }
      : {}),
  };
  await storeChains(app, { 'eip155:1': row });
}

/**
 * Parses an operation in the bundler's form (unpacked for 0.7 and later), and adds empty fields.
 */
export function readOperation(operation: Json | undefined, version: EntryPointVersion) {
  const request = parseOperationRequest(operation, 'operation');
  const packed = toPackedRequest(request, version);
  const fields = { initCode: '0x', paymasterAndData: '0x', ...packed };
  return parse(fields, UserOperationStruct, 'operation');
}
