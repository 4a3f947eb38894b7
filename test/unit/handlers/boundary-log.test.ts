import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../../../src/errors';
import { createEvaluations } from '../../../src/evaluations';
import { atBoundary } from '../../../src/handlers/boundary';
import { createLog } from '../../../src/log';
import { errorOf } from '../../support/error-of';

const evaluations = createEvaluations();

const SECRET = 'ab'.repeat(32);

type Bench = { run: (handle: () => unknown) => Promise<unknown>; lines: string[] };

function setup(): Bench {
  const lines: string[] = [];
  let time = 1_000;
  const services = {
    log: createLog('debug', (line) => lines.push(line)),
    now: () => (time += 5),
    evaluations,
  };
  const args = {
    origin: 'https://dapp.example',
    request: { method: 'personal_sign', params: [SECRET] },
  };
  const run: Bench['run'] = async (handle) => {
    const enter = atBoundary(
      'onTest',
      () => services,
      () => Promise.resolve().then(handle),
    );
    return enter(args);
  };
  return { run, lines };
}

describe('the log of a call', () => {
  it('holds what was asked, by whom and how long it took, and nothing else', async () => {
    const { run, lines } = setup();
    await run(() => SECRET);
    expect(lines.map((line) => JSON.parse(line) as Json)).toStrictEqual([
      {
        level: 'info',
        event: 'onTest',
        method: 'personal_sign',
        origin: 'https://dapp.example',
        ms: 5,
      },
    ]);
  });

  it.each([
    [new InvalidParamsError(SECRET), -32602],
    [new Error(SECRET), -32603],
  ])('holds the code of a failure, but not its words', async (thrown, code) => {
    const { run, lines } = setup();
    const failing = (): never => {
      throw thrown;
    };
    await errorOf(() => run(failing));
    expect(lines.map((line) => JSON.parse(line) as Json)).toStrictEqual([
      {
        level: 'error',
        event: 'onTest',
        method: 'personal_sign',
        origin: 'https://dapp.example',
        ms: 5,
        code,
      },
    ]);
  });

  it('caps what a caller chose: the name of the method', async () => {
    const { lines } = setup();
    const log = createLog('debug', (line) => lines.push(line));
    const services = { log, now: () => 0, evaluations };
    const enter = atBoundary(
      'onTest',
      () => services,
      () => Promise.resolve(null),
    );
    await enter({ request: { method: 'x'.repeat(1_000_000) } });
    expect(lines.join('').length).toBeLessThan(1_000);
  });
});
