// Compares the snap's calculations with the deployed EntryPoints: the hash of any operation, and
// gas limits found without a bundler. With these limits an operation must succeed and repay all of
// the bundler's gas.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import {
  concat,
  createPublicClient,
  hexToBytes,
  http,
  numberToHex,
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

import { signUserOperation } from '../../dev/signing';
import { proxies } from '../../dev/stack/proxies';
import { startDevStack } from '../../dev/stack/stack';
import type { DevStack } from '../../dev/stack/stack';
import {
  createBundlerClient,
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../packages/client/src';
import type { OperationAccount } from '../../src/accounts/kinds/kind';
import { kindOf } from '../../src/accounts/kinds/kinds';
import { createWalletTransport } from '../../src/chains/wallet-node';
import { entryPoints, entryPointVersions } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { hashUserOperation } from '../../src/core/operation';
import type { UserOperation } from '../../src/core/payload';
import { encodeIntents, readCallData } from '../../src/eth/account-calls';
import type { Intent } from '../../src/eth/account-calls';
import { computeAccountAddress } from '../../src/eth/smart-account';
import { fillOperation } from '../../src/fees/fill-user-operation';
import type { SmartRecord } from '../../src/state/account-record';
import { plain, toInternal, toStruct } from '../fixtures/eth/user-operation';
import type { OperationParts } from '../fixtures/eth/user-operation';
import { operationParts, paymasterSignedParts } from '../support/arbitraries';
import { createFakeNode } from '../support/fake-node';
import { smartRecord } from '../support/records';
import { runs } from '../support/runs';
import { createNode } from '../support/smart-world';

const ABIS: Record<EntryPointVersion, Abi> = {
  '0.6': entryPoint06Abi,
  '0.7': entryPoint07Abi,
  '0.8': entryPoint08Abi,
  '0.9': entryPoint09Abi,
};

let stack: DevStack;

beforeAll(async () => {
  stack = await startDevStack();
});
afterAll(async () => {
  await stack?.stop();
});

/** Number of operations per version. */
const COUNT = 100;

async function hashOnChain(
  operations: readonly UserOperation[],
  version: EntryPointVersion,
): Promise<unknown[]> {
  const transport = http(stack.chain.url, { batch: { batchSize: COUNT } });
  const client = createPublicClient({ transport });
  const answers = operations.map(async (operation) =>
    client.readContract({
      address: stack.contracts[version].entryPoint,
      abi: ABIS[version],
      functionName: 'getUserOpHash',
      args: [toStruct(operation, version)],
    }),
  );
  return Promise.all(answers);
}

it.each([
  ...entryPointVersions.map((version) => [
    version,
    'random operations',
    operationParts,
  ]),
  ['0.9', 'operations signed by a paymaster', paymasterSignedParts],
] as [EntryPointVersion, string, Arbitrary<OperationParts>][])(
  'agrees with EntryPoint %s on the hashes of %s',
  async (version, _what, arbitrary) => {
    const operations = fc
      .sample(arbitrary, runs(COUNT))
      .map((parts) => toInternal(parts, version));
    const domain = { chainId: BigInt(stack.chainId), entryPoint: version };
    const ours = operations.map((operation) => hashUserOperation(operation, domain));
    expect(new Set(ours).size).toBeGreaterThan(COUNT / 2);
    expect(await hashOnChain(operations, version)).toStrictEqual(ours);
  },
);

it('handles a paymaster signature of any length as EntryPoint 0.9 does', async () => {
  const domain = { chainId: BigInt(stack.chainId), entryPoint: '0.9' } as const;
  for (const length of [0, 1, 4, 5, 2 ** 16 - 1]) {
    const operation = {
      ...toInternal(plain, '0.9'),
      // Four bytes of data between the paymaster's gas limits and the signature's length.
      paymasterAndData: concat([
        `0x${'01'.repeat(52)}deadbeef`,
        numberToHex(length, { size: 2 }),
        '0x22e325a297439656',
      ]),
    };
    const hash = async () => Promise.resolve(hashUserOperation(operation, domain));
    const refusal = ['InvalidParamsError'];
    const ours = await hash().then(
      (own) => [own],
      (error: Error) => [error.name],
    );
    const theirs = await hashOnChain([operation], '0.9').catch(() => refusal);
    expect(theirs).toStrictEqual(ours);
    expect(theirs === refusal).toBe(length > 4);
  }
});

/** Gas for `handleOps`; enough for any limits that the simulation finds. */
const HANDLE_GAS = 12_000_000n;

type LiveAccount = { record: SmartRecord; key: Hex };

function createLiveAccount(version: EntryPointVersion): LiveAccount {
  const key = generatePrivateKey();
  const owner = privateKeyToAccount(key).address;
  const { factory } = entryPoints[version];
  const origin = { entryPoint: version, factory, owner };
  const address = computeAccountAddress({ ...origin, salt: 0n }, proxies);
  return { record: smartRecord({ ...origin, address }), key };
}

/** Fills an operation that executes these intents, without a bundler's estimate. */
async function fillBySimulation(
  { record }: LiveAccount,
  intents: readonly Intent[],
): Promise<UserOperation> {
  const { entryPoint } = record;
  const callData = encodeIntents(entryPoint, intents);
  const endpoint = createRpcEndpoint(stack.chain.url, undefined);
  const { operation } = await fillOperation(
    { callData },
    {
      account: kindOf(record).smart as OperationAccount,
      chainId: BigInt(stack.chainId),
      node: createNodeClient(createHttpTransport(endpoint, { fetch })),
      findFork: async () => Promise.resolve('prague'),
      bundler: createBundlerClient(createWalletTransport(createFakeNode().request)),
      now: () => Date.now(),
      calls: readCallData(entryPoint, callData).calls,
    },
  );
  return operation;
}

/**
 * Signs an operation and executes it through the EntryPoint.
 *
 * @throws If the EntryPoint refuses it.
 */
async function execute(operation: UserOperation, { record, key }: LiveAccount) {
  const { entryPoint } = record;
  const domain = { chainId: BigInt(stack.chainId), entryPoint };
  const signature = signUserOperation(operation, domain, hexToBytes(key));
  const signed = { ...operation, signature };
  const account = privateKeyToAccount(stack.funded.privateKey);
  const contract = {
    account,
    address: entryPoints[entryPoint].entryPoint,
    abi: ABIS[entryPoint],
    functionName: 'handleOps',
    args: [[toStruct(signed, entryPoint)], account.address],
    gas: HANDLE_GAS,
  };
  const node = createNode(stack.chain.url);
  await node.simulateContract(contract);
  const { gasUsed, logs } = await node.writeContractSync(contract);
  const [event] = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    logs,
  });
  if (!event) throw new Error('The EntryPoint reports no operation.');
  const { success, actualGasUsed } = event.args;
  return { success, paidGas: actualGasUsed, usedGas: gasUsed };
}

