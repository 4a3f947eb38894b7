// The service as a process: its log, metrics, shutdown and startup failures.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { version } from '../../package.json';
import { findDeadUrl, useHttpServers } from '../support/http-server';
import type { Answer } from '../support/http-server';
import { useServiceCommand } from '../support/service-command';
import { answerBy } from '../support/service-node';
import { connectSocket, refusalOf } from '../support/service-socket';

const serve = useHttpServers();
const { folder, run } = useServiceCommand();

const answerNormally = answerBy({ eth_chainId: '0x1' });

const startWith = async (
  environment: Record<string, string>,
  answer: Answer = answerNormally,
) => {
  const node = await serve(answer);
  const command = run({ RPC_URL: `${node.url}/v3/node-key`, ...environment });
  return { ...command, url: await command.url };
};

const call = async (url: string, key: string, method = 'eth_chainId') =>
  fetch(`${url}/v3/${key}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  });

/** Sends raw text that fetch would refuse. */
const sendRaw = async (url: string, text: string) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(text).resume();
  await once(socket, 'close');
};

describe("the service's output", () => {
  it('contains key names, routes and statuses, but no secrets', async () => {
    const keys = {
      wallet: { key: 'wallet-key', secret: 'wallet-secret', dailyLimit: 9 },
    };
    const file = join(folder(), 'keys.json');
    await writeFile(file, JSON.stringify(keys));
    const { url, child, ended, output, entries } = await startWith(
      { KEYS: file, LOG_LEVEL: 'debug', METRICS_PORT: '0' },
      (response, arrived) =>
        arrived.body.includes('eth_gasPrice')
          ? response.destroy()
          : answerNormally(response, arrived),
    );
    const path = '/networks/1/suggestedGasFees';
    const headers = { Authorization: `Basic ${btoa('wallet-key:wallet-secret')}` };
    const answers = await Promise.all([
      fetch(`${url}${path}`, { headers }),
      fetch(`${url}/v3/wallet-key${path}?token=query-secret`),
      call(url, 'wallet-key', 'eth_gasPrice'),
      call(url, 'wallet-key', 'method-secret'),
      call(url, 'guessed-key'),
      fetch(`${url}/v2/wallet-key?token=query-secret`),
      fetch(`${url}/v3/wallet-key`, { method: 'POST', body: '{"body-secret' }),
      fetch(`${url}/v3/wallet-key/%zz`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 401, 404, 400, 400,
    ]);
    await refusalOf(url, '/v3/guessed-key');
    const client = await connectSocket(url, '/v3/wallet-key');
    client.send({ jsonrpc: '2.0', id: 1, method: 'method-secret' });
    await client.take();
    client.close();
    await sendRaw(url, 'GET /v3/wallet-key HTTP/9 header-secret\r\n\r\n');
    // Uses up the daily limit.
    while ((await call(url, 'wallet-key')).status !== 402);
    await writeFile(file, '{ "wallet": "file-secret"');
    while (!output().includes('Kept the old keys.')) await sleep(50);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);

    expect(output()).not.toMatch(/-key|-secret|token/u);
    expect(entries()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          route: path.replace('1', ':chainId'),
          key: 'wallet',
        }),
        expect.objectContaining({ route: '/v3/:key', status: 402, key: 'wallet' }),
        expect.objectContaining({ route: '/v3/:key', status: 401 }),
        expect.objectContaining({ level: 'error', msg: 'Kept the old keys.' }),
        expect.objectContaining({ level: 'info', msg: 'Stopped.' }),
      ]) as unknown,
    );
  });

  it('includes metrics without secrets on a separate port', async () => {
    const { url, entries } = await startWith({ KEY: 'wallet-key', METRICS_PORT: '0' });
    await call(url, 'wallet-key');
    await call(url, 'wallet-key', 'method-secret');
    await call(url, 'guessed-key');
    await fetch(`${url}/metric-secret?token=query-secret`);
    const shown = entries().find(({ msg }) => `${String(msg)}`.includes('metrics'));
    const metricsUrl = /http:\S+\/metrics/u.exec(String(shown?.msg))?.[0] ?? '';
    const text = await (await fetch(metricsUrl)).text();
    expect(text).toContain('gas_service_counted_requests_total{key="default"} 2');
    expect(text).toContain(
      'gas_service_http_request_seconds_count{route="/v3/:key",status="401"} 1',
    );
    expect(text).toContain(
      'gas_service_node_calls_total{method="eth_chainId",outcome="result"} 2',
    );
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/-key|-secret|token/u);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

describe('a lost node', () => {
  it('is logged once with the cause, and once more when it is back', async () => {
    let isDown = false;
    const first = await serve((response, arrived) =>
      isDown ? response.destroy() : answerNormally(response, arrived),
    );
    const second = await serve(answerNormally);
    const config = join(folder(), 'nodes.json');
    const nodes = [
      { url: `${first.url}/node-key`, name: 'first' },
      { url: `${second.url}/node-key`, name: 'second' },
    ];
    await writeFile(config, JSON.stringify({ networks: [{ chainId: 1, nodes }] }));
    const command = run({ CONFIG: config, KEY: 'wallet-key', NODE_CHECK: '50' });
    const url = await command.url;
    const entries = (msg: string) =>
      command.entries().filter((entry) => entry['msg'] === msg);
    isDown = true;
    while (entries('A node is lost.').length === 0) await sleep(20);
    for (let round = 0; round < 10; round += 1) {
      expect((await call(url, 'wallet-key', 'eth_gasPrice')).status).toBe(200);
    }
    await sleep(300);
    isDown = false;
    while (entries('A node is back.').length === 0) await sleep(20);
    await sleep(300);
    const node = { chain: '1', node: 'first', reason: 'UND_ERR_SOCKET' };
    expect(entries('A node is lost.')).toMatchObject([{ level: 'error', ...node }]);
    expect(entries('A node is back.')).toMatchObject([{ level: 'info', ...node }]);
    expect(command.output()).not.toMatch(/node-key|wallet-key/u);
  });
});

describe('a failed request', () => {
  it('is logged with its id', async () => {
    const { url, entries } = await startWith({ KEY: 'k' }, (response, arrived) =>
      arrived.body.includes('eth_gasPrice')
        ? response.destroy()
        : answerNormally(response, arrived),
    );
    const id = (await call(url, 'k', 'eth_gasPrice')).headers.get('x-request-id');
    while (entries().every((entry) => entry['id'] !== id)) await sleep(20);
    expect(entries().filter((entry) => entry['id'] === id)).toMatchObject([
      { level: 'warn', msg: 'Failed to answer.', key: 'default', chain: 1 },
    ]);
  });
});

describe('SIGTERM', () => {
  it('loses no requests from a load balancer that checks /health', async () => {
    const { url, child, ended } = await startWith(
      { KEY: 'k', DRAIN: '1000' },
      (response, arrived) => {
        const isSlow = arrived.body.includes('eth_gasPrice');
        setTimeout(() => answerNormally(response, arrived), isSlow ? 1_500 : 0);
      },
    );
    const client = await connectSocket(url, '/v3/k');
    const statuses: number[] = [];
    const load = async () => {
      while ((await fetch(`${url}/health`)).ok) {
        statuses.push((await call(url, 'k')).status);
      }
      // The load balancer may send one more request before it notices.
      statuses.push((await call(url, 'k')).status);
    };
    const loads = [load(), load(), load()];
    await sleep(200);
    const slow = call(url, 'k', 'eth_gasPrice');
    await sleep(50);
    child.kill('SIGTERM');
    await Promise.all(loads);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await slow).status).toBe(200);
    expect(await client.closed).toBe(1001);
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });

  it('stops a service in time even if its node hangs', async () => {
    const { url, child, ended } = await startWith(
      { KEY: 'k', STOP_TIMEOUT: '200' },
      (response, arrived) =>
        arrived.body.includes('eth_gasPrice')
          ? undefined
          : answerNormally(response, arrived),
    );
    const stuck = call(url, 'k', 'eth_gasPrice');
    stuck.catch(() => undefined);
    await sleep(100);
    const begin = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - begin).toBeLessThan(4_000);
    // The caller gets an error or a broken connection.
    const text = await stuck.then(
      async (response) => response.text(),
      () => '',
    );
    expect(text).not.toContain('"result"');
  });
});

describe('the service command', () => {
  it.each<[Record<string, string>, string]>([
    [{ KEY: 'wallet-key' }, '--rpc-url is missing.'],
    [
      { KYE: 'wallet-key' },
      'Unknown environment variable TOLLKEEPER_GAS_KYE. If Kubernetes sets it for a Service, set enableServiceLinks: false in the pod.',
    ],
    [{ CONFIG: '/nowhere' }, 'The configuration file cannot be read (ENOENT).'],
    [
      { RPC_URL: 'http://127.0.0.1:1', KEYS: '/nowhere' },
      'The key file cannot be read (ENOENT).',
    ],
  ])('reports in one line what is wrong with %j', async (environment, message) => {
    const { ended, output } = run(environment);
    expect(await ended).toBe(2);
    expect(output()).toBe(`${message} --help lists all options.\n`);
  });

  it('prints its version', async () => {
    const { ended, output } = run({ VERSION: 'true' });
    expect(await ended).toBe(0);
    expect(output()).toBe(`${version}\n`);
  });

  it('succeeds with --help even if the reader closes the pipe', async () => {
    const { child, ended, output } = run({ HELP: 'true' });
    child.stdout.destroy();
    expect(await ended).toBe(0);
    expect(output()).toBe('');
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'the node is down',
      {},
      'The node could not be reached. Nodes: 127.0.0.1:port (ECONNREFUSED).',
    ],
    [
      'the port is taken',
      { PORT: 'port' },
      'Cannot listen at 127.0.0.1:port (EADDRINUSE).',
    ],
    [
      'the metrics port is taken',
      { METRICS_PORT: 'port' },
      'Cannot listen at 127.0.0.1:port (EADDRINUSE).',
    ],
  ])('fails if %s', async (_what, given, message) => {
    const node = await serve(answerNormally);
    const isDown = message.startsWith('The node');
    const nodeUrl = isDown ? await findDeadUrl() : node.url;
    const { port } = new URL(isDown ? nodeUrl : node.url);
    const environment = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('port', port)]),
    );
    const { ended, output, entries } = run({
      RPC_URL: `${nodeUrl}/v3/node-key`,
      KEY: 'wallet-key',
      ...environment,
    });
    expect(await ended).toBe(1);
    const msg = message.replace('port', port);
    expect(entries().at(-1)).toMatchObject({ level: 'error', msg });
    expect(output()).not.toMatch(/node-key|wallet-key/u);
  });
});
