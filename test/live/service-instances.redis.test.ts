// Instances of the service as processes that share a Redis: one is killed, Redis dies, and what
// they write of it.
import { setTimeout as sleep } from 'node:timers/promises';

import { useHttpServers } from '../support/http-server';
import { describeWithRedis, useRedis } from '../support/redis';
import { useServiceCommand } from '../support/service-command';
import { answerBy } from '../support/service-node';

const serve = useHttpServers();
const startRedis = useRedis();
const { run } = useServiceCommand();

const GENESIS = { number: '0x0', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x0' };
const answer = answerBy({ eth_chainId: '0x1', eth_getBlockByNumber: GENESIS });

const startTwo = async (environment: Record<string, string>) => {
  const node = await serve(answer);
  const all = { RPC_URL: node.url, KEY: 'wallet-key', ...environment };
  const [one, other] = [run(all), run(all)];
  return {
    one: { ...one, url: await one.url },
    other: { ...other, url: await other.url },
  };
};

const ask = async (url: string) =>
  (await fetch(`${url}/v3/wallet-key/networks/1/suggestedGasFees`)).status;

/** What a process wrote of Redis: that it answers, or why it is away. */
const findStates = (output: string) =>
  output.split('\n').flatMap((line) => {
    const [, reason] = /"reason":"([^"]+)","msg":"Redis is away/u.exec(line) ?? [];
    return reason ?? (line.includes('Redis answers') ? 'up' : []);
  });

describeWithRedis('two processes, started at the same moment,', () => {
  it('serve and count on when one is killed under load', async () => {
    const { url: REDIS } = await startRedis({ password: 'redis-secret' });
    const limits = { RATE: '1', RATE_WINDOW: '1000' };
    const { one, other } = await startTwo({ REDIS, ...limits });
    for (const each of [one, other]) {
      while (findStates(each.output()).at(-1) !== 'up') await sleep(20);
    }
    const statuses: number[] = [];
    let isOver = false;
    const load = async () => {
      while (!isOver) statuses.push(await ask(other.url));
    };
    let killed = 0;
    const doomed = async () => {
      for (;;) {
        if ((await ask(one.url)) === 200) killed += 1;
      }
    };
    const loads = [load(), load(), load()];
    const lost = [doomed(), doomed(), doomed()].map(async (each) =>
      each.catch(() => undefined),
    );
    while (killed < 100) await sleep(20);
    one.child.kill('SIGKILL');
    await Promise.all(lost);
    // Until what both were allowed is spent.
    while (statuses.at(-1) !== 429) await sleep(20);
    isOver = true;
    await Promise.all(loads);
    const served = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // What the killed one counted and could not answer any more is lost.
    expect(served + killed).toBeLessThanOrEqual(1_000);
    expect(served + killed).toBeGreaterThanOrEqual(990);
    expect(killed).toBeGreaterThan(0);
    expect(one.output() + other.output()).not.toMatch(/-secret|-key/u);
  });

  it('say when Redis goes and comes back', async () => {
    const redis = await startRedis({ password: 'redis-secret' });
    const { one } = await startTwo({ REDIS: redis.url });
    await redis.stop();
    const until = async (state: string) => {
      while (findStates(one.output()).at(-1) !== state) {
        expect(await ask(one.url)).toBe(200);
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
