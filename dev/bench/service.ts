// The development service: how many suggestedGasFees it answers a second beside a bare
// node:http server with the same bytes, and how often it asks its node for them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { createTestClient, http } from 'viem';

import { withStopped } from '../stack/server';
import { compare, type Bench, type Row } from './measure';
import {
  BENCH_KEY,
  fillChain,
  startBareServer,
  startChain,
  startCountingProxy,
  startService,
  type Server,
} from './servers';

const CHAIN_ID = 31_337;
const AUTHORIZATION = `Basic ${btoa(`${BENCH_KEY}:`)}`;
const CONNECTIONS = 32;
const SECONDS = 2;
const ROUNDS = 5;

/** Blocks to mine while upstream calls are counted, and callers that ask in each. */
const BLOCKS = 5;
const CALLERS = 200;

// Longer than the service may take to notice a block.
const BETWEEN_BLOCKS_MS = 2_000;

/** Compares the service with its yardsticks. */
export async function* benchService(): Bench {
  const rows = await withStopped(startChain(), async (chain) => {
    await fillChain(chain.url, 2_000);
    return [await measureThroughput(chain), await countUpstream(chain)];
  });
  yield { name: 'suggestedGasFees', ours: 'service', theirs: 'yardstick', rows };
}

async function measureThroughput(chain: Server): Promise<Row> {
  return withStopped(startService(chain.url), async (service) => {
    const bytes = await (await ask(service)).text();
    return withStopped(startBareServer(bytes), async (bare) => ({
      what: `${CONNECTIONS} connections (yardstick: node:http)`,
      ...(await compare(
        { ours: async () => load(service), theirs: async () => load(bare) },
        { rounds: ROUNDS },
      )),
      unit: 'requests/s',
      bound: { atLeast: 0.5 },
    }));
  });
}

async function countUpstream(chain: Server): Promise<Row> {
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
  return withStopped(startCountingProxy(chain.url), async (proxy) =>
    withStopped(startService(proxy.url), async (service) => {
      await ask(service);
      const before = proxy.count('eth_feeHistory');
      for (let block = 0; block < BLOCKS; block += 1) {
        await node.mine({ blocks: 1 });
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_BLOCKS_MS));
        await Promise.all(Array.from({ length: CALLERS }, async () => ask(service)));
        await ask(service);
      }
      return {
        what: `eth_feeHistory a block, ${CALLERS + 1} callers (yardstick: one)`,
        ours: (proxy.count('eth_feeHistory') - before) / BLOCKS,
        theirs: 1,
        unit: 'calls',
        bound: { exactly: 1 },
      };
    }),
  );
}

async function ask(server: Server): Promise<Response> {
  const response = await fetch(toAddress(server), {
    headers: { Authorization: AUTHORIZATION },
  });
  if (response.ok) return response;
  throw new Error(`The service answered with HTTP status ${response.status}.`);
}

async function load(server: Server): Promise<number> {
  const script = fileURLToPath(new URL('load.mjs', import.meta.url));
  const options = [AUTHORIZATION, `${CONNECTIONS}`, `${SECONDS}`];
  const args = [script, toAddress(server), ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

function toAddress({ url }: Server): string {
  return `${url}/networks/${CHAIN_ID}/suggestedGasFees`;
}
