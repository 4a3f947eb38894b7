import { getConfig } from '../../src/config';
import { failureOf } from '../support/error-of';

const NAMES = [
  'TOLLKEEPER_LOG_LEVEL',
  'TOLLKEEPER_COMPANION_ORIGIN',
  'TOLLKEEPER_VERSION',
] as const;

/** Set the environment of one test. */
function setup(level?: string, origin?: string, version?: string): void {
  const values = [level, origin, version];
  NAMES.forEach((name, index) => {
    const value = values[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  });
}

afterEach(() => setup());

describe('the configuration', () => {
  it('writes no log and knows the local companion if nothing is set', () => {
    setup();
    expect(getConfig()).toStrictEqual({
      logLevel: 'off',
      companionOrigin: 'http://localhost:8000',
      version: '0.0.0',
    });
  });

  it('is what the environment says', () => {
    setup('debug', 'https://tollkeeper.example', '1.2.3');
    expect(getConfig()).toStrictEqual({
      logLevel: 'debug',
      companionOrigin: 'https://tollkeeper.example',
      version: '1.2.3',
    });
  });

  it.each(['verbose', 'OFF', '', 'off '])('refuses the log level %j', async (level) => {
    setup(level);
    expect((await failureOf(getConfig)).message).toBe(
      'environment.logLevel must be one of "off", "error", "info", "debug".',
    );
  });

  // An origin is compared with the platform's, so anything else would never match, or
  // match what nobody meant.
  it.each([
    'localhost:8000',
    'https://a.example/',
    'https://a.example/path',
    'ftp://a.example',
    'https://',
    'https://user:word@a.example',
    'https://a.example?query',
    'https://a.example#part',
    'https://a b.example',
    'https://A.example',
    'https://a.example:443',
    '*',
  ])('refuses the companion origin %j', async (origin) => {
    setup('off', origin);
    expect((await failureOf(getConfig)).message).toBe(
      'environment.companionOrigin must be a web origin.',
    );
  });
});
