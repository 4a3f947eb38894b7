// npm run bench: runs every benchmark, or the named ones. Exits with 1 if a bound is missed.
import { readArgs } from '../args';
import { ensureBuilt } from '../build/built';
import { benchBrowser } from './browser';
import { benchClient } from './client';
import { benchFees } from './fees';
import { printTable, type Bench } from './measure';
import { benchService } from './service';

const benches: Record<string, () => Bench> = {
  browser: () => benchBrowser(values),
  client: benchClient,
  fees: benchFees,
  service: benchService,
};

const { values, names } = readArgs(
  `npm run bench [-- NAME …] [--peer FOLDER] [--bundle FILE]

Runs every bench, or those that are named: ${Object.keys(benches).join(', ')}.
--peer is a build of MetaMask's simple keyring and --bundle a bundle to measure, for "browser".`,
  { bundle: { type: 'string' }, peer: { type: 'string' } },
  (name) => Object.hasOwn(benches, name),
);

await ensureBuilt();
let missed = 0;
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  for await (const table of benches[name]?.() ?? []) missed += await printTable(table);
}
process.stdout.write(
  missed === 0 ? '\nall ratios are within their limits\n' : `\n${missed} missed\n`,
);
process.exitCode = missed === 0 ? 0 : 1;
