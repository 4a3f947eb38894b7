// What a run of the faults found: every case in a table, and a summary for docs.
import { readFile } from 'node:fs/promises';

import { formatAs, toTable } from '../docs/tables';
import type { Finding } from './sweep';

export type Result = { name: string; findings: readonly Finding[] };

const PAGE = 'docs/internals/faults.md';

/** Writes the summary below what the page begins with: for each flow, a row for each way to fail. */
export async function writeSummary(results: readonly Result[]): Promise<string> {
  const page = await readFile(PAGE, 'utf8');
  const sections = results.map(({ name, findings }) => {
    const rows = groupBy(findings, ({ fault }) => fault.name).map((cases) => [
      cases[0]?.fault.name ?? '',
      String(cases.length),
      list(cases.map(({ sees }) => shorten(sees))).join(', '),
      list(cases.map(({ holds }) => holds)).join('; '),
    ]);
    return toSection(name, ['A call …'], rows);
  });
  const head = page.slice(0, page.indexOf('\n\n## '));
  return formatAs(PAGE, [head, ...sections].join('\n\n'));
}

/** Writes all cases: for each flow, a row for each call and way to fail. */
export async function writeCases(results: readonly Result[]): Promise<string> {
  const sections = results.map(({ name, findings }) => {
    const groups = groupBy(findings, ({ point, fault }) =>
      [point.side, point.call, fault.name].join(' '),
    );
    const rows = groups.map((cases) => [
      cases[0]?.point.call ?? '',
      cases[0]?.fault.name ?? '',
      String(cases.length),
      list(cases.map(({ sees }) => sees)).join('<br>'),
      list(cases.map(({ holds }) => holds)).join('<br>'),
    ]);
    return toSection(name, ['Call', 'What happens'], rows);
  });
  return formatAs('dist/faults.md', ['# All cases', ...sections].join('\n\n'));
}

function toSection(name: string, groups: readonly string[], rows: string[][]) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const head = [...groups, 'Cases', 'The caller sees', 'Afterwards'];
  return `## ${title}\n\n${toTable(head, rows)}`;
}

function groupBy(findings: readonly Finding[], toKey: (finding: Finding) => string) {
  const keys = new Set(findings.map(toKey));
  return [...keys].map((key) => findings.filter((each) => toKey(each) === key));
}

function list(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

// An error by its code alone.
function shorten(sees: string): string {
  if (sees === 'succeeds') return 'success';
  if (sees === 'waits') return 'waits for the user';
  return /^-?\d+(?=: )/u.exec(sees)?.[0] ?? 'a message on the page';
}
