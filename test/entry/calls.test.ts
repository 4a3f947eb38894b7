// Calls (EIP-5792): the status of calls that a site sent, and the capabilities of accounts.
import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';

import { callersOf } from '../support/callers';
import {
  callReceiptOf,
  createCallsBench,
  createSentBench,
  LOG,
} from '../support/calls-bench';
import type { CallsBench, SentBench } from '../support/calls-bench';
import { giveChains, giveGrant } from '../support/given';
import { RECEIPT } from '../support/receipts';
import { refusalOf } from '../support/refusal';
import { countOf } from '../support/sent-operations';
import { DAPP } from '../support/test-app';
import { textOf, textsOf } from '../support/view';
import { without } from '../support/without';

const STATUS = 'wallet_getCallsStatus';

const SHOW = 'wallet_showCallsStatus';

const OTHER = 'https://other.example';

/** Forgets what was sent, as when newer ones have taken its place. */
async function forget({ app }: CallsBench): Promise<void> {
  await app.services.store.update((state) => ({ ...state, activity: {} }));
}

const eachWith = (bench: SentBench, fields: Record<string, Json>): void => {
  bench.edges.wallet.answers.eth_getTransactionReceipt = ([hash]) => ({
    ...RECEIPT,
    transactionHash: hash ?? null,
    ...fields,
  });
};

describe('the status of calls of an ordinary account', () => {
  const expected = { version: '2.0.0', id: 'mine', chainId: '0x1', atomic: false };

  it.each<
    [first: '0x0' | '0x1' | undefined, second: '0x0' | '0x1' | undefined, code: number]
  >([
    [undefined, undefined, 100],
    ['0x1', undefined, 100],
    ['0x1', '0x1', 200],
    ['0x1', '0x0', 600],
    ['0x0', '0x0', 500],
  ])('of %s and %s is %i', async (first, second, code) => {
    const { status, mine, hashes, edges } = await createSentBench();
    const included = [first, second].flatMap((success, index) =>
      success === undefined ? [] : [{ hash: hashes[index] ?? null, success }],
    );
    for (const { hash, success } of included) mine(hash, success);
    const receipts = included.map(({ hash, success }) => callReceiptOf(hash, success));
    expect(await status('mine')).toStrictEqual({
      ...expected,
      status: code,
      ...(receipts.length > 0 ? { receipts } : {}),
    });
    // As after a poll: the user is notified once.
    expect(edges.notifications).toHaveLength(receipts.length > 0 ? 1 : 0);
  });

  it('has only the fields of logs that EIP-5792 names', async () => {
    const bench = await createSentBench();
    eachWith(bench, { logs: [LOG] });
    const { address, data, topics } = LOG;
    const receipts = bench.hashes.map((hash) => ({
      ...callReceiptOf(hash),
      logs: [{ address, data, topics }],
    }));
    expect(await bench.status('mine')).toHaveProperty('receipts', receipts);
  });

  it.each([
    ['speedUp', 200],
    ['cancel', 600],
  ])('follows one that is replaced: %s gives %i', async (action, code) => {
    const { status, call, mine, hashes } = await createSentBench(3);
    const [first, second] = hashes as [Hex, Hex];
    const replaced = await call('tollkeeper_replaceTransaction', [second, { action }]);
    mine(first);
    mine(replaced);
    const counted = action === 'speedUp' ? [first, replaced] : [first];
    const receipts = counted.map((hash) => callReceiptOf(hash));
    expect(await status('mine')).toStrictEqual({ ...expected, status: code, receipts });
  });

  it('is asked of the node for calls that were forgotten', async () => {
    const bench = await createSentBench();
    const { status, mine, hashes } = bench;
    await forget(bench);
    expect(await status('mine')).toStrictEqual({ ...expected, status: 400 });
    hashes.forEach((hash) => mine(hash));
    const receipts = hashes.map((hash) => callReceiptOf(hash));
    expect(await status('mine')).toStrictEqual({ ...expected, status: 200, receipts });
  });

  it('asks for a receipt that was too long to be kept', async () => {
    const bench = await createSentBench();
    eachWith(bench, { logs: Array.from({ length: 100 }, () => LOG) });
    const { receipts } = (await bench.status('mine')) as {
      receipts: { logs: Json[] }[];
    };
    expect(receipts.map(({ logs }) => logs.length)).toStrictEqual([100, 100]);
    bench.edges.wallet.answers.eth_getTransactionReceipt = null;
    expect(await refusalOf(bench.status('mine'))).toHaveProperty('code', -32002);
  });

  it('is answered from memory if nothing can be written', async () => {
    const { status, mine, hashes, edges } = await createSentBench();
    mine(hashes[0] ?? null);
    const { save } = edges.backend;
    edges.backend.save = async () => Promise.reject(new Error('full'));
    expect(await status('mine')).toStrictEqual({ ...expected, status: 100 });
    edges.backend.save = save;
    expect(await status('mine')).toHaveProperty('receipts');
  });
});

