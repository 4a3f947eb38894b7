// npm run faults: runs the flows again and again, each time with another call that goes
// wrong in another way, and writes docs/faults.md. Words after the command choose flows by
// their names; the others keep what the page says.
import { readFile, writeFile } from 'node:fs/promises';

import { format, resolveConfig } from 'prettier';

import type { Flow } from './flow';
import { mainFlows, operationFlows, otherFlows } from './flows';
import { startGround, startOperationGround } from './servers';
import type { StartGround } from './servers';
import { disturb, listCases, prepare } from './sweep';
import type { Finding, Prepared } from './sweep';
import { findSection, PREFACE, writeSection } from './table';

const PAGE = 'docs/faults.md';

/** The flows by what they run against, in the order of the page. */
const GROUPS: { flows: readonly Flow[]; start: StartGround }[] = [
  { flows: [...mainFlows, ...otherFlows], start: startGround },
  { flows: operationFlows, start: startOperationGround },
];

const words = process.argv.slice(2);
const page = await readFile(PAGE, 'utf8').catch(() => '');
let broken = 0;
const sections: string[] = [];
for (const group of GROUPS) await runGroup(group);
await save();
process.exitCode = broken === 0 ? 0 : 1;

async function runGroup({ flows, start }: (typeof GROUPS)[number]): Promise<void> {
  const ground = flows.some(isWanted) ? await start() : undefined;
  try {
    for (const flow of flows) {
      if (!ground || !isWanted(flow)) {
        sections.push(findSection(page, flow.name) ?? '');
        continue;
      }
      const prepared = await prepare(flow, ground.servers, ground.base);
      const findings = await run(prepared);
      sections.push(await writeSection(prepared, findings));
      process.stdout.write(`${flow.name}: ${findings.length} cases\n`);
      await save();
    }
  } finally {
    await ground?.stop();
  }
}

function isWanted({ name }: Flow): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}

async function run(prepared: Prepared): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const each of listCases(prepared)) {
    try {
      findings.push(await disturb(prepared, each));
    } catch (error) {
      process.stdout.write(`${(error as Error).message}\n`);
      broken += 1;
    }
  }
  return findings;
}

/** Write what is there by now, so that nothing is lost if a later flow cannot be prepared. */
async function save(): Promise<void> {
  const text = [PREFACE, ...sections.filter((section) => section !== '')].join('\n');
  const options = { ...(await resolveConfig(PAGE)), parser: 'markdown' };
  await writeFile(PAGE, await format(text, options));
}
