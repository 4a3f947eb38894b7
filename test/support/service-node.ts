// A node that gives a test's answers, even answers that a real node never gives, and a service that
// uses it.
import { KEY } from '../../dev/stack/service-bench';
import type { NetworkOptions } from '../../packages/service/src/config';
import type { ServiceOptions } from '../../packages/service/src/options';
import { startService } from '../../packages/service/src/service';
import type { Service } from '../../packages/service/src/service';
import { useHttpServers } from './http-server';
import type { Answer, HttpServer } from './http-server';
import { answerRequests, toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';

/** Results by method: a value, or a function of the request. */
export type NodeAnswers = Record<string, unknown>;

/** A fee history of one block with transactions. */
export const history = {
  oldestBlock: '0x1',
  baseFeePerGas: ['0x3b9aca00', '0x3b9aca00'],
  gasUsedRatio: [0.5],
  reward: [['0x1', '0x1', '0x2', '0x3', '0x3']],
};

export const defaultAnswers: NodeAnswers = {
  eth_blockNumber: '0x10',
  eth_feeHistory: history,
};

export function answerBy(answers: NodeAnswers): Answer {
  return answerRequests((requests) => {
    const all = requests.map((request) => toAnswer(request, answers));
    return all.length === 1 ? all[0] : all;
  });
}

function toAnswer(request: WireRequest, answers: NodeAnswers): object {
  const { id, method } = request;
  const answer = { ...defaultAnswers, ...answers }[method];
  const value: unknown =
    typeof answer === 'function'
      ? (answer as (request: WireRequest) => unknown)(request)
      : answer;
  return value instanceof Error
    ? { jsonrpc: '2.0', id, error: value.cause }
    : { jsonrpc: '2.0', id, result: value ?? null };
}

export type NodeBench = Awaited<ReturnType<ReturnType<typeof useNodeBench>>>;

type BenchOptions = Partial<ServiceOptions> &
  Pick<NetworkOptions, 'nearHead' | 'blockMs'> & { nodeUrl?: string; wsUrl?: string };

export function useNodeBench() {
  const start = useHttpServers();
  const services: Service[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map(async ({ stop }) => stop()));
  });
  return async (answer: Answer, options: BenchOptions = {}) => {
    const node = await start(answer);
    const { nodeUrl: url = `${node.url}/v3/node-secret-key`, wsUrl } = options;
    const { nearHead, blockMs, ...others } = options;
    const service = await startService({
      networks: [{ chainId: 1, nodes: [{ url, wsUrl }], nearHead, blockMs }],
      metricsPort: 0,
      ...(options.keysFile === undefined && { apiKey: KEY }),
      ...others,
    });
    services.push(service);
    return { service, node, ...callersOf(service, node) };
  };
}

/** Returns whether a request is one of the service's checks of a node's head. */
export function isCheck({
  method,
  params,
}: Pick<WireRequest, 'method' | 'params'>): boolean {
  const [tag, hasTransactions] = params;
  const isHead = tag === 'latest' || tag === 'finalized';
  return method === 'eth_getBlockByNumber' && isHead && hasTransactions === false;
}

function callersOf({ url, metricsUrl = '' }: Service, node: HttpServer) {
  return {
    /** Counts the node's calls to a method, excluding checks of its head. */
    countOf: (method: string) =>
      node.arrived
        .flatMap(toRequests)
        .filter((each) => each.method === method && !isCheck(each)).length,
    call: async (method: string, params: unknown[] = []) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(`${url}/v3/${KEY}`, { method: 'POST', body });
      return (await response.json()) as { result?: unknown; error?: unknown };
    },
    get: async (resource: string) => {
      const response = await fetch(`${url}/v3/${KEY}/networks/1/${resource}`);
      return { status: response.status, text: await response.text() };
    },
    metric: async (name: string) => {
      const lines = (await (await fetch(metricsUrl)).text()).split('\n');
      const found = lines.find((line) => line.startsWith(`${name} `));
      return found === undefined ? undefined : Number(found.slice(name.length));
    },
  };
}
