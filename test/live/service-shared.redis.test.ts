// Service instances that share counts and node requests through Redis. They keep working without
// Redis, and when one of the processes is killed.
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import type { ServiceOptions } from '../../packages/service/src/options';
import { findDeadUrl, useHttpServers } from '../support/http-server';
import { describeWithRedis, useRedis } from '../support/redis';
import { useServiceCommand } from '../support/service-command';
import { answerBy, useNodeBench } from '../support/service-node';
import type { NodeAnswers, NodeBench } from '../support/service-node';

const startRedis = useRedis();
const start = useNodeBench();

const GENESIS = `0x${'ab'.repeat(32)}`;
const PREFIX = `gas-service:1:${GENESIS}`;
const HOUR = 3_600_000;

const genesisOf = (hash: string) => ({ number: '0x0', hash, timestamp: '0x0' });

const answers: NodeAnswers = {
  eth_chainId: '0x1',
  eth_getBlockByNumber: genesisOf(GENESIS),
};

/** Starts two instances at the same moment, with one node. */
const startTwo = async (
  redisUrl: string,
  limits: ServiceOptions['limits'] = {},
): Promise<[NodeBench, NodeBench]> => {
  const { node, countOf } = await start(answerBy(answers));
  const options = { nodeUrl: `${node.url}/v3/node-secret-key`, redisUrl, limits };
  const [one, other] = await Promise.all([
    start(answerBy({}), options),
    start(answerBy({}), options),
  ]);
  return [
    { ...one, countOf },
    { ...other, countOf },
  ];
};

const statusOf = async ({ get }: NodeBench) => (await get('suggestedGasFees')).status;

const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await sleep(50);
};

const isUp = async ({ metric }: NodeBench) =>
  (await metric('gas_service_redis_up')) === 1;

const timeOf = async (work: () => Promise<unknown>) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

afterEach(() => jest.restoreAllMocks());

describeWithRedis('two instances with one Redis', () => {
  it("share a key's rate limit", async () => {
    const { url } = await startRedis({ password: 'right' });
    const [one, other] = await startTwo(url, { ratePerSecond: 1, rateSeconds: 4 });
    const statuses = await Promise.all([one, other, one, other, one].map(statusOf));
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(await isUp(one)).toBe(true);
    expect(await one.metric('gas_service_counted_locally_total')).toBe(0);
  });

  it('share the daily limit, and reset it at midnight', async () => {
    let time = 24_000 * HOUR - 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => time);
    const { url } = await startRedis();
    const [one, other] = await startTwo(url, { perDay: 3 });
    expect(await Promise.all([one, other, one].map(statusOf))).toEqual([200, 200, 200]);
    expect([await statusOf(one), await statusOf(other)]).toEqual([402, 402]);
    time += 59_999;
    expect(await statusOf(other)).toBe(402);
    time += 1;
    expect(await Promise.all([one, other, one].map(statusOf))).toEqual([200, 200, 200]);
    expect(await statusOf(other)).toBe(402);
  });

  it('request a block only once if they start at the same moment', async () => {
    const { url } = await startRedis();
    const [one, other] = await startTwo(url, { headMaxAgeMs: 60_000 });
    const all = Array.from({ length: 20 }, (_each, index) => (index % 2 ? one : other));
    const texts = await Promise.all(
      all.map(async ({ get }) => (await get('suggestedGasFees')).text),
    );
    expect(new Set(texts).size).toBe(1);
    expect([one.countOf('eth_feeHistory'), one.countOf('eth_blockNumber')]).toEqual([
      1, 1,
    ]);
  });

  it('request each new block only once, whichever instance needs it first', async () => {
    let block = 16;
    const { node, countOf } = await start(
      answerBy({ ...answers, eth_blockNumber: () => `0x${block.toString(16)}` }),
    );
    const { url: redisUrl } = await startRedis();
    const nodeUrl = node.url;
    const limits = { headMaxAgeMs: 1 };
    const all = await Promise.all(
      [1, 2, 3, 4].map(async () => start(answerBy({}), { nodeUrl, redisUrl, limits })),
    );
    for (; block < 66; block += 1) {
      await Promise.all(
        all.map(async (bench, index) => {
          await sleep(index % 3);
          return statusOf(bench);
        }),
      );
      await sleep(5);
    }
    expect(countOf('eth_feeHistory')).toBe(50);
  });

  it('share nothing if their chains have the same id but different genesis blocks', async () => {
    const { url: redisUrl } = await startRedis();
    const limits = { ratePerSecond: 1, rateSeconds: 60 };
    const [one, other] = await Promise.all(
      ['ab', 'cd'].map(async (byte) =>
        start(
          answerBy({
            ...answers,
            eth_getBlockByNumber: genesisOf(`0x${byte.repeat(32)}`),
          }),
          { redisUrl, limits },
        ),
      ),
    );
    for (const each of [one, other]) {
      for (let count = 0; count < 60; count += 1) await each?.call('eth_chainId');
      expect(await each?.call('eth_chainId')).toHaveProperty('error.code', -32005);
    }
  });

  it('do not wait for an instance that was killed while it requested a block', async () => {
    const { url } = await startRedis();
    const [one] = await startTwo(url);
    const redis = new Redis(url);
    await redis.set(`${PREFIX}:head:asking`, '');
    const took = await timeOf(async () => expect(await statusOf(one)).toBe(200));
    expect(took).toBeLessThan(5_000);
    redis.disconnect();
  });

  it.each(['nonsense', '{"number":1}', '"0xzz"'])(
    'ignore %s written by another Redis client',
    async (text) => {
      const { url } = await startRedis();
      const [one] = await startTwo(url);
      const redis = new Redis(url);
      await redis.set(`${PREFIX}:head`, text, 'PX', 60_000);
      await redis.set(`${PREFIX}:fees:0x10`, text, 'PX', 60_000);
      expect(await statusOf(one)).toBe(200);
      redis.disconnect();
    },
  );
});

