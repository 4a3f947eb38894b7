// Disturbs flows with faults, and checks that their invariants hold.
import { type TestServers, startTestServers } from '../../dev/faults/servers';
import {
  disturb,
  type Flow,
  listCases,
  prepare,
  sampleCases,
} from '../../dev/faults/sweep';

/** Time limit for all runs of a flow together. */
const FLOW_MS = 600_000;

/** Plays each flow with every fault at each call. */
export function testAllFaults(flows: readonly Flow[]): void {
  testCases(flows, listCases, startTestServers);
}

/** Plays each flow with one fault at each call, rotating through the faults. */
export function testSample(flows: readonly Flow[], start = startTestServers): void {
  testCases(flows, sampleCases, start);
}

function testCases(
  flows: readonly Flow[],
  list: typeof listCases,
  start: typeof startTestServers,
): void {
  let ground: TestServers;
  beforeAll(async () => {
    ground = await start();
  });
  afterAll(async () => ground?.stop());
  it.each(flows.map((flow) => ({ name: flow.name, flow })))(
    'keeps its invariants whatever fails: $name',
    async ({ flow }) => {
      const prepared = await prepare(flow, ground);
      const broken: string[] = [];
      for (const each of list(prepared)) {
        await disturb(prepared, each).catch((error: Error) =>
          broken.push(error.message),
        );
      }
      expect(broken).toStrictEqual([]);
    },
    FLOW_MS,
  );
}
