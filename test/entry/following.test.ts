// What becomes of what was sent, whatever stops the worker or a server on the way.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import { serving } from '../support/fake-fetch';
import { askedOf, createFakeNode, refuses } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { TRANSACTION } from '../support/receipts';
import { createSendBench } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { COMPANION, createTestApp } from '../support/test-app';
import type { Edges } from '../support/test-app';

const SEND = 'eth_sendRawTransaction';

const SEND_OPERATION = 'eth_sendUserOperation';

// Servers and storage that do not answer, until the test is over.
const gate = createGate();

afterAll(gate.open);

const never = gate.opened as never;

// Its caller learns nothing: the worker is stopped.
const abandon = (running: Promise<unknown>) => void running.catch(() => undefined);

type Shown = { hash: string; nonce: string; status: string };

const list = async ({ edges }: { edges: Edges }): Promise<Shown[]> => {
  const { rpc } = callersOf(createTestApp(edges));
  return (await rpc(COMPANION, 'tollkeeper_getActivity')) as Shown[];
};

const sendsOf = ({ edges }: SendBench): Json[] =>
  edges.wallet.calls
    .filter(({ method }) => method === SEND)
    .map(({ params }) => params);

describe('a worker that is stopped between keeping and sending', () => {
  it('leaves a transaction that the next one sends, the same bytes', async () => {
    const bench = await createSendBench();
    const { edges, pool } = bench;
    const accept = edges.wallet.answers[SEND];
    edges.wallet.answers[SEND] = () => never;
    abandon(bench.send());
    await settle();
    expect(pool.size).toBe(0);
    bench.restart();
    edges.wallet.answers[SEND] = accept ?? null;
    expect(edges.alarm.due).toBe(edges.clock.time + 3_000);
    await bench.poll(3_000);
    const [lost, sent] = sendsOf(bench);
    expect(sent).toStrictEqual(lost);
    expect(await list(bench)).toMatchObject([
      { hash: [...pool.keys()][0], status: 'pending' },
    ]);
    bench.mine([...pool.keys()][0] ?? '');
    await bench.poll(3_000);
    expect(await list(bench)).toMatchObject([{ status: 'included' }]);
    expect(sendsOf(bench)).toHaveLength(2);
  });

  it('is woken for what it kept, however early it is stopped', async () => {
    const bench = await createSendBench();
    const { edges } = bench;
    const { save } = edges.backend;
    edges.backend.save = async (document) => {
      await save(document);
      return never;
    };
    abandon(bench.send());
    await settle();
    expect(sendsOf(bench)).toHaveLength(0);
    edges.backend.save = save;
    bench.restart();
    expect(edges.alarm.due).toBe(edges.clock.time + 3_000);
    await bench.poll(3_000);
    expect(await list(bench)).toMatchObject([{ status: 'pending' }]);
    expect(sendsOf(bench)).toHaveLength(1);
  });

  it('leaves a user operation that the next one sends, the same bytes', async () => {
    const bench = await createCallsBench();
    const { bundler, smart, edges } = bench;
    const accept = bundler.answers[SEND_OPERATION];
    bundler.answers[SEND_OPERATION] = () => never;
    abandon(bench.sendCalls({ id: 'mine', from: smart.address }));
    await settle();
    bench.restart();
    bundler.answers[SEND_OPERATION] = accept ?? null;
    expect(bench.operations.size).toBe(0);
    await bench.poll(3_000);
    const [lost, sent] = bundler.calls.filter(
      ({ method }) => method === SEND_OPERATION,
    );
    expect(sent).toStrictEqual(lost);
    const [hash = '0x'] = bench.operations.keys();
    expect(await list(bench)).toMatchObject([{ hash, status: 'pending' }]);
    expect(await bench.status('mine')).toHaveProperty('status', 100);
    bench.include(hash);
    edges.wallet.answers.eth_call = `0x${'f'.repeat(64)}`;
    expect(await bench.status('mine')).toHaveProperty('status', 200);
    expect(edges.backend.document).toHaveProperty(`activity.${hash}.operation`);
  });
});

describe('a transaction that is sent again', () => {
  /** A transaction that the node has lost. */
  async function setupLost(): Promise<SendBench & { hash: Json }> {
    const bench = await createSendBench();
    const hash = await bench.send();
    bench.pool.clear();
    return { ...bench, hash };
  }

  it('is what a node has lost', async () => {
    const bench = await setupLost();
    await bench.poll(3_000);
    expect([...bench.pool.keys()]).toStrictEqual([bench.hash]);
    await bench.poll(3_000);
    expect(sendsOf(bench)).toHaveLength(2);
  });

  it('is never what was cancelled, though its cancellation is lost as well', async () => {
    const bench = await setupLost();
    const { call, pool, hash } = bench;
    const params = [hash, { action: 'cancel' }];
    const cancellation = await call('tollkeeper_replaceTransaction', params);
    pool.clear();
    await bench.poll(3_000);
    await bench.poll(3_000);
    expect([...pool.keys()]).toStrictEqual([cancellation]);
  });

  it('counts as dropped after two minutes of refusals', async () => {
    const bench = await setupLost();
    const { edges, hash } = bench;
    edges.wallet.answers[SEND] = refuses({ code: -32000, message: 'pool is full' });
    await bench.poll(3_000);
    await bench.poll(119_999);
    expect(await list(bench)).toMatchObject([{ hash, status: 'pending' }]);
    await bench.poll(1);
    expect(await list(bench)).toMatchObject([{ hash, status: 'dropped' }]);
    const before = sendsOf(bench).length;
    await bench.poll(3_000);
    expect(sendsOf(bench)).toHaveLength(before);
    bench.mine(hash);
    await bench.poll(600_000);
    expect(await list(bench)).toMatchObject([{ hash, status: 'included' }]);
    expect(edges.notifications).toHaveLength(2);
  });
});

