// Writes results as a Markdown table, which also reads well in a terminal.
import type { Outcome, Result } from './types';

const marks: Record<Outcome, string> = {
  pass: 'pass',
  fail: '**fail**',
  'not applicable': 'n/a',
};

/** Writes results, by the provider's name, as a Markdown table: a row for each case, a column for each
 * provider, and the reasons of what did not pass below. */
export function formatTable(
  columns: Readonly<Record<string, readonly Result[]>>,
): string {
  const names = Object.keys(columns);
  const [first = []] = Object.values(columns);
  const rows = first.map(({ id, standard, section, checks }, index) => [
    `\`${id}\``,
    `${standard}, ${section}`,
    checks,
    ...names.map((name) => marks[columns[name]?.[index]?.outcome ?? 'not applicable']),
  ]);
  const table = [['Case', 'Section', 'Checks', ...names], ...rows];
  const reasons = names.flatMap((name) => {
    const others = (columns[name] ?? []).filter(({ outcome }) => outcome !== 'pass');
    const lines = [...groupByReason(others)].map(
      ([reason, ids]) => `- ${ids.join(', ')}: ${reason}`,
    );
    return lines.length === 0 ? [] : ['', `**${name}**`, '', ...lines];
  });
  return [...alignCells(table), ...reasons].join('\n');
}

function alignCells(table: readonly (readonly string[])[]): string[] {
  const escaped = table.map((cells) => cells.map(escape));
  const widths = (escaped[0] ?? []).map((_, column) =>
    Math.max(...escaped.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = escaped.map((cells) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return lines.toSpliced(1, 0, rule).map((cells) => `| ${cells.join(' | ')} |`);
}

function groupByReason(results: readonly Result[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, outcome, reason = '' } of results) {
    const key = `${outcome}. ${escape(reason)}`;
    groups.set(key, [...(groups.get(key) ?? []), `\`${id}\``]);
  }
  return groups;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
