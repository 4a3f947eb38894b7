import { createLog, logLevels } from '../../src/log';
import type { LogLevel } from '../../src/log';

function setup(level: LogLevel): {
  log: ReturnType<typeof createLog>;
  lines: string[];
} {
  const lines: string[] = [];
  return { log: createLog(level, (line) => lines.push(line)), lines };
}

describe('a log', () => {
  it.each([
    ['off', []],
    ['error', ['error']],
    ['info', ['error', 'info']],
    ['debug', ['error', 'info', 'debug']],
  ] as const)('set to %s writes %j', (level, expected) => {
    const { log, lines } = setup(level);
    for (const each of ['error', 'info', 'debug'] as const) log(each, { event: each });
    const written = lines.map((line) => (JSON.parse(line) as { level: string }).level);
    expect(written).toStrictEqual(expected);
  });

  it('writes one line of JSON', () => {
    const { log, lines } = setup('debug');
    log('info', {
      event: 'onRpcRequest',
      method: 'a\nb',
      origin: 'c',
      ms: 5,
      code: -1,
    });
    expect(lines).toStrictEqual([
      String.raw`{"level":"info","event":"onRpcRequest","method":"a\nb","origin":"c","ms":5,"code":-1}`,
    ]);
  });

  it('writes no field that is not on the list', () => {
    const { log, lines } = setup('debug');
    const more = { event: 'e', account: 'id', params: ['secret'], level: 'faked' };
    log('debug', more);
    expect(lines).toStrictEqual(['{"level":"debug","event":"e","account":"id"}']);
  });

  it('is off first, so that the shipped snap writes nothing', () => {
    expect(logLevels[0]).toBe('off');
  });
});