describe('the status of calls of a smart account', () => {
  const expected = { version: '2.0.0', id: 'mine', chainId: '0x1', atomic: true };

  /** One user operation with two transfers. */
  async function setup(): Promise<CallsBench & { hash: Hex }> {
    const bench = await createCallsBench();
    await bench.sendCalls({ id: 'mine', from: bench.smart.address });
    const hash = bench.batches()[0]?.hashes[0] ?? '0x';
    // The EntryPoint's next nonce: the operation has used the one before.
    bench.edges.wallet.answers.eth_call = countOf(1);
    return { ...bench, hash };
  }

  it.each([
    [true, 200, '0x1'],
    [false, 500, '0x0'],
  ])(
    'has the success (%j) and the logs of the operation',
    async (success, code, own) => {
      const { status, include, hash } = await setup();
      expect(await status('mine')).toStrictEqual({ ...expected, status: 100 });
      include(hash, { success });
      const { address, data, topics } = LOG;
      const common = callReceiptOf(RECEIPT.transactionHash, own);
      const receipts = [{ ...common, logs: [{ address, data, topics }] }];
      expect(await status('mine')).toStrictEqual({
        ...expected,
        status: code,
        receipts,
      });
    },
  );

  it('leaves out malformed logs, and falls back to the gas of the operation', async () => {
    const { status, include, hash } = await setup();
    const receipt = without(RECEIPT, 'gasUsed');
    include(hash, { receipt, logs: [1, LOG] });
    const { receipts } = (await status('mine')) as {
      receipts: { logs: Json[]; gasUsed: string }[];
    };
    expect(receipts).toMatchObject([
      { logs: [{ address: LOG.address }], gasUsed: '0x64' },
    ]);
  });

  it('is asked of the bundler for calls that were forgotten', async () => {
    const bench = await setup();
    await forget(bench);
    expect(await bench.status('mine')).toStrictEqual({ ...expected, status: 400 });
    bench.include(bench.hash);
    expect(await bench.status('mine')).toHaveProperty('status', 200);
  });
});

describe.each([STATUS, SHOW])('calls that are asked for by %s', (method) => {
  it('are unknown to other sites, without a grant, and by another id', async () => {
    const { app, call } = await createSentBench();
    const { rpc } = callersOf(app);
    const [account] = await app.services.grants.list(DAPP);
    await giveGrant(app, OTHER, account ?? { id: '' });
    const unknown = (id: string): unknown => ({
      code: 5730,
      message: `This origin sent no calls with the id "${id}" from an account that it is granted.`,
    });
    expect(await refusalOf(rpc(OTHER, method, ['mine']))).toStrictEqual(
      unknown('mine'),
    );
    expect(await refusalOf(call(method, ['yours']))).toStrictEqual(unknown('yours'));
    await giveGrant(app, DAPP);
    expect(await refusalOf(call(method, ['mine']))).toStrictEqual(unknown('mine'));
    expect(await refusalOf(call(method, []))).toStrictEqual({
      code: -32602,
      message: `${method}: params[0] is missing: it must be a string of 1 to 8194 characters.`,
    });
  });
});

it('shows what became of calls to the user, who closes the dialog', async () => {
  const { call, edges, hashes, mine } = await createSentBench();
  mine(hashes[0] ?? null);
  expect(await call(SHOW, ['mine'])).toBeNull();
  expect(textsOf(edges.dialogs.shown.at(-1))).toStrictEqual([
    textOf('callsStatus.title'),
    textOf('field.status'),
    textOf('callsStatus.pending'),
    textOf('field.chain'),
    'Ethereum',
    textOf('field.callsId'),
    'mine',
    textOf('sent.included'),
    hashes[0],
    textOf('sent.pending'),
    hashes[1],
  ]);
});

describe('wallet_getCapabilities', () => {
  const METHOD = 'wallet_getCapabilities';
  const NODE = { rpcUrl: 'https://node.example' };
  const separate = {
    atomic: { status: 'unsupported' },
    paymasterService: { supported: false },
  };
  const together = {
    atomic: { status: 'supported' },
    paymasterService: { supported: true },
  };

  type Case = [string, (bench: CallsBench) => Json, Json];

  /** Chain 1 has a bundler, and the wallet's node; chain 10 has a node. */
  it.each<Case>([
    [
      'an ordinary account',
      ({ address }) => [address],
      { '0x1': separate, '0xa': separate },
    ],
    ['a smart account', ({ smart }) => [smart.address], { '0x1': together }],
    [
      'requested chains',
      ({ address }) => [address, ['0xa', '0x5']],
      { '0xa': separate },
    ],
    [
      'a chain named by the envelope',
      ({ address }) => ({ account: address, scope: 'eip155:1', params: [] }),
      { '0x1': separate },
    ],
  ])('lists the chains of %s', async (_which, paramsFor, answer) => {
    const bench = await createCallsBench();
    const { chains } = await bench.app.services.store.read();
    await giveChains(bench.app, { ...chains, 'eip155:10': NODE });
    expect(await bench.call(METHOD, paramsFor(bench))).toStrictEqual(answer);
  });

  it('leaves out chains that a smart account does not serve or that have no bundler', async () => {
    const { call, smart, app } = await createCallsBench();
    const { chains } = await app.services.store.read();
    const row = { ...NODE, bundlerUrl: 'https://b.example' };
    await giveChains(app, { ...chains, 'eip155:10': row });
    expect(await call(METHOD, [smart.address])).toStrictEqual({ '0x1': together });
    await giveChains(app, {});
    expect(await call(METHOD, [smart.address])).toStrictEqual({});
  });

  it('takes the only account if none is named, and refuses malformed params', async () => {
    const { call, app, smart, address } = await createCallsBench();
    for (const params of [[], ['x'], [null, 'x'], [null, null, 1]]) {
      expect(await refusalOf(call(METHOD, params))).toHaveProperty('code', -32602);
    }
    await giveGrant(app, DAPP, smart);
    expect(await call(METHOD, [null, ['0x1']])).toStrictEqual({ '0x1': together });
    for (const origin of [DAPP, OTHER, 'http://localhost:8000']) {
      const asking = callersOf(app).rpc(origin, METHOD, [address]);
      expect(await refusalOf(asking)).toHaveProperty('code', 4100);
    }
  });
});
