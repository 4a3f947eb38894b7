// Benchmarks the gas service: requests per second and their cost. Compares it with a bare node:http
// server that sends the same bytes, and with viem behind Fastify.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { createTestClient, http, type Hash } from 'viem';

import { funded } from '../stack/accounts';
import { callRpc, withStopped } from '../stack/server';
import { mapValues, median, takeTurns, type Bench, type Row } from './measure';
import {
  BENCH_KEY,
  fillChain,
  startChain,
  startMeasured,
  startService,
  type MeasuredServer,
  type Server,
} from './servers';

const GAS_PATH = '/networks/31337/suggestedGasFees';
const RPC_PATH = `/v3/${BENCH_KEY}`;
const AUTHORIZATION = `Basic ${btoa(`${BENCH_KEY}:`)}`;
const CONNECTIONS = 32;
const SECONDS = 2;
const ROUNDS = 5;

/** Number of blocks after the transactions, because the service considers blocks final only at a
 * depth of 32. */
const LATER_BLOCKS = 70;

export async function* benchService(): Bench {
  const chain = await startChain();
  try {
    const [hash] = await fillChain(chain.url, 2_000);
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
    await node.mine({ blocks: LATER_BLOCKS });
    const gas = [await measureGas(chain)];
    yield { name: 'gas API', ours: 'service', theirs: 'node:http', rows: gas };
    const rows = await measureRpc(chain, hash);
    yield { name: 'JSON-RPC', ours: 'service', theirs: 'viem', rows };
  } finally {
    await chain.stop();
  }
}

async function measureGas(chain: Server): Promise<Row> {
  return withStopped(startService(chain.url), async (ours) => {
    const response = await fetch(ours.url + GAS_PATH, {
      headers: { Authorization: AUTHORIZATION },
    });
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    const bare = startMeasured('bare-server.mjs', [await response.text()]);
    return withStopped(bare, async (theirs) => {
      const figures = await measureInTurns({ ours, theirs }, { path: GAS_PATH });
      const what = `suggestedGasFees: ${CONNECTIONS} connections`;
      return { ...toRow(what, figures, 'perSecond'), bound: { atLeast: 0.45 } };
    });
  });
}

/** Measures two requests: one that only the node can answer, and one about a final block. */
async function measureRpc(chain: Server, hash: Hash | undefined): Promise<Row[]> {
  const cases: [method: string, params: unknown[]][] = [
    ['eth_getBalance', [funded.address, 'latest']],
    ['eth_getTransactionReceipt', [hash]],
  ];
  return withStopped(startService(chain.url), async (ours) =>
    withStopped(startMeasured('viem-server.mjs', [chain.url]), async (theirs) => {
      const rows: Row[] = [];
      for (const [method, params] of cases) {
        const answers = await Promise.all(
          [ours, theirs].map(async ({ url }) =>
            JSON.stringify(await callRpc(url + RPC_PATH, method, params)),
          ),
        );
        if (answers[0] !== answers[1]) {
          throw new Error(`${method}: the two sides differ.`);
        }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const figures = await measureInTurns(
          { ours, theirs },
          { path: RPC_PATH, body },
        );
        const cpu = toRow(`${method}: CPU per request`, figures, 'cpu');
        rows.push(
          toRow(`${method}: ${CONNECTIONS} connections`, figures, 'perSecond'),
          toRow(`${method}: 99 % answered within`, figures, 'p99'),
          { ...cpu, bound: { atMost: 1 } },
        );
      }
      return rows;
    }),
  );
}

/** Figures of loading one server, and their units. The CPU time is per request. */
const units = { perSecond: 'requests/s', p99: 'ms', cpu: 'µs' };

type Figures = Record<keyof typeof units, number>;

function toRow(
  what: string,
  { ours, theirs }: Record<'ours' | 'theirs', Figures>,
  name: keyof Figures,
): Row {
  return { what, ours: ours[name], theirs: theirs[name], unit: units[name] };
}

async function measureInTurns<Name extends string>(
  servers: Record<Name, MeasuredServer>,
  request: LoadRequest,
): Promise<Record<Name, Figures>> {
  const contestants = mapValues(
    servers,
    (server) => async () => measureLoad(server, request),
  );
  return mapValues(await takeTurns(contestants, ROUNDS), (all) =>
    mapValues(units, (_unit, name) => median(all.map((figures) => figures[name]))),
  );
}

type LoadRequest = { path: string; body?: string };

async function measureLoad(
  { url, fetchCpuMs }: MeasuredServer,
  { path, body = '' }: LoadRequest,
): Promise<Figures> {
  const script = fileURLToPath(new URL('load.mjs', import.meta.url));
  const options = JSON.stringify({
    address: url + path,
    authorization: AUTHORIZATION,
    body,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  const before = await fetchCpuMs();
  const { stdout } = await promisify(execFile)(process.execPath, [script, options]);
  const cpuMs = (await fetchCpuMs()) - before;
  const { perSecond, p99, count } = JSON.parse(stdout) as Record<
    'perSecond' | 'p99' | 'count',
    number
  >;
  return { perSecond, p99, cpu: (cpuMs * 1_000) / count };
}
