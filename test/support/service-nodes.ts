// A service with several nodes that give a test's answers, on a shared chain or on forks.
import { keccak256, toHex } from 'viem';
import type { Hex } from 'viem';

import { KEY } from '../../dev/stack/service-bench';
import type { ServiceOptions } from '../../packages/service/src/options';
import { startService } from '../../packages/service/src/service';
import type { Service } from '../../packages/service/src/service';
import { useHttpServers } from './http-server';
import type { Answer, HttpServer } from './http-server';
import { toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';
import { answerBy } from './service-node';
import type { NodeAnswers } from './service-node';

export const hashOf = (fork: string, number: unknown) =>
  keccak256(toHex(`${fork}${String(number)}`));

/** A node's answers with the given head; forks differ from block 80 onwards. */
export const chainAt = (head: () => number, fork = ''): NodeAnswers => {
  const toBlock = (number: unknown) => {
    const branch = Number(number) < 80 ? '' : fork;
    return { number, hash: hashOf(branch, number), timestamp: '0x1' };
  };
  return {
    eth_chainId: '0x1',
    eth_blockNumber: () => toHex(head()),
    eth_getBlockByNumber: ({ params: [block] }: WireRequest) =>
      toBlock(block === 'finalized' ? '0x32' : block),
    eth_getBalance: () => (fork === '' ? '0x1' : '0x2'),
  };
};

export const rpcError = (code: number, message: string, data?: unknown) =>
  new Error(message, { cause: { code, message, ...(data !== undefined && { data }) } });

/** Answers of a node that has all blocks up to its head. */
export const nodeAt = (head: () => number, more: NodeAnswers = {}): NodeAnswers => {
  const isKnown = (block: unknown) =>
    !String(block).startsWith('0x') || Number(block) <= head();
  return {
    ...chainAt(head),
    eth_getBlockByNumber: ({ params: [block] }: WireRequest) => {
      const number = block === 'latest' ? toHex(head()) : block;
      const row = { number, hash: hashOf('', number), timestamp: '0x1' };
      return isKnown(block) ? row : null;
    },
    eth_getLogs: ({ params: [filter] }: WireRequest) =>
      isKnown((filter as { toBlock?: Hex }).toBlock) ? [{ data: '0x1' }] : [],
    eth_getBalance: () => toHex(head()),
    ...more,
  };
};

export function useNodes() {
  const serve = useHttpServers();
  const services: Service[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map(async ({ stop }) => stop()));
  });
  return async (
    answers: (NodeAnswers | Answer)[],
    options: Partial<ServiceOptions> = {},
    names: (string | undefined)[] = [],
  ) => {
    const nodes = await Promise.all(
      answers.map(async (each, index) => {
        const node = await serve(typeof each === 'function' ? each : answerBy(each));
        return { node, url: `${node.url}/${index}`, name: names[index] };
      }),
    );
    const service = await startService({
      networks: [{ chainId: 1, nodes, blockMs: 0 }],
      apiKey: KEY,
      metricsPort: 0,
      limits: { nodeCheckMs: 50 },
      ...options,
    });
    services.push(service);
    const post = async (body: unknown) => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      return (await (await fetch(`${service.url}/v3/${KEY}`, init)).json()) as unknown;
    };
    const call = async (method: string, ...params: unknown[]) =>
      (await post({ jsonrpc: '2.0', id: 1, method, params })) as {
        result?: unknown;
        error?: unknown;
      };
    const metrics = async () => (await fetch(service.metricsUrl ?? '')).text();
    return { service, nodes: nodes.map(({ node }) => node), post, call, metrics };
  };
}

export const countOf = ({ arrived }: HttpServer, method: string) =>
  arrived.flatMap(toRequests).filter((each) => each.method === method).length;
