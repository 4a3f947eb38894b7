// Creates the contracts on a fresh chain and gives each paymaster its deposit and stake.
// Transactions are sent together and mined together: one after another they would take
// most of the time of a start. The chain must not mine by itself meanwhile, since anvil
// 1.7 forgets some transactions that come while it mines a block: they stay in its pool.
import {
  createTestClient,
  encodeFunctionData,
  http,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
  type Address,
  type Hex,
} from 'viem';

import { bundleSender, deploymentPayer, deriveBundlerAddress } from './accounts';
import {
  deterministicDeployer,
  type Contracts,
  type Creation,
  type Placement,
} from './contracts';

type Transaction = {
  account: Address;
  to: Address;
  data: Hex;
  nonce: number;
  value?: bigint;
};
type Client = ReturnType<typeof createClient>;

const abi = parseAbi([
  'function depositTo(address account) payable',
  'function addStake(uint32 unstakeDelaySec) payable',
]);
const deposit = parseEther('100');
const stake = parseEther('1');
const stakeDelaySeconds = 86_400;
const gas = 8_000_000n;

/**
 * Create all contracts on a fresh chain, and give paymasters and bundlers their money.
 * The chain must not mine by itself; afterwards it mines each transaction at once.
 *
 * @throws {Error} If a transaction fails or a contract is missing afterwards.
 */
export async function deployContracts(
  url: string,
  {
    contracts,
    creations,
    placements,
  }: { contracts: Contracts; creations: Creation[]; placements: Placement[] },
): Promise<void> {
  const client = createClient(url);
  await Promise.all([
    ...[deriveBundlerAddress(), bundleSender.address].map((address) =>
      client.setBalance({ address, value: parseEther('1000') }),
    ),
    ...placements.map((placement) => place(client, placement)),
  ]);
  await mineAll(
    client,
    creations.map(({ data }, nonce) => ({
      account: deploymentPayer,
      to: deterministicDeployer,
      data,
      nonce,
    })),
  );
  await requireCode(client, creations);
  await fundPaymasters(client, contracts, creations.length);
  await client.setAutomine(true);
}

async function place(
  client: Client,
  { name, address, creator, data, replace }: Placement,
): Promise<void> {
  const { data: code = '0x' } = await client.call({ account: creator, data });
  const [from, to] = (replace ?? []).map((each) => each.slice(2).toLowerCase());
  if (from !== undefined && !code.includes(from)) {
    throw new Error(`The code of ${name} does not hold 0x${from}.`);
  }
  const bytecode = from === undefined ? code : code.replaceAll(from, to ?? '');
  await client.setCode({ address, bytecode: bytecode as Hex });
}

/** @param nonce - The payer's next one. */
async function fundPaymasters(
  client: Client,
  contracts: Contracts,
  nonce: number,
): Promise<void> {
  const { deterministicDeployer: owner, ...byVersion } = contracts;
  const versions = Object.values(byVersion);
  // Whoever creates a paymaster owns it, and only the owner may add stake.
  const [ownerNonce] = await Promise.all([
    client.getTransactionCount({ address: owner }),
    client.setBalance({ address: owner, value: parseEther('10') }),
    client.impersonateAccount({ address: owner }),
  ]);
  const addStake = encodeFunctionData({
    abi,
    functionName: 'addStake',
    args: [stakeDelaySeconds],
  });
  const transactions = versions.flatMap(({ entryPoint, verifyingPaymaster }, index) => [
    {
      account: deploymentPayer,
      to: entryPoint,
      data: encodeFunctionData({
        abi,
        functionName: 'depositTo',
        args: [verifyingPaymaster],
      }),
      value: deposit,
      nonce: nonce + index,
    },
    {
      account: owner,
      to: verifyingPaymaster,
      data: addStake,
      value: stake,
      nonce: ownerNonce + index,
    },
  ]);
  await mineAll(client, transactions);
  await client.stopImpersonatingAccount({ address: owner });
}

async function mineAll(client: Client, transactions: Transaction[]): Promise<void> {
  const hashes = await Promise.all(
    transactions.map((transaction) =>
      // The node signs: it holds the keys of the accounts used here.
      client.sendTransaction({ ...transaction, chain: null, gas }),
    ),
  );
  // All creations need a little more gas than one block has.
  await client.mine({ blocks: 2 });
  const receipts = await Promise.all(
    hashes.map((hash) => client.getTransactionReceipt({ hash })),
  );
  const failed = receipts.findIndex(({ status }) => status !== 'success');
  if (failed === -1) return;
  throw new Error(
    `Transaction ${failed + 1} of the deployment failed: ${hashes[failed]}.`,
  );
}

async function requireCode(client: Client, creations: Creation[]): Promise<void> {
  const codes = await Promise.all(
    creations.map(({ address }) => client.getCode({ address })),
  );
  const missing = creations.filter((_creation, index) => codes[index] === undefined);
  if (missing.length === 0) return;
  const list = missing.map(({ name, address }) => `${name} at ${address}`).join(', ');
  throw new Error(`Missing on the chain after the deployment: ${list}.`);
}

/** Creates a client that can send from the node's own accounts. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- viem infers it
export function createClient(url: string) {
  return createTestClient({
    mode: 'anvil',
    transport: http(url, { batch: { batchSize: 100 }, retryCount: 0 }),
  })
    .extend(publicActions)
    .extend(walletActions);
}
