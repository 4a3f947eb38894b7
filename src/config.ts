// The build-time environment, read once through one struct; only app.ts asks for it.
import { defaulted, type } from '@metamask/superstruct';

import { logLevels } from './log';
import type { LogLevel } from './log';
import { parse } from './parse';
import { named, oneOf, text } from './structs';

/** What was decided when the snap was built. */
export type Config = {
  /** Most talkative log level; `off` in what is shipped. */
  logLevel: LogLevel;
  /** Origin of the companion page, which may manage accounts and chains. */
  companionOrigin: string;
  /** The snap's own version, as its package says. */
  version: string;
};

const OriginStruct = named<string>('a web origin', isOrigin);

/** Read the environment; the bundler puts the values in place of their names. */
export function getConfig(): Config {
  const struct = type({
    logLevel: defaulted(oneOf(logLevels), 'off'),
    companionOrigin: defaulted(OriginStruct, 'http://localhost:8000'),
    version: defaulted(text(64), '0.0.0'),
  });
  const environment = {
    logLevel: process.env.TOLLKEEPER_LOG_LEVEL,
    companionOrigin: process.env.TOLLKEEPER_COMPANION_ORIGIN,
    version: process.env.TOLLKEEPER_VERSION,
  };
  return parse(environment, struct, 'environment');
}

function isOrigin(value: unknown): boolean {
  try {
    const { origin, protocol } = new URL(String(value));
    return origin === value && /^https?:$/u.test(protocol);
  } catch {
    return false;
  }
}
