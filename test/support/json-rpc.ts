// JSON-RPC as a server sees it.
import { answerJson } from './http-server';
import type { Answer, Arrived, HttpServer } from './http-server';

export type WireRequest = {
  jsonrpc: string;
  id: number;
  method: string;
  params: unknown[];
};

/** Parses the requests in a body, single or batch; a GET has none. */
export function toRequests({ body }: Pick<Arrived, 'body'>): WireRequest[] {
  if (body === '') return [];
  const value = JSON.parse(body) as WireRequest | WireRequest[];
  return Array.isArray(value) ? value : [value];
}

export function answerRequests(make: (requests: WireRequest[]) => unknown): Answer {
  return (response, arrived) => {
    answerJson(make(toRequests(arrived)))(response, arrived);
  };
}

/** The correct answer to a request is its method and first param. */
export function echo({ id, method, params }: WireRequest): object {
  return { jsonrpc: '2.0', id, result: [method, params[0] ?? null] };
}

export const answerEach = answerRequests((requests) => requests.map(echo));

export function bodiesOf({ arrived }: HttpServer): unknown[] {
  return arrived.map(({ body }) => JSON.parse(body) as unknown);
}
