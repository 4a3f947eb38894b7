// Stands before a node and counts the calls that pass, by method.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A running proxy. */
export type CountingProxy = {
  url: string;
  /** How often a method was called so far. */
  count: (method: string) => number;
  stop: () => Promise<void>;
};

type Call = { method: string };

/** Start a proxy before a node's HTTP address. */
export async function startCountingProxy(nodeUrl: string): Promise<CountingProxy> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      for (const { method } of [JSON.parse(body) as Call | Call[]].flat()) {
        counts.set(method, (counts.get(method) ?? 0) + 1);
      }
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(nodeUrl, { method: 'POST', headers, body });
      response.writeHead(answer.status, headers).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (method) => counts.get(method) ?? 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
