import { getConfig, parseConfig } from '../../src/config';

const NAMES = [
  'TOLLKEEPER_LOG_LEVEL',
  'TOLLKEEPER_COMPANION_ORIGIN',
  'TOLLKEEPER_DEVELOPMENT',
  'TOLLKEEPER_VERSION',
] as const;

function setup(...values: string[]): void {
  NAMES.forEach((name, index) => {
    const value = values[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  });
}

afterEach(() => setup());

describe('the configuration', () => {
  it.each([[[]], [['', '', '', '0.0.0']]])(
    'defaults to a release without a companion page: %j',
    (values) => {
      setup(...values);
      expect(getConfig()).toStrictEqual({
        logLevel: 'off',
        companionOrigin: undefined,
        isDevelopment: false,
        version: '0.0.0',
      });
    },
  );

  it('follows the environment', () => {
    setup('debug', 'http://localhost:8000', 'true', '1.2.3');
    expect(getConfig()).toStrictEqual({
      logLevel: 'debug',
      companionOrigin: 'http://localhost:8000',
      isDevelopment: true,
      version: '1.2.3',
    });
  });

  it.each(['verbose', 'OFF', 'off '])('refuses the log level %j', (level) => {
    setup(level);
    expect(getConfig).toThrow(
      new Error('environment.logLevel must be one of "off", "error", "info", "debug".'),
    );
  });

  it.each(['1', 'yes', 'false'])('refuses the development flag %j', (value) => {
    setup('off', '', value);
    expect(getConfig).toThrow(
      new Error('environment.development must be one of "", "true".'),
    );
  });

  // The snap compares the caller's origin with this value, so any other form would never match, or
  // would match other origins by mistake.
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
    'https://*.example',
    '*',
  ])('refuses the companion origin %j', (companionOrigin) => {
    for (const development of ['', 'true']) {
      expect(() => parseConfig({ companionOrigin, development })).toThrow(
        new Error('environment.companionOrigin must be a web origin.'),
      );
    }
  });

  it.each([
    ['http://localhost:8000', ''],
    ['http://127.0.0.1:8000', ''],
    ['http://a.example', ''],
    ['http://a.example', 'true'],
    ['http://192.168.1.7', 'true'],
    ['http://localhost.example', 'true'],
  ])(
    'refuses the unencrypted companion origin %j if development is %j',
    (companionOrigin, development) => {
      expect(() => parseConfig({ companionOrigin, development })).toThrow(
        new Error(
          'environment.companionOrigin must begin with https://; only a development build ' +
            'accepts http://, and only for this machine.',
        ),
      );
    },
  );

  it.each([
    ['https://a.example:8443', ''],
    ['http://[::1]:8000', 'true'],
  ])(
    'accepts the companion origin %j if development is %j',
    (companionOrigin, development) => {
      expect(parseConfig({ companionOrigin, development }).companionOrigin).toBe(
        companionOrigin,
      );
    },
  );
});
