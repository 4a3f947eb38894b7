// The globals of a snap that runs in this process: the platform, the network, the clock.
import type { JsonRpcEngine } from '@metamask/json-rpc-engine';
import { JsonRpcError } from '@metamask/rpc-errors';
import type { Json } from '@metamask/utils';

import type { SnapCall } from './engine';
import { toJson } from './json';
import type { VirtualTime } from './virtual-time';

/** What the snap has of the world outside of the wallet. */
export type World = {
  time: VirtualTime;
  fetch: typeof fetch;
  /** What `Math.random` answers; chance where absent. */
  random?: () => number;
  /** How many of the snap's questions that no person answers are not answered yet, with
   * what it has computed outside of its thread. */
  asking: { count: number };
};

/** What a snap exports. */
export type Exports = Record<string, ((args: unknown) => unknown) | undefined>;

/** A worker: what it exports, and what ends with it. */
export type Job = { exports: Exports; running: number; era: number; isDead: boolean };

/** What a person may be asked about meanwhile. */
const PERSONAL = ['snap_dialog', 'snap_manageAccounts'];

/** What the globals are made of. */
export type Scope = {
  job: Job;
  engine: JsonRpcEngine;
  tell: (name: 'outboundRequest' | 'outboundResponse') => void;
  world: World;
};

/** Create what a snap finds as globals. */
export function createGlobals({
  job,
  engine,
  tell,
  world,
}: Scope): Record<string, unknown> {
  let nextId = 1;
  /** Ask outside; what comes too late is never told, as in MetaMask's executor. */
  const ask = async <Result>(
    question: () => Promise<Result>,
    isPersonal = false,
  ): Promise<Result> => {
    const { era } = job;
    const isLive = (): boolean => !job.isDead && job.era === era;
    if (job.isDead) return new Promise(() => undefined);
    tell('outboundRequest');
    const weight = isPersonal ? 0 : 1;
    world.asking.count += weight;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        world.asking.count -= weight;
        if (!job.isDead) tell('outboundResponse');
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
    }, PERSONAL.includes(method));
  return {
    snap: { request },
    ethereum: { request },
    fetch: async (...args: Parameters<typeof fetch>) =>
      ask(async () => world.fetch(...args)),
    Math: createMath(world),
    crypto: createCrypto(world),
    ...createClock(job, world),
  };
}

function createMath({ random = Math.random }: World): object {
  return Object.create(Math, { random: { value: random } }) as object;
}

/** Deriving a key takes its time, in which no timer of the snap's may ring for it. */
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

function createClock(job: Job, { time }: World): Record<string, unknown> {
  return {
    Date: createDate(time),
    setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const { era } = job;
      return time.set(
        () => {
          if (!job.isDead && job.era === era) run(...args);
        },
        Math.max(10, ms),
      );
    },
    clearTimeout: (handle: object) => time.clear(handle),
  };
}

function createDate({ now }: VirtualTime): DateConstructor {
  return class extends Date {
    constructor(...args: [] | [number | string]) {
      super(...((args.length === 0 ? [now()] : args) as [number]));
    }

    static override now(): number {
      return now();
    }
  } as DateConstructor;
}
