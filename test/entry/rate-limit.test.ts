// A site's requests in ten seconds: each counts by the work that it can cause, with separate limits
// for reading and signing.
import type { Json } from '@metamask/utils';

import { dataOf } from '../fixtures/trust/call';
import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import { RECIPIENT } from '../support/send-bench';
import { createTestApp, DAPP, refuse, OTHER_SITE } from '../support/test-app';

const FULL_BATCH = 100;

const MESSAGE = '0x6869';

const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

/** Sets up a site ten seconds after its accounts were granted. */
async function setup(): Promise<CallsBench & { asked: () => number }> {
  const bench = await createCallsBench();
  const { edges, bundler } = bench;
  edges.clock.time += 10_000;
  return { ...bench, asked: () => edges.wallet.calls.length + bundler.calls.length };
}

const fullBatch = { calls: times(FULL_BATCH, { to: RECIPIENT, value: '0x1' }) };

async function repeat(count: number, request: () => Promise<unknown>) {
  const codes: (number | undefined)[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    const code = await request().then(
      () => undefined,
      (error: unknown) => (error as { code: number }).code,
    );
    codes.push(code);
  }
  return codes;
}

describe('reading', () => {
  it("does not use up the site's signing limit", async () => {
    const { call, address } = await setup();
    const hash = `0x${'ab'.repeat(32)}`;
    const lookUp = async () => call('eth_getTransactionReceipt', [hash]);
    expect(await repeat(151, lookUp)).toStrictEqual([...times(150, undefined), -32005]);
    expect(await call('personal_sign', [MESSAGE, address])).toMatch(/^0x.{130}$/u);
  });

  it('counts each transaction of a batch when the site reads its status', async () => {
    const { sendCalls, status, edges, poll } = await setup();
    await sendCalls({ ...fullBatch, id: 'mine' });
    edges.clock.time += 10_000;
    const codes = await repeat(14, async () => status('mine'));
    expect(codes).toStrictEqual([...times(13, undefined), -32005]);
    await poll(10_000);
    // A library that polls every second is not limited.
    for (let second = 0; second < 12; second += 1) {
      edges.clock.time += 1_000;
      expect(await status('mine')).toHaveProperty('status', 100);
    }
  });
});

describe('signing', () => {
  it("does not use up the site's reading limit", async () => {
    const { call, address } = await setup();
    const sign = async () => call('personal_sign', [MESSAGE, address]);
    const codes = await repeat(121, sign);
    expect(codes).toStrictEqual([...times(120, undefined), -32005]);
    await expect(sign()).rejects.toThrow(
      'An origin may make 120 requests to sign or send (each call counts) in 10 s; try ' +
        'again in 10 s.',
    );
    expect(await call('eth_chainId', [])).toBe('0x1');
  });

  it('counts eth_fillTransaction twice', async () => {
    const { call, address } = await setup();
    const fields = { from: address, to: RECIPIENT, value: '0x1' };
    const codes = await repeat(61, async () => call('eth_fillTransaction', [fields]));
    expect(codes).toStrictEqual([...times(60, undefined), -32005]);
  });

  it('counts each call of a batch, so that later full batches do not cause requests', async () => {
    const { sendCalls, edges, asked } = await setup();
    let index = 0;
    edges.dialogs.answer = refuse;
    const sending = async (): Promise<unknown> =>
      sendCalls({ ...fullBatch, id: `batch ${(index += 1)}` });
    const before = asked();
    expect(await repeat(1, sending)).toStrictEqual([4001]);
    const once = asked();
    expect(once - before).toBeGreaterThan(FULL_BATCH / 2);
    expect(await repeat(45, sending)).toStrictEqual(times(45, -32005));
    expect(asked()).toBe(once);
  });

  it('counts each intent, and each call of an encoded operation', async () => {
    const { call, smart, asked, edges } = await setup();
    const account = smart.address;
    const intent = { to: RECIPIENT, value: '0x1', data: '0x' };
    const prepare = async (count: number): Promise<Json> =>
      call('eth_prepareUserOperation', { account, params: times(count, intent) });
    const callData = dataOf(
      'executeBatch(address[],uint256[],bytes[])',
      ...[RECIPIENT, 0n, '0x'].map((each) => times(FULL_BATCH, each)),
    );
    const estimate = async (): Promise<Json> =>
      call('eth_estimateUserOperationGas', [{ sender: account, callData }]);
    for (const request of [async () => prepare(FULL_BATCH), estimate]) {
      expect(await repeat(1, request)).toStrictEqual([undefined]);
      const once = asked();
      expect(await repeat(2, request)).toStrictEqual([-32005, -32005]);
      expect(asked()).toBe(once);
      expect(await repeat(1, async () => prepare(1))).toStrictEqual([undefined]);
      edges.clock.time += 10_000;
    }
  });
});

describe('an origin', () => {
  function setupLookUps() {
    const app = createTestApp();
    const lookUp = async (origin = DAPP) => callersOf(app).rpc(origin, 'eth_chainId');
    return {
      clock: app.edges.clock,
      lookUp,
      spend: async (origin = DAPP, units = 150) =>
        (await repeat(units, async () => lookUp(origin))).filter(Boolean),
    };
  }

  it('is refused with the time to wait, and is accepted right after that', async () => {
    const { clock, lookUp, spend } = setupLookUps();
    expect(await spend()).toStrictEqual([]);
    clock.time += 6_999;
    await expect(lookUp()).rejects.toThrow('try again in 4 s');
    clock.time += 2;
    expect(await refusalOf(lookUp())).toStrictEqual({
      code: -32005,
      message: 'An origin may make 150 look-ups in 10 s; try again in 3 s.',
    });
    await expect(lookUp()).rejects.toHaveProperty('data', {
      retryAfter: 3,
      rate: { backoff_seconds: 3 },
    });
    clock.time += 2_998;
    await expect(lookUp()).rejects.toThrow('try again in 1 s');
    // Refused requests are not counted.
    clock.time += 1;
    expect(await spend()).toStrictEqual([]);
    await expect(lookUp()).rejects.toThrow('try again in 10 s');
  });

  it('has limits of its own, and is not blocked if the clock is set back', async () => {
    const { clock, lookUp, spend } = setupLookUps();
    for (const origin of [DAPP, OTHER_SITE, '__proto__']) {
      expect(await spend(origin)).toStrictEqual([]);
    }
    clock.time -= 1;
    expect(await lookUp()).toBe('0x1');
  });

  it('is forgotten after requests from a thousand others', async () => {
    const { lookUp, spend } = setupLookUps();
    const others = async (from: number, to: number): Promise<void> => {
      for (let other = from; other < to; other += 1) {
        await lookUp(`https://${other}.example`);
      }
    };
    await spend();
    await others(0, 999);
    await expectRefusal(lookUp(), -32005);
    // A known origin does not evict others.
    expect(await spend('https://0.example', 149)).toStrictEqual([]);
    await expectRefusal(lookUp(), -32005);
    await others(999, 1_000);
    expect(await lookUp()).toBe('0x1');
  });
});
