// The key file of the service: access, limits for each key, and changes while the service runs.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ServiceOptions } from '../../../packages/service/src/options';
import { startService } from '../../../packages/service/src/service';
import { errorOf } from '../../support/error-of';
import { answerBy, useNodeBench } from '../../support/service-node';
import type { NodeBench } from '../../support/service-node';
import { connectSocket, refusalOf } from '../../support/service-socket';

const start = useNodeBench();
const answer = answerBy({ eth_chainId: '0x1' });

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-keys-'));
  file = join(folder, 'keys.json');
});

afterEach(async () => rm(folder, { recursive: true }));

/** Replaces the file by renaming another one, as editors and orchestrators do. */
const write = async (keys: unknown) => {
  await writeFile(
    `${file}.new`,
    typeof keys === 'string' ? keys : JSON.stringify(keys),
  );
  await rename(`${file}.new`, file);
};

const open = async (options: Partial<ServiceOptions> = {}) =>
  start(answer, {
    keysFile: file,
    ...options,
    limits: { keysCheckMs: 20, ...options.limits },
  });

const FEES = 'networks/1/suggestedGasFees';

const statusByPath = async ({ service }: NodeBench, key: string) =>
  (await fetch(`${service.url}/v3/${key}/${FEES}`)).status;

const statusByHeader = async ({ service }: NodeBench, text: string) =>
  (
    await fetch(`${service.url}/${FEES}`, {
      headers: { Authorization: `Basic ${btoa(text)}` },
    })
  ).status;

const waitUntil = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await sleep(10);
};

const countBrokenFiles = async ({ metric }: NodeBench) =>
  metric('gas_service_broken_key_files_total');

const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };

