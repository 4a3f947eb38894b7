// An in-memory node that answers by method from a table, and records its calls. It serves as the
// wallet's provider and, behind a fake fetch, as a configured server.
import type { Json } from '@metamask/utils';

import type { RpcCall } from '../../packages/client/src';

export type NodeAnswers = Record<string, Json | ((params: Json[]) => Json)>;

export type FakeNode = {
  answers: NodeAnswers;
  calls: RpcCall[];
  request: (call: RpcCall) => Promise<Json>;
};

export type RpcFault = { code: number; message: string; data?: Json };

/**
 * Creates an answer that throws a plain object, as the wallet does. A string becomes an error with
 * code -32000.
 */
export function refuses(fault: RpcFault | string): () => never {
  const thrown: unknown =
    typeof fault === 'string' ? { code: -32000, message: fault } : fault;
  return () => {
    throw thrown;
  };
}

export function createFakeNode(answers: NodeAnswers = {}): FakeNode {
  const node: FakeNode = {
    answers,
    calls: [],
    request: async (call) => {
      node.calls.push(call);
      await new Promise((resolve) => setImmediate(resolve));
      const answer = node.answers[call.method];
      if (answer === undefined) {
        const message = `the method ${call.method} does not exist`;
        return refuses({ code: -32601, message })();
      }
      return typeof answer === 'function' ? answer(call.params) : answer;
    },
  };
  return node;
}

export function calledMethods({ calls }: FakeNode): string[] {
  return calls.map(({ method }) => method);
}

/** Makes a node answer for the network selected with wallet_switchEthereumChain. */
export function serveNetworks(node: FakeNode, networks: Record<number, NodeAnswers>) {
  const all = Object.entries(networks).map(
    ([id, answers]) => [BigInt(id), answers] as const,
  );
  const wallet = { networks: new Map(all), selected: all[0]?.[0] ?? 1n };
  const answers: NodeAnswers = {
    eth_chainId: () => `0x${wallet.selected.toString(16)}`,
    wallet_switchEthereumChain: ([wanted]) => {
      const chainId = BigInt((wanted as { chainId: string }).chainId);
      if (!wallet.networks.has(chainId)) {
        return refuses({ code: 4902, message: 'Unrecognized chain ID.' })();
      }
      wallet.selected = chainId;
      return null;
    },
  };
  node.answers = new Proxy(answers, {
    get: (own, method: string) =>
      own[method] ?? wallet.networks.get(wallet.selected)?.[method],
  });
  return wallet;
}
