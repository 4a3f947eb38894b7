// What becomes of operations in the stack's bundler.
import { createTestClient, http } from 'viem';

import { startChainStack, type ChainStack } from '../../dev/stack/stack';
import { prepare, useBundler, type BundlerUser } from '../fixtures/stack/bundler';
import { draftOperation, type WireOperation } from '../fixtures/stack/wire-operation';

let stack: ChainStack;
let bundler: BundlerUser;

beforeAll(async () => {
  stack = await startChainStack();
  bundler = useBundler(stack);
});
afterAll(async () => {
  await stack?.stop();
});
afterEach(async () => {
  await bundler.setMode('auto');
});

function createClient() {
  return createTestClient({ mode: 'anvil', transport: http(stack.chain.url) });
}

describe('a pending operation', () => {
  it('is known already when it comes again', async () => {
    const account = await bundler.createFunded('0.7');
    await bundler.setMode('manual');
    const { operation } = await prepare(account);
    await bundler.send('0.7', operation);
    expect(await bundler.send('0.7', operation)).toStrictEqual({
      error: { code: -32602, message: 'already known' },
    });
  });

  it('is replaced only by one that pays 10 % more of both fees', async () => {
    const account = await bundler.createFunded('0.8');
    await bundler.setMode('manual');
    const { operation, hash } = await prepare(account);
    await bundler.send('0.8', operation);
    const [more, tip] = ['0x147d35700', '0x4190ab00'] as const;
    for (const change of [{ maxFeePerGas: more }, { maxPriorityFeePerGas: tip }]) {
      const { operation: cheap } = await prepare(account, change);
      expect(await bundler.send('0.8', cheap)).toStrictEqual({
        error: {
          code: -32602,
          message:
            'replacement underpriced: both fees must be 10 % above those of the operation that waits',
        },
      });
    }
    const dear = { maxFeePerGas: more, maxPriorityFeePerGas: tip };
    const replacement = await prepare(account, dear);
    await bundler.send('0.8', replacement.operation);
    expect(await bundler.find(hash)).toBeNull();
    await bundler.bundleNow();
    expect(await bundler.waitForReceipt(replacement.hash)).toMatchObject({
      success: true,
    });
    expect(await bundler.find(hash)).toBeNull();
  });

  it('stays where it is while its block is not mined', async () => {
    const account = await bundler.createFunded('0.7');
    const client = createClient();
    await bundler.setMode('manual');
    const { operation, hash } = await prepare(account);
    await bundler.send('0.7', operation);
    await client.setAutomine(false);
    try {
      await bundler.bundleNow();
      expect(await bundler.find(hash)).toMatchObject({ transactionHash: null });
      const dear = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x77359400' };
      const { operation: other } = await prepare(account, dear as WireOperation);
      expect(await bundler.send('0.7', other)).toMatchObject({
        error: { code: -32602 },
      });
      await client.mine({ blocks: 1 });
      expect(await bundler.waitForReceipt(hash)).toMatchObject({ success: true });
    } finally {
      await client.setAutomine(true);
    }
  });
});

describe('operations', () => {
  it('that revert are included, with the reason and without success', async () => {
    const account = await bundler.createFunded('0.7');
    const { callData = '0x' } = await draftOperation(account, bundler.reverting());
    const { operation, hash } = await prepare(account, { callData });
    await bundler.send('0.7', operation);
    expect(await bundler.waitForReceipt(hash)).toMatchObject({
      success: false,
      reason: expect.stringMatching(/^0x08c379a0/u) as string,
    });
  });

  it('that an other bundle made invalid are given up', async () => {
    const account = await bundler.createFunded('0.8');
    await bundler.setMode('manual');
    const { operation, hash } = await prepare(account);
    await bundler.send('0.8', operation);
    await createClient().setBalance({ address: account.address, value: 0n });
    await bundler.bundleNow();
    expect(await bundler.find(hash)).toBeNull();
  });
});
