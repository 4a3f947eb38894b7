// The results of many cases, as a table with a row per route.
import { toTable } from '../docs/tables';
import { failureKinds } from './oracle';
import type { Result } from './play';

/** The number of outcomes by route. Refusals are counted by code. */
export type Summary = {
  rows: Record<string, Record<string, number>>;
  failed: Result[];
};

export function count({ rows, failed }: Summary, result: Result): void {
  const { route, outcome, failure } = result;
  const row = (rows[route] ??= {});
  const key = outcome.kind === 'refused' ? outcome.code : outcome.kind;
  row[key] = (row[key] ?? 0) + 1;
  if (failure) failed.push(result);
}

export function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0);
}

export function describe({ rows, failed }: Summary): string {
  const all = Object.entries(rows).sort(([one], [other]) => one.localeCompare(other));
  const total = failureKinds.map(
    (kind) =>
      `${kind}: ${failed.filter(({ failure }) => failure?.kind === kind).length}`,
  );
  const [refusals, stopped] = ['Refused, by code', 'Stopped by the platform'];
  const table = toTable(
    ['Route', 'Cases', 'Answered', refusals, stopped, 'Failures'],
    all.map(([name, row]) => {
      const { answered = 0, platform = 0, hung: _hung, ...refused } = row;
      const codes = Object.entries(refused).sort(([, one], [, other]) => other - one);
      const list = codes.map(([code, times]) => `${code}: ${times}`).join(', ');
      const failures = failed.filter(({ route }) => route === name).length;
      return [name, sum(row), answered, list, platform, failures].map(String);
    }),
  );
  return `${table}\n\n${total.join(', ')}`;
}

export function describeFailure({ route, request, failure, replay }: Result): string {
  const text = JSON.stringify(request);
  const shown = text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
  const where = `--seed ${replay?.seed} --path ${replay?.path}`;
  return `${where} (${route}): ${failure?.kind}: ${failure?.details}\n  ${shown}`;
}
