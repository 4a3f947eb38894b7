// Transactions that were signed elsewhere, and that a site sends through the snap.
import type { Json } from '@metamask/utils';
import { keccak256 } from 'viem';
import type { Hex } from 'viem';

import { keyOfIndex } from '../support/entropy';
import { calledMethods, refuses } from '../support/fake-node';
import { blocksOf } from '../support/fees';
import { storeActivity } from '../support/given';
import {
  createRawBench,
  SEND_RAW,
  sign,
  signUnbound,
  SITE,
  STRANGER,
} from '../support/raw-bench';
import { edit } from '../support/raw-transactions';
import { RECEIPT } from '../support/receipts';
import { expectRefusal, refusalOf } from '../support/refusal';
import { RECIPIENT } from '../support/send-bench';
import { hashOf } from '../support/sent-transactions';
import { createAccount } from '../support/test-app';

const BLOB_FIELDS = {
  type: 'eip4844',
  blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
  maxFeePerBlobGas: 7n,
  nonce: 5,
} as const;

const SEND_SYNC = 'eth_sendRawTransactionSync';

const FEES = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' };

describe('eth_sendRawTransaction', () => {
  it('sends a transaction of a granted account, tracks it and counts its nonce', async () => {
    const { sendRaw, call, pool, address, activity, edges, app } =
      await createRawBench();
    const shown = edges.dialogs.shown.length;
    const [account] = await app.services.keyring.listAccounts();
    const raw = await sign();
    const hash = keccak256(raw);
    expect(await sendRaw([raw])).toBe(hash);
    expect([...pool]).toStrictEqual([[hash, raw]]);
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(await activity()).toStrictEqual([
      {
        hash,
        chain: 'eip155:1',
        account: account?.id,
        from: address,
        to: RECIPIENT,
        nonce: '0x5',
        value: '0x1',
        fees: FEES,
        origin: SITE,
        sentAt: edges.clock.time,
        raw,
        status: 'pending',
      },
    ]);
    expect(edges.alarm.due).toBe(edges.clock.time + 3_000);
    const params = [{ from: address, to: RECIPIENT }];
    const filled = await call('eth_fillTransaction', params);
    expect(filled).toMatchObject({ tx: { nonce: '0x6' } });
  });

  it('sends a blob transaction of a granted account, and tracks it without storing its bytes', async () => {
    const { sendRaw, pool, activity } = await createRawBench();
    const raw = await sign(BLOB_FIELDS);
    const hash = keccak256(raw);
    expect(await sendRaw([raw])).toBe(hash);
    expect([...pool.keys()]).toStrictEqual([hash]);
    const fees = { ...FEES, maxFeePerBlobGas: '0x7' };
    const [tracked] = await activity();
    expect(tracked).toMatchObject({ hash, status: 'pending', fees });
    expect(tracked).not.toHaveProperty('raw');
  });

  it("sends but does not track a stranger's transaction, or one from a site without a grant", async () => {
    const { rpc, sendRaw, pool, activity, edges, app } = await createRawBench();
    await createAccount(app, { type: 'eip155:erc4337', scopes: ['eip155:1'] });
    const [own, strange] = [await sign(), await sign({}, STRANGER)];
    expect(await rpc('https://stranger.example', SEND_RAW, [own])).toBe(keccak256(own));
    expect(await sendRaw([strange])).toBe(keccak256(strange));
    expect([...pool.values()]).toStrictEqual([own, strange]);
    expect([await activity(), edges.alarm.due]).toStrictEqual([[], undefined]);
  });

  it.each([
    ['our own transaction', keyOfIndex(0)],
    ["a stranger's transaction", STRANGER],
  ])('sends %s twice without an error or a second record', async (_whose, key) => {
    const { sendRaw, activity, edges } = await createRawBench();
    const raw = await sign({}, key);
    const hash = await sendRaw([raw]);
    edges.clock.time += 1_000;
    const before = await activity();
    expect(await sendRaw([raw])).toBe(hash);
    expect(await activity()).toStrictEqual(before);
  });

  it.each([{ isFinal: false }, { isFinal: true }])(
    'leaves the record of an included transaction unchanged: %j',
    async (finality) => {
      const { sendRaw, activity, app, edges, mine, poll } = await createRawBench();
      const raw = await sign();
      const hash = await sendRaw([raw]);
      mine(hash);
      await poll(3_000);
      const known = await activity();
      await storeActivity(
        app,
        known.map((sent) => ({ ...sent, ...finality })),
      );
      const before = await activity();
      expect(before).toMatchObject([{ status: 'included' }]);
      edges.clock.time += 1_000;
      edges.wallet.answers[SEND_RAW] = refuses('nonce too low');
      expect(await sendRaw([raw])).toBe(hash);
      expect(await activity()).toStrictEqual(before);
      await poll(3_000);
      expect(edges.notifications).toHaveLength(1);
    },
  );

  it('keeps the links of a dropped transaction', async () => {
    const { sendRaw, activity, app } = await createRawBench();
    const raw = await sign();
    await sendRaw([raw]);
    const links = { replaces: hashOf(7), isCancellation: true, usesNextNonce: true };
    const known = await activity();
    await storeActivity(
      app,
      known.map((sent) => ({ ...sent, ...links, status: 'dropped' })),
    );
    await sendRaw([raw]);
    expect(await activity()).toMatchObject([{ ...links, status: 'pending' }]);
  });

  it("settles a transaction that is pending without changing its record's origin and links", async () => {
    const { sendRaw, activity, app, edges, call, address } = await createRawBench();
    const { answers } = edges.wallet;
    answers.eth_getBlockByNumber = blocksOf(2);
    answers[SEND_SYNC] = null;
    await call('eth_fillTransaction', [{ from: address, to: RECIPIENT }]);
    const raw = await sign();
    const hash = await sendRaw([raw]);
    const given = { origin: 'https://dapp.example', replaces: hashOf(7) };
    const known = await activity();
    await storeActivity(
      app,
      known.map((sent) => ({ ...sent, ...given })),
    );
    answers[SEND_SYNC] = { ...RECEIPT, transactionHash: hash };
    edges.clock.time += 1_000;
    await sendRaw([raw]);
    expect(await activity()).toMatchObject([{ ...given, status: 'included' }]);
  });

  it('says that a pending transaction stays pending if the node now refuses it', async () => {
    const { sendRaw, activity, edges, pool } = await createRawBench();
    const raw = await sign();
    const hash = keccak256(raw);
    await sendRaw([raw]);
    pool.clear();
    edges.wallet.answers[SEND_RAW] = refuses('transaction underpriced');
    await expectRefusal(
      sendRaw([raw]),
      -32000,
      `transaction underpriced. Transaction ${hash} will be resent until it arrives.`,
    );
    expect(await activity()).toMatchObject([{ hash, status: 'pending' }]);
  });

  it("reports the node's refusal, and still tracks our own transaction", async () => {
    const { sendRaw, activity, edges } = await createRawBench();
    edges.wallet.answers[SEND_RAW] = refuses('nonce too low');
    const message = `${SEND_RAW} at the wallet's node failed: nonce too low.`;
    const strange = sendRaw([await sign({}, STRANGER)]);
    expect(await refusalOf(strange)).toStrictEqual({ code: -32000, message });
    const raw = await sign();
    const hash = keccak256(raw);
    expect(await refusalOf(sendRaw([raw]))).toStrictEqual({
      code: -32000,
      message:
        `${message} Transaction ${hash} will not be resent. Its status is still checked, in case ` +
        'a block includes it. Nonce 5 was refused: send a new request with another nonce, or ' +
        'without one.',
    });
    expect(await activity()).toMatchObject([{ hash, status: 'dropped' }]);
  });
});

