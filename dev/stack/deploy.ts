// Sends all transactions first and then mines them together, because mining them one by one would
// take most of the stack's start. anvil 1.7 leaves some transactions in its pool if they arrive
// while it mines a block.
import {
  createTestClient,
  encodeFunctionData,
  getContractAddress,
  http,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
  type Address,
  type Hex,
} from 'viem';

import { entryPointVersions } from '../../src/core/entry-points';
import { deploymentPayer, deriveBundlers } from './accounts';
import { fetchBytecode, type Contracts, type Creation } from './contracts';

type Client = ReturnType<typeof createClient>;

const abi = parseAbi(['function depositTo(address account) payable']);

/** Creates all contracts on a fresh chain that does not mine automatically. Afterwards the chain
 * mines each transaction on arrival. */
export async function deployContracts(
  url: string,
  { contracts, creations }: { contracts: Contracts; creations: Creation[] },
): Promise<void> {
  const client = createClient(url);
  await Promise.all([
    ...deriveBundlers().map(({ address }) =>
      client.setBalance({ address, value: parseEther('1000') }),
    ),
    placeEntryPoint09(client, contracts['0.9'].entryPoint),
  ]);
  const deposits = entryPointVersions.map((version) => ({
    to: contracts[version].entryPoint,
    data: encodeFunctionData({
      abi,
      functionName: 'depositTo',
      args: [contracts[version].verifyingPaymaster],
    }),
    value: parseEther('100'),
  }));
  const transactions = [
    ...creations.map(({ to, data }) => ({ to, data, value: 0n })),
    ...deposits,
  ];
  const hashes = await Promise.all(
    transactions.map((transaction, nonce) =>
      client.sendTransaction({
        ...transaction,
        account: deploymentPayer,
        nonce,
        chain: null,
        gas: 8_000_000n,
      }),
    ),
  );
  // Together, the creations need slightly more gas than one block has.
  await client.mine({ blocks: 3 });
  const receipts = await Promise.all(
    hashes.map((hash) => client.getTransactionReceipt({ hash })),
  );
  const failed = receipts.find(({ status }) => status !== 'success');
  if (failed) {
    throw new Error(
      `A transaction of the deployment failed: ${failed.transactionHash}.`,
    );
  }
  await client.setAutomine(true);
}

const UNUSED: Address = '0x000000000000000000000000000000000000f00d';

// The npm registry has only a release candidate of EntryPoint 0.9, and no salt yields the address
// of the release. So the constructor runs at an unused address. In the resulting code, the address
// of its SenderCreator is replaced with the address of the release's SenderCreator. The code
// computes its EIP-712 domain at any address.
async function placeEntryPoint09(client: Client, address: Address): Promise<void> {
  const [entryPointCode, creatorCode] = await Promise.all([
    fetchBytecode('0.9', 'EntryPoint'),
    fetchBytecode('0.9', 'SenderCreator'),
  ]);
  const construct = async (account: Address, data: Hex): Promise<Hex> =>
    (await client.call({ account, data })).data ?? '0x';
  const creatorOf = (from: Address): Address => getContractAddress({ from, nonce: 1n });
  const elsewhere = creatorOf(getContractAddress({ from: UNUSED, nonce: 0n }));
  const creator = creatorOf(address);
  const code = await construct(UNUSED, entryPointCode);
  const known = elsewhere.slice(2).toLowerCase();
  if (!code.includes(known)) {
    throw new Error(`The code of EntryPoint 0.9 does not hold ${elsewhere}.`);
  }
  const bytecode = code.replaceAll(known, creator.slice(2).toLowerCase()) as Hex;
  await client.setCode({ address, bytecode });
  await client.setCode({
    address: creator,
    bytecode: await construct(address, creatorCode),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- viem infers it
export function createClient(url: string) {
  return createTestClient({
    mode: 'anvil',
    transport: http(url, { batch: { batchSize: 100 }, retryCount: 0 }),
  })
    .extend(publicActions)
    .extend(walletActions);
}
