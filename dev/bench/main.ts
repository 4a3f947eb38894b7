// npm run bench: every bench, or those that are named. Ends with 1 if a ratio is missed.
// `--peer PATH` names the folder of a build of MetaMask's simple keyring, and `--bundle PATH` a bundle
// to measure in place of ours, both for the browser's.
import { parseArgs } from 'node:util';

import { benchBrowser } from './browser';
import { benchClient } from './client';
import { benchFees } from './fees';
import { benchInsight } from './insight';
import { printTable, type Bench } from './measure';
import { benchService } from './service';
import { benchTrips } from './trips';

const { values, positionals: names } = parseArgs({
  options: { bundle: { type: 'string' }, peer: { type: 'string' } },
  allowPositionals: true,
});

const benches: Record<string, () => Bench> = {
  browser: () => benchBrowser(values),
  client: benchClient,
  fees: benchFees,
  insight: benchInsight,
  service: benchService,
  trips: benchTrips,
};

let missed = 0;
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  const bench = benches[name];
  if (!bench) throw new Error(`There is no bench ${name}.`);
  for await (const table of bench()) missed += await printTable(table);
}
process.stdout.write(missed === 0 ? '\nall ratios kept\n' : `\n${missed} missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
