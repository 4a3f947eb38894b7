// eth_sendTransaction from a smart account, sent by viem's wallet actions.
import type { Json } from '@metamask/utils';
import {
  createWalletClient,
  custom,
  decodeFunctionData,
  encodeDeployData,
  getContractAddress,
  parseAbi,
} from 'viem';
import type { Hex } from 'viem';
import { mainnet } from 'viem/chains';

import { callersOf } from '../support/callers';
import { errorOf } from '../support/error-of';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import { settle } from '../support/gate';
import { storeChains } from '../support/given';
import {
  answerContractCalls,
  createOperationBench,
  BUNDLER_URL,
} from '../support/operation-bench';
import type { OperationBenchOptions } from '../support/operation-bench';
import { RECEIPT } from '../support/receipts';
import { expectRefusal } from '../support/refusal';
import { RECIPIENT } from '../support/send-bench';
import { operationReceipt, foundOperation } from '../support/sent-operations';
import { listActivity } from '../support/sent-transactions';
import { DAPP, OTHER_SITE } from '../support/test-app';
import { advanceTime } from '../support/test-edges';
import { writeView } from '../support/view';

const METHOD = 'eth_sendTransaction';

const accountAbi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
]);

const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup(options: OperationBenchOptions = {}) {
  const bench = await createOperationBench(options);
  const { app, edges, address, bundler, call } = bench;
  const client = createWalletClient({
    account: address,
    chain: mainnet,
    transport: custom({
      request: async ({ method, params }: { method: string; params?: unknown }) =>
        callersOf(app).rpc(DAPP, method, params),
    }),
  });
  return {
    ...bench,
    client,
    send: async (fields = {}) =>
      call(METHOD, [{ from: address, to: RECIPIENT, value: '0x1', ...fields }]),
    /** Includes the sent operation in a bundle, and waits for the call that sent it. */
    afterInclusion: async <Result>(
      sending: Promise<Result>,
      fields: Record<string, Json> = {},
    ) => {
      sending.catch(() => undefined);
      await settle();
      const [{ nonce = '0x7' } = {}] = bench.sent().slice(-1);
      bundler.answers.eth_getUserOperationReceipt = ([userOpHash = null]) =>
        operationReceipt(1, { userOpHash, sender: address, nonce, ...fields });
      edges.wallet.answers.eth_call = answerContractCalls(8n);
      advanceTime(edges, 2_000);
      return sending;
    },
  };
}

function callOf({ sent }: Bench): readonly unknown[] {
  const { callData = '0x' } = sent().at(-1) ?? {};
  return decodeFunctionData({ abi: accountAbi, data: callData as Hex }).args;
}

