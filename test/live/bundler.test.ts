// Operations of every EntryPoint at the stack's bundler, with viem alone: from the estimate
// to the receipt.
import { createTestClient, http, parseEther, type Address, type Hex } from 'viem';

import { startChainStack, type ChainStack } from '../../dev/stack/stack';
import { prepare, useBundler, type BundlerUser } from '../fixtures/stack/bundler';
import { createAccount } from '../fixtures/stack/simple-account';
import {
  ampleLimits,
  draftOperation,
  signOperation,
  type WireOperation,
} from '../fixtures/stack/wire-operation';

const ours = ['0.7', '0.8', '0.9'] as const;

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

const nobody: Address = '0x000000000000000000000000000000000000dEaD';

function createClient() {
  return createTestClient({ mode: 'anvil', transport: http(stack.chain.url) });
}

describe('operations', () => {
  it.each(ours)('of %s are estimated, sent and found, twice', async (version) => {
    const account = await bundler.createFunded(version);
    const { entryPoint } = stack.contracts[version];
    for (const nonce of ['0x0', '0x1']) {
      const draft = await draftOperation(account);
      const { result } = await bundler.estimate(version, draft);
      const limits = result as WireOperation;
      expect(Object.keys(limits).sort()).toStrictEqual(Object.keys(ampleLimits).sort());
      await bundler.setMode('manual');
      const { operation, hash } = await signOperation(account, { ...draft, ...limits });
      expect(await bundler.send(version, operation)).toStrictEqual({ result: hash });
      const lower = Object.fromEntries(
        Object.entries(operation).map(([name, value]) => [name, value.toLowerCase()]),
      );
      const nowhere = { blockNumber: null, blockHash: null, transactionHash: null };
      const known = { userOperation: lower, entryPoint };
      expect(await bundler.find(hash)).toStrictEqual({ ...known, ...nowhere });
      expect(await bundler.findReceipt(hash)).toBeNull();
      await bundler.bundleNow();
      const receipt = (await bundler.waitForReceipt(hash)) as {
        receipt: WireOperation;
      };
      expect(receipt).toMatchObject({
        userOpHash: hash,
        entryPoint: entryPoint.toLowerCase(),
        sender: account.address,
        nonce,
        success: true,
        logs: [],
      });
      const { blockNumber, blockHash, transactionHash } = receipt.receipt;
      const place = { blockNumber, blockHash, transactionHash };
      expect(await bundler.find(hash)).toStrictEqual({ ...known, ...place });
    }
  });

  it('of 0.6 go to the bundler behind', async () => {
    const account = await bundler.createFunded('0.6');
    for (const nonce of ['0x0', '0x1']) {
      const draft = await draftOperation(account);
      expect(await bundler.estimate('0.6', draft)).toMatchObject({
        result: { callGasLimit: expect.any(String) as string },
      });
      expect(await bundler.include(account)).toMatchObject({ nonce, success: true });
    }
    expect(await bundler.send('0.6', { sender: nobody })).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^Missing/u) as string },
    });
  });

  it.each(ours)('of %s are estimated before there is money', async (version) => {
    const draft = await draftOperation(await createAccount(stack, version), {
      to: nobody,
      value: parseEther('1'),
    });
    expect(await bundler.estimate(version, draft)).toHaveProperty(
      'result.callGasLimit',
    );
  });

  it('that come together go in one bundle, those of 0.8 in another', async () => {
    const accounts = [
      await bundler.createFunded('0.7'),
      await bundler.createFunded('0.7'),
      await bundler.createFunded('0.8'),
    ];
    await bundler.setMode('manual');
    const hashes: Hex[] = [];
    for (const account of accounts) {
      const { operation, hash } = await prepare(account);
      await bundler.send(account.version, operation);
      hashes.push(hash);
    }
    await bundler.setMode('auto');
    const receipts = (await Promise.all(hashes.map(bundler.waitForReceipt))) as {
      receipt: { transactionHash: Hex };
    }[];
    const [one, two, other] = receipts.map(({ receipt }) => receipt.transactionHash);
    expect(one).toBe(two);
    expect(other).not.toBe(one);
  });

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
