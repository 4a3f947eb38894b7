// JSON-RPC over HTTP: calls of one tick go as one array.
import { InvalidParamsError } from '../../errors';
import type { Endpoint } from '../endpoint';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { findOutcome, sortAnswers } from './answers';
import type { Outcome } from './answers';
import { createBatcher } from './batcher';
import type { RpcCall, Transport } from './transport';

/** Most calls in a batch; public nodes refuse longer ones. */
const BATCH_LIMIT = 100;

/** A call with its id, and as it is written. */
type Request = { id: number; method: string; body: string };

/** Create a transport that sends to a node or bundler at an endpoint. */
export function createHttpTransport(
  endpoint: Endpoint,
  options: HttpOptions,
): Transport {
  let lastId = 0;
  const batch = createBatcher<Request, Outcome>(async (requests) => {
    const bodies = requests.map(({ body }) => body);
    const body = bodies.length === 1 ? bodies.join('') : `[${bodies.join(',')}]`;
    const answers = sortAnswers(await fetchJson(endpoint, options, body), endpoint);
    return requests.map((request) => findOutcome(request, answers, endpoint));
  }, BATCH_LIMIT);
  return {
    label: endpoint.label,
    request: async (call) => {
      const outcome = await batch(toRequest(++lastId, call));
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    },
  };
}

// Before it joins the others: what cannot be written must harm no other call.
function toRequest(id: number, { method, params }: RpcCall): Request {
  try {
    return { id, method, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) };
  } catch (cause) {
    throw new InvalidParamsError(`${method}: params cannot be written as JSON.`, {
      cause,
    });
  }
}
