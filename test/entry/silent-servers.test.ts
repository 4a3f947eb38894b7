// Silent and slow servers: how long requests and background events wait for them, and the resulting
// messages.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';

import type { ChainRow } from '../../src/state/chain-row';
import type { SentTransaction } from '../../src/state/sent-transaction';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { createCallsBench } from '../support/calls-bench';
import { advance } from '../support/fake-clock';
import { answering, serving, silent } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import type { FakeNode } from '../support/fake-node';
import { answerSockets } from '../support/fake-socket';
import { blocksOf, NODE_FEE_ANSWERS } from '../support/fees';
import { storeActivity, storeChains } from '../support/given';
import { TRANSACTION } from '../support/receipts';
import { RECIPIENT } from '../support/send-bench';
import { pendingOperation } from '../support/sent-operations';
import { hashOf, pendingOf } from '../support/sent-transactions';
import { advanceTime, whileDialogOpen } from '../support/test-edges';

const SEND = 'eth_sendRawTransaction';

const servers = {
  rpcUrl: 'https://node.example',
  gasBaseUrl: 'https://gas.example',
  bundlerUrl: 'https://bundler.example',
  paymasterUrl: 'https://paymaster.example',
};

type Role = keyof typeof servers | 'wallet';

type Bench = Awaited<ReturnType<typeof setup>>;

type Timed = { ms: number; text: string };

afterEach(() => void jest.useRealTimers());

/** Sets up a site with an ordinary and a smart account on chain 1, which has all servers. */
async function setup(row: ChainRow = servers, sent: readonly SentTransaction[] = []) {
  const bench = await createCallsBench();
  const { edges, bundler, paymaster, app } = bench;
  const { wallet, network } = edges;
  Object.assign(wallet.answers, NODE_FEE_ANSWERS);
  const nodes: Partial<Record<Role, FakeNode>> = {
    rpcUrl: wallet,
    bundlerUrl: bundler,
    paymasterUrl: paymaster,
  };
  const muted = new Map<Role, string>();
  let delay = 0;
  for (const [role, url] of Object.entries(servers) as [
    keyof typeof servers,
    string,
  ][]) {
    const node = nodes[role];
    const serve: Server = node ? serving(node) : answering(gasAnswer);
    network.serve(url, async (request) => {
      const method = muted.get(role);
      const isMuted = method !== undefined && (request.body ?? '').includes(method);
      if (isMuted) return silent(request);
      if (role === 'rpcUrl' && delay > 0) {
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
      return serve(request);
    });
  }
  await storeChains(app, { 'eip155:1': row });
  await storeActivity(app, sent);
  jest.useFakeTimers();
  return {
    ...bench,
    /** Silences a server, or one of its methods, from now on. */
    silence: (role: Role, method = '') => {
      muted.set(role, method);
      if (role !== 'wallet') return;
      const never = (() => new Promise(() => undefined)) as never;
      for (const name of Object.keys(wallet.answers)) wallet.answers[name] = never;
    },
    slow: (ms: number) => {
      delay = ms;
    },
  };
}

/** Measures a request, for at most `limitMs`. */
async function timed(request: Promise<unknown>, limitMs = 30_000): Promise<Timed> {
  const start = Date.now();
  let found: Timed | undefined;
  const note = (value: unknown): void => {
    const text = value instanceof Error ? value.message : JSON.stringify(value);
    found = { ms: Date.now() - start, text };
  };
  void request.then(note, note);
  while (!found && Date.now() - start < limitMs) await advance(100);
  return found ?? { ms: Infinity, text: 'nothing' };
}

/** Makes the user decide after two seconds, and delays the node's answers after that. */
function slowOnceApproved({ edges, slow }: Bench, ms: number): void {
  whileDialogOpen(edges, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    slow(ms);
  });
}

const intent = [{ to: RECIPIENT, value: '0x1', data: '0x' }];

const forSmartAccount = ({ smart }: Bench, params: Json): Json => ({
  account: smart.address,
  params,
});

const requests: Record<string, (bench: Bench) => Promise<unknown>> = {
  send: async (bench) => bench.send(),
  sendCalls: async (bench) => bench.sendCalls(),
  fees: async ({ call }) => call('tollkeeper_getFeeLevels', []),
  suggestedFees: async ({ call }) => call('gas_suggestedGasFees', ['0x1']),
  capabilities: async ({ address, call }) =>
    call('wallet_getCapabilities', [address, ['0x1', '0x5']]),
  estimate: async ({ call }) => call('rollup_estimateGas', [{ to: RECIPIENT }]),
  receipt: async ({ call }) => call('eth_getTransactionReceipt', [hashOf(1)]),
  operationReceipt: async ({ call }) =>
    call('eth_getUserOperationReceipt', [hashOf(1)]),
  prepare: async (bench) =>
    bench.call('eth_prepareUserOperation', forSmartAccount(bench, intent)),
  sendOperation: async (bench) =>
    bench.call('eth_sendUserOperation', forSmartAccount(bench, intent)),
};

