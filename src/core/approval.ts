// An approval holds the tasks that the user approved. Each task can be signed once.
import { isPlainObject } from '@metamask/utils';

import { hashPayload } from './digest';
import { InternalError } from './errors';
import type { Hex } from './hex';
import type { Authorization, SigningTask } from './payload';
import type { Hashes } from './typed-data';

/** A frozen copy of a task, as it was shown, with its hashes. */
export type HeldTask = SigningTask & Readonly<Hashes>;

/** A handle to approved tasks. It is empty: the core keeps the tasks. */
export class Approval {
  /** Makes the type nominal. */
  protected readonly isApproval = true;
}

/** A signed task's result, for later tasks of the same approval that include it. */
export type Outcome =
  | { placeholder: Hex; signature: Hex }
  | { authority: Hex; authorization: Authorization };

type State = { tasks: readonly HeldTask[]; used: Set<HeldTask>; outcomes: Outcome[] };

const states = new WeakMap<Approval, State>();

/** Freezes copies of tasks, so that nobody else can change them, and hashes them. */
export function holdTasks(tasks: readonly SigningTask[]): readonly HeldTask[] {
  return Object.freeze(
    Array.from(tasks, (task) => {
      const held = copy(task);
      return Object.freeze({ ...held, ...hashPayload(held.payload) });
    }),
  );
}

export function approve(tasks: readonly HeldTask[]): Approval {
  const approval = new Approval();
  Object.freeze(approval);
  states.set(approval, { tasks, used: new Set(), outcomes: [] });
  return approval;
}

export function tasksOf(approval: Approval): readonly HeldTask[] {
  return stateOf(approval).tasks;
}

/** Throws `InternalError` if the task does not exist or was taken before. */
export function takeTask(approval: Approval, index: number): HeldTask {
  const { tasks, used } = stateOf(approval);
  const task = tasks[index];
  if (!task) throw new InternalError(`The approval has no task ${index}.`);
  if (used.has(task)) throw new InternalError(`Task ${index} was already signed.`);
  used.add(task);
  return task;
}

export function noteSigned(approval: Approval, outcome: Outcome): void {
  stateOf(approval).outcomes.push(outcome);
}

export function outcomesOf(approval: Approval): readonly Outcome[] {
  return stateOf(approval).outcomes;
}

function stateOf(approval: Approval): State {
  const state = states.get(approval);
  if (!state) throw new InternalError('Unknown approval.');
  return state;
}

/** Returns a frozen copy of plain data. Throws `InternalError` for functions and class
 * instances. */
function copy<Value>(value: Value): Value {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new InternalError('A signing task must contain plain data only.');
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = Array.from(value as unknown[], copy);
    return Object.freeze(items) as Value;
  }
  if (!isPlainObject(value)) {
    throw new InternalError('A signing task must contain plain data only.');
  }
  const fields = Object.entries(value).map(([name, each]) => [
    name,
    copy<unknown>(each),
  ]);
  return Object.freeze(Object.fromEntries(fields)) as Value;
}
