// The configuration of the service: a file with several chains and nodes, the command line and the
// environment, and errors for invalid values.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Ajv from 'ajv';

import { buildSchema, parseFlags } from '../../../packages/service/src/options';
import type { ServiceOptions } from '../../../packages/service/src/options';
import { startService } from '../../../packages/service/src/service';
import type { Service } from '../../../packages/service/src/service';
import { errorOf } from '../../support/error-of';
import { useHttpServers } from '../../support/http-server';
import { answerBy } from '../../support/service-node';
import { connectSocket } from '../../support/service-socket';

const serve = useHttpServers();

let folder: string;
let file: string;
let service: Service | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-config-'));
  file = join(folder, 'config.json');
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await rm(folder, { recursive: true });
});

const node = { url: 'https://node.example/secret-path' };
const network = { chainId: 1, nodes: [node] };

const read = async (config: unknown, args: string[] = ['--key', 'k']) => {
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
  return parseFlags(['--config', file, ...args]);
};

const toOptions = async (networks: object[]) => ({
  ...((await read({ networks })) as ServiceOptions),
  logLevel: undefined,
});

const post = async (path: string, body: object) => {
  const url = `${service?.url}${path}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
};

const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };

/** Starts a chain with one node; its newest block is 16 times the chain id. */
const startChain = async (chainId: number) => {
  const { url } = await serve(
    answerBy({
      eth_chainId: `0x${chainId.toString(16)}`,
      eth_blockNumber: `0x${(chainId * 16).toString(16)}`,
    }),
  );
  return { chainId, nodes: [{ url }] };
};

describe('a configuration file', () => {
  it('serves several chains in one process, each at its own path', async () => {
    const networks = await Promise.all([1, 10, 137].map(startChain));
    service = await startService(await toOptions(networks));
    for (const { chainId } of networks) {
      const id = `0x${chainId.toString(16)}`;
      const path = `/networks/${chainId}`;
      expect(await post(`${path}/v3/k`, request)).toHaveProperty('result', id);
      const socket = await connectSocket(service.url, `${path}/v3/k`);
      socket.send(request);
      expect(await socket.take()).toHaveProperty('result', id);
      socket.close();
      const fees = await fetch(`${service.url}/v3/k${path}/suggestedGasFees`);
      expect(fees.status).toBe(200);
      const health = await fetch(`${service.url}${path}/health`);
      expect(await health.json()).toEqual({
        status: 'ok',
        chainId,
        block: chainId * 16,
      });
    }
    expect(await (await fetch(`${service.url}/health`)).json()).toMatchObject({
      status: 'ok',
      networks: [{ chainId: 1 }, { chainId: 10 }, { chainId: 137 }],
    });
    for (const path of ['/v3/k', '/networks/5/v3/k', '/networks/1/v3/other']) {
      expect(await post(path, request)).toHaveProperty('error.message');
    }
  });

  it('makes the service unhealthy if one of its chains is', async () => {
    const unreachable = { chainId: 5, nodes: [{ url: 'http://127.0.0.1:1' }] };
    const networks = [await startChain(1), unreachable];
    service = await startService(await toOptions(networks));
    const statusOf = async (path: string) =>
      (await fetch(`${service?.url}${path}`)).status;
    expect(await statusOf('/health')).toBe(503);
    expect(await statusOf('/networks/1/health')).toBe(200);
    expect(await statusOf('/networks/5/health')).toBe(503);
    expect(await statusOf('/networks/7/health')).toBe(404);
    const fees = await fetch(`${service.url}/v3/k/networks/1/suggestedGasFees`);
    expect(fees.status).toBe(200);
  });

  it('accepts any flag by its name, with lower precedence than the command line', async () => {
    const flags = { rate: 5, 'allow-origin': ['null', 'https://a.example'], port: 0 };
    const config = { networks: [network], ...flags, 'near-head': true };
    const args = ['--key', 'k', '--rate', '6'];
    expect(await read(config, args)).toMatchObject({
      networks: [{ ...network, nearHead: true }],
      allowOrigins: flags['allow-origin'],
      limits: { ratePerSecond: 6 },
    });
    expect(await read({ ...config, key: 'k' }, [])).toMatchObject({ apiKey: 'k' });
  });

  it.each<[unknown, string]>([
    ['{ "networks": [', 'The configuration file is not JSON.'],
    ['[]', 'The configuration file should be object.'],
    [{}, "The configuration file should have required property 'networks'."],
    [{ networks: [] }, 'networks should NOT have fewer than 1 items.'],
    [{ networks: [{ nodes: [node] }] }, "should have required property 'chainId'."],
    [{ networks: [{ ...network, chainId: '1' }] }, 'chainId should be integer.'],
    [{ networks: [{ ...network, nodes: [] }] }, 'nodes should NOT have fewer than'],
    [{ networks: [{ ...network, nods: 1 }] }, 'has the unknown field nods.'],
    [{ networks: [{ ...network, blockMs: -1 }] }, 'blockMs should be >= 0.'],
    [{ networks: [{ chainId: 1, nodes: [{}] }] }, "required property 'url'."],
    [{ networks: [{ chainId: 1, nodes: [{ url: 'ftp://secret' }] }] }, 'should match'],
    [{ networks: [network], rat: 5 }, 'has the unknown field rat.'],
    [{ networks: [network], rate: '5' }, 'rate should be integer.'],
    [{ networks: [network], rate: -5 }, 'rate should be >= 0.'],
    [{ networks: [network], port: 70_000 }, 'port should be <= 65535.'],
    [{ networks: [network], 'near-head': 1 }, 'near-head should be boolean.'],
    [{ networks: [network], 'rpc-url': 'http://x' }, 'the unknown field rpc-url.'],
    [{ networks: [network], config: 'x' }, 'has the unknown field config.'],
  ])('is rejected with a one-line error: %j', async (config, message) => {
    const { message: actual } = await errorOf(async () => read(config));
    expect(actual).toContain(message);
    expect(actual).not.toMatch(/\n|secret/u);
  });

  it('is rejected together with --rpc-url, and if it lists a chain twice', async () => {
    const networks = [network, network];
    const args = ['--key', 'k', '--rpc-url', 'http://x'];
    expect((await errorOf(async () => read({ networks }, args))).message).toBe(
      '--rpc-url and --config cannot be combined.',
    );
    expect((await errorOf(async () => read({ networks }))).message).toBe(
      'Two networks have the same chainId.',
    );
  });

  it('has a schema for editors that follows the same rules', () => {
    const ajv = new Ajv();
    const validate = ajv.compile(buildSchema());
    expect(validate({ $schema: './x.json', networks: [network], rate: 5 })).toBe(true);
    expect(validate({ networks: [network], rates: 5 })).toBe(false);
    expect(parseFlags(['--schema'])).toEqual({ print: 'schema' });
  });
});

describe('options', () => {
  it.each(['', 'secret/key'])('are rejected with the key %j', async (apiKey) => {
    const { message } = await errorOf(async () =>
      startService({ networks: [], apiKey }),
    );
    expect(message).toContain('The API key should match');
    expect(message).not.toContain('secret');
  });

  it.each([
    ['', '--rpc-url is missing.'],
    ['--rpc-url http://x', 'Set either --key or --keys, not both.'],
    ['--rpc-url http://x --key k --keys f', 'Set either --key or --keys, not both.'],
    ['--rpc-url secret-key', '--rpc-url should match'],
    ['--rpc-url ftp://secret-key', '--rpc-url should match'],
    ['--rpc-ws-url http://secret-key', '--rpc-ws-url should match'],
    ['--rpc-ws-url wss://secret-key/#x', '--rpc-ws-url should match'],
    ['--redis http://:secret-key@x', '--redis should match'],
    ['--rpc-url http://x --key k --port x', '--port should be integer.'],
    ['--rpc-url http://x --key k --port 70000', '--port should be <= 65535.'],
    ['--rpc-url http://x --key k --metrics-port 70000', '--metrics-port should be <='],
    ['--rpc-url http://x --key k --max-batch 0', '--max-batch should be >= 1.'],
    ['--rpc-url http://x --key k --rate=-1', '--rate should be >= 0.'],
    ['--rpc-url http://x --key k --rate-window 2147484', '--rate-window should be <='],
    ['--rpc-url http://x --key k --secret=', '--secret should NOT be shorter than'],
    ['--rpc-url http://x --key k --log-level all', 'allowed values: debug, info,'],
    ['--rpc-url http://x secret-key', 'A value has no flag.'],
    ['--none', "Unknown option '--none'."],
    ['--rpc-url', "Option '--rpc-url <value>' argument missing."],
  ])('are rejected on the command line: %s', async (line, message) => {
    const args = line === '' ? [] : line.split(' ');
    const { message: actual } = await errorOf(() => parseFlags(args));
    expect(actual).toContain(message);
    expect(actual).not.toContain('secret-key');
  });

  it('are read from the command line', () => {
    const args =
      '--rpc-url http://x --key k --rate 6 --near-head --require-secret --allow-origin null';
    expect(parseFlags(args.split(' '))).toMatchObject({
      networks: [{ nodes: [{ url: 'http://x' }], nearHead: true }],
      apiKey: 'k',
      allowOrigins: ['null'],
      requireSecret: true,
      limits: { ratePerSecond: 6 },
    });
    expect(parseFlags(['--help'])).toEqual({ print: 'help' });
  });

  it('are read from the environment, with lower precedence than the command line', () => {
    const environment = {
      TOLLKEEPER_GAS_RPC_URL: 'http://x',
      TOLLKEEPER_GAS_KEY: 'k',
      TOLLKEEPER_GAS_NEAR_HEAD: 'true',
      TOLLKEEPER_GAS_REQUIRE_SECRET: 'false',
      TOLLKEEPER_GAS_DAILY_LIMIT: '7',
      TOLLKEEPER_GAS_RATE: '6',
      TOLLKEEPER_GAS_REDIS: '',
    };
    const command = parseFlags(['--rate', '5'], environment);
    expect(command).toMatchObject({
      networks: [{ nodes: [{ url: 'http://x' }], nearHead: true }],
      apiKey: 'k',
      limits: { ratePerSecond: 5, perDay: 7 },
    });
    expect(command).toMatchObject({ redisUrl: undefined, requireSecret: false });
    expect(() => parseFlags([], { TOLLKEEPER_GAS_NEAR_HEAD: '1' })).toThrow(
      '--near-head should be boolean.',
    );
  });

  it('are not what Kubernetes sets for a Service named tollkeeper-gas', () => {
    const environment = {
      TOLLKEEPER_GAS_KEY: 'k',
      TOLLKEEPER_GAS_PORT: 'tcp://10.0.0.1:8545',
      TOLLKEEPER_GAS_PORT_8545_TCP: 'tcp://10.0.0.1:8545',
      TOLLKEEPER_GAS_RPC_URL: 'http://x',
    };
    expect(() => parseFlags([], environment)).toThrow(
      'Unknown environment variable TOLLKEEPER_GAS_PORT_8545_TCP. If Kubernetes sets it for a Service, set enableServiceLinks: false in the pod.',
    );
  });
});
