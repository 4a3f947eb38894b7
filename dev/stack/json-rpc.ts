// JSON-RPC 2.0 as text in and text out, for the small servers of the stack: the bundler
// and the paymaster service.
import { codes, toAnswer } from '../service/failure';
import type { Outcome, RpcErrorObject } from '../service/failure';
import { findId, isRequest, readJson } from '../service/request';

/** Answers one call; `params` are as they came. */
export type Handle = (method: string, params: unknown) => Promise<unknown>;

/** A call that is answered with an error. */
export class RpcFailure extends Error {
  readonly error: RpcErrorObject;

  constructor(error: RpcErrorObject) {
    super(error.message);
    this.error = error;
  }
}

/** Asks for the connection to be destroyed instead of an answer. */
export class ConnectionCut extends Error {}

/**
 * Refuse a call because of what was asked.
 *
 * @throws {RpcFailure} Always: -32602.
 */
export function refuse(message: string): never {
  throw new RpcFailure({ code: codes.invalidParams, message });
}

/** Refuse a method that there is not; -32601. */
export function toUnknownMethod(method: string): RpcFailure {
  const message = `The method ${method} is not served.`;
  return new RpcFailure({ code: codes.unknownMethod, message });
}

/**
 * Answer the text of a request, single or batch.
 *
 * @returns The text of the answer; undefined if there were only notifications.
 * @throws {ConnectionCut} If a call asks for it.
 */
export async function answerText(
  text: string,
  handle: Handle,
): Promise<string | undefined> {
  const read = readJson(text);
  if (read === undefined) {
    return toText(toAnswer(null, toError(codes.parse, 'This is not JSON.')));
  }
  const { value } = read;
  if (!Array.isArray(value)) return toText(await answerOne(value, handle));
  if (value.length === 0) {
    const outcome = toError(codes.invalidRequest, 'The batch is empty.');
    return toText(toAnswer(null, outcome));
  }
  const requests: unknown[] = value;
  const answers = await Promise.all(
    requests.map(async (request) => answerOne(request, handle)),
  );
  const given = answers.filter((answer) => answer !== undefined);
  return given.length === 0 ? undefined : toText(given);
}

async function answerOne(
  request: unknown,
  handle: Handle,
): Promise<object | undefined> {
  const id = findId(request);
  if (!isRequest(request) || id === undefined) {
    const message = 'This is not a JSON-RPC 2.0 request.';
    return toAnswer(id ?? null, toError(codes.invalidRequest, message));
  }
  const outcome = await handle(request.method, request.params ?? []).then(
    (result): Outcome => ({ result }),
    toErrorOutcome,
  );
  return 'id' in request ? toAnswer(id, outcome) : undefined;
}

function toErrorOutcome(error: unknown): Outcome {
  if (error instanceof RpcFailure) return { error: error.error };
  if (error instanceof ConnectionCut) throw error;
  // A development server: what went wrong inside is of use to whoever runs it.
  return toError(
    codes.internal,
    error instanceof Error ? error.message : String(error),
  );
}

function toError(code: number, message: string): Outcome {
  return { error: { code, message } };
}

function toText(answer: object | undefined): string | undefined {
  return answer && JSON.stringify(answer);
}
