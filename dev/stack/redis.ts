// Runs an installed Redis or Valkey server in memory, on loopback only.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { orDied, readOutput, startCommand } from './processes';
import { listenOnLoopback } from './server';

export type RedisServer = {
  url: string;
  port: number;
  /** SIGSTOP suspends the server, SIGCONT resumes it, and SIGKILL ends it. */
  signal: (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => void;
  stop: () => Promise<void>;
};

export function findRedisServer(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) =>
      ['valkey-server', 'redis-server'].map((name) => join(folder, name)),
    )
    .find((path) => existsSync(path));
}

export const NO_REDIS = 'neither valkey-server nor redis-server is on the PATH';

/** Starts a server. Throws if none is installed or the port is taken. */
export async function startRedis(
  options: { port?: number; password?: string } = {},
): Promise<RedisServer> {
  const { port, password } = options;
  const path = findRedisServer();
  if (path === undefined) throw new Error(`Redis cannot be started: ${NO_REDIS}.`);
  const chosen = port ?? (await findFreePort());
  const child = startCommand({
    name: 'Redis',
    command: [path],
    flags: {
      bind: '127.0.0.1',
      port: chosen,
      dir: tmpdir(),
      save: '',
      appendonly: 'no',
      ...(password !== undefined && { requirepass: password }),
    },
  });
  await orDied(readOutput(child, /(Ready) to accept connections/u), child);
  const login = password === undefined ? '' : `:${password}@`;
  return {
    url: `redis://${login}127.0.0.1:${chosen}`,
    port: chosen,
    signal: (name) => child.pids.forEach((pid) => process.kill(pid, name)),
    stop: child.stop,
  };
}

async function findFreePort(): Promise<number> {
  const { url, stop } = await listenOnLoopback(() => undefined);
  await stop();
  return Number(new URL(url).port);
}
