// The newer methods of nodes as a real one has or lacks them: what our client reads of anvil's
// answers, through the service.
import { createTestClient, http, keccak256, parseGwei, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import {
  KEY,
  startServiceBench,
  type ServiceBench,
} from '../../dev/service/service-bench';
import { funded } from '../../dev/stack/accounts';
import type { NodeClient } from '../../packages/client/src';

const account = privateKeyToAccount(funded.privateKey);

const from = account.address;

let bench: ServiceBench;
let node: NodeClient;

beforeAll(async () => {
  bench = await startServiceBench();
  node = bench.connectNode(KEY);
});

afterAll(async () => bench?.stop());

/** Signs a payment of 1 wei. */
async function sign(nonce: number): Promise<Hex> {
  const fees = { maxFeePerGas: parseGwei('50'), maxPriorityFeePerGas: 1n };
  const payment = { to: from, value: 1n, gas: 21_000n, nonce } as const;
  return account.signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    ...payment,
    ...fees,
  });
}

it('returns its fork', async () => {
  const { current } = (await node.tryRequest('eth_config', [])) ?? {};
  expect(current).toMatchObject({
    activationTime: 0,
    chainId: '0x7a69',
    precompiles: { ECREC: '0x0000000000000000000000000000000000000001' },
  });
});

it('lacks what it says that it lacks', async () => {
  for (const method of ['eth_baseFee', 'eth_capabilities'] as const) {
    expect(await node.tryRequest(method, [])).toBeUndefined();
    expect(node.lacks(method)).toBe(true);
  }
});

it('returns the price of blobs, and so does its history', async () => {
  const now = await node.tryRequest('eth_blobBaseFee', []);
  const history = await node.request('eth_feeHistory', ['0x1', 'latest', []]);
  expect(history.baseFeePerBlobGas?.at(-1)).toBe(now);
});

it('answers with the receipt of what it is sent', async () => {
  const miner = createTestClient({ transport: http(bench.nodeUrl), mode: 'anvil' });
  await miner.setAutomine(true);
  const raw = await sign(9);
  const receipt = await node.tryRequest('eth_sendRawTransactionSync', [raw]);
  expect(receipt).toMatchObject({ transactionHash: keccak256(raw), status: '0x1' });
  expect(receipt).toStrictEqual(
    await node.request('eth_getTransactionReceipt', [keccak256(raw)]),
  );
});

it('refuses what it does not take', async () => {
  const sending = node.tryRequest('eth_sendRawTransactionSync', [await sign(0)]);
  await expect(sending).rejects.toThrow(/nonce too low/u);
});
