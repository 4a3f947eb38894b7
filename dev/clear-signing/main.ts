// npm run clear-signing: builds the development snap with descriptors from a checkout of the
// ERC-7730 registry, runs the registry's test cases on it, or both.
import { readArgs, refuse } from '../args';
import { buildDevSnap } from '../build/build';
import { runCommand } from '../demo/print';
import { bindSources } from './build';
import { askCases, type CaseResult, readCases } from './cases';
import { listChanges } from './changes';
import { readPackage, readRegistry } from './sources';

const { registry, cases } = readArgs(
  `npm run clear-signing -- --registry FOLDER [--cases FOLDER]

--registry builds the development snap with the descriptors of a checkout of the registry;
--cases runs the registry's test cases on it.`,
  { registry: { type: 'string' }, cases: { type: 'string' } },
).values;
if (registry === undefined && cases === undefined) {
  refuse('Name a checkout of the registry: --registry FOLDER or --cases FOLDER.');
}

const MAX_LINE = 200;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await runCommand(async () => {
  if (registry !== undefined) await build(registry);
  if (cases !== undefined) await ask(cases);
});

async function build(path: string): Promise<void> {
  const sources = await readRegistry(path);
  const { bound, invalid } = bindSources(sources);
  for (const { name, reason } of invalid) print(`skipped  ${name}: ${reason}`);
  const changes = listChanges(bindSources(readPackage()).bound, bound);
  for (const { what, contract, owner, intents } of changes) {
    print(`${what.padEnd(8)} ${contract} ${owner}: ${intents.join(', ')}`);
  }
  if (changes.length === 0) print('The descriptors are those of the package.');
  await buildDevSnap(sources);
}

async function ask(path: string): Promise<void> {
  const all = await readCases(path);
  let passed = 0;
  let red = 0;
  for await (const result of askCases(all)) {
    const { name, missing, dangers } = result;
    if (missing.length === 0) passed += 1;
    else printFailure(result);
    if (dangers.length > 0) red += 1;
    for (const danger of dangers) print(`\n! ${name}\n  ${danger}`);
  }
  print(`${passed} of ${all.length}; ${red} with a danger`);
  if (passed < all.length) process.exitCode = 1;
}

function printFailure({ name, missing, shown }: CaseResult): void {
  print(`\n✗ ${name}`);
  for (const { what, text } of missing) print(`  no ${what}: ${text}`);
  print('  shown:');
  for (const line of shown.split('\n')) print(`    ${line.slice(0, MAX_LINE)}`);
}
