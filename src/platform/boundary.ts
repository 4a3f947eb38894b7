// The one boundary between us and the platform. Whatever goes wrong inside leaves as a
// SnapError, because anything else kills the snap and every other request in it; whatever
// comes out is JSON, because anything else is a crash too.
import { SnapError } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { InternalError, TollkeeperError } from '../errors';
import type { Log, LogFields } from '../platform/log';
import type { Epochs } from './epochs';

const INTERNAL = -32603;

/** What the boundary itself needs. */
type BoundaryContext = { log: Log; now: () => number; epochs: Epochs };

/** What of an entry point's arguments may be logged. */
type Logged = { origin?: string; request?: { method?: string } };

/**
 * Makes an entry point of a handler.
 *
 * @param event - Name of the entry point, for the log.
 * @param getContext - Builds what the handler needs; called within the boundary, so that
 * even a failure to build is caught.
 * @returns A function that answers with JSON, or throws a SnapError: with the code and
 * message of a TollkeeperError, or -32603 and no more for any other failure.
 */
export function atBoundary<Arguments, Context extends BoundaryContext, Result>(
  event: string,
  getContext: () => Context,
  handle: (args: Arguments, context: Context) => Promise<Result>,
): (args: Arguments) => Promise<Result> {
  return async (args) => {
    try {
      const context = getContext();
      const about = { event, ...toLogged(args as Logged) };
      return await context.epochs.during(async () =>
        withLog(about, context, async () => handle(args, context)),
      );
    } catch (error) {
      throw toSnapError(error);
    }
  };
}

function toLogged({ origin, request }: Logged): Omit<LogFields, 'event'> {
  return { origin, method: request?.method };
}

async function withLog<Result>(
  about: LogFields,
  { log, now }: BoundaryContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const start = now();
  try {
    const result = toJson(await run());
    log('info', { ...about, ms: now() - start });
    return result as Result;
  } catch (error) {
    log('error', { ...about, ms: now() - start, code: toSnapError(error).code });
    throw error;
  }
}

/** Translates any failure into what the platform lets through; never fails itself. */
export function toSnapError(error: unknown): SnapError {
  if (error instanceof TollkeeperError && !(error instanceof InternalError)) {
    const { code, message, context } = error;
    return new SnapError({ code, message, data: toData(context) });
  }
  return new SnapError({
    code: INTERNAL,
    message: 'Tollkeeper met an internal error.',
  });
}

function toData(context: unknown): Record<string, Json> {
  try {
    return toJson(context) as Record<string, Json>;
  } catch {
    return {};
  }
}

// Drops what JSON has no place for, such as undefined fields; a bigint throws.
function toJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
