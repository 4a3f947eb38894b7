// Views that ask for nothing (wallet_showCallsStatus): to close one is no refusal, but a site
// cannot open them without limit.
import { createSentBench } from '../support/calls-bench';
import type { SentBench } from '../support/calls-bench';
import { createGate, settle } from '../support/gate';
import { refusalOf } from '../support/refusal';
import { approve } from '../support/test-app';

const show = async ({ call }: SentBench) => call('wallet_showCallsStatus', ['mine']);

const sign = async ({ call, address }: SentBench): Promise<unknown> =>
  call('personal_sign', ['Hello', address]);

describe('a view of what was sent', () => {
  it('that is closed keeps the site from asking nothing', async () => {
    const bench = await createSentBench();
    for (let time = 0; time < 5; time += 1) {
      bench.edges.clock.time += 1_000;
      expect(await show(bench)).toBeNull();
    }
    expect(await sign(bench)).toMatch(/^0x[0-9a-f]{130}$/u);
    const { refusals } = await bench.app.services.store.read();
    expect(refusals).toStrictEqual({});
  });

  it('is shown to a site five times a minute at most', async () => {
    const bench = await createSentBench();
    for (let time = 0; time < 5; time += 1) {
      await show(bench);
      bench.edges.clock.time += 10_000;
    }
    const shown = bench.edges.dialogs.shown.length;
    expect(await refusalOf(show(bench))).toStrictEqual({
      code: -32005,
      message:
        'This origin shows too many views of what it sent. It may open the next one in ' +
        '10 s.',
    });
    await expect(show(bench)).rejects.toMatchObject({
      data: { rate: { backoff_seconds: 10 } },
    });
    expect(bench.edges.dialogs.shown).toHaveLength(shown);
    expect(await sign(bench)).toMatch(/^0x/u);
    bench.edges.clock.time += 10_000;
    expect(await show(bench)).toBeNull();
  });

  it('is shown one at a time', async () => {
    const bench = await createSentBench();
    const { opened, open } = createGate();
    bench.edges.dialogs.answer = async () => {
      await opened;
      return null;
    };
    const first = show(bench);
    await settle();
    expect(await refusalOf(show(bench))).toStrictEqual({
      code: -32005,
      message:
        'This origin shows too many views of what it sent. It has one open already.',
    });
    open();
    expect(await first).toBeNull();
    expect(await show(bench)).toBeNull();
  });

  it('is not shown to a site that was refused again and again', async () => {
    const bench = await createSentBench();
    bench.edges.dialogs.answer = () => Promise.resolve(null);
    for (let time = 0; time < 3; time += 1) {
      expect(await refusalOf(sign(bench))).toHaveProperty('code', 4001);
    }
    expect(await refusalOf(show(bench))).toHaveProperty('code', -32005);
    bench.edges.dialogs.answer = approve;
    bench.edges.clock.time += 60_000;
    expect(await show(bench)).toBeNull();
  });
});
