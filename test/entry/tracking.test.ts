// Tracking sent transactions: the snap stores them before sending, polls them less and less often,
// and settles them based on the servers' answers.
import type { Json } from '@metamask/utils';
import { concat, keccak256, toEventSelector, toHex } from 'viem';
import type { Hex } from 'viem';

import { entryPoints } from '../../src/core/entry-points';
import type { SentTransaction } from '../../src/state/sent-transaction';
import { callersOf } from '../support/callers';
import { CALLS, createCallsBench } from '../support/calls-bench';
import { unreachableServer, serving } from '../support/fake-fetch';
import { calledMethods, createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { answerSockets } from '../support/fake-socket';
import { blocksOf } from '../support/fees';
import { createGate, settle } from '../support/gate';
import { storeActivity, storeChains } from '../support/given';
import { withDialog } from '../support/open-dialog';
import { createOperationBench } from '../support/operation-bench';
import type { OperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { RECEIPT, TRANSACTION } from '../support/receipts';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import {
  encodeNonce,
  foundOperation,
  operationReceipt,
  pendingOperation,
} from '../support/sent-operations';
import {
  hashOf,
  pendingOf,
  SENT,
  activityOf,
  listActivity,
  PENDING,
} from '../support/sent-transactions';
import { createTestApp, DAPP, whileDialogOpen } from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { textOf, warningsOf } from '../support/view';
import { without } from '../support/without';

const START = 1_700_000_000_000;

const MINUTE = 60_000;

const WEEK = 7 * 24 * 60 * MINUTE;

const SEND = 'eth_sendRawTransaction';

const OPERATION = 'eth_sendUserOperation';

/** Answers eth_getBlockByNumber. The newest final block is the receipt's block. */
const blockOf = ([asked]: Json[]): Json => ({
  number: asked === 'finalized' ? RECEIPT.blockNumber : (asked ?? null),
  hash: RECEIPT.blockHash,
  timestamp: '0x1',
});

const WAITING = {
  ...TRANSACTION,
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
};

const refused = refuses('nonce too low');

const isReceipt = ({ method }: { method: string }) => /Receipt/u.test(method);

/** Stores sent transactions that the node does not know. */
async function setup(sent: readonly SentTransaction[], answers: NodeAnswers = {}) {
  const app = createTestApp();
  const { edges } = app;
  const node = edges.wallet;
  Object.assign(node.answers, {
    eth_getTransactionReceipt: null,
    eth_getTransactionByHash: null,
    eth_getTransactionCount: '0x7',
    [SEND]: refused,
    ...answers,
  });
  await storeActivity(app, sent);
  const stored = (): SentTransaction[] =>
    activityOf(edges).sort((one, other) => one.sentAt - other.sentAt);
  return {
    app,
    edges,
    node,
    /** Stored transactions, oldest first. */
    stored,
    statuses: () => stored().map(({ status }) => status),
    pollAt: async (time: number) => {
      edges.clock.time = time;
      return poll(app);
    },
  };
}

async function poll({ entry }: Pick<TestApp, 'entry'>): Promise<unknown> {
  const call = { jsonrpc: '2.0' as const, id: 1, method: 'tollkeeper_poll' };
  return entry.onCronjob({ request: call });
}

const sentOf = (n: number, fields: Partial<SentTransaction> = {}): SentTransaction =>
  pendingOf(n, { sentAt: START + n, ...fields });

const receiptsOf =
  (...hashes: string[]) =>
  ([asked]: Json[]): Json =>
    hashes.includes(asked as string)
      ? { ...RECEIPT, transactionHash: asked ?? null }
      : null;

const settledAs = (status: SentTransaction['status'], settledAt: number): object => ({
  ...sentOf(0),
  status,
  settledAt,
});

describe('the background event', () => {
  it.each([
    [0, 3, 60],
    [6_000, 3, 60],
    [6_001, 4, 60],
    [8_000, 4, 60],
    [4 * MINUTE, 120, 120],
    [10 * MINUTE, 300, 300],
    [20 * MINUTE, 600, 600],
    [24 * 60 * MINUTE, 600, 600],
    // The user set the clock back.
    [-24 * 60 * MINUTE, 3, 60],
  ])(
    '%i ms after sending, is scheduled to run again in %i s (%i s while locked)',
    async (age, seconds, locked) => {
      const { send, poll: wake, edges } = await createSendBench();
      await send();
      await wake(age);
      expect(edges.alarm.due).toBe(edges.clock.time + seconds * 1_000);
      edges.clock.isLocked = true;
      const { loads } = edges.backend;
      const asked = edges.wallet.calls.length;
      await wake(0);
      expect(edges.alarm.due).toBe(edges.clock.time + locked * 1_000);
      expect(edges.backend.loads).toBe(loads);
      expect(edges.wallet.calls).toHaveLength(asked);
    },
  );

  it('runs again at growing intervals after the clock is set back', async () => {
    const { send, poll: wake, edges } = await createSendBench();
    await send();
    await wake(-24 * 60 * MINUTE);
    await wake(4 * MINUTE);
    expect(edges.alarm.due).toBe(edges.clock.time + 120_000);
  });

  it('is scheduled by the age of the newest transaction', async () => {
    const { send, poll: wake, edges } = await createSendBench();
    await send();
    edges.clock.time += 20 * MINUTE;
    await send();
    await wake(10_000);
    expect(edges.alarm.due).toBe(edges.clock.time + 5_000);
  });

  it.each([
    ['earlier', 2_000, false],
    ['at that time', 3_000, false],
    ['just before now', -2_999, false],
    ['later', 3_001, true],
    ['long before now', -3_000, true],
  ])('is replaced if it is due %s (%i ms): %j', async (_when, ms, isReplaced) => {
    const { send, app, edges } = await createSendBench();
    await send();
    const due = edges.clock.time + ms;
    edges.alarm.due = due;
    await poll(app);
    expect(edges.alarm.due).toBe(isReplaced ? edges.clock.time + 3_000 : due);
  });

  it('ends once everything is final', async () => {
    const { send, mine, poll: wake, edges } = await createSendBench();
    const hash = await send();
    expect(edges.publicBackend.document).toHaveProperty('pendingSince', START);
    mine(hash);
    await wake(3_000);
    edges.wallet.answers.eth_getBlockByNumber = blockOf;
    await wake(3_000);
    expect(edges.publicBackend.document).toHaveProperty('pendingSince', null);
    expect([edges.alarm.due, edges.notifications.length]).toStrictEqual([undefined, 1]);
    await wake(3_000);
    expect([edges.alarm.due, edges.notifications.length]).toStrictEqual([undefined, 1]);
  });

  it('sends one notification for completed transactions, and one for each dropped one', async () => {
    const absent = { absentSince: START };
    const { edges, node, pollAt, statuses } = await setup([
      sentOf(0, { nonce: '0x5' }),
      sentOf(1, { nonce: '0x6' }),
      sentOf(2, absent),
      sentOf(3, { nonce: '0x8', ...absent }),
    ]);
    node.answers.eth_getTransactionReceipt = receiptsOf(hashOf(0), hashOf(1));
    await pollAt(START + 2 * MINUTE);
    expect(statuses()).toStrictEqual(['included', 'included', 'dropped', 'dropped']);
    expect(edges.notifications).toStrictEqual([
      "2 transactions were completed; 0 of them did not succeed. See Tollkeeper's page.",
      expect.stringMatching(/no longer known/u),
      expect.stringMatching(/no longer known/u),
    ]);
  });

  it('sends one notification for more than two dropped transactions', async () => {
    const dropped = Array.from({ length: 6 }, (_each, index) =>
      sentOf(index, { nonce: toHex(10 + index), absentSince: START }),
    );
    const { edges, pollAt } = await setup(dropped);
    await pollAt(START + 2 * MINUTE);
    expect(edges.notifications).toStrictEqual([
      expect.stringContaining('…000000 (+5) on eip155:1 is no longer known'),
    ]);
  });

  it('runs again if nothing could be stored', async () => {
    const { send, mine, poll: wake, edges } = await createSendBench();
    mine(await send());
    edges.backend.failNextSave = new Error('disk full');
    await wake(3_000).catch(() => undefined);
    expect(edges.alarm.due).toBe(edges.clock.time + 3_000);
    expect(edges.notifications).toStrictEqual([]);
    await wake(3_000);
    expect(edges.notifications).toHaveLength(1);
  });

  it('sends its requests once if two events fire at the same time', async () => {
    const { app, node } = await setup([sentOf(1)]);
    const receipts = () => node.calls.filter(isReceipt).length;
    await Promise.all([poll(app), poll(app)]);
    expect(receipts()).toBe(1);
    await poll(app);
    expect(receipts()).toBe(2);
  });

  it('requests all transactions of a chain at once, even if other chains fail', async () => {
    const { app, edges, pollAt, statuses, node } = await setup([
      sentOf(1),
      sentOf(2, { chain: 'eip155:5' }),
      sentOf(3, { chain: 'eip155:5' }),
      sentOf(4, { chain: 'eip155:9' }),
    ]);
    node.answers.eth_getTransactionReceipt = receiptsOf(hashOf(1));
    const other = createFakeNode({ ...node.answers, eth_getTransactionReceipt: null });
    edges.network.serve('https://node.example', serving(other));
    await storeChains(app, { 'eip155:5': { rpcUrl: 'https://node.example' } });
    await pollAt(START + 1_000);
    expect(statuses()).toStrictEqual(['included', 'pending', 'pending', 'pending']);
    const asked = other.calls.filter(({ method }) => method !== SEND);
    expect(new Set(asked.map(({ params }) => params[0]))).toStrictEqual(
      new Set([hashOf(2), hashOf(3), SENT.from]),
    );
    const [first] = edges.network.sent;
    expect((JSON.parse(first?.body ?? '') as unknown[]).length).toBe(6);
  });

  it("settles transactions of one chain while another chain's node does not answer", async () => {
    const { app, edges, pollAt, statuses, node } = await setup([
      sentOf(1, { chain: 'eip155:5' }),
      sentOf(2),
    ]);
    node.answers.eth_getTransactionReceipt = receiptsOf(hashOf(1), hashOf(2));
    const gate = createGate();
    const serve = serving(createFakeNode(node.answers));
    edges.network.serve('https://node.example', async (request) => {
      await gate.opened;
      return serve(request);
    });
    await storeChains(app, { 'eip155:5': { rpcUrl: 'https://node.example' } });
    const polling = pollAt(START + 1_000);
    await settle();
    expect(statuses()).toStrictEqual(['pending', 'included']);
    expect(edges.notifications).toHaveLength(1);
    gate.open();
    await polling;
    expect(statuses()).toStrictEqual(['included', 'included']);
  });

  it('runs on every new block for ten minutes while something is pending', async () => {
    const { send, app, edges } = await createSendBench();
    const rpcUrl = 'https://five.example';
    await storeChains(app, {
      'eip155:1': { wsUrl: 'wss://node.example' },
      'eip155:5': { rpcUrl },
    });
    const { sockets, wallet, clock } = edges;
    wallet.answers.eth_subscribe = '0x1';
    answerSockets(sockets, wallet.answers);
    const hash = await send();
    const receipts = (): number =>
      sockets.opened.flatMap(({ sent }) => sent.filter(isReceipt)).length;
    let number = 16;
    const mineOne = async (): Promise<number> => {
      const before = receipts();
      const head = { number: `0x${(number += 1).toString(16)}`, timestamp: '0x1' };
      const result = { ...head, hash: `0x${'ab'.repeat(32)}` };
      const params = { subscription: '0x1', result };
      await sockets.last().deliver({ method: 'eth_subscription', params });
      await settle();
      return receipts() - before;
    };
    expect(hash).toMatch(/^0x/u);
    expect(await mineOne()).toBe(1);
    // Chain 1 still has a pending transaction; chain 5 has none.
    const five = createFakeNode({ ...wallet.answers, eth_chainId: '0x5' });
    edges.network.serve(rpcUrl, serving(five));
    const other = await send({ chainId: '0x5' });
    five.answers.eth_getTransactionReceipt = receiptsOf(other as string);
    await poll(app);
    expect(edges.notifications).toHaveLength(1);
    expect(await mineOne()).toBe(1);
    clock.time -= 60 * MINUTE;
    expect(await mineOne()).toBe(1);
    clock.time += 70 * MINUTE - 1;
    expect(await mineOne()).toBe(1);
    clock.time += 1;
    expect(await mineOne()).toBe(0);
  });
});

describe('a transaction', () => {
  it.each<[string, Record<string, Json>, { success?: boolean }]>([
    ['succeeded', { status: '0x1' }, { success: true }],
    ['failed', { status: '0x0' }, { success: false }],
    ['predates the receipt status', { root: hashOf(9) }, {}],
  ])('is included if it %s', async (_how, status, success) => {
    const receipt = {
      ...without(RECEIPT, 'status'),
      ...status,
      transactionHash: hashOf(0),
    };
    const { pollAt, stored, edges } = await setup([sentOf(0, { absentSince: START })], {
      eth_getTransactionReceipt: receipt,
    });
    await pollAt(START + 5);
    expect(stored()).toStrictEqual([
      {
        ...settledAs('included', START + 5),
        isFinal: false,
        inclusion: {
          blockNumber: '0x10',
          blockHash: `0x${'cd'.repeat(32)}`,
          gasUsed: '0x5208',
          effectiveGasPrice: '0x3b9aca00',
          cost: '0x1319718a5000',
          ...success,
        },
        receipt,
      },
    ]);
    expect(edges.notifications).toHaveLength(1);
  });

  it.each<[string, Record<string, Json>, bigint]>([
    ['an OP stack receipt', { l1Fee: '0x6ea3b0f3a5c0' }, 0x6ea3b0f3a5c0n],
    [
      'a pre-Jovian receipt',
      { l1Fee: '0x5', operatorFeeScalar: '0xf4240', operatorFeeConstant: '0x7' },
      5n + 21_000n + 7n,
    ],
    [
      'a Jovian receipt',
      {
        l1Fee: '0x5',
        operatorFeeScalar: '0x3',
        operatorFeeConstant: '0x7',
        daFootprintGasScalar: '0x190',
      },
      5n + 21_000n * 3n * 100n + 7n,
    ],
    [
      'a Mantle receipt',
      { l1Fee: '0x5', operatorFeeScalar: '0x3', tokenRatio: '0xbb8' },
      5n + 21_000n * 3n * 100n,
    ],
    [
      "a blob transaction's receipt",
      { blobGasUsed: '0x20000', blobGasPrice: '0x7' },
      0x20000n * 7n,
    ],
    ['a receipt with invalid fees', { l1Fee: null, operatorFeeScalar: 'much' }, 0n],
  ])('is included with the cost of %s', async (_what, fees, extra) => {
    const receipt = { ...RECEIPT, ...fees, transactionHash: hashOf(0) };
    const { pollAt, stored } = await setup([sentOf(0)], {
      eth_getTransactionReceipt: receipt,
    });
    await pollAt(START + 5);
    const [sent] = stored();
    expect(BigInt(sent?.inclusion?.cost ?? 0)).toBe(21_000n * 10n ** 9n + extra);
  });

  const mined = { ...RECEIPT, transactionHash: hashOf(0) };

  it.each<[string, Json, Json]>([
    ['a receipt without a type', { ...mined, type: null }, null],
    ['a receipt without logs', { ...mined, logs: null, logsBloom: '0x' }, null],
    ['a receipt in decimals', { ...mined, gasUsed: 21_000, status: '1' }, null],
    [
      'a contract creation to 0x0',
      { ...mined, to: '0x0', contractAddress: RECIPIENT },
      null,
    ],
    [
      'a transaction with an odd access list',
      mined,
      { ...TRANSACTION, accessList: [{ address: RECIPIENT, storageKeys: null }] },
    ],
    ['a transaction that cannot be read', mined, { ...TRANSACTION, accessList: '0x' }],
    ['no answer for the transaction', mined, refused as never],
    ['a transaction reported as pending', mined, WAITING],
  ])('is included with %s', async (_what, receipt, transaction) => {
    const { pollAt, stored } = await setup([sentOf(0)], {
      eth_getTransactionReceipt: receipt,
      eth_getTransactionByHash: transaction,
    });
    await pollAt(START + 5);
    expect(stored()).toMatchObject([
      { status: 'included', inclusion: { success: true, gasUsed: '0x5208' } },
    ]);
  });

  it.each([null, undefined, '', 'ok', true, '0x01'])(
    'is included, but successful only if its status says so: %j',
    async (status) => {
      const { app, pollAt, stored } = await setup([sentOf(0)], {
        eth_getTransactionReceipt:
          status === undefined ? without(mined, 'status') : { ...mined, status },
      });
      await pollAt(START + 5);
      const { inclusion, receipt } = stored()[0] ?? {};
      if (status === 'ok') return expect(inclusion).toBeUndefined();
      const isSuccess = status === true || status === '0x01';
      expect(inclusion?.success).toBe(isSuccess ? true : undefined);
      // Sites get only complete receipts.
      expect(receipt).toStrictEqual(isSuccess ? mined : undefined);
      const asked = callersOf(app).rpc(DAPP, 'eth_getTransactionReceipt', [hashOf(0)]);
      if (isSuccess) return expect(asked).resolves.toStrictEqual(mined);
      return expect(asked).rejects.toThrow('result.status');
    },
  );

  const found = { ...TRANSACTION, hash: hashOf(0) };

  it.each<[string, Json, Json]>([
    ['has no block', { ...mined, blockHash: null, blockNumber: null }, WAITING],
    ['has a zero block hash', { ...mined, blockHash: `0x${'00'.repeat(32)}` }, WAITING],
    ['has no index', { ...mined, transactionIndex: null }, WAITING],
    [
      'is in one block and its transaction in another',
      mined,
      { ...found, blockHash: hashOf(8) },
    ],
    [
      'has a different index from its transaction',
      mined,
      { ...found, transactionIndex: '0x1' },
    ],
  ])('is pending while its receipt %s', async (_what, receipt, transaction) => {
    const { app, pollAt, statuses, edges } = await setup([sentOf(0)], {
      eth_getTransactionReceipt: receipt,
      eth_getTransactionByHash: transaction,
    });
    await pollAt(START + 5);
    expect([statuses(), edges.notifications]).toStrictEqual([['pending'], []]);
    if (receipt === mined) return;
    const asked = callersOf(app).rpc(DAPP, 'eth_getTransactionReceipt', [hashOf(0)]);
    await expect(asked).resolves.toBeNull();
  });

  it.each([
    [8_000, true],
    [8_002, false],
  ])('keeps raw bytes of %i characters once final: %j', async (length, isKept) => {
    const raw = `0x${'0'.repeat(length - 2)}` as const;
    const { pollAt, stored, node } = await setup([sentOf(0, { raw })], {
      eth_getTransactionReceipt: receiptsOf(hashOf(0)),
    });
    node.answers.eth_getBlockByNumber = blockOf;
    await pollAt(START + 5);
    expect(stored()).toMatchObject([{ status: 'included', raw }]);
    await pollAt(START + 6);
    expect(stored()).toMatchObject([{ status: 'included', isFinal: true }]);
    expect(stored()[0]?.raw).toBe(isKept ? raw : undefined);
  });

  it('keeps a receipt of up to 16,000 characters, and caps its cost', async () => {
    const most = `0x${'f'.repeat(64)}`;
    const maxCost = { gasUsed: most, effectiveGasPrice: most };
    const bare = { ...RECEIPT, ...maxCost, transactionHash: hashOf(0), note: '' };
    for (const length of [16_000, 16_001]) {
      const note = 'x'.repeat(length - JSON.stringify(bare).length);
      const { pollAt, stored } = await setup([sentOf(0)], {
        eth_getTransactionReceipt: { ...bare, note },
      });
      await pollAt(START + 5);
      const [sent] = stored();
      expect(sent?.inclusion?.cost).toBe(most);
      expect(sent?.receipt !== undefined).toBe(length === 16_000);
    }
  });

  const known = { eth_getTransactionByHash: { ...WAITING, hash: hashOf(0) } };

  /** Answers of a node whose block 0x100 contains these transactions and uses nonce 7. */
  const usedBy = (...transactions: string[]): NodeAnswers => ({
    eth_blockNumber: '0x100',
    eth_getTransactionCount: ([, block]) =>
      block === 'latest' || block === '0x100' ? '0x8' : '0x7',
    eth_getBlockByNumber: ([number]) => ({
      number: number ?? null,
      timestamp: '0x1',
      hash: RECEIPT.blockHash,
      transactions: number === '0x100' ? transactions : [hashOf(0)],
    }),
  });

  const used = usedBy(hashOf(9));

  const failing = { eth_getTransactionCount: refused };

  it.each<[string, NodeAnswers, [number, Partial<SentTransaction>][]]>([
    [
      'is known to the node',
      known,
      [
        [5, {}],
        [WEEK, {}],
        [52 * WEEK, {}],
      ],
    ],
    [
      'is unknown',
      {},
      [
        [5, { absentSince: START + 5 }],
        [120_004, { absentSince: START + 5 }],
        [120_005, { status: 'dropped' }],
      ],
    ],
    [
      'is unknown and its nonce is used',
      used,
      [
        [5, { absentSince: START + 5 }],
        [30_004, { absentSince: START + 5 }],
        [30_005, { status: 'replaced' }],
      ],
    ],
    [
      'is in a pool although another transaction used its nonce',
      { ...used, ...known },
      [
        [5, { absentSince: START + 5 }],
        [30_005, { status: 'replaced' }],
        [30_006, { status: 'replaced', settledAt: START + 30_005 }],
      ],
    ],
    ...[
      ['is in a block but has no receipt', usedBy(hashOf(9), hashOf(0))],
      [
        'is unknown and its nonce is used in an unknown block',
        { ...used, eth_blockNumber: refused },
      ],
      [
        'is unknown and the state that used its nonce was pruned',
        {
          ...used,
          eth_getTransactionCount: ([, block]: Json[]) =>
            block === 'latest' ? '0x8' : refuses('missing trie node')(),
        },
      ],
    ].map(
      ([what, answers]): [
        string,
        NodeAnswers,
        [number, Partial<SentTransaction>][],
      ] => [
        what as string,
        answers as NodeAnswers,
        [5, 30_005, WEEK].map((ms) => [ms, { doubt: 'untold' }]),
      ],
    ),
    [
      'gets no answer from the node',
      failing,
      [
        [5, {}],
        [-WEEK, {}],
        [52 * WEEK, {}],
      ],
    ],
    [
      'is unknown and the clock is set back',
      {},
      [
        [MINUTE, { absentSince: START + MINUTE }],
        [0, { absentSince: START }],
        [119_999, { absentSince: START }],
        [120_000, { status: 'dropped' }],
      ],
    ],
    [
      "gets another transaction's receipt",
      { eth_getTransactionReceipt: { ...RECEIPT, transactionHash: hashOf(9) } },
      [[5, {}]],
    ],
  ])('has the right status over time if it %s', async (_what, answers, course) => {
    const { pollAt, stored, edges } = await setup([sentOf(0)], answers);
    for (const [ms, expected] of course) {
      const { status } = expected;
      await pollAt(START + ms);
      expect(stored()).toStrictEqual([
        status
          ? { ...settledAs(status, START + ms), ...expected }
          : { ...sentOf(0), ...expected },
      ]);
      expect(edges.notifications).toHaveLength(status ? 1 : 0);
    }
  });

  it('is replaced for good once a finalized block uses its nonce', async () => {
    const { eth_getBlockByNumber: blocks } = used;
    let final = '0xff';
    const { pollAt, stored, node } = await setup([sentOf(0, { status: 'replaced' })], {
      ...used,
      eth_getBlockByNumber: ([asked]) =>
        (blocks as typeof blockOf)([asked === 'finalized' ? final : (asked ?? null)]),
    });
    await pollAt(START + 5);
    expect(stored()).toMatchObject([{ status: 'replaced' }]);
    expect(stored()[0]).not.toHaveProperty('isFinal');
    final = '0x100';
    await pollAt(START + 10);
    expect(stored()).toMatchObject([{ status: 'replaced', isFinal: true }]);
    const asked = node.calls.length;
    await pollAt(START + 15);
    expect(node.calls).toHaveLength(asked);
  });

  it('becomes pending again when the node reports it', async () => {
    const { pollAt, stored } = await setup([sentOf(0, { absentSince: START })], known);
    await pollAt(START + 5);
    expect(stored()).toStrictEqual([sentOf(0)]);
  });

  it.each([
    [{ status: 'pending', doubt: 'untold' }, '0x80'],
    [{ status: 'replaced' }, '0x81'],
    [{ status: 'pending', doubt: 'untold' }, undefined],
  ] as const)(
    'becomes %j on a chain that drops old blocks if it was sent at block %s',
    async (expected, head) => {
      const sent = sentOf(0, { absentSince: START, ...(head && { head }) });
      const { pollAt, stored } = await setup([{ ...sent, chain: 'eip155:97' }], {
        ...used,
        eth_chainId: '0x61',
      });
      await pollAt(START + 30_000);
      expect(stored()).toMatchObject([expected]);
    },
  );
});

describe('a reorganized block', () => {
  const OTHER_BLOCK = `0x${'ef'.repeat(32)}` as const;

  /** Sets up an included transaction, and a chain that tests can change. */
  async function setupIncluded(sent: SentTransaction = sentOf(0)) {
    const chain: { hash: Json; final: string; hasReceipt: boolean } = {
      hash: RECEIPT.blockHash,
      final: '0x1',
      hasReceipt: true,
    };
    const bench = await setup([sent], {
      [SEND]: ([raw]) => keccak256(raw as Hex),
      eth_getTransactionReceipt: (asked) =>
        chain.hasReceipt ? receiptsOf(sent.hash)(asked) : null,
      eth_getTransactionCount: () => (chain.hasReceipt ? '0x8' : '0x7'),
      eth_getBlockByNumber: ([asked]) => {
        const isFinal = asked === 'finalized';
        if (!isFinal && chain.hash === null) return null;
        const number = isFinal ? chain.final : (asked ?? null);
        return { number, hash: chain.hash ?? OTHER_BLOCK, timestamp: '0x1' };
      },
    });
    await bench.pollAt(START + 5);
    expect(bench.stored()).toMatchObject([{ status: 'included' }]);
    const sends = () =>
      bench.node.calls
        .filter(({ method }) => method === SEND)
        .map(({ params }) => params);
    return { ...bench, chain, sends };
  }

  it('makes the snap resend the same transaction and notify the user', async () => {
    const { chain, pollAt, stored, sends, edges } = await setupIncluded();
    Object.assign(chain, { hash: OTHER_BLOCK, hasReceipt: false });
    await pollAt(START + 10);
    const { settledAt: _settledAt, ...waiting } = stored()[0] ?? SENT;
    expect(waiting).toStrictEqual(sentOf(0));
    expect(sends()).toStrictEqual([[sentOf(0).raw]]);
    expect(edges.notifications.at(-1)).toContain('is pending again');
    chain.hasReceipt = true;
    await pollAt(START + 20);
    expect(stored()).toMatchObject([{ status: 'included' }]);
    expect(edges.notifications).toHaveLength(3);
  });

  it('leaves its transaction included if another block contains it', async () => {
    const { chain, node, pollAt, stored, sends, edges } = await setupIncluded();
    chain.hash = OTHER_BLOCK;
    node.answers.eth_getTransactionReceipt = {
      ...RECEIPT,
      blockHash: OTHER_BLOCK,
      transactionHash: hashOf(0),
    };
    await pollAt(START + 10);
    expect(stored()).toMatchObject([{ inclusion: { blockHash: OTHER_BLOCK } }]);
    expect([sends(), edges.notifications.length]).toStrictEqual([[], 1]);
  });

  it.each([
    ['just under 30 s', 29_999, 'included'],
    ['30 s', 30_000, 'pending'],
  ])(
    'makes its transaction pending if the node lacks it for 30 s: %s',
    async (_what, ms, status) => {
      const { chain, pollAt, stored } = await setupIncluded();
      Object.assign(chain, { hash: null, hasReceipt: false });
      await pollAt(START + 10);
      expect(stored()).toMatchObject([{ status: 'included' }]);
      await pollAt(START + 10 + ms);
      expect(stored()).toMatchObject([{ status }]);
    },
  );

  it('is not looked up again once it is final', async () => {
    const { chain, pollAt, stored, edges } = await setupIncluded();
    chain.final = '0xf';
    await pollAt(START + WEEK);
    expect(stored()[0]).toHaveProperty('isFinal', false);
    chain.final = '0x10';
    await pollAt(START + WEEK + 10);
    expect(stored()).toMatchObject([{ status: 'included', isFinal: true }]);
    const asked = edges.wallet.calls.length;
    Object.assign(chain, { hash: OTHER_BLOCK, hasReceipt: false });
    await pollAt(START + WEEK + MINUTE);
    expect(stored()).toMatchObject([{ status: 'included' }]);
    expect(edges.wallet.calls).toHaveLength(asked);
  });

  it('is not assumed after the chain restarts', async () => {
    const { chain, node, pollAt, stored, sends } = await setupIncluded();
    const { eth_getBlockByNumber: blocks } = node.answers;
    Object.assign(chain, { hash: OTHER_BLOCK, hasReceipt: false });
    node.answers.eth_getBlockByNumber = (asked) => ({
      ...((blocks as typeof blockOf)(asked) as object),
      ...(asked[0] === 'earliest' && {
        number: '0x0',
        timestamp: toHex(START / 1_000 + 1),
      }),
    });
    await pollAt(START + 10);
    expect(stored()).toMatchObject([{ status: 'included', isFinal: true }]);
    expect(sends()).toStrictEqual([]);
  });

  it('is not looked up for transactions sent by earlier versions of the snap', async () => {
    const { isFinal: _isFinal, ...kept } = { ...SENT, sentAt: START, hash: hashOf(3) };
    const { pollAt, stored } = await setup([kept], { eth_getBlockByNumber: null });
    await pollAt(START + 10);
    await pollAt(START + MINUTE);
    expect(stored()).toStrictEqual([kept]);
  });

  it('counts as final 64 blocks below the head if the node reports no final block', async () => {
    const { node, pollAt, stored } = await setupIncluded();
    const { eth_getBlockByNumber: blocks } = node.answers;
    node.answers.eth_getBlockByNumber = (asked) =>
      asked[0] === 'finalized' ? refused() : (blocks as typeof blockOf)(asked);
    for (const [head, isFinal] of [
      ['0x4f', false],
      ['0x50', true],
    ] as const) {
      node.answers.eth_blockNumber = head;
      await pollAt(START + 10);
      expect(stored()[0]?.isFinal).toBe(isFinal);
    }
  });

  it("keeps its transaction's nonce reserved", async () => {
    const bench = await createSendBench();
    const { edges } = bench;
    const [raw = '0x'] = (await bench.send(), [...bench.pool.values()]);
    const hash = keccak256(raw);
    bench.mine(hash);
    await bench.poll(3_000);
    // The node has lost the block and its transaction.
    bench.pool.clear();
    Object.assign(edges.wallet.answers, {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x5',
      eth_getBlockByNumber: ([number]: Json[]) => ({
        number: number ?? null,
        hash: OTHER_BLOCK,
        timestamp: '0x1',
      }),
    });
    await bench.poll(3_000);
    expect([...bench.pool.values()]).toStrictEqual([raw]);
    await bench.send({ value: '0x2' });
    expect(bench.signed().map(({ nonce }) => nonce)).toStrictEqual([5, 6]);
  });
});

describe('previously approved calls', () => {
  const isNamed = ({ edges }: Pick<SendBench, 'edges'>, hash: unknown) => {
    const text = textOf('repetition.open', { hash: hash as string, origin: DAPP });
    return warningsOf(edges.dialogs.shown.at(-1)).includes(text);
  };

  it('are named in a warning while they can still be executed', async () => {
    const bench = await createSendBench();
    const hash = await bench.send();
    await bench.send({ value: '0x2' });
    expect(isNamed(bench, hash)).toBe(false);
    const again = await bench.send();
    expect(isNamed(bench, hash)).toBe(true);
    bench.mine(again);
    bench.mine(hash);
    await bench.poll(3_000);
    await bench.send();
    expect(isNamed(bench, hash)).toBe(false);
  });

  it.each<[string, Partial<SentTransaction>, boolean]>([
    ['with a used nonce', { doubt: 'untold' }, true],
    ['that no server knows', { status: 'dropped' }, true],
    ['given up by an earlier version', { status: 'unknown' }, true],
    ['that were refused', { status: 'dropped', refused: true }, false],
    ['that were replaced', { status: 'replaced' }, false],
    ['on another chain', { chain: 'eip155:5' }, false],
    ['from another account', { from: RECIPIENT }, false],
    ['with the same nonce', { nonce: '0x5', status: 'dropped' }, false],
  ])(
    'are named only if they can still be executed (calls %s)',
    async (_what, fields, expected) => {
      const bench = await createSendBench();
      await bench.send();
      const [sent = SENT] = activityOf(bench.edges);
      await storeActivity(bench.app, [{ ...sent, nonce: '0x4', ...fields }]);
      await bench.send();
      expect(isNamed(bench, sent.hash)).toBe(expected);
    },
  );

  it('are not named when they are replaced', async () => {
    const bench = await createSendBench();
    const hash = await bench.send();
    await bench.replace(hash, { action: 'speedUp' });
    expect(isNamed(bench, hash)).toBe(false);
  });

  it('are named for batches of both kinds of account, even among other calls', async () => {
    const bench = await createCallsBench();
    bench.edges.wallet.answers.eth_getCode = ([address]) =>
      address === bench.smart.address ? '0x60' : '0x';
    for (const from of [bench.address, bench.smart.address]) {
      await bench.sendCalls({ from, id: `one ${from}` });
      const [hash] = bench.batches().at(-1)?.hashes ?? [];
      expect(isNamed(bench, hash)).toBe(false);
      await expectRefusal(bench.sendCalls({ from, id: `one ${from}` }), 5720);
      const [call] = CALLS;
      await bench.sendCalls({ from, calls: [{ to: RECIPIENT, value: '0x9' }, call] });
      expect(isNamed(bench, hash)).toBe(true);
    }
  });
});

describe('two transactions with one nonce', () => {
  it.each<[string, string, Partial<SentTransaction>]>([
    ['replaced', 'was included later', { nonce: '0x07' }],
    ['pending', 'was included before the chain restarted', { settledAt: START }],
    ['pending', 'is on a different chain', { chain: 'eip155:5' }],
    ['pending', 'has a different sender', { from: `0x${'0f'.repeat(20)}` }],
    ['pending', 'has a different nonce', { nonce: '0x8' }],
    ['pending', 'was replaced itself', { status: 'replaced' }],
  ])('leave the first %s if the second %s', async (status, _what, fields) => {
    const other = { ...SENT, hash: hashOf(2), settledAt: START + 1, ...fields };
    const { pollAt, stored } = await setup([other, sentOf(1)]);
    await pollAt(START + 1_000);
    expect(stored()[1]).toHaveProperty('status', status);
  });
});

describe('a user operation', () => {
  async function setupOperation(
    sent: SentTransaction,
    { node, bundler }: { node?: NodeAnswers; bundler?: NodeAnswers } = {},
  ) {
    const bench = await setup([sent], { eth_call: encodeNonce(7), ...node });
    const bundlerNode = createFakeNode({
      eth_getUserOperationReceipt: null,
      eth_getUserOperationByHash: null,
      ...bundler,
    });
    bench.edges.network.serve('https://bundler.example', serving(bundlerNode));
    await storeChains(bench.app, {
      'eip155:1': { bundlerUrl: 'https://bundler.example' },
    });
    return bench;
  }

  type Case = [string, [NodeAnswers, NodeAnswers], Partial<SentTransaction>];

  const included = (fields = {}): NodeAnswers => ({
    eth_getUserOperationReceipt: operationReceipt(1, fields),
  });

  const executed = { eth_call: encodeNonce(8) };

  const pending = { status: 'pending' } as const;

  const absentSince = START + 5;

  it.each<Case>([
    ['is unknown', [{}, {}], { status: 'pending', absentSince }],
    [
      'is in the pool',
      [{}, { eth_getUserOperationByHash: foundOperation(1) }],
      pending,
    ],
    ['is not yet executed on the node', [{}, included()], pending],
    [
      'was executed',
      [executed, included()],
      {
        status: 'included',
        inclusion: {
          blockNumber: '0x10',
          blockHash: RECEIPT.blockHash,
          transactionHash: RECEIPT.transactionHash,
          gasUsed: '0x64',
          effectiveGasPrice: '0x5',
          cost: '0x1f5',
          success: true,
        },
        receipt: operationReceipt(1) as never,
      },
    ],
    [
      'failed without using gas',
      [executed, included({ success: false, actualGasUsed: '0x0' })],
      {
        inclusion: {
          gasUsed: '0x0',
          effectiveGasPrice: '0x0',
          success: false,
        } as never,
      },
    ],
    [
      'gets a receipt with a different sender',
      [executed, included({ sender: RECIPIENT })],
      pending,
    ],
    [
      'gets a receipt with a different nonce',
      [executed, included({ nonce: '0x8' })],
      pending,
    ],
    ['has no EntryPoint', [{ eth_call: '0x' }, {}], pending],
    [
      'gets an error from the bundler',
      [{}, { eth_getUserOperationByHash: refused }],
      pending,
    ],
  ])('gets the right status if it %s', async (_what, [node, bundler], expected) => {
    const sent = { ...pendingOperation(1), sentAt: START };
    const bench = await setupOperation(sent, { node, bundler });
    const { app, edges, pollAt, stored } = bench;
    await pollAt(START + 5);
    expect(stored()).toMatchObject([expected]);
    expect(stored()[0]?.absentSince).toBe(expected.absentSince);
    expect(edges.network.sent).toHaveLength(1);
    await storeChains(app, {});
    await expect(pollAt(START + 6)).resolves.toBeNull();
  });

  it.each<[Record<string, Json>, number | undefined]>([
    [{}, undefined],
    [{ sender: RECIPIENT }, START],
    [{ nonce: '0x8' }, START],
  ])('is only known to a bundler that answers with it: %j', async (fields, since) => {
    const { userOperation, ...found } = foundOperation(1);
    const { pollAt, stored } = await setupOperation(
      { ...pendingOperation(1), sentAt: START, absentSince: START },
      {
        bundler: {
          eth_getUserOperationByHash: {
            ...found,
            userOperation: { ...userOperation, ...fields },
          },
        },
      },
    );
    await pollAt(START + 5);
    expect(stored()).toMatchObject([pending]);
    expect(stored()[0]?.absentSince).toBe(since);
  });

  const EVENT = toEventSelector(
    'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
  );

  const eventOf = (fields: Record<string, Json> = {}, words = [7, 1, 0x1f5, 0x64]) => ({
    address: entryPoints['0.7'].entryPoint,
    topics: [
      EVENT,
      hashOf(1),
      toHex(BigInt(PENDING.from), { size: 32 }),
      toHex(0, { size: 32 }),
    ],
    data: concat(words.map((each) => toHex(each, { size: 32 }))),
    blockHash: RECEIPT.blockHash,
    blockNumber: '0x10',
    logIndex: '0x2',
    removed: false,
    transactionHash: RECEIPT.transactionHash,
    transactionIndex: '0x0',
    ...fields,
  });

  const otherEvent = {
    ...eventOf(),
    topics: [EVENT, hashOf(5), ...eventOf().topics.slice(2)],
  };
  const beginEvent = { ...eventOf(), topics: [toEventSelector('BeforeExecution()')] };
  const transfer = { ...eventOf(), address: RECIPIENT, topics: [hashOf(6)] };

  const unread: [string, NodeAnswers[string]][] = [
    ['cannot be read', operationReceipt(1, { success: 'perhaps' })],
    ['has no block', operationReceipt(1, { receipt: without(RECEIPT, 'blockHash') })],
    ['is missing', null],
    ['is refused', refused],
  ];

  it.each(unread)(
    "is settled by the EntryPoint's event if its receipt %s",
    async (_what, eth_getUserOperationReceipt) => {
      const sent = { ...pendingOperation(1), sentAt: START };
      const logs = [beginEvent, transfer, otherEvent, transfer, eventOf()];
      const { node, pollAt, stored, app } = await setupOperation(sent, {
        node: {
          ...executed,
          eth_blockNumber: '0x20',
          eth_getLogs: ([filter]) => {
            expect(filter).toStrictEqual({
              address: entryPoints['0.7'].entryPoint,
              fromBlock: '0x0',
              toBlock: '0x20',
              topics: eventOf()
                .topics.slice(0, 3)
                .map((topic) => [topic]),
            });
            return [eventOf()];
          },
          eth_getTransactionReceipt: { ...RECEIPT, logs },
        },
        bundler: { eth_getUserOperationReceipt },
      });
      await pollAt(START + 5);
      expect(stored()).toMatchObject([
        {
          status: 'included',
          inclusion: {
            blockNumber: '0x10',
            blockHash: RECEIPT.blockHash,
            transactionHash: RECEIPT.transactionHash,
            gasUsed: '0x64',
            cost: '0x1f5',
            success: true,
          },
          receipt: {
            ...operationReceipt(1, { logs: [transfer, eventOf()] as never }),
            receipt: { ...RECEIPT, logs },
          },
        },
      ]);
      expect(node.calls.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(
        1,
      );
      await poll(app);
    },
  );

  it.each<[string, object[], Partial<SentTransaction>]>([
    ['failed', [eventOf({}, [7, 0, 1, 1])], { inclusion: { success: false } as never }],
    ['was removed', [eventOf({ removed: true })], pending],
    ['is in no block', [eventOf({ blockHash: null })], pending],
    ['is from another contract', [eventOf({ address: RECIPIENT })], pending],
    ['belongs to another operation', [otherEvent], pending],
    ['has a different nonce', [eventOf({}, [8, 1, 1, 1])], pending],
    ['has too little data', [eventOf({}, [7, 1])], pending],
    ['is missing', [], pending],
  ])('gets the right status if its event %s', async (_what, logs, expected) => {
    const sent = { ...pendingOperation(1), sentAt: START };
    const { pollAt, stored } = await setupOperation(sent, {
      node: { ...executed, eth_blockNumber: '0x20', eth_getLogs: logs as never },
      bundler: { eth_getUserOperationReceipt: operationReceipt(1, { success: null }) },
    });
    await pollAt(START + 5);
    expect(stored()).toMatchObject([expected]);
    // The node has no receipt of the bundle.
    expect(stored()[0]).not.toHaveProperty('receipt');
  });

  type Range = [first: number, last: number];

  /** Creates a node with 250 ms blocks that returns the logs of at most `most` blocks at once. */
  const giveLogs = (
    blocks: number,
    { most = Infinity, at = -1 }: { most?: number; at?: number } = {},
  ) => {
    const ranges: Range[] = [];
    const answers: NodeAnswers = {
      ...executed,
      eth_blockNumber: toHex(blocks),
      eth_getBlockByNumber: ([number]) => {
        const ageMs = (blocks - Number(number)) * 250;
        const time = START + 1_000_000 - ageMs;
        return { number: number ?? null, timestamp: toHex(Math.floor(time / 1_000)) };
      },
      eth_getLogs: ([filter]) => {
        const { fromBlock, toBlock } = filter as Record<string, string>;
        const [first, last] = [Number(fromBlock), Number(toBlock)];
        if (last - first >= most) return refuses('block range too large')();
        ranges.push([first, last]);
        return at >= first && at <= last ? [eventOf({ blockNumber: toHex(at) })] : [];
      },
    };
    return { ranges, answers };
  };

  const sentAtStart = { ...pendingOperation(1), sentAt: START };

  it('is searched for in block ranges from its sending on, and counts as replaced if not found', async () => {
    const { ranges, answers } = giveLogs(10_000);
    const { pollAt, stored, node } = await setupOperation(sentAtStart, {
      node: answers,
    });
    await pollAt(START + 1_000_000);
    // The operation was sent at block 6,000, but the clock may be ten minutes ahead.
    expect(ranges.slice(0, 2)).toStrictEqual([
      [2_008, 3_007],
      [3_008, 4_007],
    ]);
    expect(ranges.at(-1)).toStrictEqual([9_008, 10_000]);
    expect(stored()).toMatchObject([{ status: 'pending' }]);
    await pollAt(START + 1_030_000);
    expect(stored()).toMatchObject([{ status: 'replaced' }]);
    // The node returns the last block's logs only now.
    node.answers.eth_getLogs = [eventOf()];
    await pollAt(START + 1_040_000);
    expect(stored()).toMatchObject([{ status: 'included' }]);
  });

  it('is not searched for while the new node is behind the previous one', async () => {
    const { ranges, answers } = giveLogs(10_000);
    const sent = { ...sentAtStart, doubt: 'searching', searched: '0x2712' } as const;
    const { pollAt, stored } = await setupOperation(sent, { node: answers });
    await pollAt(START + 1_000_000);
    await pollAt(START + 1_030_000);
    expect([stored(), ranges]).toStrictEqual([[sent], []]);
  });

  it('is searched for by each poll from where the last one stopped', async () => {
    const { ranges, answers } = giveLogs(100_000, { most: 100, at: 97_500 });
    const { app, pollAt, stored } = await setupOperation(sentAtStart, {
      node: answers,
    });
    let polls = 0;
    for (; stored()[0]?.status === 'pending'; polls += 1) {
      await pollAt(START + 1_000_000 + polls * MINUTE);
      const [{ status, doubt, searched } = PENDING] = stored();
      if (status === 'pending') {
        expect([doubt, searched]).toStrictEqual([
          'searching',
          toHex((ranges.at(-1)?.[1] ?? 0) + 1),
        ]);
      }
    }
    expect(stored()[0]).toMatchObject({ status: 'included' });
    expect(stored()[0]).not.toHaveProperty('searched');
    const firsts = ranges.slice(1).map(([first]) => first);
    expect(firsts).toStrictEqual(ranges.slice(0, -1).map(([, last]) => last + 1));
    expect(polls).toBeGreaterThan(2);
    await poll(app);
  });

  it.each<[string, NodeAnswers]>([
    ['refuses logs', { eth_getLogs: refused }],
    [
      'does not support logs',
      { eth_getLogs: refuses({ code: -32601, message: 'no' }) },
    ],
    ['returns no block', { eth_getBlockByNumber: null, eth_blockNumber: refused }],
  ])('stays pending at any age if the node %s', async (_what, answers) => {
    const { pollAt, stored, edges } = await setupOperation(sentAtStart, {
      node: { ...giveLogs(10_000).answers, ...answers },
    });
    for (const ms of [5, 30_005, WEEK, 52 * WEEK]) await pollAt(START + ms);
    expect(stored()).toMatchObject([{ status: 'pending', doubt: 'untold' }]);
    expect(edges.notifications).toStrictEqual([]);
  });

  it.each([
    ['is no longer configured', undefined],
    ['returns errors', refused],
  ])('is settled by the node if the bundler %s', async (_what, answer) => {
    const { answers } = giveLogs(10_000, { at: 9_000 });
    const { app, pollAt, stored } = await setupOperation(sentAtStart, {
      node: answers,
      bundler: answer
        ? { eth_getUserOperationReceipt: answer, eth_getUserOperationByHash: answer }
        : {},
    });
    if (!answer) await storeChains(app, {});
    await pollAt(START + WEEK);
    expect(stored()).toMatchObject([
      { status: 'included', inclusion: { success: true } },
    ]);
  });

  it('is settled by the bundle that the bundler reports', async () => {
    const bundle = hashOf(12);
    const { pollAt, stored } = await setupOperation(sentAtStart, {
      node: {
        ...executed,
        eth_getTransactionReceipt: ([hash]) =>
          hash === bundle ? { ...RECEIPT, logs: [eventOf({}, [7, 0, 1, 1])] } : null,
      },
      bundler: {
        eth_getUserOperationByHash: {
          ...foundOperation(1),
          transactionHash: bundle,
          blockHash: RECEIPT.blockHash,
          blockNumber: '0x10',
        },
      },
    });
    await pollAt(START + 5);
    expect(stored()).toMatchObject([
      { status: 'included', inclusion: { success: false } },
    ]);
  });

  it('is looked up with its nonce key', async () => {
    const nonce = `0x${((5n << 64n) + 7n).toString(16)}` as const;
    const { pollAt, node } = await setupOperation(pendingOperation(1, { nonce }));
    await pollAt(START + 5);
    const call = node.calls.find(({ method }) => method === 'eth_call');
    expect(JSON.stringify(call?.params)).toContain(`${'5'.padStart(64, '0')}"`);
  });
});

describe('a sent transaction', () => {
  it('is stored, and its poll is scheduled, before it is sent', async () => {
    const { edges, send, address, beforeSend } = await createSendBench();
    let seen: unknown;
    beforeSend(() => {
      const { pendingSince } = edges.publicBackend.document as { pendingSince: number };
      seen = [activityOf(edges).length, pendingSince, edges.alarm.due];
    });
    const hash = await send();
    expect(seen).toStrictEqual([1, START, START + 3_000]);
    expect(activityOf(edges)).toMatchObject([
      { hash, from: address.toLowerCase(), nonce: '0x5', origin: DAPP, sentAt: START },
    ]);
    expect(activityOf(edges)[0]).not.toHaveProperty('head');
  });

  it('is not stored before its poll is scheduled', async () => {
    const { edges, send } = await createSendBench();
    const { opened, open } = createGate();
    edges.alarm.held = opened;
    const sending = send();
    await settle();
    expect(activityOf(edges)).toStrictEqual([]);
    open();
    await sending;
    expect(activityOf(edges)).toHaveLength(1);
  });

  it('is polled even if an event fires while it is being stored', async () => {
    const { edges, send, poll: wake } = await createSendBench();
    const { save } = edges.backend;
    edges.backend.save = async (next) => {
      edges.backend.save = save;
      await wake(1_000);
      return save(next);
    };
    await send();
    expect(edges.publicBackend.document).toHaveProperty('pendingSince', START);
    expect(edges.alarm.due).toBe(START + 4_000);
  });

  it('is not sent if it cannot be stored', async () => {
    const { edges, send, call, address } = await createSendBench();
    await call('eth_fillTransaction', [{ from: address, to: address }]);
    edges.backend.failNextSave = new Error('disk full');
    await expect(send()).rejects.toThrow();
    expect(calledMethods(edges.wallet)).not.toContain(SEND);
  });

  it.each([
    ['refuses it', false],
    ['refuses it and the first save fails', true],
  ])('is marked as refused if the node %s', async (_what, isFailing) => {
    const { edges, send } = await createSendBench();
    edges.wallet.answers[SEND] = () => {
      if (isFailing) edges.backend.failNextSave = new Error('disk full');
      return refused();
    };
    const { code, message } = await refusalOf(send());
    const [{ hash } = SENT, ...others] = activityOf(edges);
    expect([code, others]).toStrictEqual([-32000, []]);
    expect(message).toContain(hash);
    expect(activityOf(edges)).toMatchObject([{ status: 'dropped', refused: true }]);
  });

  it.each([
    'already known',
    'AlreadyKnown',
    'Known transaction',
    'ALREADY_EXISTS: already known',
  ])('counts as sent if the node answers: %s', async (message) => {
    const { edges, send } = await createSendBench();
    edges.wallet.answers[SEND] = refuses(message);
    expect(activityOf(edges)).toStrictEqual([]);
    const hash = await send();
    expect(activityOf(edges)).toMatchObject([{ hash, status: 'pending' }]);
  });

  it.each<[string, boolean, NodeAnswers]>([
    [
      'knows it',
      true,
      { eth_getTransactionByHash: ([hash = '']) => ({ ...TRANSACTION, hash }) },
    ],
    ['does not know it', false, {}],
    ['answers with another one', false, { eth_getTransactionByHash: TRANSACTION }],
  ])('stays pending if the answer is lost and the node %s', async (...row) => {
    const [, isKnown, answers] = row;
    const { edges, send } = await createSendBench();
    Object.assign(edges.wallet.answers, answers);
    edges.wallet.answers[SEND] = () => {
      throw new Error('gone');
    };
    const result = await send().catch((error: Error) => error.message);
    const [{ hash, status } = SENT] = activityOf(edges);
    expect(status).toBe('pending');
    const fate = `Transaction ${hash} will be resent until it arrives.`;
    if (isKnown) expect(result).toBe(hash);
    else expect(result).toContain(fate);
  });

  it('is stored with the newest block on chains that drop old ones, and not sent without it', async () => {
    const { edges, send } = await createSendBench();
    const own = { eth_chainId: '0x61', eth_blockNumber: '0x64' };
    Object.assign(edges.wallet.answers, own);
    const chain = { chainId: '0x61' };
    await send(chain);
    expect(activityOf(edges)).toMatchObject([{ head: '0x64', chain: 'eip155:97' }]);
    edges.wallet.answers.eth_blockNumber = refused;
    await expectRefusal(send({ ...chain, value: '0x2' }), -32000);
    expect(activityOf(edges)).toHaveLength(1);
  });

  it('takes the place of the oldest settled one if 100 are stored', async () => {
    const { edges, app, send } = await createSendBench();
    const seed = async (settled: number): Promise<unknown> => {
      const all = Array.from({ length: 100 }, (_, index) => {
        const isSettled = index >= 1 && index <= settled;
        return { ...(isSettled ? SENT : PENDING), hash: hashOf(index), sentAt: index };
      });
      return storeActivity(app, all);
    };
    await seed(2);
    await send();
    const hashes = activityOf(edges).map(({ hash }) => hash);
    expect(hashes).toHaveLength(100);
    const left = [0, 1, 2].filter((each) => hashes.includes(hashOf(each)));
    expect(left).toStrictEqual([0, 2]);
    await seed(0);
    expect(await refusalOf(send({ value: '0x2' }))).toStrictEqual({
      code: -32005,
      message: '100 sent transactions are pending; wait until some are included.',
    });
    expect(activityOf(edges)).toHaveLength(100);
  });

  it('takes the place of a dropped one if no other is settled', async () => {
    const { edges, app, send } = await createSendBench();
    const all = Array.from({ length: 100 }, (_, index) => pendingOf(index));
    const status = 'dropped' as const;
    all.splice(0, 2, pendingOf(0, { status }), pendingOf(1, { status }));
    all.splice(50, 1, { ...SENT, hash: hashOf(50), sentAt: 50 });
    await storeActivity(app, all);
    const isKept = (index: number): boolean =>
      activityOf(edges).some(({ hash }) => hash === hashOf(index));
    await send();
    expect([0, 1, 50].map(isKept)).toStrictEqual([true, true, false]);
    await send({ value: '0x2' });
    expect([0, 1].map(isKept)).toStrictEqual([false, true]);
  });
});

describe('a sent user operation', () => {
  const intent = { to: SENT.from, value: '0x1', data: '0x' };

  const signedOf = ({ edges }: OperationBench): { hash: string }[] =>
    (edges.backend.document as { signedOperations: { hash: string }[] })
      .signedOperations;

  it.each<[string, NodeAnswers, string | undefined]>([
    ['is accepted', {}, undefined],
    [
      'is already known',
      {
        eth_getUserOperationByHash: foundOperation(1),
        [OPERATION]: refuses({ code: -32602, message: 'already known' }),
      },
      undefined,
    ],
    ...[
      'already known',
      'AlreadyKnown',
      'UserOperation already in mempool',
      'the operation already exists in the pool',
    ].map((message): [string, NodeAnswers, undefined] => [
      `is already known, but not found: ${message}`,
      { [OPERATION]: refuses({ code: -32602, message }) },
      undefined,
    ]),
    [
      'has the nonce of a pending one',
      {
        [OPERATION]: refuses({
          code: -32602,
          message: 'an operation with this nonce is already in the mempool',
        }),
      },
      'with this nonce',
    ],
    [
      'is refused',
      { [OPERATION]: refuses({ code: -32500, message: 'AA25 invalid nonce' }) },
      'AA25',
    ],
    ['is reported under a different hash', { [OPERATION]: hashOf(9) }, hashOf(9)],
  ])('is stored if it %s', async (_what, bundler, words) => {
    const bench = await createOperationBench({ bundler });
    const result = await bench
      .call(OPERATION, [intent])
      .catch((error: Error) => error.message);
    const kept = activityOf(bench.edges);
    if (words !== undefined) expect(result).toContain(words);
    const isRefused = words !== undefined && words !== hashOf(9);
    expect(kept).toMatchObject([{ status: isRefused ? 'dropped' : 'pending' }]);
    if (words === undefined) expect(result).toBe(kept[0]?.hash);
    if (words === hashOf(9)) expect(result).toContain(kept[0]?.hash);
    expect(bench.sent()).toHaveLength(1);
  });

  it.each<[string, Record<string, Json>, string]>([
    ['has it', {}, 'pending'],
    ['answers with one of another sender', { sender: RECIPIENT }, 'dropped'],
    ['answers with one of another nonce', { nonce: '0x8' }, 'dropped'],
  ])('has the right status if the bundler refuses it, but %s', async (...row) => {
    const [, fields, status] = row;
    const bench = await createOperationBench({
      bundler: { [OPERATION]: refuses({ code: -32500, message: 'no' }) },
    });
    bench.bundler.answers.eth_getUserOperationByHash = () => ({
      ...foundOperation(1),
      userOperation: { ...bench.sent()[0], ...fields },
    });
    const result = bench.call(OPERATION, [intent]);
    await (status === 'pending' ? result : expectRefusal(result, -32500));
    expect(activityOf(bench.edges)).toMatchObject([{ status }]);
  });

  it("stays pending if the bundler's answer is lost", async () => {
    const bench = await createOperationBench();
    const { network } = bench.edges;
    const serve = serving(bench.bundler);
    network.serve('https://bundler.example', (request) =>
      (request.body?.includes(OPERATION) ? unreachableServer : serve)(request),
    );
    const { message } = await refusalOf(bench.call(OPERATION, [intent]));
    const [kept] = activityOf(bench.edges);
    expect(message).toContain(
      `User operation ${kept?.hash} will be resent until it arrives.`,
    );
    expect(kept).toMatchObject({ status: 'pending', operation: { nonce: '0x7' } });
  });

  it('causes a warning that names an earlier one signed with the same nonce', async () => {
    const bench = await createOperationBench();
    const { call, shown, address } = bench;
    const sign = async (fields: Record<string, Json>): Promise<boolean> => {
      await call('eth_signUserOperation', [operationOf(address, fields)]);
      const [{ hash = '' } = {}] = signedOf(bench);
      return warningsOf(shown().at(-1)).includes(textOf('alert.replay', { hash }));
    };
    expect(await sign({ nonce: '0x7' })).toBe(false);
    expect(await sign({ nonce: '0x7' })).toBe(false);
    const before = signedOf(bench);
    expect(before).toHaveLength(1);
    await call('eth_signUserOperation', [
      operationOf(address, { nonce: '0x07', callGasLimit: '0x186a1' }),
    ]);
    const { hash = '' } = before[0] ?? {};
    expect(warningsOf(shown().at(-1))).toContain(textOf('alert.replay', { hash }));
    expect(await sign({ nonce: '0x8' })).toBe(false);
    expect(signedOf(bench)).toHaveLength(2);
  });
});

describe('a looked-up receipt', () => {
  const known: Json = TRANSACTION;

  it.each<[string, { receipts: Json[]; known: Json }, number]>([
    ['is available', { receipts: [{ ...RECEIPT, l1Fee: '0x5' }], known }, 1],
    [
      'is for a transaction that the node does not find',
      { receipts: [RECEIPT], known: null },
      1,
    ],
    ['is for an unknown transaction', { receipts: [null], known: null }, 1],
    ['is for a pending transaction', { receipts: [null], known: WAITING }, 1],
    ['comes a second later', { receipts: [null, null, RECEIPT], known }, 3],
    ['never comes', { receipts: [null], known }, 4],
  ])(
    'is requested as often as necessary if it %s',
    async (_what, { receipts, known: transaction }, asked) => {
      const { app, edges, node } = await setup([], {
        eth_getTransactionByHash: transaction,
      });
      let count = 0;
      node.answers.eth_getTransactionReceipt = () => {
        const receipt = receipts[Math.min(count, receipts.length - 1)] ?? null;
        count += 1;
        return receipt;
      };
      const { rpc } = callersOf(app);
      const method = 'eth_getTransactionReceipt';
      const params = { scope: 'eip155:1', params: [RECEIPT.transactionHash] };
      expect(await rpc(DAPP, method, params)).toStrictEqual(receipts.at(-1));
      const waits = Array<number>(asked - 1).fill(500);
      expect([count, edges.clock.slept]).toStrictEqual([asked, waits]);
    },
  );
});

// An answer that stays pending until the tests end.
const gate = createGate();

afterAll(gate.open);

const never = gate.opened as never;

// Ignores the error of a call whose worker was stopped.
const abandon = (running: Promise<unknown>) => void running.catch(() => undefined);

const list = async ({ edges }: SendBench) => listActivity(createTestApp(edges));

const sendsOf = ({ edges }: SendBench): Json[] =>
  edges.wallet.calls
    .filter(({ method }) => method === SEND)
    .map(({ params }) => params);

describe('a worker that is stopped between storing and sending', () => {
  it('leaves a transaction to the next worker, which sends the same bytes', async () => {
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

  it('is woken for the stored transaction even if it stops right after storing', async () => {
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

  it('leaves a user operation to the next worker, which sends the same bytes', async () => {
    const bench = await createCallsBench();
    const { bundler, smart, edges } = bench;
    const accept = bundler.answers[OPERATION];
    bundler.answers[OPERATION] = () => never;
    abandon(bench.sendCalls({ id: 'mine', from: smart.address }));
    await settle();
    bench.restart();
    bundler.answers[OPERATION] = accept ?? null;
    expect(bench.operations.size).toBe(0);
    await bench.poll(3_000);
    const [lost, sent] = bundler.calls.filter(({ method }) => method === OPERATION);
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

describe('a lost transaction', () => {
  async function setupLost() {
    const bench = await createSendBench();
    const hash = await bench.send();
    bench.pool.clear();
    return { ...bench, hash };
  }

  it('is resent', async () => {
    const bench = await setupLost();
    await bench.poll(3_000);
    expect([...bench.pool.keys()]).toStrictEqual([bench.hash]);
    await bench.poll(3_000);
    expect(sendsOf(bench)).toHaveLength(2);
  });

  it('is not resent if it was cancelled, even if its cancellation is lost as well', async () => {
    const bench = await setupLost();
    const { replace, pool, hash } = bench;
    const cancellation = await replace(hash, { action: 'cancel' });
    pool.clear();
    await bench.poll(3_000);
    await bench.poll(3_000);
    expect([...pool.keys()]).toStrictEqual([cancellation]);
  });

  it('counts as dropped after two minutes of refusals', async () => {
    const bench = await setupLost();
    const { edges, hash } = bench;
    edges.wallet.answers[SEND] = refuses('pool is full');
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
  /** Sets the node's answer to eth_sendRawTransaction. The transaction can be mined in any case. */
  async function setupLying(answer: () => Json): Promise<SendBench> {
    const bench = await createSendBench();
    bench.edges.wallet.answers[SEND] = answer;
    return bench;
  }

  const breaks = (): never => {
    throw new Error('the connection was reset');
  };

  const sendAndCatch = async (bench: SendBench): Promise<unknown> =>
    bench.send().catch((error: unknown) => error);

  it.each<[string, () => never, string]>([
    ['nonce too low', refuses('nonce too low'), 'dropped'],
    [
      'replacement underpriced',
      refuses('replacement transaction underpriced'),
      'dropped',
    ],
    ['insufficient funds', refuses('insufficient funds'), 'dropped'],
    ['the connection was reset', breaks, 'pending'],
  ])(
    'is signed once, kept, and settled when it is included, after the answer: %s',
    async (_what, answer, status) => {
      const bench = await setupLying(answer);
      const outcome = JSON.stringify(await sendAndCatch(bench));
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
    const bench = await setupLying(refuses('nonce too low'));
    const { edges } = bench;
    await sendAndCatch(bench);
    edges.wallet.answers.eth_getTransactionByHash = ([hash]) => ({
      ...WAITING,
      hash: hash ?? null,
    });
    await bench.poll(3_000);
    const [sent] = await list(bench);
    expect(sent).toMatchObject({ status: 'pending' });
    expect(sent).toHaveProperty('raw');
    expect(sent).not.toHaveProperty('refused');
    expect(edges.notifications).toStrictEqual([]);
  });

  it('leaves its nonce to the next transaction, which replaces it', async () => {
    const bench = await createSendBench();
    const { edges, pool } = bench;
    const accept = edges.wallet.answers[SEND];
    edges.wallet.answers[SEND] = refuses('insufficient funds');
    await sendAndCatch(bench);
    edges.wallet.answers[SEND] = accept ?? null;
    const next = await bench.send({ value: '0x2' });
    expect([...pool.keys()]).toStrictEqual([next]);
    bench.mine(next);
    await bench.poll(3_000);
    expect(await list(bench)).toMatchObject([
      { hash: next, nonce: '0x5', status: 'included' },
      { nonce: '0x5', status: 'replaced', replacedBy: next },
    ]);
    // The user is notified only of the second transaction: the site already got the refusal.
    expect(edges.notifications).toHaveLength(1);
  });

  it('does not block the next one if another wallet used its nonce', async () => {
    const bench = await createSendBench();
    const { edges } = bench;
    const accept = edges.wallet.answers[SEND];
    edges.wallet.answers[SEND] = refuses('nonce too low');
    await sendAndCatch(bench);
    edges.wallet.answers[SEND] = accept ?? null;
    // The other wallet's transaction is in the pool first, then in a block.
    edges.wallet.answers.eth_getTransactionCount = ([, block]) =>
      block === 'latest' ? '0x5' : '0x6';
    await bench.send({ value: '0x2' });
    edges.wallet.answers.eth_getTransactionCount = '0x6';
    await bench.poll(3_000);
    await bench.poll(30_000);
    expect(await list(bench)).toMatchObject([
      { nonce: '0x6', status: 'pending' },
      { nonce: '0x5', status: 'dropped' },
    ]);
    Object.assign(edges.wallet.answers, {
      eth_blockNumber: '0x1',
      eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', transactions: [] },
    });
    await bench.poll(3_000);
    await bench.poll(30_000);
    expect(await list(bench)).toMatchObject([{}, { nonce: '0x5', status: 'replaced' }]);
    expect(edges.notifications).toStrictEqual([]);
  });
});

describe('wallet_getCallsStatus', () => {
  /** Sets up pending calls on chain 1 and a pending transaction on chain 5. */
  async function setup() {
    const bench = await createCallsBench();
    const { app, edges, send } = bench;
    const url = 'https://other-chain.example';
    const node = createFakeNode({ ...edges.wallet.answers });
    edges.network.serve(url, serving(node));
    await storeChains(app, { 'eip155:5': { rpcUrl: url } });
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

  it('requests each receipt of its calls once, and ignores other pending transactions', async () => {
    const { within, silence, edges } = await setup();
    silence();
    edges.wallet.calls.length = 0;
    const before = edges.network.sent.length;
    expect(await within(2_000)).toHaveProperty('status', 100);
    expect(edges.network.sent).toHaveLength(before);
    expect(edges.wallet.calls.filter(isReceipt)).toHaveLength(2);
  });

  it('returns the stored status while its own chain does not answer', async () => {
    const { within, edges } = await setup();
    edges.wallet.answers.eth_getTransactionReceipt = () => never;
    expect(await within(8_000)).toHaveProperty('status', 100);
  });
});

const SYNC = 'eth_sendRawTransactionSync';

const COUNT = 'eth_getTransactionCount';

const COUNTS = [COUNT, COUNT];

const receiptOf = (raw: Json | undefined, fields: Record<string, Json> = {}): Json => ({
  ...RECEIPT,
  transactionHash: keccak256(raw as Hex),
  ...fields,
});

/** Sets up a chain with this block time, in seconds. Its node answers {@link SYNC} with `sync`. */
async function setupSync(sync?: NodeAnswers[string], seconds = 2) {
  const bench = await createSendBench();
  const { edges } = bench;
  Object.assign(edges.wallet.answers, {
    eth_getBlockByNumber: blocksOf(seconds),
    ...(sync !== undefined && { [SYNC]: sync }),
  });
  let before = 0;
  whileDialogOpen(edges, () => {
    before = edges.wallet.calls.length;
  });
  return {
    ...bench,
    /** Methods requested from the node since the user approved. */
    asked: () => calledMethods(edges.wallet).slice(before),
    statuses: () => activityOf(edges).map(({ status }) => status),
  };
}

describe('a node that waits for the receipt', () => {
  const NONCE_GAP = 'The transaction was rejected due to a nonce gap.';

  it('settles the sent transaction with its answer', async () => {
    const bench = await setupSync(([raw]) => receiptOf(raw));
    const hash = await bench.send();
    expect(bench.asked()).toStrictEqual([...COUNTS, SYNC]);
    expect(bench.statuses()).toStrictEqual(['included']);
    expect(bench.edges.notifications).toHaveLength(1);
    expect(await bench.call('eth_getTransactionReceipt', [hash])).toBeNull();
    await bench.poll(3_000);
    // The block of the receipt is not final yet.
    expect(bench.edges.alarm.due).toBeDefined();
  });

  it('reports that the transaction failed', async () => {
    const bench = await setupSync(([raw]) => receiptOf(raw, { status: '0x0' }));
    await bench.send();
    expect(bench.statuses()).toStrictEqual(['included']);
    expect(bench.edges.notifications).toStrictEqual([expect.stringMatching(/failed/u)]);
  });

  it('leaves the transaction pending if it only promises a block', async () => {
    const promised = { blockHash: `0x${'00'.repeat(32)}` };
    const bench = await setupSync(([raw]) => receiptOf(raw, promised));
    await bench.send();
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it.each<[string, NodeAnswers[string]]>([
    ["another transaction's receipt", () => receiptOf('0x00')],
    ['a string', () => 'Done'],
    ['that it is not available', refuses(`${SYNC} is not available`)],
    ['that the method is not whitelisted', refuses('rpc: not whitelisted')],
    ['an invalid request', refuses({ code: -32600, message: 'Invalid Request' })],
    ['invalid params', refuses({ code: -32602, message: 'invalid argument' })],
    ['an unknown code', refuses({ code: 0, message: 'not implemented' })],
    ['that a resource is missing', refuses({ code: -32001, message: 'None' })],
    ['an internal error', refuses({ code: -32603, message: 'Internal error' })],
    ['a rate limit', refuses({ code: -32005, message: 'Slow down' })],
    ['code 5', refuses({ code: 5, message: NONCE_GAP })],
    ['code 6', refuses({ code: 6, message: NONCE_GAP })],
  ])(
    'is sent the transaction in the usual way if it answers %s',
    async (_what, answer) => {
      const bench = await setupSync(answer);
      expect(await bench.send()).toBe([...bench.pool.keys()][0]);
      expect(bench.asked()).toStrictEqual([...COUNTS, SYNC, SEND]);
      expect(bench.statuses()).toStrictEqual(['pending']);
    },
  );

  it.each<[string, NodeAnswers[string]]>([
    ['with its code', refuses({ code: 4, message: 'The transaction was added …' })],
    ['in words', refuses('Transaction confirmation timeout')],
    ["in the gas service's words", refuses('The node did not answer in time')],
    [
      'as a refusal',
      refuses({
        code: -32003,
        message: 'confirmation timeout',
        data: `0x${'ab'.repeat(32)}`,
      }),
    ],
    [
      'as an internal error',
      refuses({ code: -32603, message: "It wasn't confirmed within 1 s" }),
    ],
    ['as null', null],
  ])(
    'counts as having accepted the transaction if it reports a timeout %s',
    async (_how, answer) => {
      const bench = await setupSync(answer);
      await bench.send();
      expect(bench.asked()).toStrictEqual([...COUNTS, SYNC]);
      expect(bench.statuses()).toStrictEqual(['pending']);
    },
  );

  it('is given at most four seconds', async () => {
    const never = new Promise<Json>(() => undefined);
    const bench = await setupSync((() => never) as never);
    const hash = await bench.send();
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it('is believed if it refuses the transaction', async () => {
    const bench = await setupSync(refuses('insufficient funds'));
    await expect(bench.send()).rejects.toThrow('insufficient funds');
    expect(bench.statuses()).toStrictEqual(['dropped']);
  });

  it('is not called again if it lacks the method', async () => {
    const bench = await setupSync();
    await bench.send();
    expect(bench.asked()).toStrictEqual([...COUNTS, SYNC, SEND]);
    await bench.send();
    expect(bench.asked()).toStrictEqual([...COUNTS, SEND]);
    expect(bench.pool.size).toBe(2);
  });

  it('is asked to wait only for the last call of a batch', async () => {
    const bench = await createCallsBench();
    const { wallet } = bench.edges;
    Object.assign(wallet.answers, {
      eth_getBlockByNumber: blocksOf(2),
      [SYNC]: ([raw]: Json[]) => receiptOf(raw),
    });
    await bench.sendCalls();
    const sent = calledMethods(wallet).filter((method) => method.startsWith(SEND));
    expect(sent).toStrictEqual([SEND, SYNC]);
  });

  it('is not called if blocks are slow', async () => {
    const bench = await setupSync(([raw]) => receiptOf(raw), 3);
    await bench.send();
    expect(bench.asked()).toStrictEqual([...COUNTS, SEND]);
  });
});

describe('a nonce', () => {
  const nonces = ({ signed }: SendBench): unknown[] =>
    signed().map(({ nonce }) => nonce);

  it('is requested after the user approves', async () => {
    const bench = await setupSync(undefined, 12);
    await bench.send();
    await bench.send();
    expect(bench.asked()).toStrictEqual([...COUNTS, SEND]);
    await withDialog(bench.app, bench.send, async () => {
      bench.edges.wallet.answers[COUNT] = '0x8';
      await Promise.resolve();
    });
    expect(nonces(bench)).toStrictEqual([5, 6, 8]);
  });

  it('is not reused if the previous transaction was included immediately', async () => {
    const bench = await setupSync(([raw]) => {
      bench.pool.set(keccak256(raw as Hex), raw as Hex);
      return receiptOf(raw);
    });
    await bench.send();
    await bench.send();
    expect(nonces(bench)).toStrictEqual([5, 6]);
  });

  it.each(['nonce too low', 'no'])(
    'is used only once, even if the node refuses the transaction: %s',
    async (message) => {
      const bench = await setupSync(undefined, 12);
      bench.edges.wallet.answers[SEND] = refuses(message);
      await refusalOf(bench.send());
      expect(bench.asked()).toStrictEqual([
        ...COUNTS,
        SEND,
        'eth_getTransactionByHash',
      ]);
    },
  );
});
