// A node that answers as a test says, for what a real one never says, and a service over
// it.
import { KEY } from '../../dev/stack/service-bench';
import type { NetworkOptions } from '../../packages/service/src/config';
import type { ServiceOptions } from '../../packages/service/src/options';
import { startService } from '../../packages/service/src/service';
import type { Service } from '../../packages/service/src/service';
import { useHttpServers } from './http-server';
import type { Answer, HttpServer } from './http-server';
import { answerRequests, toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';

/** Results by method; a function is given the request. */
export type NodeAnswers = Record<string, unknown>;

/** A history of one block with transactions in it. */
export const history = {
  oldestBlock: '0x1',
  baseFeePerGas: ['0x3b9aca00', '0x3b9aca00'],
  gasUsedRatio: [0.5],
  reward: [['0x1', '0x1', '0x2', '0x3', '0x3']],
};

/** What every node here can answer. */
export const usual: NodeAnswers = { eth_blockNumber: '0x10', eth_feeHistory: history };

/** Answers each call by its method. */
export function answerBy(answers: NodeAnswers): Answer {
  return answerRequests((requests) => {
    const all = requests.map((request) => toAnswer(request, answers));
    return all.length === 1 ? all[0] : all;
  });
}

function toAnswer(request: WireRequest, answers: NodeAnswers): object {
  const { id, method } = request;
  const answer = { ...usual, ...answers }[method];
  const value: unknown =
    typeof answer === 'function'
      ? (answer as (of: WireRequest) => unknown)(request)
      : answer;
  return value instanceof Error
    ? { jsonrpc: '2.0', id, error: value.cause }
    : { jsonrpc: '2.0', id, result: value ?? null };
}

/** A service, the node behind it, and ways to ask. */
export type NodeBench = Awaited<ReturnType<ReturnType<typeof useNodeBench>>>;

/** Options of a service, and those of its only chain. */
type BenchOptions = Partial<ServiceOptions> &
  Pick<NetworkOptions, 'nearHead' | 'blockMs'> & { nodeUrl?: string; wsUrl?: string };

/** Has services over nodes that answer as said; all are stopped after their test. */
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
    return { service, node, ...ways(service, node) };
  };
}

/** Returns whether a request is like those by which the service looks at a node's heads. */
export function isCheck({
  method,
  params,
}: Pick<WireRequest, 'method' | 'params'>): boolean {
  const [tag, hasTransactions] = params;
  const isHead = tag === 'latest' || tag === 'finalized';
  return method === 'eth_getBlockByNumber' && isHead && hasTransactions === false;
}

function ways({ url, metricsUrl = '' }: Service, node: HttpServer) {
  return {
    /** How often the node was asked for a method, the checks of its heads apart. */
    countOf: (method: string) =>
      node.arrived
        .flatMap(toRequests)
        .filter((each) => each.method === method && !isCheck(each)).length,
    /** Calls a method over HTTP. */
    call: async (method: string, params: unknown[] = []) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(`${url}/v3/${KEY}`, { method: 'POST', body });
      return (await response.json()) as { result?: unknown; error?: unknown };
    },
    /** Asks the gas API. */
    get: async (resource: string) => {
      const response = await fetch(`${url}/v3/${KEY}/networks/1/${resource}`);
      return { status: response.status, text: await response.text() };
    },
    /** Finds a metric by its name and labels, as Prometheus reads it. */
    metric: async (name: string) => {
      const lines = (await (await fetch(metricsUrl)).text()).split('\n');
      const found = lines.find((line) => line.startsWith(`${name} `));
      return found === undefined ? undefined : Number(found.slice(name.length));
    },
  };
}
