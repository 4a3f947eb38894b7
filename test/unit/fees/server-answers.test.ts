import type { PublicState } from '../../../src/state/public-state';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { createFeeBench, START } from '../../support/fee-bench';
import type { FeeBench } from '../../support/fee-bench';
import { refusalOf } from '../../support/refusal';

const ok = { at: START, kind: 'ok' };

type Answers = NonNullable<PublicState['answers']>;

/** Get the levels of chain 1 and how its servers are said to have answered. */
async function answersOf({
  chainOf,
  startWorker,
  backend,
}: FeeBench): Promise<Answers> {
  await startWorker()
    .get(chainOf())
    .catch(() => undefined);
  return (backend.document as PublicState).answers ?? {};
}

const status =
  (code: number, headers: Record<string, string> = {}): Server =>
  () =>
    Promise.resolve(new Response('', { status: code, headers }));

describe('how servers answered', () => {
  it('is kept with the levels, of those that were asked', async () => {
    const bench = createFeeBench(answering(gasAnswer));
    expect(await answersOf(bench)).toStrictEqual({ 'eip155:1': { gas: ok, node: ok } });
  });

  it.each([
    [401, 'denied'],
    [403, 'denied'],
    [402, 'quota'],
    [404, 'failed'],
  ])('tells what HTTP status %d means: %s', async (code, kind) => {
    const bench = createFeeBench(status(code));
    const gas = { at: START, kind };
    expect(await answersOf(bench)).toStrictEqual({ 'eip155:1': { gas, node: ok } });
  });

  it('tells until when a server is rate limited', async () => {
    const bench = createFeeBench(status(429, { 'retry-after': '60' }));
    const gas = { at: START, kind: 'limited', retryAt: START + 60_000 };
    expect(await answersOf(bench)).toStrictEqual({ 'eip155:1': { gas, node: ok } });
  });

  it('tells that a server cannot be reached', async () => {
    const bench = createFeeBench(() => Promise.reject(new TypeError('fetch failed')));
    const gas = { at: START, kind: 'unreachable' };
    expect(await answersOf(bench)).toStrictEqual({ 'eip155:1': { gas, node: ok } });
  });

  it('tells that what a server says cannot be used', async () => {
    const bench = createFeeBench(answering({ low: 1 }));
    const gas = { at: START, kind: 'failed' };
    expect(await answersOf(bench)).toStrictEqual({ 'eip155:1': { gas, node: ok } });
  });

  it('is kept although there are no levels, beside what others answered before', async () => {
    const bench = createFeeBench(answering(gasAnswer));
    await answersOf(bench);
    const later = createFeeBench(undefined, {});
    later.backend.document = bench.backend.document;
    later.clock.time = START + 60_000;
    const error = await refusalOf(later.startWorker().get(later.chainOf()));
    expect(error.code).toBe(-32601);
    const { answers, levels } = later.backend.document as PublicState;
    const node = { at: START + 60_000, kind: 'failed' };
    expect(answers).toStrictEqual({ 'eip155:1': { gas: ok, node } });
    expect(levels['eip155:1']).toHaveProperty('at', START);
  });
});
