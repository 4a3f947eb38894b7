// How the client, the snap and the service handle nodes' odd answers, taken from public reports.
import { KEY } from '../../dev/stack/service-bench';
import {
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../packages/client/src';
import type { NodeClient } from '../../packages/client/src';
import { startService } from '../../packages/service/src/service';
import type { Service } from '../../packages/service/src/service';
import { createTollkeeper } from '../../packages/testing/src';
import type { OddServer, Outcome } from '../fixtures/odd-servers/row';
import { oddServers } from '../fixtures/odd-servers/table';
import { createOddNode, paramsOf } from '../support/odd-node';
import type { OddNode } from '../support/odd-node';

const CHAIN = 31_337;

type Observed = { result?: unknown; message?: string; isOpen?: boolean };

async function observe(run: () => Promise<unknown>): Promise<Observed> {
  try {
    return { result: await run() };
  } catch (error) {
    const { message, context, data } = error as {
      message: string;
      context?: Record<string, unknown>;
      data?: Record<string, unknown>;
    };
    return { message, isOpen: (context ?? data)?.['mayBeDone'] === true };
  }
}

function check(observed: Observed, tries: number, expected: Outcome): void {
  if ('gives' in expected) {
    const { gives } = expected;
    if (gives === 'sent') expect(observed.result).toMatch(/^0x[0-9a-f]{64}$/u);
    else if (typeof gives !== 'object' || gives === null) {
      expect(observed).toStrictEqual({ result: gives });
    } else expect(observed.result).toMatchObject(gives);
  } else if ('says' in expected) {
    const { says, isRepeated, isOpen } = expected;
    expect(observed.message).toContain(says);
    if (isRepeated !== undefined) expect(tries > 1).toBe(isRepeated);
    if (isOpen !== undefined) expect(observed.isOpen).toBe(isOpen);
  }
}

const retry = { services: { sleep: async () => Promise.resolve() } };

function connect(url: string): NodeClient {
  const transport = createHttpTransport(createRpcEndpoint(url), { fetch, ...retry });
  return createNodeClient(transport, BigInt(CHAIN));
}

async function send(node: NodeClient, row: OddServer): Promise<unknown> {
  const { kind, method } = row;
  if (kind === 'array') {
    const methods = ['eth_chainId', 'eth_blockNumber', 'eth_gasPrice'] as const;
    return Promise.all(methods.map(async (each) => node.request(each, [])));
  }
  const name = method as 'eth_config';
  const params = paramsOf(row) as [];
  return method === 'eth_config'
    ? node.tryRequest(name, params)
    : node.request(name, params);
}

const rowsFor = <Name extends 'client' | 'service' | 'snap'>(
  name: Name,
): [string, OddServer & Required<Pick<OddServer, Name>>][] =>
  oddServers.flatMap((row) =>
    row[name]
      ? [[`${row.method} (${row.report})`, { ...row, [name]: row[name] } as never]]
      : [],
  );

const nodes: OddNode[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map(async ({ stop }) => stop()));
});

async function start(): Promise<OddNode> {
  const node = await createOddNode();
  nodes.push(node);
  return node;
}

describe('the client', () => {
  it.each(rowsFor('client'))('handles %s', async (_title, row) => {
    const node = await start();
    node.turn(row);
    const observed = await observe(async () => send(connect(node.url), row));
    check(observed, node.countOf(row.method), row.client);
  });
});

describe('the snap', () => {
  it.each(rowsFor('snap'))('handles %s', async (_title, row) => {
    const node = await start();
    const wallet = await createTollkeeper({
      chains: [{ id: CHAIN, rpcUrl: node.url }],
    });
    await wallet.manage('tollkeeper_setChain', [{ chainId: CHAIN, rpcUrl: node.url }]);
    const { provider } = wallet;
    const [from] = await provider.request<string[]>({ method: 'eth_requestAccounts' });
    node.turn(row);
    const isLookUp = 'client' in row && row.client === row.snap;
    const observed = await observe(async () =>
      isLookUp
        ? provider.request({ method: row.method, params: paramsOf(row) })
        : provider.request({
            method: row.asks ?? 'eth_sendTransaction',
            params: [{ from, to: from, value: '0x1' }],
          }),
    );
    if ('shows' in row.snap) {
      const { shows } = row.snap;
      expect(JSON.stringify(wallet.reviews.at(-1)?.findings)).toContain(shows);
    } else check(observed, node.countOf(row.method), row.snap);
    wallet.stop();
  });
});

describe('the service', () => {
  let service: Service;
  let node: OddNode;

  beforeAll(async () => {
    node = await createOddNode();
    service = await startService({
      networks: [{ chainId: CHAIN, nodes: [{ url: node.url }] }],
      metricsPort: 0,
      apiKey: KEY,
    });
  });

  afterAll(async () => {
    await service.stop();
    await node.stop();
  });

  it.each(rowsFor('service'))('handles %s', async (_title, row) => {
    node.turn(row);
    const observed = await observe(async () =>
      send(connect(`${service.url}/v3/${KEY}`), row),
    );
    node.turn(undefined);
    check(observed, node.countOf(row.method), row.service);
  });
});
