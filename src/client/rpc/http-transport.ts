// JSON-RPC over HTTP: calls of one tick as one array, each answer matched by its id.
import {
  any,
  integer,
  literal,
  optional,
  string,
  type,
  unknown,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import type { Endpoint } from '../endpoint';
import { InvalidResponseError, RpcError } from '../errors';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { createBatcher } from './batcher';
import type { RpcCall, Transport } from './transport';

/** Most calls in a batch; public nodes refuse longer ones. */
const BATCH_LIMIT = 100;

/** Code for an error that comes without one (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** Longest part of a server's error message that is passed on. */
const MAX_MESSAGE_LENGTH = 300;

// Some bundlers leave the code out.
const ErrorStruct = type({
  code: optional(any()),
  message: string(),
  data: optional(any()),
});

const AnswerStruct = type({
  id: integer(),
  result: optional(unknown()),
  error: optional(ErrorStruct),
});

const UnaddressedStruct = type({ id: optional(literal(null)), error: ErrorStruct });

type ServerError = Infer<typeof ErrorStruct>;

type Answer = Infer<typeof AnswerStruct>;

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
  // An error alone and without an id is about the whole request: no call was carried out.
  if (UnaddressedStruct.is(body)) throw toRpcError(label, body.error);
  const answers = new Map<number, Answer[]>();
  for (const answer of Array.isArray(body) ? body : [body]) {
    if (!AnswerStruct.is(answer)) continue;
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

function toRpcError(what: string, { code, message, data }: ServerError): RpcError {
  return new RpcError(what, {
    code: Number.isInteger(code) ? Number(code) : SERVER_ERROR,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    data,
  });
}