describe('a smart account', () => {
  it("sends a user operation for viem's sendTransaction, and returns the hash of its bundle", async () => {
    const bench = await setup();
    const sending = bench.client.sendTransaction({
      account: bench.address,
      chain: mainnet,
      to: RECIPIENT,
      value: 7n,
    });
    expect(await bench.afterInclusion(sending)).toBe(RECEIPT.transactionHash);
    expect(JSON.stringify(bench.sent())).toContain(bench.address);
    expect(callOf(bench).map(String)).toStrictEqual([
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '7',
      '0x',
    ]);
    expect(bench.shown()).toHaveLength(1);
  });

  it("creates a contract with the deployer for viem's deployContract", async () => {
    const bench = await setup();
    const abi = parseAbi(['constructor(uint256 count)']);
    const creation = { abi, bytecode: '0x6080604052', args: [5n] } as const;
    const sending = bench.client.deployContract({
      account: bench.address,
      chain: mainnet,
      ...creation,
    });
    expect(await bench.afterInclusion(sending)).toBe(RECEIPT.transactionHash);
    const [to, value, data] = callOf(bench);
    const salt = `0x${'00'.repeat(32)}` as const;
    const code = encodeDeployData(creation);
    expect([to, String(value), data]).toStrictEqual([
      DEPLOYER,
      '0',
      `${salt}${code.slice(2)}`,
    ]);
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: DEPLOYER,
      salt,
      bytecode: code,
    } as never);
    expect(writeView(bench.shown()[0]).toLowerCase()).toContain(address.toLowerCase());
  });

  it('lets only the sending site look up the bundle, even if MetaMask has switched chains', async () => {
    const bench = await setup();
    const hash = await bench.afterInclusion(bench.send());
    const node = createFakeNode({ eth_getTransactionReceipt: RECEIPT });
    const rpcUrl = 'https://node.example';
    bench.edges.network.serve(rpcUrl, serving(node));
    await storeChains(bench.app, { 'eip155:1': { bundlerUrl: BUNDLER_URL, rpcUrl } });
    bench.edges.wallet.answers.eth_chainId = '0x5';
    expect(await bench.call('eth_getTransactionReceipt', [hash])).toStrictEqual(
      RECEIPT,
    );
    // Other sites cannot learn who sent the transaction, or on which chain.
    const nothing = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null };
    Object.assign(bench.edges.wallet.answers, nothing);
    const { rpc } = callersOf(bench.app);
    expect(await rpc(OTHER_SITE, 'eth_getTransactionReceipt', [hash])).toBeNull();
  });

  it.each([
    [{ gasPrice: '0x9' }, { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x9' }],
    [
      { type: '0x2', maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x1' },
      { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x1' },
    ],
    [{ gas: '0x5208' }, { callGasLimit: '0x1d4c0' }],
    [{ gas: '0xf4240' }, { callGasLimit: '0xf4240' }],
    [{ accessList: [{ address: RECIPIENT, storageKeys: [] }] }, {}],
  ])('sends %j as %j', async (fields, expected) => {
    const bench = await setup();
    await bench.afterInclusion(bench.send(fields as Record<string, Json>));
    expect(bench.sent()).toMatchObject([expected]);
  });

  it.each<[Record<string, Json>, string]>([
    [{ nonce: '0x7' }, 'nonce is not supported'],
    [{ type: '0x3', blobVersionedHashes: [`0x01${'ab'.repeat(31)}`] }, 'type 0x3'],
    [{ to: null }, 'needs data'],
    [{ to: `0x${'00'.repeat(20)}`, data: '0x01' }, 'zero address'],
    [{ chainId: '0x5' }, 'serves'],
    [{ value: '-1' }, 'value'],
  ])('rejects %j', async (fields, words) => {
    const bench = await setup();
    await bench.app.services.store.update((state) => ({
      ...state,
      accounts: Object.fromEntries(
        Object.entries(state.accounts).map(([id, each]) => [
          id,
          each.type === 'eip155:erc4337' ? { ...each, scopes: ['eip155:1'] } : each,
        ]),
      ),
    }));
    await expectRefusal(bench.send(fields), -32602, words);
    expect([bench.sent(), bench.shown()]).toStrictEqual([[], []]);
  });
});

describe('an operation', () => {
  /** Advances the time until the wait for an inclusion ends, and returns the error. */
  async function waitFor(
    bench: Bench,
    sending: Promise<Json>,
    pauseMs = 2_000,
  ): Promise<unknown> {
    sending.catch(() => undefined);
    for (let pauses = 0; pauses < 22; pauses += 1) {
      await settle();
      advanceTime(bench.edges, pauseMs);
    }
    const { code, message, data } = (await errorOf(async () => sending)) as never as {
      [field: string]: unknown;
    };
    return { code, message, data };
  }

  it('is named in an error if it is not included within a minute', async () => {
    const bench = await setup();
    bench.bundler.answers.eth_getUserOperationByHash = foundOperation(1);
    const error = await waitFor(bench, bench.send());
    const [{ hash = '' } = {}] = await listActivity(bench.app);
    expect(error).toMatchObject({
      code: -32002,
      message: expect.stringMatching(
        new RegExp(`${hash}.*Do not send it again.*eth_getUserOperationReceipt`, 'u'),
      ) as string,
      data: { userOperationHash: hash },
    });
    const receipts = await bench.call('eth_getUserOperationReceipt', [hash ?? null]);
    expect(receipts).toBeNull();
  });

  it('is named in an error that says that it was dropped', async () => {
    const bench = await setup();
    bench.bundler.answers.eth_getUserOperationByHash = null;
    const sending = bench.send();
    sending.catch(() => undefined);
    await settle();
    expect(bench.sent()).toHaveLength(1);
    bench.bundler.answers.eth_sendUserOperation = refuses('no');
    const error = await waitFor(bench, sending, 10_000);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /was sent and is dropped\. None of the servers has it now\. .* do not send it again\./u,
      ) as string,
    });
  });

  it('fails if its call reverts, although its bundle is included', async () => {
    const bench = await setup();
    const failing = bench.afterInclusion(bench.send(), { success: false });
    await expectRefusal(failing, 3, RECEIPT.transactionHash);
  });

  it('does not delay the operations after it', async () => {
    const bench = await setup();
    bench.send().catch(() => undefined);
    bench.send({ value: '0x2' }).catch(() => undefined);
    await settle();
    expect(bench.sent().map(({ nonce }) => nonce)).toStrictEqual([
      '0x7',
      '0x10000000000000007',
    ]);
  });
});
