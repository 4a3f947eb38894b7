// JSON-RPC of the service: what the node can answer is forwarded, the rollup estimate is
// computed here.
import {
  any,
  array,
  exactOptional,
  is,
  literal,
  number,
  string,
  type,
  union,
} from '@metamask/superstruct';

import { nodeSchema } from '../../src/client';
import type { NodeClient, RpcCallObject } from '../../src/client';
import { TollkeeperError } from '../../src/errors';
import { estimateRollup } from './gas';

const RequestStruct = type({
  jsonrpc: literal('2.0'),
  id: union([number(), string()]),
  method: string(),
  params: exactOptional(array(any())),
});

type Request = { id: number | string; method: string; params?: unknown[] };

/** Methods that are forwarded: reading the chain and sending what is signed. Not those that
 * rule the node, or sign with its accounts. */
const FORWARDED = new Set([
  ...Object.keys(nodeSchema),
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
  'web3_clientVersion',
]);

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INTERNAL = -32603;

/** What answering needs. */
export type RpcServices = { nodeUrl: string; node: NodeClient };

/** Answer the body of a JSON-RPC request, single or batch. */
export async function answerRpc(
  body: unknown,
  services: RpcServices,
): Promise<unknown> {
  if (!Array.isArray(body)) return answerOne(body, services);
  if (body.length === 0) return toError(null, INVALID_REQUEST, 'The batch is empty.');
  return Promise.all(body.map(async (request) => answerOne(request, services)));
}

async function answerOne(request: unknown, services: RpcServices): Promise<unknown> {
  if (!is(request, RequestStruct)) {
    return toError(null, INVALID_REQUEST, 'This is not a JSON-RPC 2.0 request.');
  }
  const { id, method } = request;
  try {
    return await answer(request, services);
  } catch (error) {
    if (error instanceof TollkeeperError) return toError(id, error.code, error.message);
    return toError(id, INTERNAL, `${method} could not be answered.`);
  }
}

async function answer(
  request: Request,
  { node, nodeUrl }: RpcServices,
): Promise<unknown> {
  const { id, method, params = [] } = request;
  if (method === 'rollup_estimateGas') {
    const result = await estimateRollup(node, params[0] as RpcCallObject);
    return { jsonrpc: '2.0', id, result };
  }
  if (!FORWARDED.has(method)) {
    return toError(id, METHOD_NOT_FOUND, `The method ${method} is not served.`);
  }
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  });
  return response.json();
}

function toError(id: number | string | null, code: number, message: string): unknown {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
