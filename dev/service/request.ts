// Requests of JSON-RPC 2.0 as they come in: read, and told apart from what is none.
import { isObject } from '@metamask/utils';

import type { Id } from './failure';

/** A request; what is in it is unchecked. */
export type Request = { method: string; params?: unknown };

/** Tell whether a value is a request, whatever its id. */
export function isRequest(value: unknown): value is Request {
  return isObject(value) && value['jsonrpc'] === '2.0' && isText(value['method']);
}

/** Find the id of a request: undefined if it is none, null where none was given. */
export function findId(request: unknown): Id | undefined {
  if (!isObject(request) || !Object.hasOwn(request, 'id')) return null;
  const id = request['id'];
  const isId = id === null || typeof id === 'number' || typeof id === 'string';
  return isId ? id : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Read a text as JSON; undefined if it is none. */
export function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Tell whether a value is nested more deeply than `depth`. */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}
