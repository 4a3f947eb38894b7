// Whatever blocks, servers, the clock and the snap's worker do, in any order: a site that sends its
// calls again after a status of 400 never pays twice, no final status contradicts the chain, and in
// the end every status agrees with the chain.
import fc from 'fast-check';
import { keccak256, numberToHex, toHex } from 'viem';
import type { Hex } from 'viem';

import type { OperationAccount } from '../../src/accounts/kinds/kind';
import { findResults, toStatusCode } from '../../src/activity/call-batches';
import { hashUserOperation } from '../../src/core/operation';
import type { Transaction, UserOperation } from '../../src/core/payload';
import type { AccountRecord } from '../../src/state/account-record';
import { serving } from '../support/fake-fetch';
import { createFakeNode } from '../support/fake-node';
import { storeChains } from '../support/given';
import { BUNDLER_URL } from '../support/operation-bench';
import { runs } from '../support/runs';
import { createSentWorld, DEPTH } from '../support/sent-world';
import type { Faults, Kind } from '../support/sent-world';
import { createTestApp, DAPP } from '../support/test-app';

const SENDER: Hex = `0x${'5e'.repeat(20)}`;
const RECIPIENT: Hex = `0x${'77'.repeat(20)}`;
const FEES = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
const SENDER_ON_CHAIN = { chain: 'eip155:1', from: SENDER } as const;
const RECORD = { id: '6404510c-e9ff-48e2-b0aa-1a47c6af07d9', address: SENDER };
const MINUTE = 60_000;

type Intent = { kind: Kind; ids: string[] };

async function setup() {
  let app = createTestApp();
  const { edges } = app;
  const { clock } = edges;
  const world = createSentWorld(SENDER, () => clock.time);
  edges.wallet.answers = world.node;
  edges.network.serve(BUNDLER_URL, serving(createFakeNode(world.bundler)));
  await storeChains(app, { 'eip155:1': { bundlerUrl: BUNDLER_URL } });
  const intents: Intent[] = [];
  const failedHashes: Hex[] = [];
  let ids = 0;
  const account = RECORD as AccountRecord;

  const sendTransaction = async (intent: number, callsId: string) => {
    const { chains, nonces, broadcast } = app.services;
    const chain = await chains.connect(1n);
    const release = await nonces.lock(SENDER_ON_CHAIN);
    try {
      const { next: nonce } = await nonces.next(SENDER_ON_CHAIN, chain.node);
      const raw = numberToHex((ids += 1), { size: 8 });
      const hash = keccak256(raw);
      world.items.set(hash, { hash, kind: 'transaction', nonce, intent });
      const transaction: Transaction = {
        type: '0x2',
        chainId: 1n,
        from: SENDER,
        to: RECIPIENT,
        value: 1n,
        data: '0x',
        nonce,
        gasLimit: 21_000n,
        accessList: [],
        ...FEES,
      };
      const sender = { account, origin: DAPP };
      await broadcast({ transaction, raw, hash }, { chain, callsId }, sender);
    } finally {
      release();
    }
  };
  const sendOperation = async (intent: number, callsId: string) => {
    const { chains, operationNonces, broadcastOperation } = app.services;
    const chain = await chains.connect(1n);
    const { bundler } = chain;
    if (!bundler) throw new Error('no bundler');
    const { choose, release } = await operationNonces.reserve(SENDER_ON_CHAIN, {
      key: 0n,
    });
    try {
      const nonce = choose(world.countOf('operation'));
      const operation: UserOperation = {
        sender: SENDER,
        nonce,
        initCode: '0x',
        paymasterAndData: '0x',
        callData: numberToHex((ids += 1), { size: 8 }),
        signature: '0x',
        callGasLimit: 1n,
        verificationGasLimit: 1n,
        preVerificationGas: 1n,
        ...FEES,
      };
      const hash = hashUserOperation(operation, { chainId: 1n, entryPoint: '0.7' });
      world.items.set(hash, { hash, kind: 'operation', nonce, intent });
      const operator = {
        record: account,
        address: SENDER,
        entryPoint: '0.7',
      } as OperationAccount;
      const sending = { account: operator, chain: { ...chain, bundler }, callsId };
      await broadcastOperation({ operation, calls: [] }, sending, { origin: DAPP });
    } finally {
      release();
    }
  };
  const send = async (index: number) => {
    const intent = intents[index] as Intent;
    const id = toHex((ids += 1));
    const batch = await app.services.callBatches.add({
      id,
      origin: DAPP,
      chain: 'eip155:1',
      account: RECORD.id,
      atomic: true,
      size: 1,
      sentAt: clock.time,
    });
    const sending = intent.kind === 'operation' ? sendOperation : sendTransaction;
    const failure = await sending(index, id).then(() => undefined, String);
    await batch.end(failure);
    if (await app.services.callBatches.find(DAPP, id)) intent.ids.push(id);
  };
  return {
    world,
    clock,
    intents,
    send: async (kind: Kind) => {
      intents.push({ kind, ids: [] });
      await send(intents.length - 1);
    },
    /** Looks up calls as the site, and sends them again if their status is 400. */
    lookUp: async (index: number) => {
      const intent = intents[index % Math.max(1, intents.length)];
      const id = intent?.ids.at(-1);
      if (!intent || id === undefined) return;
      const { callBatches, ledger, connect } = app.services;
      const batch = await callBatches.find(DAPP, id);
      if (!batch) return;
      const results = await findResults(batch, { ledger, connect }).catch(() => []);
      if (results.length === 0) return;
      const code = toStatusCode(batch, results);
      expect([100, 200, 400]).toContain(code);
      if (code !== 400) return;
      failedHashes.push(...batch.hashes);
      await send(intents.indexOf(intent));
    },
    /** Hashes of calls with a status of 400, which must never be executed. */
    failedHashes,
    poll: async () => app.services.tracker.poll().catch(() => undefined),
    restart: () => {
      app = createTestApp(edges);
    },
    list: async () => app.services.ledger.list(),
  };
}

