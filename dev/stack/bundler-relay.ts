// A server on loopback before the stack's bundler: it keeps what was sent through it, and
// goes wrong when it is told to, also after the snap was configured with it.
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { isAddressEqual } from 'viem';
import type { Hex } from 'viem';

/** An operation in the bundler's form. */
export type SentOperation = { sender: Hex } & Record<string, Hex>;

type Sending = { id: number; operation: SentOperation };

type RpcResponse = { id: number; result?: Hex };

/** A running relay. */
export type BundlerRelay = {
  url: string;
  /** One of the bundler's faults (dev/bundler/methods.ts), or none. */
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
  const sent: SentOperation[] = [];
  const taken: { sender: Hex; hash: Hex }[] = [];
  const handle = async (body: string, response: ServerResponse): Promise<void> => {
    const sendings = listSendings(body);
    sent.push(...sendings.map(({ operation }) => operation));
    const query = relay.fault === undefined ? '' : `?fault=${relay.fault}`;
    const answer = await forward(`${bundlerUrl}${query}`, body, response);
    taken.push(...findTaken(sendings, answer));
  };
  const server = createServer((request, response) => {
    text(request)
      .then(async (body) => handle(body, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(relay, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`,
    sentBy: (sender: Hex) => sent.filter((each) => isAddressEqual(each.sender, sender)),
    takenFrom: (sender: Hex) =>
      taken
        .filter((each) => isAddressEqual(each.sender, sender))
        .map(({ hash }) => hash),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function forward(
  url: string,
  body: string,
  response: ServerResponse,
): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body });
  const given = await answer.text();
  response.writeHead(answer.status, { 'Content-Type': 'application/json' });
  response.end(given);
  return given;
}

function listSendings(body: string): Sending[] {
  if (body === '') return [];
  type Request = { id: number; method: string; params: [SentOperation] };
  return [JSON.parse(body) as Request | Request[]]
    .flat()
    .filter(({ method }) => method === 'eth_sendUserOperation')
    .map(({ id, params: [operation] }) => ({ id, operation }));
}

function findTaken(
  sendings: readonly Sending[],
  answer: string,
): { sender: Hex; hash: Hex }[] {
  // What goes wrong on purpose need not be JSON.
  if (sendings.length === 0 || !/^[[{]/u.test(answer)) return [];
  const answers = [JSON.parse(answer) as RpcResponse | RpcResponse[]].flat();
  return sendings.flatMap(({ id, operation: { sender } }) => {
    const hash = answers.find((each) => each.id === id)?.result;
    return hash === undefined ? [] : [{ sender, hash }];
  });
}
