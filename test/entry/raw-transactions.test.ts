// Transactions that were signed elsewhere and that a site has the snap send.
import { keccak256 } from 'viem';

import { createRawBench, sign } from '../support/raw-bench';

const BLOBS = {
  type: 'eip4844',
  blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
  maxFeePerBlobGas: 7n,
  nonce: 5,
} as const;

describe('eth_sendRawTransaction', () => {
  it('sends a blob transaction of a granted account, and follows it', async () => {
    const { sendRaw, pool, activity } = await createRawBench();
    const raw = await sign(BLOBS);
    const hash = keccak256(raw);
    expect(await sendRaw([raw])).toBe(hash);
    expect([...pool.keys()]).toStrictEqual([hash]);
    expect(await activity()).toMatchObject([
      {
        hash,
        status: 'pending',
        fees: {
          maxFeePerGas: '0x2',
          maxPriorityFeePerGas: '0x1',
          maxFeePerBlobGas: '0x7',
        },
        canBeReplaced: false,
      },
    ]);
  });
});
