// The snap's output is plain JSON, and calls to the platform that never settle do not block later
// requests.
import type { Chain } from '../../../src/chains/chain';
import { UnavailableError } from '../../../src/core/errors';
import { createFeeLevels } from '../../../src/fees/levels';
import { withLimit } from '../../../src/platform/answered';
import { createEpochs, toJson } from '../../../src/platform/boundary';
import { openPublicStore } from '../../../src/state/public-state';
import type { PublicStore } from '../../../src/state/public-state';
import { createGate, settle } from '../../support/gate';
import { createMemoryBackend } from '../../support/memory-backend';

describe('the output of the snap', () => {
  class Amount {
    readonly wei = 1;

    toJSON(): string {
      return '1 wei';
    }
  }
  // oxlint-disable-next-line no-sparse-arrays -- The case under test.
  const sparse = [1, , 2];

  it.each([
    ['an undefined field', { a: [{ b: undefined, c: 1 }] }],
    ['an undefined entry', [undefined]],
    ['a sparse array', { a: sparse }],
    ['numbers that JSON lacks', [NaN, { a: Infinity }]],
    ['a function', { a: () => 1, toJSON: undefined }],
    ['a symbol', { a: Symbol('a') }],
    ['an object of a class', { a: new Amount() }],
    ['a date', [new Date(0)]],
    ['bytes', { a: Uint8Array.of(1, 2) }],
    ['a map', new Map([[1, 2]])],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ])('is plain JSON for %s', (_what, value: unknown) => {
    expect(toJson({ value })).toStrictEqual(JSON.parse(JSON.stringify({ value })));
  });

  it('is not copied if it is already JSON', () => {
    const value = [{ a: 'text', b: [0.5, true, null, {}], c: [] }];
    expect(toJson(value)).toBe(value);
  });

  it('is null for undefined', () => {
    expect(toJson(undefined)).toBeNull();
  });

  it('cannot contain a bigint', () => {
    expect(() => toJson([{ a: 1n }])).toThrow(TypeError);
  });
});

const never = new Promise<never>(() => undefined);

function setup() {
  const epochs = createEpochs();
  const backend = createMemoryBackend();
  const store = openPublicStore(Object.assign(backend, { epoch: epochs.current }));
  const enter = epochs.during;
  /** Ends an entry point while the work that it began goes on. */
  const abandon = async (begin: () => Promise<unknown>) =>
    enter(async () => {
      void begin();
      await settle();
    });
  return { epochs, enter, backend, store, abandon };
}

/** Sets up fee levels. `get` fetches them with the given function, and returns the thrown error. */
function setupLevels() {
  const { epochs, enter, store, abandon } = setup();
  const epoch = epochs.current;
  const levels = createFeeLevels({ store, now: () => 0, epoch, blockTimes: new Map() });
  const get = async (request: () => Promise<unknown>) => {
    const chain = { id: 1n, node: { request, tryRequest: request } };
    return caught(levels.get(chain as unknown as Chain));
  };
  return { abandon, enter, get };
}

const caught = async (failing: Promise<unknown>): Promise<unknown> =>
  failing.catch((error: unknown) => error);

const greet =
  (version: string) => (state: Awaited<ReturnType<PublicStore['read']>>) => ({
    ...state,
    greeted: version,
  });

describe('the epoch number', () => {
  it('changes when an entry point starts while no other runs', async () => {
    const { during, current } = createEpochs();
    const numbers: number[] = [];
    await during(async () => {
      await during(async () => Promise.resolve());
      numbers.push(current());
    });
    numbers.push(current());
    const failing = during(async () => Promise.reject(new Error('It failed.')));
    await expect(failing).rejects.toThrow('It failed.');
    numbers.push(current());
    expect(numbers).toStrictEqual([1, 1, 2]);
  });
});

// An abandoned call leaves the timer of its time limit running.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