describe('a key file', () => {
  it('accepts each of its keys', async () => {
    await write({ wallet: { key: 'one', secret: 'first' }, partner: { key: 'two' } });
    const bench = await open();
    const keys = ['one', 'two', 'three', 'wallet', 'first'];
    const statuses = await Promise.all(
      keys.map(async (key) => statusByPath(bench, key)),
    );
    expect(statuses).toEqual([200, 200, 401, 401, 401]);
    const forms = ['one:first', 'two', 'two:', 'one', 'one:', 'two:first', 'one:two'];
    const found = await Promise.all(
      forms.map(async (text) => statusByHeader(bench, text)),
    );
    expect(found).toEqual([200, 200, 200, 401, 401, 401, 401]);
  });

  it('accepts a key without its secret in the path, unless secrets are required', async () => {
    const secrets = { one: { key: 'one', secret: 'first' } };
    await write({ ...secrets, two: { key: 'two', secret: 'second' } });
    const statusesOf = async (requireSecret: boolean, text?: string) => {
      const { service } = await open({ requireSecret });
      const headers: Record<string, string> =
        text === undefined ? {} : { Authorization: `Basic ${btoa(text)}` };
      const init = { method: 'POST', body: JSON.stringify(request), headers };
      const answers = await Promise.all([
        fetch(`${service.url}/v3/one`, init),
        fetch(`${service.url}/v3/one/${FEES}`, { headers }),
        refusalOf(service.url, '/v3/one', headers).catch(() => ({ status: 101 })),
      ]);
      return answers.map(({ status }) => status);
    };
    expect(await statusesOf(false)).toStrictEqual([200, 200, 101]);
    expect(await statusesOf(true, 'one:first')).toStrictEqual([200, 200, 101]);
    for (const text of [undefined, 'one', 'one:', ':first', 'two:second', 'one:x']) {
      expect(await statusesOf(true, text)).toStrictEqual([401, 401, 401]);
    }
  });

  it('closes the sockets of a changed secret if secrets are required', async () => {
    const two = { key: 'two', secret: 'second' };
    await write({ one: { key: 'one', secret: 'first' }, two });
    const { service } = await open({ requireSecret: true });
    const [one, other] = await Promise.all(
      ['one:first', 'two:second'].map(async (text) =>
        connectSocket(service.url, `/v3/${text.slice(0, 3)}`, {
          Authorization: `Basic ${btoa(text)}`,
        }),
      ),
    );
    await write({ one: { key: 'one', secret: 'other' }, two });
    expect(await one?.closed).toBe(1008);
    other?.send(request);
    expect(await other?.take()).toHaveProperty('result', '0x1');
    other?.close();
  });

  it('needs a secret for every key, if secrets are required', async () => {
    await write({ one: { key: 'k', secret: 's' }, two: { key: 'secret-key' } });
    const failureOf = async (keysFile?: string) =>
      (await errorOf(async () => open({ keysFile, requireSecret: true }))).message;
    expect(await failureOf(file)).toMatch(/^keys\[1\] has no secret: /u);
    expect(await failureOf()).toMatch(/^The API key has no secret: /u);
  });

  it('limits each key separately, with its own limits if it has any', async () => {
    await write({
      usual: { key: 'usual' },
      small: { key: 'small', rate: 1 },
      daily: { key: 'daily', dailyLimit: 2 },
      free: { key: 'free', rate: 0 },
    });
    const bench = await open({ limits: { ratePerSecond: 3, rateSeconds: 100 } });
    // A batch of N counts as N + 1.
    const ask = async (key: string, ...counts: number[]) => {
      const statuses = [];
      for (const count of counts) {
        const batch = Array.from({ length: count - 1 }, () => request);
        const init = { method: 'POST', body: JSON.stringify(batch) };
        statuses.push((await fetch(`${bench.service.url}/v3/${key}`, init)).status);
      }
      return [...statuses, await statusByPath(bench, key)];
    };
    expect(await ask('small', 50, 50)).toStrictEqual([200, 200, 429]);
    expect(await ask('daily', 2)).toStrictEqual([200, 402]);
    expect(await ask('usual', 150, 150)).toStrictEqual([200, 200, 429]);
    expect(await ask('free', 150, 150)).toStrictEqual([200, 200, 200]);
    const limitedOf = async (labels: string) =>
      bench.metric(`gas_service_limited_requests_total{${labels}}`);
    expect(await limitedOf('key="small",limit="rate"')).toBe(1);
    expect(await limitedOf('key="daily",limit="day"')).toBe(1);
    expect(await bench.metric('gas_service_counted_requests_total{key="free"}')).toBe(
      301,
    );
  });

  it('lets a key call only its methods, even in a batch and over a WebSocket', async () => {
    const methods = ['eth_chainId', 'linea_estimateGas'];
    await write({ few: { key: 'few', methods } });
    const { service, countOf } = await open();
    const batch = ['eth_chainId', 'eth_gasPrice', 'rollup_estimateGas'].map(
      (method) => ({ ...request, method }),
    );
    const expected = [
      { id: 1, result: '0x1' },
      { error: { code: -32002, message: 'The API key may not call eth_gasPrice.' } },
      { error: { code: -32002 } },
    ];
    const init = { method: 'POST', body: JSON.stringify(batch) };
    const response = await fetch(`${service.url}/v3/few`, init);
    expect(await response.json()).toMatchObject(expected);
    const client = await connectSocket(service.url, '/v3/few');
    client.send(batch);
    expect(await client.take()).toMatchObject(expected);
    client.close();
    expect(countOf('eth_gasPrice')).toBe(0);
  });

  it('is reloaded when it changes, which closes the sockets of removed keys', async () => {
    await write({ old: { key: 'old' }, both: { key: 'both' } });
    const bench = await open();
    const [old, both] = await Promise.all(
      ['old', 'both'].map(async (key) =>
        connectSocket(bench.service.url, `/v3/${key}`),
      ),
    );
    await write({ both: { key: 'both' }, new: { key: 'new' } });
    await waitUntil(async () => (await statusByPath(bench, 'new')) === 200);
    expect(await old?.closed).toBe(1008);
    expect([
      await statusByPath(bench, 'old'),
      await statusByPath(bench, 'both'),
    ]).toEqual([401, 200]);
    both?.send(request);
    expect(await both?.take()).toMatchObject({ id: 1, result: '0x1' });
    both?.close();
    expect(await bench.metric('gas_service_keys')).toBe(2);
  });

  it('changes the limits of an open socket', async () => {
    await write({ one: { key: 'one' } });
    const bench = await open();
    const client = await connectSocket(bench.service.url, '/v3/one');
    await write({ one: { key: 'one', dailyLimit: 1 }, two: { key: 'two' } });
    await waitUntil(async () => (await statusByPath(bench, 'two')) === 200);
    client.send(request);
    expect(await client.take()).toHaveProperty('result');
    client.send(request);
    expect(await client.take()).toHaveProperty('error.code', -32005);
    client.close();
  });

  it('keeps its last valid state while it is malformed or missing', async () => {
    await write({ one: { key: 'one' } });
    const bench = await open();
    const client = await connectSocket(bench.service.url, '/v3/one');
    await write('{ "two": { "key": "two"');
    await waitUntil(async () => (await countBrokenFiles(bench)) === 1);
    await rm(file);
    await waitUntil(async () => (await countBrokenFiles(bench)) === 2);
    expect([
      await statusByPath(bench, 'one'),
      await statusByPath(bench, 'two'),
    ]).toEqual([200, 401]);
    client.send(request);
    expect(await client.take()).toHaveProperty('result', '0x1');
    client.close();
    await write({ two: { key: 'two' } });
    await waitUntil(async () => (await statusByPath(bench, 'two')) === 200);
  });

  it.each<[string, unknown, string]>([
    ['not JSON', 'secret-key', 'The key file is not JSON.'],
    ['an array', [{ key: 'secret-key' }], 'The key file should be object.'],
    ['empty', {}, 'should NOT have fewer than 1 properties'],
    ['a map to strings', { one: 'secret-key' }, 'keys[0] should be object'],
    [
      'missing a key',
      { one: { key: 'k' }, two: {} },
      "keys[1] should have required property 'key'",
    ],
    [
      'with an invalid key',
      { one: { key: 'secret-key/' } },
      'keys[0].key should match',
    ],
    [
      'with an invalid secret',
      { one: { key: 'k', secret: '' } },
      'keys[0].secret should NOT be shorter',
    ],
    [
      'with an invalid limit',
      { one: { key: 'k', rate: -1 } },
      'keys[0].rate should be >= 0',
    ],
    [
      'with an invalid name',
      { 'secret-key!': { key: 'k' } },
      'The name of keys[0] must have',
    ],
    [
      'with an unknown field',
      { one: { key: 'k', 'secret-key': 1 } },
      'keys[0] has an unknown field',
    ],
    [
      'with a duplicate key',
      { one: { key: 'secret-key' }, two: { key: 'secret-key' } },
      'has the same key twice',
    ],
    ...['eth_sign', 'admin_peers', ''].map((method): [string, unknown, string] => [
      `with the method "${method}", which is not served`,
      { one: { key: 'secret-key', methods: [method] } },
      'keys[0].methods',
    ]),
  ])('is rejected without being quoted if it is %s', async (_what, keys, message) => {
    await write(keys);
    const options = { networks: [], keysFile: file };
    const { message: actual } = await errorOf(async () => startService(options));
    expect(actual).toContain(message);
    expect(actual).not.toContain('secret-key');
  });

  it('is rejected if it is missing', async () => {
    const options = { networks: [], keysFile: file };
    const { message } = await errorOf(async () => startService(options));
    expect(message).toBe('The key file cannot be read (ENOENT).');
  });
});
