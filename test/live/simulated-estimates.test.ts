// Gas limits that we find without a bundler: the real EntryPoints carry out with them what
// they were found for, and repay the bundler all the gas that it took.
import {
  concat,
  createPublicClient,
  createWalletClient,
  hexToBytes,
  http,
  pad,
  parseEther,
  parseEventLogs,
  stringToHex,
} from 'viem';
import type { Abi, Hex } from 'viem';
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  entryPoint09Abi,
} from 'viem/account-abstraction';
import {
  generatePrivateKey,
  privateKeyToAccount,
  privateKeyToAddress,
} from 'viem/accounts';

import { proxies } from '../../dev/stack/proxies';
import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import {
  createBundlerClient,
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../packages/client/src';
import type { NodeClient } from '../../packages/client/src';
import type { Operator } from '../../src/accounts/kinds/kind';
import { kindOf } from '../../src/accounts/kinds/kinds';
import { createWalletTransport } from '../../src/chains/wallet-node';
import { encodeIntents, readCallData } from '../../src/eth/account-calls';
import type { Intent } from '../../src/eth/account-calls';
import { signUserOperation } from '../../src/eth/sign-user-operation';
import { computeAccountAddress } from '../../src/eth/smart-account';
import { entryPoints, entryPointVersions } from '../../src/eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../src/eth/user-operation';
import { fillOperation } from '../../src/fees/fill-user-operation';
import type { OperationRequest } from '../../src/fees/fill-user-operation';
import type { SmartRecord } from '../../src/state/account-record';
import { toStruct } from '../fixtures/eth/user-operation';
import { send } from '../fixtures/stack/requests';
import { createFakeNode } from '../support/fake-node';
import { smartRecord } from '../support/records';

const ABIS: Record<EntryPointVersion, Abi> = {
  '0.6': entryPoint06Abi,
  '0.7': entryPoint07Abi,
  '0.8': entryPoint08Abi,
  '0.9': entryPoint09Abi,
};

/** Enough for every limit that is tried. */
const HANDLE_GAS = 12_000_000n;

/** A smart account, and the key of its owner. */
type LiveAccount = { record: SmartRecord; key: Hex };

/** Creates a client of the stack's node. */
function connectNode({ chain }: ChainStack): NodeClient {
  const endpoint = createRpcEndpoint(chain.url, undefined);
  return createNodeClient(createHttpTransport(endpoint, { fetch }));
}

/** Makes an unused account, not deployed. */
function createLiveAccount(version: EntryPointVersion): LiveAccount {
  const key = generatePrivateKey();
  const owner = privateKeyToAccount(key).address;
  const { factory } = entryPoints[version];
  const origin = { entryPoint: version, factory, owner };
  const address = computeAccountAddress({ ...origin, salt: 0n }, proxies);
  return { record: smartRecord({ ...origin, address }), key };
}

/** Fills what carries out intents, where no bundler estimates anything. */
async function fillBySimulation(
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
    account: kindOf(account).smart as Operator,
    chainId: BigInt(stack.chainId),
    node: connectNode(stack),
    findFork: async () => Promise.resolve('prague'),
    bundler: createBundlerClient(createWalletTransport(createFakeNode().request)),
    now: () => Date.now(),
    calls: readCallData(account.entryPoint, request.callData).calls,
  });
  return operation;
}

/**
 * Signs an operation and has the EntryPoint carry it out.
 *
 * @throws If the EntryPoint refuses it.
 */
async function carryOut(
  operation: UserOperation,
  { record, key }: LiveAccount,
  stack: ChainStack,
) {
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
  if (!event) throw new Error('The EntryPoint reports no operation.');
  const { success, actualGasUsed } = event.args;
  return { success, paidGas: actualGasUsed, usedGas: gasUsed };
}

let stack: ChainStack;

beforeAll(async () => {
  stack = await startChainStack();
});
afterAll(async () => {
  await stack?.stop();
});

/** To an unused address, which costs most. */
const transfer = (value: bigint): Intent => ({
  to: privateKeyToAddress(generatePrivateKey()),
  value,
  data: '0x',
});

/** Makes a contract of a thousand bytes; other bytes, another address. */
const createContract = (bytes: Hex): Intent => ({
  to: null,
  value: 0n,
  data: concat([
    '0x6103e880600b6000396000f3',
    pad(bytes, { dir: 'right', size: 1_000 }),
  ]),
});

describe.each(entryPointVersions)('limits found by simulation for %s', (version) => {
  let account: LiveAccount;

  beforeAll(async () => {
    account = createLiveAccount(version);
    await send(stack, { to: account.record.address, value: parseEther('5') });
  });

  const batchValue = version === '0.6' ? 0n : 1n;
  const cases: [string, Intent[]][] = [
    ['the first, which deploys the account', [transfer(1n)]],
    ['a second one', [transfer(2n)]],
    ['a batch of three', [batchValue, batchValue, batchValue].map(transfer)],
    ['a contract creation', [createContract(stringToHex(version))]],
  ];

  it.each(cases)('suffice for %s, and pay for it', async (_name, intents) => {
    const operation = await fillBySimulation(account, intents, stack);
    const { success, paidGas, usedGas } = await carryOut(operation, account, stack);
    expect(success).toBe(true);
    expect(paidGas).toBeGreaterThanOrEqual(usedGas);
  });

  const tenthOf = (operation: UserOperation, limit: keyof UserOperation) => ({
    ...operation,
    [limit]: BigInt(operation[limit]) / 10n,
  });

  it('would not suffice if they were a tenth', async () => {
    const operation = await fillBySimulation(account, [transfer(3n)], stack);
    const unverified = tenthOf(operation, 'verificationGasLimit');
    await expect(carryOut(unverified, account, stack)).rejects.toThrow(/AA\d\d/u);
    const unpaid = tenthOf(operation, 'preVerificationGas');
    const { paidGas, usedGas } = await carryOut(unpaid, account, stack);
    expect(paidGas).toBeLessThan(usedGas);
    const next = await fillBySimulation(account, [transfer(3n)], stack);
    const failing = tenthOf(next, 'callGasLimit');
    expect(await carryOut(failing, account, stack)).toHaveProperty('success', false);
  });
});
