// npm run faults: plays the flows again and again, each time with another call that goes wrong
// in another way. Writes all cases to dist/faults.md, and docs/internals/faults.md if it played
// all flows. Words after the command choose flows by their names.
import { mkdir, writeFile } from 'node:fs/promises';

import { mainFlows, operationFlows, otherFlows } from './flows';
import { writeCases, writeSummary, type Result } from './page';
import { startGround, type StartGround, startOperationGround } from './servers';
import { disturb, type Finding, type Flow, listCases, prepare } from './sweep';

/** The flows by what they run against, in the order of the page. */
const GROUPS: { flows: readonly Flow[]; start: StartGround }[] = [
  { flows: [...mainFlows, ...otherFlows], start: startGround },
  { flows: operationFlows, start: startOperationGround },
];

const words = process.argv.slice(2);
const results: Result[] = [];
let broken = 0;
for (const { flows, start } of GROUPS) {
  const wanted = flows.filter(isWanted);
  if (wanted.length === 0) continue;
  const ground = await start();
  try {
    for (const flow of wanted) {
      const findings: Finding[] = [];
      const prepared = await prepare(flow, ground.servers, ground.base);
      for (const each of listCases(prepared)) {
        try {
          findings.push(await disturb(prepared, each));
        } catch (error) {
          process.stdout.write(`${(error as Error).message}\n`);
          broken += 1;
        }
      }
      results.push({ name: flow.name, findings });
      process.stdout.write(`${flow.name}: ${findings.length} cases\n`);
    }
  } finally {
    await ground.stop();
  }
}
await mkdir('dist', { recursive: true });
await writeFile('dist/faults.md', await writeCases(results));
if (words.length === 0) {
  await writeFile('docs/internals/faults.md', await writeSummary(results));
}
process.exitCode = broken === 0 ? 0 : 1;

function isWanted({ name }: Flow): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}
