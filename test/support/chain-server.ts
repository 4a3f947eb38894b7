// A real HTTP server on loopback that is a chain's node, gas API and bundler at once, as
// far as is asked before they are configured.
import { entryPoints } from '../../src/eth/entry-point';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { answerJson } from './http-server';
import type { Answer } from './http-server';
import { toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';

/** Answer as the servers of a chain. */
export function answerChain(chainId: number): Answer {
  const results: Record<string, unknown> = {
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_blockNumber: '0x4d2',
    eth_supportedEntryPoints: [entryPoints['0.6'].entryPoint],
  };
  const answer = ({ id, method }: WireRequest): unknown => ({
    jsonrpc: '2.0',
    id,
    result: results[method] ?? null,
  });
  return (response, arrived) => {
    const answers = toRequests(arrived).map(answer);
    const isOfNode = answers.length > 0;
    // A snap's requests have no origin of their own.
    const headers = { 'Access-Control-Allow-Origin': '*' };
    answerJson(isOfNode ? answers : gasAnswer, 200, headers)(response, arrived);
  };
}
