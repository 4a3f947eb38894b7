// A JSON-RPC server on loopback that answers by method from a table.
import type { Json } from '@metamask/utils';

import type { NodeAnswers } from './fake-node';
import { answerJson } from './http-server';
import type { Answer } from './http-server';
import { toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';

/** Answer by method: what is not in the table is null, what is thrown an error. */
export function answerRpc(answers: NodeAnswers): Answer {
  return (response, arrived) => {
    const all = toRequests(arrived).map((request) => answerOne(request, answers));
    const isBatch = arrived.body.startsWith('[');
    // A snap's requests have no origin of their own.
    const headers = { 'Access-Control-Allow-Origin': '*' };
    answerJson(isBatch ? all : all[0], 200, headers)(response, arrived);
  };
}

function answerOne({ id, method, params }: WireRequest, answers: NodeAnswers): Json {
  try {
    const told = answers[method] ?? null;
    const result = typeof told === 'function' ? told(params as Json[]) : told;
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: error as Json };
  }
}
