// How a call goes wrong.
import type { Side } from './point';

/** What a fault does with a call. */
export type Act = {
  /** Do what was asked for. */
  perform: () => Promise<unknown>;
  stop: () => Promise<void>;
  /** Let every further request to a server fail. */
  cutOff: () => void;
  /** Wait for ever. */
  hang: () => Promise<never>;
};

/** A fault. */
export type Fault = {
  name: string;
  sides: readonly Side[];
  /** Whether it is told from others only where something is done. */
  isOfEffects?: true;
  /** Comes before the call; what it throws is what the snap gets. */
  act: (act: Act) => Promise<void>;
};

const BOTH = ['platform', 'network'] as const;

function fail(): never {
  throw new Error('It was made to fail.');
}

/** Every fault. */
export const faults: readonly Fault[] = [
  { name: 'fails', sides: BOTH, act: async () => Promise.resolve().then(fail) },
  {
    name: 'is done, its answer lost',
    sides: BOTH,
    isOfEffects: true,
    act: async ({ perform }) => {
      await perform();
      fail();
    },
  },
  {
    name: 'fails, and all after it',
    sides: ['network'],
    act: async ({ cutOff }) => {
      cutOff();
      return Promise.resolve().then(fail);
    },
  },
  { name: 'hangs', sides: ['platform'], act: async ({ hang }) => hang() },
  {
    name: 'is done, and hangs',
    sides: ['network'],
    act: async ({ perform, hang }) => {
      await perform();
      await hang();
    },
  },
  {
    name: 'is done twice',
    sides: BOTH,
    act: async ({ perform }) => void (await perform()),
  },
  {
    name: 'worker stopped before it',
    sides: BOTH,
    act: async ({ stop, hang }) => {
      await stop();
      await hang();
    },
  },
  {
    name: 'worker stopped after it',
    sides: BOTH,
    isOfEffects: true,
    act: async ({ perform, stop, hang }) => {
      await perform();
      await stop();
      await hang();
    },
  },
];
