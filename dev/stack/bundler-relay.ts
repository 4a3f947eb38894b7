// A server on loopback before the stack's bundler: it keeps what was sent through it, and
// goes wrong when it is told to, also after the snap was configured with it.
import { text } from 'node:stream/consumers';

import { isAddressEqual, type Hex } from 'viem';

import { listenOnLoopback } from './server';

/** An operation in the bundler's form. */
type SentOperation = { sender: Hex } & Record<string, Hex>;

type RpcRequest = { id: number; method: string; params: [SentOperation] };

type RpcResponse = { id: number; result?: Hex };

export type BundlerRelay = {
  url: string;
  /** One of the bundler's faults (dev/bundler/bundler.ts), or none. */
  fault: string | undefined;
  /** What an account sent by `eth_sendUserOperation`, in order, whatever came of it. */
  sentBy: (sender: Hex) => SentOperation[];
  /** The hashes of what the bundler took of that, in order. */
  takenFrom: (sender: Hex) => Hex[];
  stop: () => Promise<void>;
};

export async function startBundlerRelay(bundlerUrl: string): Promise<BundlerRelay> {
  const sent: { operation: SentOperation; hash?: Hex | undefined }[] = [];
  const listBy = (sender: Hex): typeof sent =>
    sent.filter(({ operation }) => isAddressEqual(operation.sender, sender));
  const { url, stop } = await listenOnLoopback(async (request, response) => {
    const body = await text(request);
    const sendings = readAll<RpcRequest>(body)
      .filter(({ method }) => method === 'eth_sendUserOperation')
      .map(({ id, params: [operation] }) => ({ id, kept: { operation } }));
    sent.push(...sendings.map(({ kept }) => kept));
    const query = relay.fault === undefined ? '' : `?fault=${relay.fault}`;
    const answer = await fetch(`${bundlerUrl}${query}`, { method: 'POST', body });
    const given = await answer.text();
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(given);
    const answers = readAll<RpcResponse>(given);
    for (const { id, kept } of sendings) {
      const hash = answers.find((each) => each.id === id)?.result;
      Object.assign(kept, { hash });
    }
  });
  const relay: BundlerRelay = {
    url: `${url}/rpc`,
    fault: undefined,
    sentBy: (sender) => listBy(sender).map(({ operation }) => operation),
    takenFrom: (sender) =>
      listBy(sender).flatMap(({ hash }) => (hash === undefined ? [] : [hash])),
    stop,
  };
  return relay;
}

/** Reads one message or a batch; what goes wrong on purpose need not be JSON. */
function readAll<Message>(body: string): Message[] {
  if (!/^[[{]/u.test(body)) return [];
  const read = JSON.parse(body) as Message | Message[];
  return Array.isArray(read) ? read : [read];
}
