// npm run faults: runs the flows once for each call and each kind of fault. Writes
// docs/internals/faults.md unless arguments select flows by name.
import { readFile, writeFile } from 'node:fs/promises';

import { readArgs } from '../args';
import { ensureBuilt } from '../build/built';
import { formatAs, toTable } from '../docs/tables';
import { mainFlows, operationFlows, otherFlows } from './flows';
import { startTestServers, startOperationGround } from './servers';
import { disturb, type Finding, type Flow, listCases, prepare } from './sweep';

const PAGE = 'docs/internals/faults.md';

const GROUPS = [
  { flows: [...mainFlows, ...otherFlows], start: startTestServers },
  { flows: operationFlows, start: startOperationGround },
];

const { names: words } = readArgs(
  `npm run faults [-- NAME …]

Plays every flow, or those whose names contain one of the texts, again and again, each time with
another call that goes wrong in another way. All of them write ${PAGE}.`,
  {},
  (word) => GROUPS.some(({ flows }) => flows.some(({ name }) => name.includes(word))),
);
await ensureBuilt();
const sections: string[] = [];
let broken = 0;
for (const { flows, start } of GROUPS) {
  const wanted = flows.filter(isWanted);
  if (wanted.length === 0) continue;
  const ground = await start();
  try {
    for (const flow of wanted) {
      const findings: Finding[] = [];
      const prepared = await prepare(flow, ground);
      for (const each of listCases(prepared)) {
        try {
          findings.push(await disturb(prepared, each));
        } catch (error) {
          process.stdout.write(`${(error as Error).message}\n`);
          broken += 1;
        }
      }
      sections.push(toSection(flow, findings));
      process.stdout.write(`${flow.name}: ${findings.length} cases\n`);
    }
  } finally {
    await ground.stop();
  }
}
if (words.length === 0) {
  const page = await readFile(PAGE, 'utf8');
  const head = page.slice(0, page.indexOf('\n\n## '));
  await writeFile(PAGE, await formatAs(PAGE, [head, ...sections].join('\n\n')));
}
process.exitCode = broken === 0 ? 0 : 1;

function isWanted({ name }: Flow): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}

function toSection({ name }: Flow, findings: readonly Finding[]): string {
  const faults = [...new Set(findings.map(({ fault }) => fault.name))];
  const rows = faults.map((fault) => {
    const cases = findings.filter((each) => each.fault.name === fault);
    return [
      fault,
      String(cases.length),
      list(cases.map(({ sees }) => sees)).join(', '),
      list(cases.map(({ holds }) => holds)).join('; '),
    ];
  });
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const head = ['A call …', 'Cases', 'The caller sees', 'Afterwards'];
  return `## ${title}\n\n${toTable(head, rows)}`;
}

function list(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
