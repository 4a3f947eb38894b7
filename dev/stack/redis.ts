// Redis or Valkey, where one is installed: in memory, on loopback alone, for tests and benches.
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { orDied, readOutput, startChild } from './processes';

/** A running server. */
export type RedisServer = {
  url: string;
  port: number;
  /** SIGSTOP makes it hang, SIGCONT go on. */
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void;
  stop: () => Promise<void>;
};

/** Finds a server on the PATH. */
export function findRedisServer(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) =>
      ['valkey-server', 'redis-server'].map((name) => join(folder, name)),
    )
    .find((path) => existsSync(path));
}

/** Why something is skipped where {@link findRedisServer} finds nothing. */
export const NO_REDIS = 'neither valkey-server nor redis-server is on the PATH';

/**
 * Starts a server.
 *
 * @throws {Error} If none is installed, or the port is taken.
 */
export async function startRedis({
  port,
  password,
}: { port?: number; password?: string } = {}): Promise<RedisServer> {
  const path = findRedisServer();
  if (path === undefined) throw new Error(`Redis cannot be started: ${NO_REDIS}.`);
  const chosen = port ?? (await findFreePort());
  const settings = {
    bind: '127.0.0.1',
    port: chosen,
    dir: tmpdir(),
    save: '',
    appendonly: 'no',
    ...(password !== undefined && { requirepass: password }),
  };
  const child = startChild({
    name: 'Redis',
    script: new URL('./guard.mjs', import.meta.url),
    args: [
      path,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ],
  });
  let pid: number | undefined;
  child.process.on('message', (message) => {
    if (typeof message === 'object' && 'pid' in message) pid = Number(message.pid);
  });
  await orDied(readOutput(child, /(Ready) to accept connections/u), child);
  const login = password === undefined ? '' : `:${password}@`;
  return {
    url: `redis://${login}127.0.0.1:${chosen}`,
    port: chosen,
    signal: (name) => {
      if (pid !== undefined) process.kill(pid, name);
    },
    stop: child.stop,
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