describe('a transaction that was approved once', () => {
  /** A node that answers like this to what it is sent, which it keeps in silence. */
  async function setupLying(answer: () => Json): Promise<SendBench> {
    const bench = await createSendBench();
    bench.edges.wallet.answers[SEND] = answer;
    return bench;
  }

  const says = (message: string): (() => never) => refuses({ code: -32000, message });

  const breaks = (): never => {
    throw new Error('the connection was reset');
  };

  const sendAnyway = async (bench: SendBench): Promise<unknown> =>
    bench.send().catch((error: unknown) => error);

  it.each<[string, () => never, string]>([
    ['nonce too low', says('nonce too low'), 'dropped'],
    ['replacement underpriced', says('replacement transaction underpriced'), 'dropped'],
    ['insufficient funds', says('insufficient funds'), 'dropped'],
    ['the connection was reset', breaks, 'pending'],
  ])(
    'is signed once, kept, and settled by its inclusion: %s',
    async (_what, answer, status) => {
      const bench = await setupLying(answer);
      const outcome = JSON.stringify(await sendAnyway(bench));
      const [{ hash } = { hash: '' }, ...others] = await list(bench);
      expect(others).toStrictEqual([]);
      expect(await list(bench)).toMatchObject([{ nonce: '0x5', status }]);
      expect(outcome).toContain(hash);
      await bench.poll(3_000);
      const signed = new Set(sendsOf(bench).map((params) => JSON.stringify(params)));
      expect(signed.size).toBe(1);
      if (status === 'dropped') expect(sendsOf(bench)).toHaveLength(1);
      bench.mine(hash);
      await bench.poll(600_000);
      expect(await list(bench)).toMatchObject([{ hash, status: 'included' }]);
    },
  );

  it('is pending again once the node that refused it reports it', async () => {
    const bench = await setupLying(says('nonce too low'));
    const { edges } = bench;
    await sendAnyway(bench);
    edges.wallet.answers.eth_getTransactionByHash = {
      ...TRANSACTION,
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
    };
    await bench.poll(3_000);
    const [sent] = await list(bench);
    expect(sent).toMatchObject({ status: 'pending', canBeReplaced: true });
    expect(sent).not.toHaveProperty('refused');
    expect(edges.notifications).toStrictEqual([]);
  });

  it('leaves its nonce to the next one, which replaces it', async () => {
    const bench = await createSendBench();
    const { edges, pool } = bench;
    const accept = edges.wallet.answers[SEND];
    edges.wallet.answers[SEND] = says('insufficient funds');
    await sendAnyway(bench);
    edges.wallet.answers[SEND] = accept ?? null;
    const next = await bench.send({ value: '0x2' });
    expect([...pool.keys()]).toStrictEqual([next]);
    bench.mine(next);
    await bench.poll(3_000);
    expect(await list(bench)).toMatchObject([
      { hash: next, nonce: '0x5', status: 'included' },
      { nonce: '0x5', status: 'replaced', replacedBy: next },
    ]);
    // The site was notified of the refusal.
    expect(edges.notifications).toHaveLength(1);
  });

  it('holds nothing up where another wallet has used its nonce', async () => {
    const bench = await createSendBench();
    const { edges } = bench;
    const accept = edges.wallet.answers[SEND];
    edges.wallet.answers[SEND] = says('nonce too low');
    await sendAnyway(bench);
    edges.wallet.answers[SEND] = accept ?? null;
    // In its pool first, then in a block.
    edges.wallet.answers.eth_getTransactionCount = ([, block]) =>
      block === 'latest' ? '0x5' : '0x6';
    await bench.send({ value: '0x2' });
    edges.wallet.answers.eth_getTransactionCount = '0x6';
    await bench.poll(3_000);
    await bench.poll(30_000);
    expect(await list(bench)).toMatchObject([
      { nonce: '0x6', status: 'pending' },
      { nonce: '0x5', status: 'replaced' },
    ]);
    expect(edges.notifications).toStrictEqual([]);
  });
});

describe('wallet_getCallsStatus', () => {
  /** Calls that are pending on chain 1, and another site's transaction on chain 5. */
  async function setup() {
    const bench = await createCallsBench();
    const { app, edges, send } = bench;
    const url = 'https://other-chain.example';
    const node = createFakeNode({ ...edges.wallet.answers });
    edges.network.serve(url, serving(node));
    await app.services.store.update((state) => ({
      ...state,
      chains: { ...state.chains, 'eip155:5': { rpcUrl: url } },
    }));
    await send({ chainId: '0x5' });
    await bench.sendCalls({ id: 'mine' });
    return {
      ...bench,
      silence: () => edges.network.serve(url, () => never),
      within: async (ms: number) => {
        const late = new Promise<Json>((resolve) => {
          setTimeout(() => resolve('too late'), ms).unref();
        });
        return Promise.race([bench.status('mine'), late]);
      },
    };
  }

  it('asks the chain of its calls alone, for each once, whatever is pending', async () => {
    const { within, silence, edges } = await setup();
    silence();
    edges.wallet.calls.length = 0;
    const before = edges.network.sent.length;
    expect(await within(2_000)).toHaveProperty('status', 100);
    expect(edges.network.sent).toHaveLength(before);
    const asked = askedOf(edges.wallet).filter((method) => /Receipt/u.test(method));
    expect(asked).toHaveLength(2);
  });

  it('returns the stored status while its own chain does not answer', async () => {
    const { within, edges } = await setup();
    edges.wallet.answers.eth_getTransactionReceipt = () => never;
    expect(await within(8_000)).toHaveProperty('status', 100);
  });
});
