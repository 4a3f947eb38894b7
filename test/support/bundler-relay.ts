// A server on loopback before the stack's bundler: it keeps what was sent through it, and
// goes wrong when a test wants it to, also after the snap was configured with it.
import type { ServerResponse } from 'node:http';

import { isAddressEqual } from 'viem';
import type { Hex } from 'viem';

import { startHttpServer } from './http-server';
import { toRequests } from './json-rpc';

/** An operation in the bundler's form. */
export type SentOperation = { sender: Hex } & Record<string, Hex>;

/** A running relay. */
export type BundlerRelay = {
  url: string;
  /** One of the bundler's faults (dev/bundler/fault-table.ts), or none. */
  fault: string | undefined;
  /** What an account sent by `eth_sendUserOperation`, in order, whatever came of it. */
  sentBy: (sender: Hex) => SentOperation[];
  stop: () => Promise<void>;
};

/** Start a relay before a bundler. */
export async function startBundlerRelay(bundlerUrl: string): Promise<BundlerRelay> {
  const relay: Pick<BundlerRelay, 'fault'> = { fault: undefined };
  const { url, arrived, stop } = await startHttpServer((response, { body }) => {
    const { fault } = relay;
    const query = fault === undefined ? '' : `?fault=${fault}`;
    forward(`${bundlerUrl}${query}`, body, response).catch(() => response.destroy());
  });
  const sentBy = (sender: Hex): SentOperation[] =>
    arrived
      .flatMap(toRequests)
      .filter(({ method }) => method === 'eth_sendUserOperation')
      .map(({ params }) => (params as [SentOperation])[0])
      .filter((each) => isAddressEqual(each.sender, sender));
  return Object.assign(relay, { url: `${url}/rpc`, sentBy, stop });
}

async function forward(
  url: string,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body });
  const text = await answer.text();
  response.writeHead(answer.status, { 'Content-Type': 'application/json' });
  response.end(text);
}
