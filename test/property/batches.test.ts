// Whichever HTTP exchanges fail, and whatever a server does to the answers, every caller gets its
// own answer or the reason for the failure, and the client repeats only calls that allow it.
import fc from 'fast-check';

import { answering, unreachableServer } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { echo, toRequests } from '../support/json-rpc';
import type { WireRequest } from '../support/json-rpc';
import {
  createRpcBench,
  answeringWith,
  repeatableCalls,
  correctResult,
  answerCorrectly,
} from '../support/rpc-bench';
import { runs } from '../support/runs';

const MAX_ATTEMPTS = 3;

const CHECK = 'Check that it is the right server.';
const UNKNOWN = 'It may have been carried out: check before you send it again.';

type End = { what: string; advice: string; isKnown?: boolean; isTransient?: boolean };

const exchanges = {
  answered: undefined,
  broken: {
    server: unreachableServer,
    what: 'could not be reached.',
    advice: 'Check the address and the connection.',
    isTransient: true,
  },
  busy: {
    server: answering(null, 503),
    what: 'answered with HTTP status 503.',
    advice: 'Try again later.',
    isTransient: true,
  },
} satisfies Record<string, (End & { server: Server }) | undefined>;

/** Outcomes of a call in an answered exchange: its answers, and the client's error. */
const fates: Record<string, { make: (request: WireRequest) => object[]; end?: End }> = {
  answer: { make: (request) => [echo(request)] },
  limit: {
    make: ({ id }) => [{ id, error: { code: -32005, message: 'Slow' } }],
    end: {
      what: 'is rate limited.',
      advice: 'Try again in 1 s.',
      isKnown: true,
      isTransient: true,
    },
  },
  error: {
    make: ({ id }) => [{ id, error: { code: -32000, message: 'No' } }],
    end: { what: 'failed: No.', advice: '', isKnown: true },
  },
  'leave out': { make: () => [], end: invalid('it has no answer for this call.') },
  rename: {
    make: (request) => [{ ...echo(request), id: request.id + 1_000_000 }],
    end: invalid('it has no answer for this call.'),
  },
  repeat: {
    make: (request) => [echo(request), { ...echo(request), result: 'other' }],
    end: invalid('it answered this call more than once.'),
  },
  empty: {
    make: ({ id }) => [{ id }],
    end: invalid('it has neither a result nor an error.'),
  },
};

/** Fates without an answer, after which the client sends the call again alone. */
const UNANSWERED = ['leave out', 'rename'];

function invalid(reason: string): End {
  return { what: `gave an invalid answer: ${reason}`, advice: CHECK };
}

type Exchange = keyof typeof exchanges;

type Call = { isSafe: boolean; fates: string[] };

const callArbitrary: fc.Arbitrary<Call> = fc.record({
  isSafe: fc.boolean(),
  fates: fc.array(fc.constantFrom(...Object.keys(fates)), {
    minLength: 3,
    maxLength: 3,
  }),
});

/** A call that is always answered, because a batch without any answer counts as refused. */
const KEEPER: Call = { isSafe: true, fates: ['limit', 'limit', 'limit'] };

/** Creates a server whose exchanges depend on how often a call was sent; `order` sorts answers. */
function serverOf(calls: Call[], all: Exchange[], order: number[]): Server {
  const times = new Map<string, number>();
  return (request) => {
    const requests = toRequests({ body: request.body ?? '' });
    const round = times.get(requests[0]?.method ?? '') ?? 0;
    for (const { method } of requests) times.set(method, round + 1);
    const failure = exchanges[all[round] ?? 'answered'];
    if (failure) return failure.server(request);
    return answeringWith((each) =>
      each
        .flatMap((call) =>
          fates[calls[Number(call.method)]?.fates[round] ?? 'answer']?.make(call),
        )
        .map((answer, index) => ({ answer, at: order[index] ?? 0 }))
        .sort((one, other) => one.at - other.at)
        .map(({ answer }) => answer),
    )(request);
  };
}

function expectedOf({ isSafe, fates: own }: Call, index: number, all: Exchange[]) {
  let isAlone = !isSafe;
  let attempts = 0;
  for (let sent = 1; ; sent += 1) {
    attempts += 1;
    const failure = exchanges[all[sent - 1] ?? 'answered'];
    const fate = own[sent - 1] ?? '';
    const end = failure ?? fates[fate]?.end;
    if (!end) return { sent, outcome: answerCorrectly(String(index)) };
    if (!failure && !isAlone && UNANSWERED.includes(fate)) {
      isAlone = true;
      attempts = 0;
      continue;
    }
    if (end.isTransient && isSafe && attempts < MAX_ATTEMPTS) continue;
    const isKnown = 'isKnown' in end && end.isKnown;
    const advice = isSafe || isKnown ? end.advice : UNKNOWN;
    const tried = attempts > 1 ? ` It was tried ${attempts} times.` : '';
    return { sent, outcome: `${index} at It ${end.what}${tried} ${advice}`.trim() };
  }
}

describe('any batch', () => {
  it('answers each caller once over several exchanges, and repeats only safe calls', async () => {
    const property = fc.asyncProperty(
      fc.array(callArbitrary, { minLength: 1, maxLength: 30 }),
      fc.array(fc.constantFrom(...(Object.keys(exchanges) as Exchange[])), {
        minLength: 3,
        maxLength: 3,
      }),
      fc.array(fc.integer(), { minLength: 60, maxLength: 60 }),
      async (some, all, order) => {
        const calls = [...some, KEEPER];
        const { askAll, sent } = createRpcBench([
          correctResult,
          serverOf(calls, all, order),
        ]);
        // Shows the client that the server accepts batches of this length.
        await askAll(repeatableCalls(...calls.map((_call, index) => `x${index}`), 'y'));
        const outcomes = await askAll(
          calls.map(({ isSafe }, index) => ({
            method: `${index}`,
            idempotent: isSafe,
          })),
        );
        const expected = calls.map((call, index) => expectedOf(call, index, all));
        expect(outcomes).toStrictEqual(expected.map(({ outcome }) => outcome));
        const methods = sent().flat();
        const times = calls.map(
          (_call, index) => methods.filter((each) => each === String(index)).length,
        );
        expect(times).toStrictEqual(expected.map((each) => each.sent));
      },
    );
    await fc.assert(property, runs(300));
  });
});
