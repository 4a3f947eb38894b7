// Main job, part 4: MetaMask's way with a smart account, through its SnapKeyring: prepare,
// patch, sign, then send to the bundler that the snap named. The first operation deploys
// the account.
import { createPublicClient, formatEther, http } from 'viem';
import type { Address, Hex } from 'viem';

import type { DemoAccount } from './accounts';
import { findReceipt } from './transactions';
import type { World } from './world';

/** An operation from its hash to the account that it deployed. */
export type SentOperation = {
  hash: Hex;
  transactionHash: Hex;
  success: boolean;
  blockNumber: bigint;
  actualGasUsed: bigint;
  isDeployed: boolean;
  /** What the operation transferred, in ether. */
  received: string;
};

type BundlerReceipt = {
  success: boolean;
  actualGasUsed: Hex;
  receipt: { transactionHash: Hex };
};

const RECIPIENT: Address = '0x000000000000000000000000000000000000bEEF';

const WAIT_MS = 200;
const ATTEMPTS = 100;

/** Send a little money from a smart account. */
export async function sendUserOperation(
  world: World,
  { address }: DemoAccount,
): Promise<SentOperation> {
  const { wallet, stack } = world;
  const context = { chainId: String(stack.chainId) };
  const intent = { to: RECIPIENT, value: '0x2386f26fc10000', data: '0x' };
  const prepared = await wallet.keyring.prepareUserOperation(
    address,
    [intent],
    context,
  );
  const { bundlerUrl, gasLimits, callData, initCode, nonce, dummySignature } = prepared;
  if (!gasLimits) throw new Error('The snap estimated no gas limits.');
  const draft = {
    sender: address,
    nonce,
    initCode,
    callData,
    ...gasLimits,
    ...(await fetchFees(world)),
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: dummySignature,
  };
  const patch = await wallet.keyring.patchUserOperation(address, draft, context);
  const operation = { ...draft, ...patch };
  const signature = await wallet.keyring.signUserOperation(address, operation, context);
  const entryPoint = stack.contracts['0.6'].entryPoint;
  const hash = await askBundler<Hex>(bundlerUrl, 'eth_sendUserOperation', [
    { ...operation, signature },
    entryPoint,
  ]);
  const receipt = await waitForReceipt(bundlerUrl, hash);
  return describe(world, address, { hash, receipt });
}

async function describe(
  world: World,
  address: Address,
  { hash, receipt }: { hash: Hex; receipt: BundlerReceipt },
): Promise<SentOperation> {
  const client = createPublicClient({ transport: http(world.stack.chain.url) });
  const { transactionHash } = receipt.receipt;
  const [code, balance, { blockNumber }] = await Promise.all([
    client.getCode({ address }),
    client.getBalance({ address: RECIPIENT }),
    findReceipt(world, transactionHash),
  ]);
  return {
    hash,
    transactionHash,
    success: receipt.success,
    blockNumber,
    actualGasUsed: BigInt(receipt.actualGasUsed),
    isDeployed: code !== undefined,
    received: formatEther(balance),
  };
}

// The fees are the wallet's to choose: MetaMask takes them from the gas API too.
async function fetchFees({ stack }: World): Promise<{
  maxFeePerGas: Hex;
  maxPriorityFeePerGas: Hex;
}> {
  const client = createPublicClient({ transport: http(stack.chain.url) });
  const fees = await client.estimateFeesPerGas();
  return {
    maxFeePerGas: `0x${fees.maxFeePerGas.toString(16)}`,
    maxPriorityFeePerGas: `0x${fees.maxPriorityFeePerGas.toString(16)}`,
  };
}

async function waitForReceipt(bundlerUrl: string, hash: Hex): Promise<BundlerReceipt> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const receipt = await askBundler<BundlerReceipt | null>(
      bundlerUrl,
      'eth_getUserOperationReceipt',
      [hash],
    );
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new Error(`The operation ${hash} was not included in time.`);
}

async function askBundler<Result>(
  url: string,
  method: string,
  params: unknown[],
): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as {
    result: Result;
    error?: { message: string };
  };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
