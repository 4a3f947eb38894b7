// A chain with ten thousand transactions, each of which emitted a log as a token's
// transfer does.
import { createTestClient, http } from 'viem';
import type { Hash } from 'viem';

import { funded } from '../stack/accounts';

const EMITTER = '0x00000000000000000000000000000000000e1117';

// LOG3 with 32 bytes of data: PUSH1 3, 2, 1, 32, 0; LOG3; STOP.
const EMITTER_CODE = '0x60036002600160206000a300';

const BATCH = 1_000;

/** Send transactions to an empty chain and mine them; answers with their hashes. */
export async function fillChain(nodeUrl: string, count: number): Promise<Hash[]> {
  const node = createTestClient({ mode: 'anvil', transport: http(nodeUrl) });
  // A line a request, which this process would have to read, and pay for.
  await node.setLoggingEnabled(false);
  await node.setBlockGasLimit({ gasLimit: 1_000_000_000n });
  await node.setCode({ address: EMITTER, bytecode: EMITTER_CODE });
  const hashes: Hash[] = [];
  while (hashes.length < count) {
    hashes.push(...(await sendBatch(nodeUrl, hashes.length)));
    await node.mine({ blocks: 1 });
  }
  return hashes.slice(0, count);
}

async function sendBatch(nodeUrl: string, firstNonce: number): Promise<Hash[]> {
  const calls = Array.from({ length: BATCH }, (_each, index) => ({
    jsonrpc: '2.0',
    id: index,
    method: 'eth_sendTransaction',
    params: [
      {
        from: funded.address,
        to: EMITTER,
        gas: '0xc350',
        maxFeePerGas: '0xba43b7400',
        maxPriorityFeePerGas: '0x3b9aca00',
        nonce: `0x${(firstNonce + index).toString(16)}`,
      },
    ],
  }));
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(calls),
  });
  const answers = (await response.json()) as { result: Hash }[];
  return answers.map(({ result }) => result);
}
