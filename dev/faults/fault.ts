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

const failing: Fault['act'] = async () => Promise.resolve().then(fail);

const loseAnswer: Fault['act'] = async ({ perform }) => {
  await perform();
  fail();
};

const cutOff: Fault['act'] = async (act) => {
  act.cutOff();
  return Promise.resolve().then(fail);
};

const hang: Fault['act'] = async (act) => act.hang();

const doAndHang: Fault['act'] = async (act) => {
  await act.perform();
  await act.hang();
};

const doTwice: Fault['act'] = async ({ perform }) => void (await perform());

const stopBefore: Fault['act'] = async (act) => {
  await act.stop();
  await act.hang();
};

const stopAfter: Fault['act'] = async (act) => {
  await act.perform();
  await stopBefore(act);
};

/** Every fault. */
export const faults: readonly Fault[] = [
  { name: 'fails', sides: BOTH, act: failing },
  { name: 'is done, its answer lost', sides: BOTH, isOfEffects: true, act: loseAnswer },
  { name: 'fails, and all after it', sides: ['network'], act: cutOff },
  { name: 'hangs', sides: ['platform'], act: hang },
  { name: 'is done, and hangs', sides: ['network'], act: doAndHang },
  { name: 'is done twice', sides: BOTH, act: doTwice },
  { name: 'worker stopped before it', sides: BOTH, act: stopBefore },
  { name: 'worker stopped after it', sides: BOTH, isOfEffects: true, act: stopAfter },
];
