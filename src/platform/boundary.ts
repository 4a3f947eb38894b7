// The boundary between the snap and the platform. Errors leave it as SnapErrors and results as
// JSON: anything else would crash the snap and abort all other requests. The boundary also writes
// the log.
import { SnapError } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { InternalError, TollkeeperError } from '../core/errors';

/** Counts worker epochs. The platform drops pending work when the last entry point ends, so
 * promises of an earlier epoch may never settle. Code that holds a lock or shares a promise
 * compares epochs to detect that. An epoch ends only when a new entry point begins, because work
 * started before then may be dropped as well. */
export type Epochs = {
  during: <Result>(run: () => Promise<Result>) => Promise<Result>;
  current: () => number;
};

export function createEpochs(): Epochs {
  let running = 0;
  let epoch = 0;
  return {
    during: async (run) => {
      if (running === 0) epoch += 1;
      running += 1;
      try {
        return await run();
      } finally {
        running -= 1;
      }
    },
    current: () => epoch,
  };
}

/** Converts a value to JSON: drops undefined fields, and throws for a bigint. Does not copy a value
 * that is already JSON: with a thousand accounts, copying would take longer than all other work. */
export function toJson(value: unknown): Json {
  if (value === undefined) return null;
  return isJson(value) ? value : (JSON.parse(JSON.stringify(value)) as Json);
}

function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) {
    return value === null || typeof value === 'string' || typeof value === 'boolean';
  }
  // `every` alone would skip the holes of a sparse array.
  if (Array.isArray(value)) return !value.includes(undefined) && value.every(isJson);
  // Objects of a class may serialize differently.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isJson);
}

// Structured log. It contains only the fields named here, so params, results and state never appear
// in it. `console` is used nowhere else.

/** Levels, least verbose first. */
export const logLevels = ['off', 'error', 'info', 'debug'] as const;

/** Log level; `off` (in releases) writes nothing. */
export type LogLevel = (typeof logLevels)[number];

type LogFields = {
  event: string;
  method?: string | undefined;
  origin?: string | undefined;
  ms?: number | undefined;
  code?: number | undefined;
};

export type Log = (level: Exclude<LogLevel, 'off'>, fields: LogFields) => void;

const MAX_LENGTH = 256;

export function createLog(level: LogLevel, write: (line: string) => void): Log {
  return (lineLevel, { event, method, origin, ms, code }) => {
    if (logLevels.indexOf(lineLevel) > logLevels.indexOf(level)) return;
    const caller = {
      method: method?.slice(0, MAX_LENGTH),
      origin: origin?.slice(0, MAX_LENGTH),
    };
    write(JSON.stringify({ level: lineLevel, event, ...caller, ms, code }));
  };
}

/** Writes a line to the console. Builds with the level `off` do not contain this call. */
export function printLine(line: string): void {
  if (process.env.TOLLKEEPER_LOG_LEVEL !== 'off') console.log(line);
}

type BoundaryApp = { context: { log: Log; now: () => number; epochs: Epochs } };

type Logged = { origin?: string; request?: { method?: string } };

/** Turns a handler into an entry point, which returns JSON or throws a SnapError. A TollkeeperError
 * other than an InternalError keeps its code, message and context; any other failure, even of
 * `getApp`, becomes -32603. */
export function atBoundary<Arguments, App extends BoundaryApp, Result>(
  event: string,
  getApp: () => App,
  handle: (args: Arguments, app: App) => Promise<Result>,
): (args: Arguments) => Promise<Result> {
  return async (args) => {
    try {
      const app = getApp();
      const { log, now, epochs } = app.context;
      const { origin, request } = args as Logged;
      const about = { event, origin, method: request?.method };
      return await epochs.during(async () => {
        const start = now();
        try {
          const result = toJson(await handle(args, app));
          log('info', { ...about, ms: now() - start });
          return result as Result;
        } catch (error) {
          log('error', { ...about, ms: now() - start, code: toSnapError(error).code });
          throw error;
        }
      });
    } catch (error) {
      throw toSnapError(error);
    }
  };
}

function toSnapError(error: unknown): SnapError {
  if (error instanceof TollkeeperError && !(error instanceof InternalError)) {
    const { code, message, context } = error;
    return new SnapError({ code, message, data: toData(context) });
  }
  return new SnapError({
    code: -32603,
    message: 'An internal error occurred in Tollkeeper.',
  });
}

function toData(context: unknown): Record<string, Json> {
  try {
    return toJson(context) as Record<string, Json>;
  } catch {
    return {};
  }
}
