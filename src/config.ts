// The build-time environment, which index.ts reads once per worker.
import { defaulted, define, type } from '@metamask/superstruct';

import { InvalidParamsError } from './core/errors';
import { isLoopback } from './eth/host';
import { logLevels } from './platform/boundary';
import type { LogLevel } from './platform/boundary';
import { parse } from './schema/parse';
import { oneOf, text } from './schema/structs';

export type Config = {
  /** Most verbose log level; `off` in releases. */
  logLevel: LogLevel;
  /** Origin of the companion page, which may manage accounts and chains. Optional. */
  companionOrigin: string | undefined;
  /** Whether this is a development build, in which sites may name unencrypted servers on this
   * machine. */
  isDevelopment: boolean;
  version: string;
};

const EnvironmentStruct = type({
  logLevel: defaulted(oneOf(logLevels), 'off'),
  companionOrigin: defaulted(
    define<string>('a web origin', (value) => value === '' || isOrigin(value)),
    '',
  ),
  development: defaulted(oneOf(['', 'true']), ''),
  version: defaulted(text(64), '0.0.0'),
});

/** Reads the environment, which the bundler inserts into the code. An empty value counts as
 * absent. */
export function getConfig(): Config {
  return parseConfig({
    logLevel: process.env.TOLLKEEPER_LOG_LEVEL || undefined,
    companionOrigin: process.env.TOLLKEEPER_COMPANION_ORIGIN,
    development: process.env.TOLLKEEPER_DEVELOPMENT,
    version: process.env.TOLLKEEPER_VERSION,
  });
}

/** Checks an environment; the build uses it too. Throws `InvalidParamsError` if a value is
 * malformed, or if a companion page does not use HTTPS, except on this machine in development. */
export function parseConfig(
  environment: Partial<
    Record<keyof typeof EnvironmentStruct.schema, string | undefined>
  >,
): Config {
  const { logLevel, companionOrigin, development, version } = parse(
    environment,
    EnvironmentStruct,
    'environment',
  );
  const isDevelopment = development === 'true';
  if (companionOrigin !== '') assertSafe(companionOrigin, isDevelopment);
  return {
    logLevel,
    companionOrigin: companionOrigin === '' ? undefined : companionOrigin,
    isDevelopment,
    version,
  };
}

// Any program on this machine can serve a page at http://localhost.
function assertSafe(origin: string, isDevelopment: boolean): void {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:' || (isDevelopment && isLoopback(hostname))) return;
  throw new InvalidParamsError(
    'environment.companionOrigin must begin with https://; only a development build accepts ' +
      'http://, and only for this machine.',
  );
}

// An asterisk would turn the origin into a manifest pattern that admits other origins.
function isOrigin(value: unknown): boolean {
  try {
    const { origin, protocol } = new URL(String(value));
    return origin === value && /^https?:$/u.test(protocol) && !origin.includes('*');
  } catch {
    return false;
  }
}