const kinds = fc.constantFrom<Kind>('transaction', 'operation');

const faultNames = [
  'node',
  'send',
  'logs',
  'index',
  'state',
  'bundler',
  'forget',
] as const;

type Setup = Awaited<ReturnType<typeof setup>>;

type Step = (setup: Setup) => unknown;

const stepOf: Record<string, fc.Arbitrary<Step>> = {
  send: kinds.map(
    (kind): Step =>
      async ({ send }) =>
        send(kind),
  ),
  mine: fc.boolean().map(
    (isAll): Step =>
      ({ world }) =>
        world.mine(isAll),
  ),
  foreign: kinds.map(
    (kind): Step =>
      ({ world }) =>
        world.addForeign(kind),
  ),
  undo: fc.tuple(fc.integer({ min: 1, max: DEPTH }), fc.boolean()).map(
    ([depth, isLost]): Step =>
      ({ world }) =>
        world.undo(depth, isLost),
  ),
  lose: fc.boolean().map(
    (isClosed): Step =>
      ({ world }) =>
        world.lose(isClosed),
  ),
  fault: fc
    .constantFrom<keyof Faults>(...faultNames)
    .map((name): Step => ({ world: { faults } }) => {
      faults[name] = !faults[name];
    }),
  // Lasts long enough for a transaction to count as dropped.
  outage: fc.constant<Step>(async ({ world, clock, poll }) => {
    world.lose(true);
    for (const ms of [3_000, 3 * MINUTE]) {
      clock.time += ms;
      await poll();
    }
  }),
  restart: fc.constant<Step>(({ restart }) => restart()),
  lock: fc.constant<Step>(({ clock }) => {
    clock.isLocked = !clock.isLocked;
  }),
  lookUp: fc.nat(5).map(
    (index): Step =>
      async ({ lookUp }) =>
        lookUp(index),
  ),
  poll: fc
    .constantFrom(3_000, 40_000, 3 * MINUTE, 120 * MINUTE, 8 * 24 * 60 * MINUTE)
    .map((ms): Step => async ({ clock, poll }) => {
      clock.time += ms;
      await poll();
    }),
};

const steps = fc.array(
  fc.oneof(
    ...Object.entries(stepOf).map(([name, arbitrary]) => ({
      arbitrary,
      weight: { poll: 5, send: 3, mine: 4, lookUp: 3 }[name] ?? 1,
    })),
  ),
  { minLength: 4, maxLength: 24 },
);

/** Expects that nobody pays twice, and that final statuses are correct. */
async function check({ world, intents, list, failedHashes }: Setup): Promise<void> {
  const executed = world.executed();
  const hashes = executed.map(({ hash }) => hash);
  intents.forEach((_intent, index) => {
    expect(executed.filter((item) => item.intent === index).length).toBeLessThan(2);
  });
  expect(hashes.filter((hash) => failedHashes.includes(hash))).toStrictEqual([]);
  for (const { hash, status, isFinal } of await list()) {
    const truth = hashes.includes(hash) ? 'included' : 'replaced';
    if (isFinal) expect(status).toBe(truth);
  }
}

it.each<[string, (keyof Faults)[]]>([
  ['works', []],
  ['has no node', ['node']],
  ['has an index that lacks its transactions', ['index']],
  ['has neither an index nor old state', ['index', 'state']],
  ['has a bundler that forgets operations', ['forget']],
  ['has a bundler that forgets operations, and no logs', ['forget', 'logs']],
  ['has neither a bundler nor logs', ['bundler', 'logs']],
])('agrees with a chain that %s, and never pays twice', async (_how, faults) => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const bench = await setup();
      for (const name of faults) bench.world.faults[name] = true;
      const { world, clock, poll, list } = bench;
      for (const step of all) {
        await step(bench);
        await check(bench);
      }
      faultNames.forEach((name) => {
        world.faults[name] = false;
      });
      clock.isLocked = false;
      for (let round = 0; round < 4; round += 1) {
        clock.time += 3 * MINUTE;
        world.mine(false);
        await poll();
      }
      await check(bench);
      const hashes = world.executed().map(({ hash }) => hash);
      for (const sent of await list()) {
        const { hash, status, nonce, entryPoint } = sent;
        const count = world.countOf(entryPoint ? 'operation' : 'transaction');
        const isUsed = BigInt(nonce) < count;
        const open = isUsed ? ['replaced'] : ['pending', 'dropped'];
        expect(hashes.includes(hash) ? ['included'] : open).toContain(status);
      }
    }),
    runs(286),
  );
});