/** A payment to an unused address, the most expensive kind. */
const transfer = (value: bigint): Intent => ({
  to: privateKeyToAddress(generatePrivateKey()),
  value,
  data: '0x',
});

/** Creates a contract of 1,000 bytes; the given bytes make its address unique. */
const createContract = (bytes: Hex): Intent => ({
  to: null,
  value: 0n,
  data: concat([
    '0x6103e880600b6000396000f3',
    pad(bytes, { dir: 'right', size: 1_000 }),
  ]),
});

describe.each(entryPointVersions)('simulated limits for EntryPoint %s', (version) => {
  let account: LiveAccount;

  beforeAll(async () => {
    account = createLiveAccount(version);
    const { address } = account.record;
    const value = parseEther('5');
    await createNode(stack.chain.url).setBalance({ address, value });
  });

  const batchValue = version === '0.6' ? 0n : 1n;
  const cases: [string, Intent[]][] = [
    ['the first operation, which deploys the account', [transfer(1n)]],
    ['the second operation', [transfer(2n)]],
    ['a batch of three', [batchValue, batchValue, batchValue].map(transfer)],
    ['a contract creation', [createContract(stringToHex(version))]],
  ];

  it.each(cases)('suffice for %s and repay the bundler', async (_name, intents) => {
    const operation = await fillBySimulation(account, intents);
    const { success, paidGas, usedGas } = await execute(operation, account);
    expect(success).toBe(true);
    expect(paidGas).toBeGreaterThanOrEqual(usedGas);
  });

  const withTenthOf = (operation: UserOperation, limit: keyof UserOperation) => ({
    ...operation,
    [limit]: BigInt(operation[limit]) / 10n,
  });

  it('do not suffice if divided by ten', async () => {
    const operation = await fillBySimulation(account, [transfer(3n)]);
    const unverified = withTenthOf(operation, 'verificationGasLimit');
    await expect(execute(unverified, account)).rejects.toThrow(/AA\d\d/u);
    const unpaid = withTenthOf(operation, 'preVerificationGas');
    const { paidGas, usedGas } = await execute(unpaid, account);
    expect(paidGas).toBeLessThan(usedGas);
    const next = await fillBySimulation(account, [transfer(3n)]);
    const failing = withTenthOf(next, 'callGasLimit');
    expect(await execute(failing, account)).toHaveProperty('success', false);
  });
});