it('an answer that arrives while the lock is checked leaves no timer', async () => {
  const { opened, open } = createGate();
  const answer = createGate();
  const waiting = withLimit('snap_x', answer.opened, async () =>
    opened.then(() => true),
  );
  jest.advanceTimersByTime(15_000);
  answer.open();
  await waiting;
  open();
  await settle();
  expect(jest.getTimerCount()).toBe(0);
});

describe('a stored document', () => {
  it('is written even if a write of an earlier epoch never settles', async () => {
    const { backend, store, abandon, enter } = setup();
    const { save } = backend;
    backend.save = async () => never;
    await abandon(async () => store.update(greet('0.1.0')));
    backend.save = save;
    const written = await enter(async () => store.update(greet('0.2.0')));
    expect(written).toMatchObject({ greeted: '0.2.0' });
    expect(await backend.load()).toMatchObject({ greeted: '0.2.0' });
  });

  it('is written even if a write begun after an entry point ended never settles', async () => {
    const { backend, store, enter } = setup();
    const { save } = backend;
    await enter(async () => Promise.resolve());
    backend.save = async () => never;
    void store.update(greet('0.1.0'));
    await settle();
    backend.save = save;
    const written = await enter(async () => store.update(greet('0.2.0')));
    expect(written).toMatchObject({ greeted: '0.2.0' });
  });

  it('is read again after a write that never settles but may have succeeded', async () => {
    const { backend, store, abandon, enter } = setup();
    const { save } = backend;
    backend.save = async (document) => {
      await save(document);
      return never;
    };
    await abandon(async () =>
      store.update((state) => ({ ...state, session: state.session + 1 })),
    );
    backend.save = save;
    const written = await enter(async () => store.update(greet('0.2.0')));
    expect(written).toMatchObject({ session: 1 });
  });

  it('is read even if a read of an earlier epoch never settles', async () => {
    const { backend, store, abandon, enter } = setup();
    const { load } = backend;
    backend.load = async () => never;
    await abandon(async () => store.read());
    backend.load = load;
    expect(await enter(async () => store.read())).toMatchObject({ session: 0 });
  });

  it('is written by all concurrent callers after an epoch that only reads', async () => {
    const { store, abandon, enter } = setup();
    await abandon(async () => store.update(greet('0.1.0')));
    await abandon(async () => store.read());
    const count = async (): Promise<unknown> =>
      store.update((state) => ({ ...state, session: state.session + 1 }));
    await enter(async () => Promise.all([count(), count(), count()]));
    expect(await store.read()).toMatchObject({ session: 3 });
  });

  it('is not written by an earlier epoch whose read settles late', async () => {
    const { backend, store, abandon, enter } = setup();
    const { load } = backend;
    let answer = (): void => undefined;
    backend.load = async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return load();
    };
    let late: Promise<unknown> | undefined;
    await abandon(async () => (late = caught(store.update(greet('late')))));
    backend.load = load;
    await enter(async () => store.update(greet('0.2.0')));
    answer();
    expect(await late).toMatchObject({ message: 'The write came too late.' });
    expect(await backend.load()).toMatchObject({ greeted: '0.2.0' });
  });
});

describe('fee levels', () => {
  const failure = new UnavailableError('It answers.');
  const fail = async (): Promise<never> => Promise.reject(failure);

  it('are fetched again even if a fetch of an earlier epoch never settles', async () => {
    const { get, abandon, enter } = setupLevels();
    await abandon(async () => get(async () => never));
    expect(await enter(async () => get(fail))).toBe(failure);
  });

  it('are shared with later callers even if an earlier fetch settles in the meantime', async () => {
    const { get, abandon, enter } = setupLevels();
    const first = createGate();
    const second = createGate();
    let late: Promise<unknown> | undefined;
    await abandon(async () => (late = get(async () => first.opened.then(fail))));
    const asking = enter(async () => get(async () => second.opened.then(fail)));
    await settle();
    first.open();
    expect(await late).toBe(failure);
    const sharing = enter(async () => get(async () => never));
    await settle();
    second.open();
    expect(await Promise.all([asking, sharing])).toStrictEqual([failure, failure]);
  });
});
