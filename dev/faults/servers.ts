// What the flows run against: the development service over a chain whose blocks come when
// they are asked for.
import { KEY, SECRET, startServiceBench } from '../../test/support/service-bench';
import { setUp } from './base';
import type { Servers } from './bench';
import type { Base } from './sweep';

/** Everything that runs, and the wallet that every flow begins with. */
export type Ground = { servers: Servers; base: Base; stop: () => Promise<void> };

/** Start the servers, and set a wallet up. */
export async function startGround(): Promise<Ground> {
  const bench = await startServiceBench();
  const { url } = bench.service;
  const servers: Servers = {
    nodeUrl: bench.nodeUrl,
    service: { url, apiKey: KEY, apiKeySecret: SECRET },
  };
  return { servers, base: await setUp(servers), stop: bench.stop };
}
