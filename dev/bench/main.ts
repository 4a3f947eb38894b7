// npm run bench: every bench, or those that are named. Ends with 1 if a ratio is missed.
import { benchAccounts } from './accounts';
import { benchClient } from './client';
import { benchService } from './service';
import { benchSigning } from './signing';
import { benchUserOperations } from './user-operations';

const benches: Record<string, () => Promise<number>> = {
  accounts: benchAccounts,
  client: benchClient,
  service: benchService,
  signing: benchSigning,
  'user-operations': benchUserOperations,
};

const names = process.argv.slice(2);
let missed = 0;
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  const bench = benches[name];
  if (!bench) throw new Error(`There is no bench ${name}.`);
  missed += await bench();
}
process.stdout.write(missed === 0 ? '\nall ratios kept\n' : `\n${missed} missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
