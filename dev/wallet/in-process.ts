// An execution service that runs the snap in this process, with the caller's clock and network. It
// behaves like MetaMask's executor: the end of the last entry point drops late answers and clears
// timers, and pending requests pause the time limit. It has no sandbox, so third-party snaps run in
// worker.ts.
import vm from 'node:vm';

import type { JsonRpcEngine } from '@metamask/json-rpc-engine';
import type { Messenger } from '@metamask/messenger';
import { JsonRpcError, rpcErrors, serializeError } from '@metamask/rpc-errors';
import type {
  ExecutionServiceActions,
  ExecutionServiceEvents,
} from '@metamask/snaps-controllers';
import { WrappedSnapError } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import { messengerFor, type RootMessenger, toJson } from './base';
import type { SnapCall } from './engine';

export type Execution = {
  readonly printed: string[];
  terminateAllSnaps: () => Promise<void>;
};

export function createInProcessService(
  root: RootMessenger,
  getEngine: (snapId: string) => JsonRpcEngine,
  world: World,
): Execution {
  const messenger =
    messengerFor<
      Messenger<'ExecutionService', ExecutionServiceActions, ExecutionServiceEvents>
    >(root);
  const workers = new Map<string, Worker>();
  const terminate = async (snapId: string): Promise<void> => {
    const worker = workers.get(snapId);
    if (worker) worker.isDead = true;
    workers.delete(snapId);
    return Promise.resolve();
  };
  const terminateAll = async (): Promise<void> => {
    for (const snapId of [...workers.keys()]) await terminate(snapId);
  };

  messenger.registerActionHandler(
    'ExecutionService:executeSnap',
    async ({ snapId, sourceCode }) => {
      const worker: Worker = { exports: {}, running: 0, era: 0, isDead: false };
      const notify = (name: 'outboundRequest' | 'outboundResponse'): void =>
        messenger.publish(`ExecutionService:${name}`, snapId);
      const engine = getEngine(snapId);
      worker.exports = evaluate(
        sourceCode,
        createGlobals({ worker, engine, notify, world }),
      );
      workers.set(snapId, worker);
      return Promise.resolve('OK');
    },
  );
  messenger.registerActionHandler(
    'ExecutionService:handleRpcRequest',
    async (snapId, { handler, origin, request }) => {
      const worker = workers.get(snapId);
      if (!worker) throw new Error(`"${snapId}" is not currently running.`);
      const { params } = request as { params?: object };
      const given = HANDLERS_WITH_PARAMS.includes(handler) ? params : {};
      return run(worker, handler, { origin, request, ...given });
    },
  );
  messenger.registerActionHandler('ExecutionService:terminateSnap', terminate);
  messenger.registerActionHandler('ExecutionService:terminateAllSnaps', terminateAll);
  return { printed: [], terminateAllSnaps: terminateAll };
}

/** Entry points whose arguments are the params of the request. */
const HANDLERS_WITH_PARAMS = [
  'onUserInput',
  'onWebSocketEvent',
  'onTransaction',
  'onSignature',
];

async function run(worker: Worker, handler: string, args: unknown): Promise<unknown> {
  worker.running += 1;
  try {
    return toJson((await worker.exports[handler]?.(toJson(args))) ?? null);
  } catch (error) {
    const { code, message, data } = serializeError(new WrappedSnapError(error), {
      fallbackError: rpcErrors.internal('Execution Environment Error').serialize(),
      shouldPreserveMessage: false,
    });
    throw new JsonRpcError(code, message, data);
  } finally {
    worker.running -= 1;
    if (worker.running === 0) worker.era += 1;
  }
}

type Compiled = (module: { exports: Exports }, globals: object) => void;

const compiled = new Map<string, Compiled>();
const NAMES = 'snap, ethereum, fetch, Math, crypto, Date, setTimeout, clearTimeout';

function evaluate(sourceCode: string, globals: object): Exports {
  const source = `(module, { ${NAMES} }) => { const { exports } = module; ${sourceCode}\n}`;
  const start =
    compiled.get(source) ?? (new vm.Script(source).runInThisContext() as Compiled);
  compiled.set(source, start);
  const module = { exports: {} };
  start(module, globals);
  return module.exports;
}

/** The world outside the wallet: the snap's clock and network. */
export type World = {
  time: Clock;
  fetch: typeof fetch;
  /** Number of pending requests (except to the user) and of computations on other threads. */
  asking: { count: number };
};

type Exports = Record<string, ((args: unknown) => unknown) | undefined>;

