// A typed JSON-RPC client over any transport, which validates params and results.
import type { Json } from '@metamask/utils';

import { UnsupportedMethodError } from '../../../../src/core/errors';
import { parse } from '../../../../src/schema/parse';
import { startDeadline } from '../abort';
import { ClientError, readAnswer, readAt } from '../errors';
import { isMissing } from './calls';
import type { Ask } from './complete';
import type { RpcMethod, RpcSchema } from './schema';
import type { Transport } from './transport';

/** Methods that a server is known to lack. */
export type AbsentMethods = {
  readonly has: (method: string) => boolean;
  /** Records that the server lacks a method. Never fails. */
  readonly add: (method: string) => unknown;
};

/** How long a server is assumed to lack a method, in ms: one day. */
export const ABSENT_MS = 24 * 60 * 60 * 1_000;

export function createAbsentMethods(now: () => number = Date.now): AbsentMethods {
  const since = new Map<string, number>();
  return {
    has: (method) => now() - (since.get(method) ?? -Infinity) < ABSENT_MS,
    add: (method) => since.set(method, now()),
  };
}

export type CallOptions = {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether the call may take long and so should not share a batch. */
  isSlow?: boolean | undefined;
};

export type RpcClient<Schema extends RpcSchema> = {
  /** Name of the server in messages. */
  readonly label: string;
  /**
   * Calls a method. Repeatable calls made in one tick share a batch if the transport batches.
   *
   * @throws {InvalidParamsError} If the params are invalid, naming the path. Nothing is sent.
   * @throws {InvalidResponseError} If the result is invalid for the method.
   * @throws {RpcError} If the server returns an error. Also throws the errors of the transport.
   */
  readonly request: <Name extends keyof Schema & string>(
    method: Name,
    params: Schema[Name]['params']['TYPE'],
    options?: CallOptions,
  ) => Promise<Schema[Name]['result']['TYPE']>;
  /** Like {@link RpcClient.request}, but returns undefined if the server lacks the method. The
   * client then assumes for a day that the method is missing. */
  readonly tryRequest: <Name extends keyof Schema & string>(
    method: Name,
    params: Schema[Name]['params']['TYPE'],
    options?: CallOptions,
  ) => Promise<Schema[Name]['result']['TYPE'] | undefined>;
  readonly lacks: (method: keyof Schema & string) => boolean;
};

export type ClientParts = {
  /** Methods that the server is known to lack; by default the client keeps its own record. */
  absent?: AbsentMethods;
  /** Translates a method name to the server's name for it. */
  toWireName?: (method: string) => string;
  /** Completes fields that a server omitted from its answer. */
  complete?: (
    method: string,
    answer: unknown,
    asked: {
      params: readonly unknown[];
      ask: (method: string, params: readonly unknown[]) => Promise<unknown>;
    },
  ) => Promise<unknown>;
};

export function createRpcClient<Schema extends RpcSchema>(
  schema: Schema,
  transport: Transport,
  {
    absent = createAbsentMethods(),
    toWireName = String,
    complete = async (_method, answer) => Promise.resolve(answer),
  }: ClientParts = {},
): RpcClient<Schema> {
  const { label, budgetMs } = transport;
  const request: RpcClient<Schema>['request'] = async (
    name,
    params,
    { signal, isSlow } = {},
  ) => {
    if (!Object.hasOwn(schema, name)) {
      throw new UnsupportedMethodError('The client does not know this method.');
    }
    const row: RpcMethod = schema[name] as Schema[typeof name];
    const { idempotent, isNullable } = row;
    const checked = parse(params, row.params, `${name}: params`) as Json[];
    const method = toWireName(name);
    const slow = isSlow && { isSlow };
    const nullable = isNullable && { isNullable };
    const call = { method, params: checked, idempotent, signal, ...slow, ...nullable };
    const start = Date.now();
    let deadline: ReturnType<typeof startDeadline> | undefined;
    const ask: Ask = async (other, asked) => {
      try {
        signal?.throwIfAborted();
        // Created lazily, because most answers need no completion.
        if (budgetMs !== undefined) {
          deadline ??= startDeadline(budgetMs - (Date.now() - start), signal);
        }
        const limited = { idempotent: true, signal: deadline?.signal ?? signal };
        const wanted = { method: other, params: asked as Json[] };
        return await transport.request({ ...wanted, ...limited });
      } catch {
        return undefined;
      }
    };
    const answer = await transport
      .request(call)
      .catch((error: unknown) => {
        if (isNullable && isMissing(error)) return null;
        throw error;
      })
      .then(async (given) => complete(name, given, { params: checked, ask }))
      .finally(() => deadline?.clear());
    signal?.throwIfAborted();
    const place = { label: `${method} at ${label}`, mayBeDone: !idempotent };
    return readAt(place, () => readAnswer(answer, row.result));
  };
  const lacks: RpcClient<Schema>['lacks'] = (name) => absent.has(toWireName(name));
  return {
    label,
    request,
    lacks,
    tryRequest: async (name, params, options) => {
      if (lacks(name)) return undefined;
      try {
        return await request(name, params, options);
      } catch (error) {
        const isAbsent = error instanceof ClientError && error.kind === 'absent';
        if (!isAbsent) throw error;
        await absent.add(toWireName(name));
        return undefined;
      }
    },
  };
}
