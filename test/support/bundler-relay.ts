// A server on loopback before the stack's bundler: it keeps what was sent through it, and
// goes wrong when a test wants it to, also after the snap was configured with it.
import type { ServerResponse } from 'node:http';

import { isAddressEqual } from 'viem';
import type { Hex } from 'viem';

import { startHttpServer } from './http-server';
import { toRequests } from './json-rpc';

/** An operation in the bundler's form. */
export type SentOperation = { sender: Hex } & Record<string, Hex>;

type RpcResponse = { id: number; result?: Hex };

/** A running relay. */
export type BundlerRelay = {
  url: string;
  /** One of the bundler's faults (dev/bundler/fault-table.ts), or none. */
  fault: string | undefined;
  /** What an account sent by `eth_sendUserOperation`, in order, whatever came of it. */
  sentBy: (sender: Hex) => SentOperation[];
  /** The hashes of what the bundler took of that, in order. */
  takenFrom: (sender: Hex) => Hex[];
  stop: () => Promise<void>;
};

/** Start a relay before a bundler. */
export async function startBundlerRelay(bundlerUrl: string): Promise<BundlerRelay> {
  const relay: Pick<BundlerRelay, 'fault'> = { fault: undefined };
  const taken: { sender: Hex; hash: Hex }[] = [];
  const { url, arrived, stop } = await startHttpServer((response, { body }) => {
    const { fault } = relay;
    const query = fault === undefined ? '' : `?fault=${fault}`;
    forward(`${bundlerUrl}${query}`, body, response)
      .then((text) => taken.push(...findTaken(body, text)))
      .catch(() => response.destroy());
  });
  const sentBy = (sender: Hex): SentOperation[] =>
    arrived
      .flatMap(listSent)
      .map(({ operation }) => operation)
      .filter((each) => isAddressEqual(each.sender, sender));
  const takenFrom = (sender: Hex): Hex[] =>
    taken.filter((each) => isAddressEqual(each.sender, sender)).map(({ hash }) => hash);
  return Object.assign(relay, { url: `${url}/rpc`, sentBy, takenFrom, stop });
}

async function forward(
  url: string,
  body: string,
  response: ServerResponse,
): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body });
  const text = await answer.text();
  response.writeHead(answer.status, { 'Content-Type': 'application/json' });
  response.end(text);
  return text;
}

function listSent(arrived: { body: string }): {
  id: number;
  operation: SentOperation;
}[] {
  return toRequests(arrived)
    .filter(({ method }) => method === 'eth_sendUserOperation')
    .map(({ id, params }) => ({ id, operation: (params as [SentOperation])[0] }));
}

function findTaken(body: string, text: string): { sender: Hex; hash: Hex }[] {
  const sent = listSent({ body });
  // What goes wrong on purpose need not be JSON.
  if (sent.length === 0 || !/^[[{]/u.test(text)) return [];
  const answers = [JSON.parse(text) as RpcResponse | RpcResponse[]].flat();
  return sent.flatMap(({ id, operation: { sender } }) => {
    const hash = answers.find((each) => each.id === id)?.result;
    return hash === undefined ? [] : [{ sender, hash }];
  });
}