/** `running` counts entry points; `era` counts how often the worker became idle. */
type Worker = { exports: Exports; running: number; era: number; isDead: boolean };

const USER_METHODS = ['snap_dialog', 'snap_manageAccounts'];

function createGlobals(options: {
  worker: Worker;
  engine: JsonRpcEngine;
  notify: (name: 'outboundRequest' | 'outboundResponse') => void;
  world: World;
}): Record<string, unknown> {
  const { worker, engine, notify, world } = options;
  let nextId = 1;
  const ask = async <Result>(
    question: () => Promise<Result>,
    waitsForUser = false,
  ): Promise<Result> => {
    const { era } = worker;
    const isLive = (): boolean => !worker.isDead && worker.era === era;
    if (worker.isDead) return new Promise(() => undefined);
    notify('outboundRequest');
    const weight = waitsForUser ? 0 : 1;
    world.asking.count += weight;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        world.asking.count -= weight;
        if (!worker.isDead) notify('outboundResponse');
        if (isLive()) settle();
      };
      question().then(
        (result) => end(() => resolve(result)),
        (error: Error) => end(() => reject(error)),
      );
    });
  };
  const request = async ({ method, params }: SnapCall): Promise<Json> =>
    ask(async () => {
      const id = nextId++;
      const asked = { jsonrpc: '2.0' as const, id, method, ...(params && { params }) };
      const answer = await engine.handle(toJson<typeof asked>(asked));
      if (!('error' in answer)) return toJson<Json>(answer.result ?? null);
      const { code, message, data } = answer.error as JsonRpcError<Json>;
      throw new JsonRpcError(code, message, data);
    }, USER_METHODS.includes(method));
  return {
    snap: { request },
    ethereum: { request },
    fetch: async (...args: Parameters<typeof fetch>) =>
      ask(async () => world.fetch(...args)),
    // A constant random number makes the delays and the order of retries deterministic.
    Math: Object.create(Math, { random: { value: () => 0.5 } }) as object,
    crypto: createCrypto(world),
    ...createClock(worker, world),
  };
}

/** Counts computations as pending, so that no timer runs while a key is being derived. */
function createCrypto({ asking }: World): object {
  const subtle = new Proxy(crypto.subtle, {
    get: (target, name) => {
      const work: unknown = Reflect.get(target, name);
      if (typeof work !== 'function') return work;
      return async (...args: unknown[]): Promise<unknown> => {
        asking.count += 1;
        try {
          return (await Reflect.apply(work, target, args)) as unknown;
        } finally {
          asking.count -= 1;
        }
      };
    },
  });
  return {
    subtle,
    getRandomValues: crypto.getRandomValues.bind(crypto),
    randomUUID: crypto.randomUUID.bind(crypto),
  };
}

function createClock(worker: Worker, { time }: World): Record<string, unknown> {
  return {
    Date: createDate(time),
    setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const { era } = worker;
      return time.set(
        () => {
          if (!worker.isDead && worker.era === era) run(...args);
        },
        Math.max(10, ms),
      );
    },
    clearTimeout: (handle: object) => time.clear(handle),
  };
}

function createDate(time: Clock): DateConstructor {
  return class extends Date {
    constructor(...args: [] | [number | string]) {
      super(...((args.length === 0 ? [time.now()] : args) as [number]));
    }

    static override now(): number {
      return time.now();
    }
  } as DateConstructor;
}

type Clock = Pick<VirtualTime, keyof VirtualTime>;

type Timer = { due: number; run: () => void };

/** A clock with timers. Only `moveTo` advances the time. */
export class VirtualTime {
  readonly #timers = new Map<object, Timer>();

  #time = Date.now();

  /** Milliseconds since 1970. */
  now(): number {
    return this.#time;
  }

  set(run: () => void, ms: number): object {
    const handle = Object.freeze({});
    this.#timers.set(handle, { due: this.#time + Math.max(0, ms), run });
    return handle;
  }

  clear(handle: object): void {
    this.#timers.delete(handle);
  }

  /** Returns when the next timer is due; undefined if none is set. */
  next(): number | undefined {
    return this.#findNext()?.[1].due;
  }

  moveTo(time: number): void {
    for (;;) {
      const [handle, timer] = this.#findNext() ?? [];
      if (!handle || !timer || timer.due > time) break;
      this.#timers.delete(handle);
      this.#time = Math.max(this.#time, timer.due);
      timer.run();
    }
    this.#time = Math.max(this.#time, time);
  }

  #findNext(): [object, Timer] | undefined {
    return [...this.#timers].sort(([, one], [, other]) => one.due - other.due)[0];
  }
}
