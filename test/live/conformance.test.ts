// The conformance kit over the provider in MetaMask's packages, the wallet for tests and MetaMask's
// own; the docs show what comes out.
import { readFile } from 'node:fs/promises';

import {
  CONFORMANCE_PAGE,
  formatPage,
  runColumns,
} from '../../dev/conformance/columns';
import type { Columns } from '../../dev/conformance/columns';

let columns: Columns;

beforeAll(async () => {
  columns = await runColumns();
  // Some forty batches, one after another.
}, 90_000);

const idsOf = (name: string, outcome: string): string[] =>
  (columns[name] ?? []).filter((each) => each.outcome === outcome).map(({ id }) => id);

it.each([
  ['Tollkeeper', []],
  // It signs no messages, and keeps the snap for the next column.
  ['Smart account', ['1193-4001-sign', '1193-sign', '1193-disconnect']],
  ['In tests', ['1193-disconnect']],
])('passes %s', (name, notApplicable) => {
  expect(idsOf(name, 'fail')).toStrictEqual([]);
  expect(idsOf(name, 'not applicable')).toStrictEqual(notApplicable);
  expect(idsOf(name, 'pass').length).toBeGreaterThan(40);
});

it('is what the docs show: npm run conformance', async () => {
  expect(await readFile(CONFORMANCE_PAGE, 'utf8')).toBe(formatPage(columns));
});
