// docs/internals/faults.md: what becomes of each flow when a call of it goes wrong.
import { readFile, writeFile } from 'node:fs/promises';

import { format, resolveConfig } from 'prettier';

import { toTable } from '../docs/tables';
import { mainFlows, operationFlows, otherFlows } from './flows';
import { startGround, type StartGround, startOperationGround } from './servers';
import {
  disturb,
  type Finding,
  type Flow,
  listCases,
  prepare,
  type Prepared,
} from './sweep';

/** A call and a fault, and all that was found. */
type Row = {
  call: string;
  fault: string;
  cases: number;
  sees: string[];
  holds: string[];
};

const HEAD = ['Call', 'What goes wrong', 'Cases', 'The caller sees', 'What holds'];

/** Put what was found together, a row for each call and fault, in the order of the calls. */
function toRows(findings: readonly Finding[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { point, fault, sees, holds } of findings) {
    const key = `${point.side} ${point.call} ${fault.name}`;
    const empty = {
      call: point.call,
      fault: fault.name,
      cases: 0,
      sees: [],
      holds: [],
    };
    const row: Row = rows.get(key) ?? empty;
    row.cases += 1;
    if (!row.sees.includes(sees)) row.sees.push(sees);
    if (!row.holds.includes(holds)) row.holds.push(holds);
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** Write a flow's part of the page. */
async function writeSection(
  prepared: Prepared,
  findings: readonly Finding[],
): Promise<string> {
  const count = `${prepared.points.length} calls, ${findings.length} cases.`;
  const table = toTable(HEAD, toRows(findings).map(toCells));
  const text = [`## ${title(prepared.flow.name)}`, count, table].join('\n\n');
  return format(text, {
    ...(await resolveConfig('docs/internals/faults.md')),
    parser: 'markdown',
  });
}

/** Find a flow's part in the page; undefined if it is not there. */
function findSection(page: string, name: string): string | undefined {
  const start = page.indexOf(`## ${title(name)}\n`);
  if (start < 0) return undefined;
  const end = page.indexOf('\n## ', start);
  return page.slice(start, end < 0 ? undefined : end + 1);
}

function toCells({ call, fault, cases, sees, holds }: Row): string[] {
  return [call, fault, String(cases), sees.join('<br>'), holds.join('<br>')];
}

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What the page says before its tables. */
const PREFACE = `# What happens when something fails

<!-- Written by \`npm run faults\`. -->

Each flow of a user is run once undisturbed, which tells what the snap asks of the platform
and of servers in it, and then once for each of these calls and each way in which it can go
wrong: in MetaMask's own controllers, against a real node and the development service, and
where a smart account sends against the ERC-4337 contracts and the stack's bundler as well.
Afterwards nothing goes wrong any more, and the user does the same again.

In every case below this holds, or the run fails:

- nothing is sent twice, and what was sent is followed until it is settled;
- of a smart account's operations the bundler takes one at most, which is executed once, and
  what the id of its calls tells (\`wallet_getCallsStatus\`) is so;
- MetaMask and the snap have the same accounts, and none is lost;
- no request stays behind, and the same job succeeds when it is done again;
- a new worker reads what is stored, and an account that nothing happened to signs.

*Waits* means that only the person ends it: a dialog that is not answered, a question of
MetaMask's about an account. Here nobody does, and the worker is stopped then. What else
never answers is given up after 15 seconds of the snap's clock. *Is done twice* means that
what was asked for is carried out two times; *worker stopped* that MetaMask ends the snap's
worker before the call is carried out, or right after. Calls that change nothing are not
told apart by whether they were carried out.

The snap runs in the process of the test there, by the rules of MetaMask's executor, so that
the clock can be moved; with MetaMask's worker the same is tested where a flow sends or
changes accounts (test/live/sending-faults.test.ts, accounts-faults.test.ts,
accounts-stop.test.ts).
`;

// npm run faults: runs the flows again and again, each time with another call that goes
// wrong in another way, and writes docs/internals/faults.md. Words after the command choose flows by
// their names; the others keep what the page says.

const PAGE = 'docs/internals/faults.md';

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
