// JSON-RPC over HTTP: calls of one tick as one array, each answer matched by its id.
import {
  any,
  exactOptional,
  integer,
  optional,
  string,
  type,
  unknown,
} from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { Endpoint } from '../endpoint';
import { InvalidResponseError, RpcError } from '../errors';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { createBatcher } from './batcher';
import type { RpcCall, Transport } from './transport';

/** Most calls in a batch; public nodes refuse longer ones. */
const BATCH_LIMIT = 100;

/** Longest part of a server's error message that is passed on. */
const MAX_MESSAGE_LENGTH = 300;

const ErrorStruct = type({ code: integer(), message: string(), data: optional(any()) });

const AnswerStruct = type({
  id: integer(),
  result: exactOptional(unknown()),
  error: exactOptional(ErrorStruct),
});

type Answer = {
  id: number;
  result?: unknown;
  error?: { code: number; message: string };
};

type Outcome = { result: unknown } | { error: Error };

/** Create a transport that sends to a node or bundler at an endpoint. */
export function createHttpTransport(
  endpoint: Endpoint,
  options: HttpOptions,
): Transport {
  let lastId = 0;
  const batch = createBatcher<RpcCall, Outcome>(async (calls) => {
    const requests = calls.map((call) => ({ jsonrpc: '2.0', id: ++lastId, ...call }));
    const [first] = requests;
    const body = JSON.stringify(requests.length === 1 ? first : requests);
    const answers = toAnswers(await fetchJson(endpoint, options, body), endpoint.label);
    return requests.map((request) => findOutcome(request, answers, endpoint));
  }, BATCH_LIMIT);
  return {
    label: endpoint.label,
    request: async (call) => {
      const outcome = await batch(call);
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    },
  };
}

function toAnswers(body: unknown, label: string): Map<number, Answer[]> {
  const answers = new Map<number, Answer[]>();
  for (const answer of Array.isArray(body) ? body : [body]) {
    if (!AnswerStruct.is(answer)) {
      // Without an id an error is about the whole request: nobody's call was carried out.
      if (ErrorStruct.is((answer as { error?: Json } | null)?.error)) {
        throw toRpcError(label, (answer as Required<Answer>).error);
      }
      continue;
    }
    answers.set(answer.id, [...(answers.get(answer.id) ?? []), answer]);
  }
  return answers;
}

function findOutcome(
  { id, method }: { id: number; method: string },
  answers: Map<number, Answer[]>,
  { label }: Endpoint,
): Outcome {
  const what = `${method} at ${label}`;
  const [answer, ...others] = answers.get(id) ?? [];
  const invalid = (reason: string): Outcome => ({
    error: new InvalidResponseError(what, reason),
  });
  if (!answer) return invalid('it has no answer for this call.');
  if (others.length > 0) return invalid('it answered this call more than once.');
  if (answer.error) return { error: toRpcError(what, answer.error) };
  if (!('result' in answer)) return invalid('it has neither a result nor an error.');
  return { result: answer.result };
}

function toRpcError(what: string, error: Required<Answer>['error']): RpcError {
  const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
  return new RpcError(what, { ...error, message });
}
