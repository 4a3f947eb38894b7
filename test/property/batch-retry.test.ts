// However often exchanges fail and whatever the order of the answers, every caller gets
// its own answer or why there is none, and no call that must not be repeated is.
import fc from 'fast-check';

import { answering, breaking } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { echo, toRequests } from '../support/json-rpc';
import { createRpcBench, making, readsOf, right, rightly } from '../support/rpc-bench';
import { runs } from '../support/runs';

const MAX_ATTEMPTS = 3;

/** What becomes of an exchange. */
const exchanges = ['answered', 'broken', 'busy'] as const;

/** What becomes of a call in an exchange that is answered. */
const fates = ['answer', 'limit', 'leave out', 'error'] as const;

type Exchange = (typeof exchanges)[number];

type Call = { isSafe: boolean; fates: (typeof fates)[number][] };

const callArbitrary: fc.Arbitrary<Call> = fc.record({
  isSafe: fc.boolean(),
  fates: fc.array(fc.constantFrom(...fates), { minLength: 3, maxLength: 3 }),
});

const UNKNOWN =
  'Whether it was carried out is not known: look before you send it again.';

const broken: Record<Exclude<Exchange, 'answered'>, [Server, string, string]> = {
  broken: [breaking, 'could not be reached.', 'Check the address and the connection.'],
  busy: [answering(null, 503), 'answered with HTTP status 503.', 'Try again later.'],
};

/** A call that keeps answers coming: an array without one would count as refused. */
const KEEPER: Call = { isSafe: true, fates: ['limit', 'limit', 'limit'] };

/** A server whose exchanges end as told, by how often a call was sent; `order` shuffles answers. */
function serverOf(calls: Call[], all: Exchange[], order: number[]): Server {
  const times = new Map<string, number>();
  return (request) => {
    const requests = toRequests({ body: request.body ?? '' });
    const round = times.get(requests[0]?.method ?? '') ?? 0;
    for (const { method } of requests) times.set(method, round + 1);
    const exchange = all[round] ?? 'answered';
    return exchange === 'answered'
      ? answer(calls, round, order)(request)
      : broken[exchange][0](request);
  };
}

function answer(calls: Call[], round: number, order: number[]): Server {
  return making((requests) =>
    requests
      .flatMap((request) => {
        const { id, method } = request;
        const fate = calls[Number(method)]?.fates[round] ?? 'answer';
        const wire = {
          answer: [echo(request)],
          limit: [{ id, error: { code: -32005, message: 'Slow' } }],
          'leave out': [],
          error: [{ id, error: { code: -32000, message: 'No' } }],
        };
        return wire[fate];
      })
      .map((each, index) => ({ each, at: order[index] ?? 0 }))
      .sort((one, other) => one.at - other.at)
      .map(({ each }) => each),
  );
}

/** What must come of a call, and in how many exchanges it takes part. */
function expectedOf(
  call: Call,
  index: number,
  all: Exchange[],
): { outcome: unknown; sent: number } {
  for (let round = 0; ; round += 1) {
    const sent = round + 1;
    const tried = sent > 1 ? ` It was tried ${sent} times.` : '';
    const tell = (what: string, advice: string): string =>
      `${index} at It ${what}${tried}${advice && ` ${advice}`}`;
    const isLast = !call.isSafe || sent === MAX_ATTEMPTS;
    const exchange = all[round] ?? 'answered';
    const fate = call.fates[round] ?? 'answer';
    if (exchange !== 'answered') {
      const [, what, advice] = broken[exchange];
      if (isLast) return { sent, outcome: tell(what, call.isSafe ? advice : UNKNOWN) };
    } else if (fate === 'limit') {
      if (isLast) {
        return { sent, outcome: tell('is rate limited.', 'Try again in 1 s.') };
      }
    } else if (fate === 'answer') {
      return { sent, outcome: rightly(String(index)) };
    } else if (fate === 'error') {
      return { sent, outcome: tell('failed: No.', '') };
    } else {
      const advice = call.isSafe ? 'Check that it is the right server.' : UNKNOWN;
      const what = 'gave an invalid answer: it has no answer for this call.';
      return { sent, outcome: tell(what, advice) };
    }
  }
}

describe('any batch, over several exchanges', () => {
  it('answers each caller once, and repeats only what may be', async () => {
    const property = fc.asyncProperty(
      fc.array(callArbitrary, { minLength: 1, maxLength: 12 }),
      fc.array(fc.constantFrom(...exchanges), { minLength: 3, maxLength: 3 }),
      fc.array(fc.integer(), { minLength: 12, maxLength: 12 }),
      async (some, all, order) => {
        const calls = [...some, KEEPER];
        const { askAll, sent } = createRpcBench([right, serverOf(calls, all, order)]);
        // The server is known to take arrays.
        await askAll(readsOf('x', 'y'));
        const outcomes = await askAll(
          calls.map(({ isSafe }, index) => ({
            method: String(index),
            idempotent: isSafe,
          })),
        );
        const expected = calls.map((call, index) => expectedOf(call, index, all));
        expect(outcomes).toStrictEqual(expected.map(({ outcome }) => outcome));
        const times = calls.map(
          (_call, index) =>
            sent()
              .flat()
              .filter((each) => each === String(index)).length,
        );
        expect(times).toStrictEqual(expected.map((each) => each.sent));
      },
    );
    await fc.assert(property, runs(300));
  });
});
