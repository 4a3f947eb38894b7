// Runs a user's job without faults, and then once for each call of the snap and each kind of fault.
import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { type Account, type Case, type Ending, openCase } from './bench';
import { type Disturbance, faults, hasEffect, type Point } from './fault';
import type { TestServers } from './servers';

export type Flow<Given = unknown, Before = unknown> = {
  name: string;
  /** Prepares the job. Each case begins with the wallet's disk after this step. */
  prepare?: (bench: Case) => Promise<Given>;
  look?: (bench: Case, given: Given) => Promise<Before>;
  run: (bench: Case, given: Given, before: Before) => Promise<unknown>;
  /** Checks the invariants after the job, and repeats the job as a user would. Throws if an
   * invariant is violated. Returns a summary. */
  check: (
    bench: Case,
    given: Given,
    ended: { ending: Ending; before: Before },
  ) => Promise<string>;
};

export function hold(isTrue: boolean, statement: string): asserts isTrue {
  if (!isTrue) throw new Error(`Violated: ${statement}.`);
}

export type Prepared = {
  flow: Flow;
  given: unknown;
  ground: TestServers;
  points: readonly Point[];
};

export type Finding = Disturbance & { sees: string; holds: string };

/** Prepares a flow, and records its calls without a fault. */
export async function prepare(flow: Flow, ground: TestServers): Promise<Prepared> {
  const bench = await openCase(ground);
  const given = await flow.prepare?.(bench);
  const disk = await bench.wallet.disk();
  await bench.end();
  const prepared = { flow, given, ground: { ...ground, disk }, points: [] };
  const { points, ending } = await runOnce(prepared);
  if ('result' in ending) return { ...prepared, points };
  const cause = 'error' in ending ? ending.error : undefined;
  throw new Error(`${flow.name}: ${seen(ending)}`, { cause });
}

/** Selects one fault per call. The kind of fault changes from call to call. */
export function sampleCases(prepared: Prepared): Disturbance[] {
  const all = listCases(prepared);
  return prepared.points.flatMap((point, index) => {
    const own = all.filter((each) => each.point === point);
    return own.slice(index % own.length).slice(0, 1);
  });
}

export function listCases({ points }: Prepared): Disturbance[] {
  return points.flatMap((point) =>
    faults
      .filter(({ sides }) => sides.includes(point.side))
      .filter(({ needsEffect }) => needsEffect !== true || hasEffect(point))
      .map((fault) => ({ point, fault })),
  );
}

export async function disturb(
  prepared: Prepared,
  disturbance: Disturbance,
): Promise<Finding> {
  const { point, fault } = disturbance;
  try {
    const { ending, holds } = await runOnce(prepared, disturbance);
    return { point, fault, sees: seen(ending), holds };
  } catch (error) {
    const where = `${prepared.flow.name}: ${point.call} ${point.nth}: ${fault.name}`;
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}

async function runOnce(
  { flow, given, ground }: Prepared,
  disturbance?: Disturbance,
): Promise<{ points: readonly Point[]; ending: Ending; holds: string }> {
  const bench = await openCase({ ...ground, disturbance });
  try {
    const before = await flow.look?.(bench, given);
    const from = bench.points.length;
    const ending = await bench.until(flow.run(bench, given, before));
    const points = bench.points.slice(from);
    if (disturbance && !bench.isMet()) throw new Error('No such call was made.');
    bench.mend();
    // No answer will come, so the worker stops and the user starts again.
    if ('waits' in ending) await bench.wallet.stopSnap();
    const holds = await flow.check(bench, given, { ending, before });
    await checkSigning(bench, ground.kept);
    return { points, ending, holds };
  } finally {
    await bench.end();
  }
}

/** Checks that a new worker can read the state and sign for an unaffected account. */
async function checkSigning(bench: Case, { address }: Account): Promise<void> {
  await bench.wallet.stopSnap();
  const message = 'Here I am.';
  const signing = bench.dapp.snap('personal_sign', [stringToHex(message), address]);
  const signature = (await bench.get(signing)) as Hex;
  const signer = await recoverMessageAddress({ message, signature });
  if (signer.toLowerCase() !== address) throw new Error(`${signer} signed.`);
}

function seen(ending: Ending): string {
  if ('waits' in ending) return 'waits for the user';
  if ('result' in ending) return 'success';
  const { code } = ending.error as { code?: number };
  return code === undefined ? 'a message on the page' : String(code);
}
