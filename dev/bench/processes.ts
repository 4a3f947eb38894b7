// The servers of a bench, each in a process of its own, so that their CPU time is not
// counted as a client's.
import { fileURLToPath } from 'node:url';

import { type Child, startAnvil, startChild } from '../stack/processes';

/** A server in another process. */
export type Server = { url: string; stop: () => Promise<void> };

/** The key that the benched service asks for. */
export const BENCH_KEY = 'bench-key';

/** Start an empty chain. */
export async function startChain(): Promise<Server> {
  const { child, port } = startAnvil();
  return { url: `http://127.0.0.1:${await orDied(port, child)}`, stop: child.stop };
}

/** Start the development service over a node, from its command line. */
export async function startService(nodeUrl: string): Promise<Server> {
  const script = fileURLToPath(new URL('../service/main.ts', import.meta.url));
  const flags = ['--node', nodeUrl, '--key', BENCH_KEY];
  return start('The service', ['--import', 'tsx', script, ...flags]);
}

/** Start a server made of nothing but node:http that answers everything with a text. */
export async function startBareServer(answer: string): Promise<Server> {
  const script = fileURLToPath(new URL('bare-server.mjs', import.meta.url));
  return start('The bare server', [script, answer]);
}

async function start(name: string, args: string[]): Promise<Server> {
  const child = startChild({
    name,
    script: new URL('../stack/guard.mjs', import.meta.url),
    args: [process.execPath, ...args],
  });
  return { url: await orDied(findUrl(child), child), stop: child.stop };
}

function findUrl({ process: { stdout }, tail }: Child): Promise<string> {
  return new Promise((resolve) => {
    const read = (): void => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\D)/u.exec(tail()) ?? [];
      if (url === undefined) return;
      stdout?.off('data', read);
      resolve(url);
    };
    stdout?.on('data', read);
  });
}

async function orDied<Value>(work: Promise<Value>, { died }: Child): Promise<Value> {
  const failed = died.then((error) => {
    throw error;
  });
  return Promise.race([work, failed]);
}
