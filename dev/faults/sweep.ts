// Runs a user's job undisturbed, and then for each of the snap's calls and each kind of fault.
import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { type Account, type Case, type Ending, openCase } from './bench';
import { type Disturbance, faults, hasEffect, type Point } from './fault';
import type { Ground } from './servers';

export type Flow<Given = unknown, Before = unknown> = {
  name: string;
  /** Prepares the job; each case begins with the resulting disk. */
  prepare?: (bench: Case) => Promise<Given>;
  /** Records, before the job, the state that it will change. */
  look?: (bench: Case, given: Given) => Promise<Before>;
  run: (bench: Case, given: Given, before: Before) => Promise<unknown>;
  /** Checks the invariants after the job, and repeats it as a user would; throws on violations. */
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
  /** With the disk that each case begins with. */
  ground: Ground;
  points: readonly Point[];
};

export type Finding = Disturbance & { sees: string; holds: string };

/** Prepares a flow, and runs it once to record its calls. */
export async function prepare(flow: Flow, ground: Ground): Promise<Prepared> {
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

/** Lists one fault per call, rotating through the kinds. */
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
      .filter(({ isOfEffects }) => isOfEffects !== true || hasEffect(point))
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
    // No answer comes, so the user starts over.
    if ('waits' in ending) await bench.wallet.stopSnap();
    const holds = await flow.check(bench, given, { ending, before });
    await checkSigning(bench, ground.kept);
    return { points, ending, holds };
  } finally {
    await bench.end();
  }
}

/** A new worker reads the state, and signs for an unaffected account. */
async function checkSigning(bench: Case, { address }: Account): Promise<void> {
  await bench.wallet.stopSnap();
  const message = 'Here I am.';
  const signing = bench.dapp.snap('personal_sign', [stringToHex(message), address]);
  const signature = (await bench.get(signing)) as Hex;
  const signer = await recoverMessageAddress({ message, signature });
  if (signer.toLowerCase() !== address) throw new Error(`${signer} signed.`);
}

/** The caller's result: an error by its code alone. */
function seen(ending: Ending): string {
  if ('waits' in ending) return 'waits for the user';
  if ('result' in ending) return 'success';
  const { code } = ending.error as { code?: number };
  return code === undefined ? 'a message on the page' : String(code);
}
