// Set-up for tests that need Redis or Valkey. Without a server, npm test reports the tests in
// *.redis.test.ts as skipped.
import { findRedisServer, NO_REDIS, startRedis } from '../../dev/stack/redis';
import type { RedisServer } from '../../dev/stack/redis';

export const describeWithRedis = findRedisServer()
  ? describe
  : (name: string, tests: () => void): void =>
      describe.skip(`${name} (skipped: ${NO_REDIS})`, tests);

export function useRedis(): (
  options?: Parameters<typeof startRedis>[0],
) => Promise<RedisServer> {
  const started: RedisServer[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map(async ({ stop }) => stop()));
  });
  return async (options) => {
    const server = await startRedis(options);
    started.push(server);
    return server;
  };
}
