// Structured log. Only the fields named here are written, so that nothing from params,
// results or state can slip in; `console` is used nowhere else.

/** Levels, least talkative first. */
export const logLevels = ['off', 'error', 'info', 'debug'] as const;

/** How much is written; `off` (what is shipped) writes nothing. */
export type LogLevel = (typeof logLevels)[number];

/** All that a log line can hold. */
export type LogFields = {
  event: string;
  method?: string | undefined;
  origin?: string | undefined;
  account?: string | undefined;
  ms?: number | undefined;
  code?: number | undefined;
};

/** Writes a line if the level allows it. */
export type Log = (level: Exclude<LogLevel, 'off'>, fields: LogFields) => void;

/** Longest text that is written of what a caller chose. */
const MAX_LENGTH = 256;

/**
 * Create a log that writes JSON lines.
 *
 * @param level - The most talkative level that is still written.
 * @param write - Writes a line.
 */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  return (lineLevel, { event, method, origin, account, ms, code }) => {
    if (logLevels.indexOf(lineLevel) > logLevels.indexOf(level)) return;
    const caller = {
      method: method?.slice(0, MAX_LENGTH),
      origin: origin?.slice(0, MAX_LENGTH),
    };
    write(JSON.stringify({ level: lineLevel, event, ...caller, account, ms, code }));
  };
}

/** Writes a line of the log to the console. */
export function printLine(line: string): void {
  console.log(line);
}
