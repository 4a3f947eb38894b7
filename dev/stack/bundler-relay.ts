// A server that forwards requests to the stack's bundler and records operations.
import { text } from 'node:stream/consumers';

import { isAddressEqual, type Hex } from 'viem';

import { listenOnLoopback } from './server';

type SentOperation = { sender: Hex } & Record<string, Hex>;

export type BundlerRelay = {
  url: string;
  /** Lists an account's sent operations, accepted or not. */
  sentBy: (sender: Hex) => SentOperation[];
  takenFrom: (sender: Hex) => Hex[];
  stop: () => Promise<void>;
};

export async function startBundlerRelay(bundlerUrl: string): Promise<BundlerRelay> {
  const sent: { operation: SentOperation; hash?: Hex | undefined }[] = [];
  const listBy = (sender: Hex): typeof sent =>
    sent.filter(({ operation }) => isAddressEqual(operation.sender, sender));
  const { url, stop } = await listenOnLoopback(async (request, response) => {
    const body = await text(request);
    const submissions = readAll<{
      id: number;
      method: string;
      params: [SentOperation];
    }>(body)
      .filter(({ method }) => method === 'eth_sendUserOperation')
      .map(({ id, params: [operation] }) => ({ id, entry: { operation } }));
    sent.push(...submissions.map(({ entry }) => entry));
    const answer = await fetch(bundlerUrl, { method: 'POST', body });
    const responseText = await answer.text();
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(responseText);
    const answers = readAll<{ id: number; result?: Hex }>(responseText);
    for (const { id, entry } of submissions) {
      const hash = answers.find((each) => each.id === id)?.result;
      Object.assign(entry, { hash });
    }
  });
  return {
    url: `${url}/rpc`,
    sentBy: (sender) => listBy(sender).map(({ operation }) => operation),
    takenFrom: (sender) =>
      listBy(sender).flatMap(({ hash }) => (hash === undefined ? [] : [hash])),
    stop,
  };
}

function readAll<Message>(body: string): Message[] {
  return [JSON.parse(body) as Message | Message[]].flat() as Message[];
}
