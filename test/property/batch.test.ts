// However a server mixes up the answers of a batch, every caller gets its own or an error.
import fc from 'fast-check';

import { createHttpTransport } from '../../src/client';
import type { WireRequest } from '../support/json-rpc';
import { runs } from '../support/runs';

/** What a server does with the answer to a call. */
const fates = ['answer', 'error', 'leave out', 'repeat', 'rename', 'empty'] as const;

type Fate = (typeof fates)[number];

function toAnswers({ id, method }: WireRequest, fate: Fate): object[] {
  const answer = { jsonrpc: '2.0', id, result: method };
  const wire: Record<Fate, object[]> = {
    answer: [answer],
    error: [{ id, error: { code: -32000, message: `of ${method}` } }],
    'leave out': [],
    repeat: [answer, { ...answer, result: 'other' }],
    rename: [{ ...answer, id: id + 1_000_000 }],
    empty: [{ id }],
  };
  return wire[fate];
}

const invalid = (method: string, reason: string): string =>
  `${method} at It gave an invalid answer: ${reason} Check that it is the right server.`;

function expected(method: string, fate: Fate): string {
  const outcomes: Record<Fate, string> = {
    answer: method,
    error: `${method} at It failed: of ${method}.`,
    'leave out': invalid(method, 'it has no answer for this call.'),
    repeat: invalid(method, 'it answered this call more than once.'),
    rename: invalid(method, 'it has no answer for this call.'),
    empty: invalid(method, 'it has neither a result nor an error.'),
  };
  return outcomes[fate];
}

/** A transport to a server that mixes up its answers. */
function setup(order: number[], kinds: Fate[]): (method: string) => Promise<string> {
  const answer = (_url: unknown, request?: RequestInit): Promise<Response> => {
    const calls = JSON.parse(request?.body as string) as WireRequest | WireRequest[];
    const answers = [calls]
      .flat()
      .flatMap((call, index) => toAnswers(call, kinds[index] ?? 'answer'));
    const mixed = answers
      .map((each, index) => ({ each, at: order[index] ?? 0 }))
      .sort((one, other) => one.at - other.at)
      .map(({ each }) => each);
    return Promise.resolve(new Response(JSON.stringify(mixed)));
  };
  const endpoint = {
    url: 'http://node.example',
    headers: {},
    label: 'It',
    redact: String,
  };
  const transport = createHttpTransport(endpoint, { fetch: answer });
  return async (method) => {
    try {
      return String(await transport.request({ method, params: [], idempotent: true }));
    } catch (error) {
      return (error as Error).message;
    }
  };
}

describe('any batch', () => {
  it('gives each caller its own answer, in any order and with any faults', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 30 }),
      fc.array(fc.integer(), { minLength: 60, maxLength: 60 }),
      async (kinds, order) => {
        const ask = setup(order, kinds);
        const methods = kinds.map((_kind, index) => `method_${index}`);
        const outcomes = await Promise.all(methods.map(ask));
        expect(outcomes).toStrictEqual(
          methods.map((method, index) => expected(method, kinds[index] ?? 'answer')),
        );
      },
    );
    await fc.assert(property, runs(300));
  });
});
