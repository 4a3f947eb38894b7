// The README's tables of methods and errors, generated from the contract.
import { companionGroups, siteGroups } from './contract';
import { callsErrors, generalErrors } from './contract/errors';
import type { ErrorRow } from './contract/errors';
import type { ErrorUse, Group, Row } from './contract/row';
import { toTable } from './table';

/** Write the table of the methods that every site may call. */
export function writeSiteTable(): string {
  return toTable(
    ['Method', 'Params', 'Result', 'Asks the user', 'Errors'],
    rowsOf(siteGroups).map((row) => [
      ...[nameOf(row), row.params.cell, row.result.cell],
      ...[row.asks, listErrors(row)],
    ]),
  );
}

/** Write the table of the methods that the companion page alone may call. */
export function writeCompanionTable(): string {
  return toTable(
    ['Method', 'Params', 'Result', 'Errors'],
    rowsOf(companionGroups).map((row) => [
      ...[nameOf(row), row.params.cell, row.result.cell, listErrors(row)],
    ]),
  );
}

/** Write the table of the errors that any method can answer with. */
export function writeErrorTable(): string {
  return toTable(['Code', 'Meaning'], generalErrors.map(toRow));
}

/** Write the table of the errors of batches (EIP-5792). */
export function writeCallsErrorTable(): string {
  return toTable(['Code', 'Why'], callsErrors.map(toRow));
}

/** List a method's errors in one line. */
export function listErrors({ errors, passesOn }: Row): string {
  const all = [...errors.map(toWords), ...(passesOn === undefined ? [] : [passesOn])];
  return all.length === 0 ? '–' : all.join(', ');
}

function toWords(use: ErrorUse): string {
  return typeof use === 'number' ? String(use) : `${use.code} (${use.when})`;
}

function toRow({ code, meaning }: ErrorRow): string[] {
  return [String(code), meaning];
}

function nameOf({ name }: Row): string {
  return `\`${name}\``;
}

function rowsOf(groups: readonly Group[]): Row[] {
  return groups.flatMap(({ rows }) => rows);
}
