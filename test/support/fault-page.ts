// Disturbing flows, and comparing what becomes of them with what docs/faults.md says.
import { readFile } from 'node:fs/promises';

import type { Flow } from '../../dev/faults/flow';
import { startGround } from '../../dev/faults/servers';
import type { Ground, StartGround } from '../../dev/faults/servers';
import { disturb, listCases, prepare, sampleCases } from '../../dev/faults/sweep';
import type { Finding, Prepared } from '../../dev/faults/sweep';
import { findRow, findSection, writeSection } from '../../dev/faults/table';

/** How long a flow may take on a machine that does other things as well, in ms. */
const FLOW_MS = 600_000;

/** The command that takes what is found now into the page. */
const HINT = 'npm run faults writes what is found now';

/** Disturb each call of each flow in every way; the page says the same, to the letter. */
export function testWholly(flows: readonly Flow[]): void {
  const getGround = setupGround(startGround);
  it.each(flows.map((flow) => ({ name: flow.name, flow })))(
    'holds whatever fails: $name',
    async ({ flow }) => {
      const { servers, base } = getGround();
      const prepared = await prepare(flow, servers, base);
      const { findings, broken } = await disturbAll(prepared, listCases(prepared));
      expect(broken).toStrictEqual([]);
      const told = findSection(await readPage(), flow.name) ?? HINT;
      expect((await writeSection(prepared, findings)).trim()).toBe(told.trim());
    },
    FLOW_MS,
  );
}

/** Disturb each call of each flow in one way, each in turn; the page says so as well. */
export function testSample(flows: readonly Flow[], start = startGround): void {
  const getGround = setupGround(start);
  it.each(flows.map((flow) => ({ name: flow.name, flow })))(
    'holds when a call fails in turn: $name',
    async ({ flow }) => {
      const { servers, base } = getGround();
      const prepared = await prepare(flow, servers, base);
      const { findings, broken } = await disturbAll(prepared, sampleCases(prepared));
      expect(broken).toStrictEqual([]);
      const told = findSection(await readPage(), flow.name) ?? HINT;
      for (const { point, fault, sees, holds } of findings) {
        expect({ call: point.call, ...findRow(told, point.call, fault.name) }).toEqual({
          call: point.call,
          sees: expect.arrayContaining([sees]) as string[],
          holds: expect.arrayContaining([holds]) as string[],
        });
      }
    },
    FLOW_MS,
  );
}

function setupGround(start: StartGround): () => Ground {
  let ground: Ground | undefined;
  beforeAll(async () => {
    ground = await start();
  });
  afterAll(async () => ground?.stop());
  return () => {
    if (!ground) throw new Error('The servers did not start.');
    return ground;
  };
}

async function disturbAll(
  prepared: Prepared,
  cases: ReturnType<typeof listCases>,
): Promise<{ findings: Finding[]; broken: string[] }> {
  const findings: Finding[] = [];
  const broken: string[] = [];
  for (const each of cases) {
    try {
      findings.push(await disturb(prepared, each));
    } catch (error) {
      broken.push((error as Error).message);
    }
  }
  return { findings, broken };
}

async function readPage(): Promise<string> {
  return readFile('docs/faults.md', 'utf8');
}
