// The results of many cases, in a table with a row for each route.
import { toTable } from '../docs/tables';
import { failureKinds } from './oracle';
import type { Result } from './play';

/** Counts the outcomes of a route; `refused` is by code. */
const createRow = () => ({
  cases: 0,
  answered: 0,
  platform: 0,
  hung: 0,
  failures: 0,
  refused: new Map<number, number>(),
});

type Summary = { rows: Map<string, ReturnType<typeof createRow>>; failed: Result[] };

export function createSummary(): Summary {
  return { rows: new Map(), failed: [] };
}

export function count({ rows, failed }: Summary, result: Result): void {
  const { route, outcome, failure } = result;
  const row = rows.get(route) ?? createRow();
  rows.set(route, row);
  row.cases += 1;
  if (outcome.kind === 'refused') {
    row.refused.set(outcome.code, (row.refused.get(outcome.code) ?? 0) + 1);
  } else row[outcome.kind] += 1;
  if (!failure) return;
  row.failures += 1;
  failed.push(result);
}

/** Writes a summary as a table in Markdown, and what failed below it. */
export function describe({ rows, failed }: Summary): string {
  const all = [...rows].sort(([one], [other]) => one.localeCompare(other));
  const total = failureKinds.map(
    (kind) =>
      `${kind}: ${failed.filter(({ failure }) => failure?.kind === kind).length}`,
  );
  const [refusals, stopped] = ['Refused, by code', 'Stopped by the platform'];
  const table = toTable(
    ['Route', 'Cases', 'Answered', refusals, stopped, 'Failures'],
    all.map(([name, { cases, answered, platform, refused, failures }]) => {
      const codes = [...refused].sort(([, one], [, other]) => other - one);
      const list = codes.map(([code, times]) => `${code}: ${times}`).join(', ');
      return [name, cases, answered, list, platform, failures].map(String);
    }),
  );
  return `${table}\n\n${total.join(', ')}`;
}

/** Writes a failed case with the details to reproduce it. */
export function describeFailure({ route, request, failure, replay }: Result): string {
  const text = JSON.stringify(request);
  const shown = text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
  const where = replay
    ? `--seed ${replay.seed} --path ${replay.path}`
    : 'unknown place';
  return `${where} (${route}): ${failure?.kind}: ${failure?.details}\n  ${shown}`;
}
