// Tests that need Redis or Valkey; npm test counts those of a file named *.redis.test.ts as
// skipped where none is installed.
import { findRedisServer, NO_REDIS, startRedis } from '../../dev/stack/redis';
import type { RedisServer } from '../../dev/stack/redis';

/** `describe` where a server is installed. */
export const describeWithRedis = findRedisServer()
  ? describe
  : (name: string, tests: () => void): void =>
      describe.skip(`${name} (skipped: ${NO_REDIS})`, tests);

/** Has servers that are stopped after the test that started them. */
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