describe('the chain of a raw transaction', () => {
  const scoped = (scope: string, raw: Hex): Json => ({ scope, params: [raw] });

  it.each<[string, () => Promise<Json>, string]>([
    [
      'the one that it was signed for',
      async () => [await sign({ chainId: 5 })],
      'eip155:5',
    ],
    ["the wallet's if unbound", async () => [await signUnbound()], 'eip155:1'],
    [
      'the scope of the request if unbound',
      async () => scoped('eip155:5', await signUnbound()),
      'eip155:5',
    ],
  ])('is %s', async (_which, make, chain) => {
    const { sendRaw, other, pool, activity } = await createRawBench();
    await sendRaw(await make());
    const isOther = chain === 'eip155:5';
    expect(calledMethods(other)).toStrictEqual(isOther ? [SEND_RAW] : []);
    expect(pool.size).toBe(isOther ? 0 : 1);
    expect(await activity()).toMatchObject([{ chain }]);
  });

  it('must match the scope of the request, and must have a node', async () => {
    const { sendRaw, other, pool } = await createRawBench();
    expect(await refusalOf(sendRaw(scoped('eip155:5', await sign())))).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    const sending = sendRaw([await sign({ chainId: 9 })]);
    await expectRefusal(sending, -32002);
    expect([other.calls, pool.size]).toStrictEqual([[], 0]);
  });
});

describe('a malformed raw transaction', () => {
  const hex = 'bytes in hex (0x and an even number of digits; 1 MB at most).';
  const unreadable =
    'must be a signed transaction (EIP-2718), but it cannot be read as one.';

  it.each<[string, (raw: Hex) => Json, string]>([
    ['is missing', () => [], `[0] is missing: it must be ${hex}`],
    ['is not hex', () => ['0xabc'], `[0] must be ${hex}`],
    ['is followed by another param', (raw) => [raw, raw], '[1] is not expected here.'],
    [
      'has an unknown type',
      (raw) => [`0x05${raw.slice(4)}`],
      '[0] has type 0x5; only types 0x1 to 0x4 and legacy transactions are supported.',
    ],
    ['is truncated', (raw) => [raw.slice(0, -2)], `[0] ${unreadable}`],
    [
      'has an extra field',
      (raw) => [edit(raw, (items) => [...items, '0x01'])],
      unreadable,
    ],
    [
      'is not signed',
      (raw) => [edit(raw, (items) => [...items.slice(0, -2), '0x', '0x'])],
      '[0] is not signed.',
    ],
    [
      'has no chain ID',
      (raw) => [edit(raw, ([, ...items]) => ['0x', ...items])],
      unreadable,
    ],
  ])('is refused if it %s', async (_how, change, reason) => {
    const { sendRaw, pool, activity } = await createRawBench();
    const sending = sendRaw(change(await sign()));
    await expectRefusal(sending, -32602, `${SEND_RAW}: params`, reason);
    expect([pool.size, await activity()]).toStrictEqual([0, []]);
  });

  it("counts towards its origin's rate limit", async () => {
    const { sendRaw } = await createRawBench();
    for (let call = 0; call < 120; call += 1) await sendRaw([]).catch(() => null);
    await expectRefusal(sendRaw([await sign()]), -32005);
  });
});
