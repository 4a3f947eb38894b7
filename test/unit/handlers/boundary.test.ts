import { SnapError } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import {
  InternalError,
  InvalidParamsError,
  LimitExceededError,
} from '../../../src/errors';
import { createEvaluations } from '../../../src/evaluations';
import { atBoundary, toSnapError } from '../../../src/handlers/boundary';
import { createLog } from '../../../src/log';
import { errorOf } from '../../support/error-of';

const evaluations = createEvaluations();

const SECRET = 'ab'.repeat(32);

type Bench = {
  /** Call an entry point whose handler does this. */
  call: (handle: () => unknown) => Promise<unknown>;
  lines: string[];
};

function setup(): Bench {
  const lines: string[] = [];
  let time = 1_000;
  const services = {
    log: createLog('debug', (line) => lines.push(line)),
    now: () => (time += 5),
    evaluations,
  };
  const call: Bench['call'] = async (handle) =>
    atBoundary(
      'onTest',
      () => services,
      async () => {
        await Promise.resolve();
        return handle();
      },
    )({});
  return { call, lines };
}

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

const internal = {
  code: -32603,
  message: 'Tollkeeper met an internal error.',
  data: undefined,
};

const json = (error: unknown): unknown => {
  expect(error).toBeInstanceOf(SnapError);
  const { code, message, data } = error as SnapError;
  return { code, message, data };
};

describe('a result', () => {
  it.each<[string, unknown, Json]>([
    ['nothing', undefined, null],
    ['null', null, null],
    ['a text', 'text', 'text'],
    ['a list', [1, undefined, 'x'], [1, null, 'x']],
    [
      'a field of nothing',
      { a: undefined, b: { c: undefined, d: 1 } },
      { b: { d: 1 } },
    ],
    ['a number that JSON has not', { a: NaN }, { a: null }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('that is %s leaves as JSON', async (_what, result, shown) => {
    const { call } = setup();
    expect(await call(() => result)).toStrictEqual(shown);
  });

  const circle: { self?: unknown } = {};
  circle.self = circle;

  it.each<[string, unknown]>([
    ['a bigint', { a: 1n }],
    ['a circle', circle],
    ['something that fails to be written', { toJSON: throwing(new Error(SECRET)) }],
  ])('that is %s is an internal error', async (_what, result) => {
    const { call } = setup();
    expect(json(await errorOf(() => call(() => result)))).toStrictEqual(internal);
  });
});

describe('a failure of ours', () => {
  it('leaves with its code, message and context', async () => {
    const { call } = setup();
    const details = { context: { path: 'params[0]' }, cause: new Error(SECRET) };
    const failing = throwing(new InvalidParamsError('params[0] must be x.', details));
    const error = await errorOf(() => call(failing));
    expect(json(error)).toStrictEqual({
      code: -32602,
      message: 'params[0] must be x.',
      data: { path: 'params[0]' },
    });
    expect(JSON.stringify((error as SnapError).toJSON())).not.toContain(SECRET);
  });

  it('leaves with what it says about coming back', async () => {
    const { call } = setup();
    const context = { rate: { backoff_seconds: 3 } };
    const failing = throwing(new LimitExceededError('Too often.', { context }));
    expect(json(await errorOf(() => call(failing)))).toStrictEqual({
      code: -32005,
      message: 'Too often.',
      data: context,
    });
  });

  it('that is internal leaves without its message and context', async () => {
    const { call } = setup();
    const failing = throwing(new InternalError(SECRET, { context: { SECRET } }));
    expect(json(await errorOf(() => call(failing)))).toStrictEqual(internal);
  });
});

describe('any other failure', () => {
  const odd: [string, unknown][] = [
    ['a plain Error', new Error(SECRET)],
    ['a TypeError', new TypeError(SECRET)],
    ['a string', SECRET],
    ['nothing', undefined],
    ['null', null],
    ['a number', 4001],
    ['an object that looks like one of ours', { code: 4001, message: SECRET }],
    ['a frozen Error', Object.freeze(new Error(SECRET))],
    ['an Error whose message cannot be read', hostileError()],
    ['an object without a prototype', Object.create(null)],
    [
      'a SnapError of another copy of the SDK',
      Object.assign(new Error(SECRET), { code: 4001 }),
    ],
    ['a symbol', Symbol('s')],
  ];

  it.each(odd)('leaves as an internal SnapError: %s', async (_what, thrown) => {
    const { call, lines } = setup();
    const error = await errorOf(() => call(throwing(thrown)));
    expect(json(error)).toStrictEqual(internal);
    expect(error.stack ?? '').not.toContain(SECRET);
    expect(lines.join('')).not.toContain(SECRET);
  });

  it.each(odd)('while services are built likewise: %s', async (_what, thrown) => {
    const run = atBoundary('onTest', throwing(thrown), () => Promise.resolve(1));
    expect(json(await errorOf(() => run({})))).toStrictEqual(internal);
  });

  it('of the log does not reach the caller either', async () => {
    const log = throwing(new Error(SECRET));
    const services = { log, now: () => 0, evaluations };
    const run = atBoundary(
      'onTest',
      () => services,
      () => Promise.resolve(1),
    );
    expect(json(await errorOf(() => run({})))).toStrictEqual(internal);
  });

  it.each([undefined, null, 7, 'text'])('of the arguments: %j', async (args) => {
    const services = {
      log: createLog('off', () => undefined),
      now: () => 0,
      evaluations,
    };
    const run = atBoundary<unknown, typeof services, number>(
      'onTest',
      () => services,
      () => Promise.resolve(1),
    );
    const outcome = await run(args).catch(json);
    expect([1, internal]).toContainEqual(outcome);
  });
});

describe('toSnapError', () => {
  it('never fails itself, even on a context that is no JSON', () => {
    const context = { value: 1n } as never;
    expect(toSnapError(new InvalidParamsError('x.', { context }))).toBeInstanceOf(
      SnapError,
    );
  });
});

function hostileError(): Error {
  return Object.defineProperty(new Error(), 'message', {
    get: throwing(new Error(SECRET)),
  });
}
