// Smart accounts on a running stack, for which operations are filled without a bundler's
// estimates, and the EntryPoint that carries them out. Keys are given: no snap takes part.
import {
  createPublicClient,
  createWalletClient,
  hexToBytes,
  http,
  parseEventLogs,
} from 'viem';
import type { Abi, Hex } from 'viem';
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
} from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import type { ChainStack } from '../../dev/stack/stack';
import { createWalletTransport } from '../../src/chains/wallet-transport';
import {
  createBundlerClient,
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../src/client';
import type { NodeClient } from '../../src/client';
import { encodeIntents } from '../../src/eth/account-calls';
import type { Intent } from '../../src/eth/account-calls';
import { entryPoints } from '../../src/eth/entry-point';
import type { EntryPointVersion } from '../../src/eth/entry-point';
import { signUserOperation } from '../../src/eth/sign-user-operation';
import { computeAccountAddress } from '../../src/eth/smart-account';
import type { UserOperation } from '../../src/eth/user-operation';
import { fillOperation } from '../../src/fees/fill-user-operation';
import type { OperationRequest } from '../../src/fees/operation-draft';
import type { SmartRecord } from '../../src/state/account-record';
import { toStruct } from '../fixtures/eth/user-operation';
import { createFakeNode } from './fake-node';
import { smartRecord } from './records';

const ABIS: Record<EntryPointVersion, Abi> = {
  '0.6': entryPoint06Abi,
  '0.7': entryPoint07Abi,
  '0.8': entryPoint08Abi,
};

/** Enough for every limit that is tried. */
const HANDLE_GAS = 12_000_000n;

/** A smart account, and the key of its owner. */
export type LiveAccount = { record: SmartRecord; key: Hex };

/** What the EntryPoint did with an operation. Gas. */
export type Outcome = { success: boolean; paidGas: bigint; usedGas: bigint };

/** Create a client of the stack's node. */
export function connectNode({ chain }: ChainStack): NodeClient {
  const endpoint = createRpcEndpoint(chain.url, undefined);
  return createNodeClient(createHttpTransport(endpoint, { fetch }));
}

/** Make an account that nobody has used, not deployed. */
export function createLiveAccount(version: EntryPointVersion): LiveAccount {
  const key = generatePrivateKey();
  const owner = privateKeyToAccount(key).address;
  const { factory } = entryPoints[version];
  const origin = { entryPoint: version, factory, owner };
  const address = computeAccountAddress({ ...origin, salt: 0n });
  return { record: smartRecord({ ...origin, address }), key };
}

/** Fill what carries out intents, where no bundler estimates anything. */
export async function fillBySimulation(
  { record }: LiveAccount,
  intents: readonly Intent[],
  stack: ChainStack,
): Promise<UserOperation> {
  const callData = encodeIntents(record.entryPoint, intents);
  return fillRequest(record, { callData }, stack);
}

async function fillRequest(
  account: SmartRecord,
  request: OperationRequest,
  stack: ChainStack,
): Promise<UserOperation> {
  const { operation } = await fillOperation(request, {
    account,
    chainId: BigInt(stack.chainId),
    node: connectNode(stack),
    bundler: createBundlerClient(createWalletTransport(createFakeNode().request)),
    now: () => Date.now(),
  });
  return operation;
}

/**
 * Sign an operation and have the EntryPoint carry it out.
 *
 * @throws If the EntryPoint refuses it.
 */
export async function carryOut(
  operation: UserOperation,
  { record, key }: LiveAccount,
  stack: ChainStack,
): Promise<Outcome> {
  const { entryPoint } = record;
  const domain = { chainId: BigInt(stack.chainId), entryPoint };
  const signature = signUserOperation(operation, domain, hexToBytes(key));
  const signed = { ...operation, signature };
  const { address } = privateKeyToAccount(stack.funded.privateKey);
  const contract = {
    address: entryPoints[entryPoint].entryPoint,
    abi: ABIS[entryPoint],
    functionName: 'handleOps',
    args: [[toStruct(signed, entryPoint)], address],
    gas: HANDLE_GAS,
  };
  const transport = http(stack.chain.url);
  const account = privateKeyToAccount(stack.funded.privateKey);
  const client = createPublicClient({ transport, pollingInterval: 20 });
  await client.simulateContract({ ...contract, account });
  const wallet = createWalletClient({ transport, account });
  const hash = await wallet.writeContract({ ...contract, chain: null });
  const { gasUsed, logs } = await client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    logs,
  });
  if (!event) throw new Error('The EntryPoint tells of no operation.');
  const { success, actualGasUsed } = event.args;
  return { success, paidGas: actualGasUsed, usedGas: gasUsed };
}