describeWithRedis('a Redis that fails', () => {
  const limits = { ratePerSecond: 1, rateSeconds: 60 };

  const spendAll = async (bench: NodeBench) => {
    for (let count = 0; count < 60; count += 1) expect(await statusOf(bench)).toBe(200);
    expect(await statusOf(bench)).toBe(429);
  };

  it('is bypassed while it hangs, and used again afterwards', async () => {
    const redis = await startRedis();
    const [one, other] = await startTwo(redis.url, limits);
    expect(await statusOf(one)).toBe(200);
    redis.signal('SIGSTOP');
    expect(await timeOf(async () => statusOf(one))).toBeLessThan(5_000);
    expect(await isUp(one)).toBe(false);
    // The instance knows that Redis is down, so requests do not wait for it.
    expect(await timeOf(async () => spendAll(other))).toBeLessThan(10_000);
    expect(await other.metric('gas_service_counted_locally_total')).toBeGreaterThan(50);
    redis.signal('SIGCONT');
    await until(async () => (await isUp(one)) && isUp(other));
    const local = await other.metric('gas_service_counted_locally_total');
    expect(await statusOf(other)).toBe(200);
    expect(await other.metric('gas_service_counted_locally_total')).toBe(local);
  });

  it('is bypassed when it dies under load, and used again after a restart', async () => {
    const redis = await startRedis();
    const [one, other] = await startTwo(redis.url);
    const statuses: number[] = [];
    let isOver = false;
    const load = [one, other].map(async (bench) => {
      while (!isOver) statuses.push(await statusOf(bench));
    });
    await sleep(200);
    await redis.stop();
    await until(async () => !(await isUp(one)) && !(await isUp(other)));
    await sleep(200);
    await startRedis({ port: redis.port });
    await until(async () => (await isUp(one)) && isUp(other));
    isOver = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('is reported in /health while each instance applies the limits alone', async () => {
    const redis = await startRedis();
    const [one, other] = await startTwo(redis.url, limits);
    const both = [one, other];
    const healthOf = async ({ service }: NodeBench) => {
      const response = await fetch(`${service.url}/health`);
      return { status: response.status, body: (await response.json()) as object };
    };
    const alone = {
      limits: 'Redis is down: limits count for this instance alone',
    };
    const statuses: number[] = [];
    const load = async (bench: NodeBench) => {
      while (statuses.at(-1) !== 429) statuses.push(await statusOf(bench));
    };
    const loads = both.map(load);
    while (statuses.length < 20) await sleep(1);
    redis.signal('SIGKILL');
    await Promise.all(loads);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    for (const bench of both) {
      while ((await statusOf(bench)) === 200);
      expect(await healthOf(bench)).toMatchObject({ status: 200, body: alone });
    }
    await startRedis({ port: redis.port });
    for (const bench of both) {
      await until(async () => !('limits' in (await healthOf(bench)).body));
    }
    const shared = await Promise.all(
      Array.from({ length: 61 }, async (_each, index) =>
        statusOf(index % 2 ? one : other),
      ),
    );
    expect(shared.filter((status) => status === 200)).toHaveLength(60);
  });

  it('makes each instance apply the limits alone if it was never available', async () => {
    const redisUrl = (await findDeadUrl()).replace('http', 'redis');
    const [one, other] = await startTwo(redisUrl, limits);
    await Promise.all([one, other].map(spendAll));
    expect(await isUp(one)).toBe(false);
  });

  it('makes each instance apply the limits alone if the password is wrong', async () => {
    const redis = await startRedis({ password: 'right' });
    const [one] = await startTwo(redis.url.replace('right', 'wrong'), limits);
    await spendAll(one);
    expect(await isUp(one)).toBe(false);
  });

  it('makes each instance apply the limits alone while it is out of memory', async () => {
    const { url } = await startRedis();
    const [one, other] = await startTwo(url, limits);
    const redis = new Redis(url);
    await redis.config('SET', 'maxmemory', '1');
    await Promise.all([one, other].map(spendAll));
    expect(await one.metric('gas_service_counted_locally_total')).toBe(61);
    await redis.config('SET', 'maxmemory', '0');
    expect(await statusOf(one)).toBe(200);
    redis.disconnect();
  });

  it('does not keep an instance from stopping while it hangs', async () => {
    const redis = await startRedis();
    const [one] = await startTwo(redis.url, limits);
    redis.signal('SIGSTOP');
    expect(await timeOf(one.service.stop)).toBeLessThan(5_000);
  });
});

describeWithRedis('two processes started at the same moment', () => {
  const serve = useHttpServers();
  const { run } = useServiceCommand();

  const runTwo = async (environment: Record<string, string>) => {
    const node = await serve(answerBy(answers));
    const all = { RPC_URL: node.url, KEY: 'wallet-key', ...environment };
    const [one, other] = [run(all), run(all)];
    return {
      one: { ...one, url: await one.url },
      other: { ...other, url: await other.url },
    };
  };

  const fetchStatus = async (url: string) =>
    (await fetch(`${url}/v3/wallet-key/networks/1/suggestedGasFees`)).status;

  /** Lists what a process logged about Redis: `up`, or the reason that it is down. */
  const findStates = (output: string) =>
    output.split('\n').flatMap((line) => {
      const [, reason] = /"reason":"([^"]+)","msg":"Redis is down/u.exec(line) ?? [];
      return reason ?? (line.includes('Redis is up') ? 'up' : []);
    });

  it('keep serving and counting when one is killed under load', async () => {
    const { url: REDIS } = await startRedis({ password: 'redis-secret' });
    const limits = { RATE: '1', RATE_WINDOW: '1000' };
    const { one, other } = await runTwo({ REDIS, ...limits });
    for (const each of [one, other]) {
      while (findStates(each.output()).at(-1) !== 'up') await sleep(20);
    }
    const statuses: number[] = [];
    let isOver = false;
    const load = async () => {
      while (!isOver) statuses.push(await fetchStatus(other.url));
    };
    let killed = 0;
    const doomed = async () => {
      for (;;) {
        if ((await fetchStatus(one.url)) === 200) killed += 1;
      }
    };
    const loads = [load(), load(), load()];
    const lost = [doomed(), doomed(), doomed()].map(async (each) =>
      each.catch(() => undefined),
    );
    while (killed < 100) await sleep(20);
    one.child.kill('SIGKILL');
    await Promise.all(lost);
    // Waits until the shared limit is used up.
    while (statuses.at(-1) !== 429) await sleep(20);
    isOver = true;
    await Promise.all(loads);
    const served = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // Requests that the killed process counted but did not answer are lost.
    expect(served + killed).toBeLessThanOrEqual(1_000);
    expect(served + killed).toBeGreaterThanOrEqual(990);
    expect(killed).toBeGreaterThan(0);
    expect(one.output() + other.output()).not.toMatch(/-secret|-key/u);
  });

  it('log when Redis goes away and comes back', async () => {
    const redis = await startRedis({ password: 'redis-secret' });
    const { one } = await runTwo({ REDIS: redis.url });
    await redis.stop();
    const until = async (state: string) => {
      while (findStates(one.output()).at(-1) !== state) {
        expect(await fetchStatus(one.url)).toBe(200);
      }
    };
    await until('ECONNREFUSED');
    const other = await startRedis({ port: redis.port, password: 'other-secret' });
    await until('WRONGPASS');
    await other.stop();
    await startRedis({ port: redis.port, password: 'redis-secret' });
    await until('up');
    expect(findStates(one.output()).slice(0, 2)).toEqual(['up', 'connection closed']);
    expect(one.output()).not.toMatch(/-secret|-key/u);
  });
});
