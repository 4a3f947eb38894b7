// JSON-RPC servers on loopback that answer by method from a table.
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../src/eth/user-operation';
import { gasAnswer } from '../fixtures/client/gas-answer';
import type { NodeAnswers } from './fake-node';
import { answerJson } from './http-server';
import type { Answer } from './http-server';
import { toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';

/** Answers by method: null for others, and an error for an exception. */
export function answerRpc(answers: NodeAnswers): Answer {
  return (response, arrived) => {
    const all = toRequests(arrived).map((request) => answerOne(request, answers));
    const isBatch = arrived.body.startsWith('[');
    answerSnap(isBatch ? all : all[0])(response, arrived);
  };
}

/** Answer as a chain's node, gas API and bundler at once, as far as is asked before they are
 * configured. */
export function answerChain(chainId: number): Answer {
  const answerCalls = answerRpc({
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_blockNumber: '0x4d2',
    eth_supportedEntryPoints: [entryPoints['0.6'].entryPoint],
  });
  return (response, arrived) => {
    const answer = arrived.body === '' ? answerSnap(gasAnswer) : answerCalls;
    answer(response, arrived);
  };
}

// A snap's requests have no origin of their own.
function answerSnap(value: unknown): Answer {
  return answerJson(value, 200, { 'Access-Control-Allow-Origin': '*' });
}

function answerOne({ id, method, params }: WireRequest, answers: NodeAnswers): Json {
  try {
    const answer = answers[method] ?? null;
    const result = typeof answer === 'function' ? answer(params as Json[]) : answer;
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: error as Json };
  }
}
