// JSON-RPC messages, and failures as callers see them: an HTTP status, and a JSON body with the
// same `error` in both APIs. The body contains neither the node's address nor internals of the
// service.
import { randomBytes } from 'node:crypto';

import { isObject } from '@metamask/utils';

export type RpcErrorObject = { code: number; message: string; data?: unknown };

export type Outcome =
  | { result: unknown; error?: undefined }
  | { error: RpcErrorObject; result?: undefined };

type Id = string | number | null;

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  notFound: -32001,
  refused: -32002,
  limited: -32005,
} as const;

export class ServiceFailure extends Error {
  constructor(
    readonly status: number,
    readonly error: RpcErrorObject,
    readonly headers: Record<string, string> = {},
  ) {
    super(error.message);
  }
}

/** Creates the failure for a caller above a limit, who may try again after `seconds`. */
export function toLimited(
  status: number,
  message: string,
  seconds: number,
): ServiceFailure {
  const data = { rate: { backoff_seconds: seconds } };
  const headers = { 'Retry-After': `${seconds}` };
  return new ServiceFailure(status, { code: codes.limited, message, data }, headers);
}

/** Creates the failure for a node's missing (504 after a timeout) or invalid answer. */
export function toNodeFailure(
  message: string,
  status: 502 | 504 = 502,
): ServiceFailure {
  return new ServiceFailure(status, { code: codes.internal, message });
}

/** Converts any thrown value to a failure that is safe to show. */
export function toFailure(error: unknown): ServiceFailure {
  if (error instanceof ServiceFailure) return error;
  const usual = error instanceof URIError ? 400 : 500;
  const status = Number((isObject(error) && error['statusCode']) || usual);
  if (status >= 400 && status < 500) {
    const message = refusals.get(status) ?? 'This request cannot be read.';
    return new ServiceFailure(status, { code: codes.invalidRequest, message });
  }
  const unexpected = 'The service failed to answer.';
  return new ServiceFailure(500, { code: codes.internal, message: unexpected });
}

/** Messages for the HTTP server's own refusals, by status. */
const refusals = new Map([
  [408, 'The request did not arrive in time.'],
  [413, 'The body is longer than the service accepts.'],
  [415, 'The body is compressed, or of a type that cannot be read.'],
  [431, 'The headers are longer than the service accepts.'],
]);

export function toAnswer(id: Id, outcome: Outcome): object {
  return { jsonrpc: '2.0', id, ...outcome };
}

export function toError(code: number, message: string): Outcome {
  return { error: { code, message } };
}

/** Answers a message, single or batch; undefined if it has only notifications. */
export async function answerMessage(
  message: unknown,
  answer: (method: string, params: unknown) => Promise<Outcome>,
): Promise<string | undefined> {
  const answerOne = async (request: unknown): Promise<object | undefined> => {
    const id = findId(request);
    if (!isRequest(request) || id === undefined) {
      const refusal = 'This is not a JSON-RPC 2.0 request.';
      return toAnswer(id ?? null, toError(codes.invalidRequest, refusal));
    }
    const outcome = await answer(request.method, request.params ?? []);
    return 'id' in request ? toAnswer(id, outcome) : undefined;
  };
  const requests: unknown[] = Array.isArray(message) ? message : [message];
  if (requests.length === 0) {
    const refusal = toError(codes.invalidRequest, 'The batch is empty.');
    return writeJson(toAnswer(null, refusal));
  }
  const answers = await Promise.all(requests.map(answerOne));
  const given = answers.filter((each) => each !== undefined);
  if (given.length === 0) return undefined;
  return writeJson(Array.isArray(message) ? given : given[0]);
}

/** Returns whether a value is a request. Its id and params are not checked. */
function isRequest(value: unknown): value is { method: string; params?: unknown } {
  return (
    isObject(value) && value['jsonrpc'] === '2.0' && typeof value['method'] === 'string'
  );
}

/** Returns whether a value is a request that must not be answered. */
export function isNotification(value: unknown): boolean {
  return isRequest(value) && !('id' in value);
}

/** Finds a request's id: null if it has none, undefined if the id is malformed. */
export function findId(request: unknown): Id | undefined {
  if (!isObject(request) || !Object.hasOwn(request, 'id')) return null;
  const id = request['id'];
  const isId = id === null || typeof id === 'number' || typeof id === 'string';
  return isId ? id : undefined;
}

// Inside the service, numbers too large for JavaScript are strings with this mark, so they leave
// the service unchanged. The mark is random, so nobody outside can forge it.
const MARK = `number-${randomBytes(16).toString('hex')}:`;
const MARKED = new RegExp(`"${MARK}([^"]+)"`, 'gu');
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gu;
const MAY_BE_LARGE = /[\s:,[]-?(?:\d{16}|[\d.]+[eE])/u;

const markLarge = (token: string): string => {
  const number = token.startsWith('"') ? 0 : Number(token);
  const isLarge = Math.abs(number) > Number.MAX_SAFE_INTEGER;
  return isLarge ? JSON.stringify(MARK + token) : token;
};

/** Parses JSON, keeping large numbers for {@link writeJson}; undefined if the text is malformed. */
export function readJson(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!MAY_BE_LARGE.test(text)) return { value };
    return { value: JSON.parse(text.replace(TOKEN, markLarge)) };
  } catch {
    return undefined;
  }
}

/** Writes JSON with large numbers as they were read. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replace(MARKED, '$1') : text;
}

export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}