const measure = async (name: string, bench: Bench): Promise<Timed> =>
  timed(requests[name]?.(bench) ?? Promise.resolve());

describe('a request', () => {
  it.each<[string, Role[], string | undefined, string]>([
    ['send', ['rpcUrl'], undefined, 'the node of eip155:1'],
    ['send', ['rpcUrl'], SEND, `${SEND} at the node of eip155:1`],
    ['sendCalls', ['rpcUrl'], undefined, 'the node of eip155:1'],
    ['fees', ['rpcUrl', 'gasBaseUrl'], undefined, 'the node of eip155:1'],
    ['suggestedFees', ['rpcUrl', 'gasBaseUrl'], undefined, 'the node of eip155:1'],
    ['estimate', ['rpcUrl'], undefined, 'the node of eip155:1'],
    ['receipt', ['rpcUrl'], undefined, 'the node of eip155:1'],
    ['operationReceipt', ['bundlerUrl'], undefined, 'the bundler of eip155:1'],
    ['prepare', ['rpcUrl'], undefined, 'the node of eip155:1'],
    ['prepare', ['bundlerUrl'], undefined, 'the bundler of eip155:1'],
    ['prepare', ['paymasterUrl'], undefined, 'the paymaster of eip155:1'],
    ['sendOperation', ['rpcUrl'], undefined, 'the node of eip155:1'],
    ['sendOperation', ['bundlerUrl'], undefined, 'the bundler of eip155:1'],
    [
      'sendOperation',
      ['bundlerUrl'],
      'eth_sendUserOperation',
      'eth_sendUserOperation at the bundler of eip155:1',
    ],
  ])(
    'reports within ten seconds which server is silent: %s, %j, %s',
    async (what, roles, ...[method, words]) => {
      const bench = await setup();
      for (const role of roles) bench.silence(role, method);
      const { ms, text } = await measure(what, bench);
      expect(text).toContain(words);
      expect(text).toMatch(/did not answer within \d+ ms/u);
      expect(ms).toBeLessThanOrEqual(10_000);
    },
  );

  it.each(['send', 'receipt', 'fees', 'capabilities'])(
    "reports that MetaMask's node is silent: %s",
    async (what) => {
      const bench = await setup({});
      bench.silence('wallet');
      const { ms, text } = await measure(what, bench);
      expect(text).toMatch(/the wallet's node did not answer within \d+ ms/u);
      expect(ms).toBeLessThanOrEqual(10_000);
    },
  );

  it.each<[string, Role]>([
    ['send', 'gasBaseUrl'],
    ['fees', 'gasBaseUrl'],
    ['suggestedFees', 'gasBaseUrl'],
    ['sendOperation', 'paymasterUrl'],
  ])('succeeds without an optional server: %s, %s', async (what, role) => {
    const bench = await setup();
    bench.silence(role);
    const { ms, text } = await measure(what, bench);
    expect(text).not.toContain('did not answer');
    expect(ms).toBeLessThanOrEqual(5_000);
  });

  it("lists capabilities on configured chains even if MetaMask's node is silent", async () => {
    const bench = await setup();
    bench.silence('wallet');
    const reading = bench.call('wallet_getCapabilities', [bench.smart.address]);
    const { ms, text } = await timed(reading);
    expect(text).toContain('"atomic":{"status":"supported"}');
    expect(ms).toBeLessThanOrEqual(5_000);
  });

  it("uses HTTP if the node's socket is silent", async () => {
    const bench = await setup({ rpcUrl: servers.rpcUrl, wsUrl: 'wss://node.example' });
    const { ms, text } = await timed(bench.send());
    expect(text).toMatch(/^"0x[0-9a-f]{64}"$/u);
    expect(ms).toBeLessThanOrEqual(10_000);
  });

  it('returns the hash if only the subscription is silent', async () => {
    const bench = await setup({ wsUrl: 'wss://node.example' });
    const { sockets, wallet } = bench.edges;
    answerSockets(sockets, wallet.answers);
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) => {
      if (request.method !== 'eth_subscribe') onSend(socket, request);
    };
    // The fees wait for the subscription before the dialog opens.
    let approved = 0;
    whileDialogOpen(bench.edges, () => {
      approved = Date.now();
    });
    const { text } = await timed(bench.send());
    expect(text).toMatch(/^"0x[0-9a-f]{64}"$/u);
    expect(Date.now() - approved).toBeLessThanOrEqual(1_000);
    // The second request does not subscribe again, so its fees do not wait.
    expect((await timed(bench.send())).ms).toBeLessThanOrEqual(1_000);
  });

  it('fails if a slow server takes too long in total', async () => {
    const bench = await setup();
    const { answers } = bench.edges.wallet;
    answers.eth_getTransactionByHash = TRANSACTION;
    bench.slow(4_000);
    const { ms, text } = await measure('receipt', bench);
    expect(text).toMatch(/the node of eip155:1 did not answer within \d+ ms/u);
    expect(ms).toBeLessThanOrEqual(10_000);
  });

  it('does not count the time until the user decides', async () => {
    const bench = await setup();
    whileDialogOpen(bench.edges, async () => {
      bench.slow(4_000);
      await new Promise((resolve) => setTimeout(resolve, 12_000));
    });
    bench.slow(4_000);
    const { ms, text } = await timed(bench.send());
    expect(text).toMatch(/^"0x[0-9a-f]{64}"$/u);
    expect(ms).toBeGreaterThan(12_000 + 3 * 4_000);
  });

  it('returns the hash if too little time is left for the receipt', async () => {
    const bench = await setup({ rpcUrl: servers.rpcUrl });
    bench.edges.wallet.answers.eth_getBlockByNumber = blocksOf(2);
    bench.silence('rpcUrl', `${SEND}Sync`);
    slowOnceApproved(bench, 7_000);
    const { ms, text } = await timed(bench.send());
    expect(text).toMatch(/^"0x[0-9a-f]{64}"$/u);
    expect(ms).toBeLessThanOrEqual(2_000 + 10_000);
  });

  it.each<[Role, string]>([
    ['rpcUrl', 'eth_call at the node of eip155:1'],
    ['bundlerUrl', 'eth_getUserOperationReceipt at the bundler of eip155:1'],
  ])('waits a minute at most for a smart account (silent: %s)', async (role, words) => {
    const bench = await setup();
    const { answers } = bench.bundler;
    const accept = answers.eth_sendUserOperation as (params: Json[]) => Json;
    answers.eth_sendUserOperation = (params) => {
      bench.silence(role);
      return accept(params);
    };
    const ticking = setInterval(() => advanceTime(bench.edges, 1_000), 1_000);
    const request = { from: bench.smart.address, to: RECIPIENT, value: '0x1' };
    const sending = bench.call('eth_sendTransaction', [request]);
    const { ms, text } = await timed(sending, 200_000);
    clearInterval(ticking);
    expect(text).toContain('is still pending.');
    expect(text).toContain(`${words} did not answer within 9000 ms.`);
    expect(ms).toBeLessThanOrEqual(60_000);
  });

  it("does not count the time spent sending the account's previous transaction", async () => {
    const bench = await setup();
    slowOnceApproved(bench, 4_000);
    const all = [timed(bench.send()), timed(bench.send({ value: '0x2' }))];
    const texts = (await Promise.all(all)).map(({ text }) => text);
    const hash = expect.stringMatching(/^"0x[0-9a-f]{64}"$/u) as string;
    expect(texts).toStrictEqual([hash, hash]);
  });

  it("waits up to nine seconds for the account's previous transaction", async () => {
    const bench = await setup();
    slowOnceApproved(bench, 4_000);
    const batch = timed(bench.sendCalls({ id: 'mine' }));
    await advance(500);
    const { ms, text } = await timed(bench.send());
    const sent = await batch;
    expect(text).toBe(
      `Another transaction of ${bench.address} on eip155:1 is still being sent. Nothing was ` +
        'signed: try again.',
    );
    // This includes the two seconds until the user approves.
    expect(ms).toBeLessThanOrEqual(12_000);
    expect(sent.text).toContain('mine');
    expect(bench.pool.size).toBe(2);
    expect((await timed(bench.send())).text).toMatch(/^"0x[0-9a-f]{64}"$/u);
  });
});

describe('a background event', () => {
  const sent = (chain: `eip155:${string}`, n: number): SentTransaction =>
    pendingOf(n, { chain, sentAt: 1_700_000_000_000 });

  it.each<[string, Role[]]>([
    ['the nodes are', ['rpcUrl', 'wallet']],
    ['the bundler is', ['bundlerUrl']],
  ])('ends within twenty seconds if %s silent', async (_what, roles) => {
    const bench = await setup(servers, [
      sent('eip155:1', 1),
      sent('eip155:5', 2),
      sent('eip155:9', 3),
      pendingOperation(4),
    ]);
    for (const role of roles) bench.silence(role);
    const { ms } = await timed(bench.poll(3_000));
    expect(ms).toBeLessThanOrEqual(20_000);
    expect(ms).toBeGreaterThan(1_000);
  });
});
