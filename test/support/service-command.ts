// Runs the service as its container does: one bundled file, in a folder without packages.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type ServiceProcess = ReturnType<typeof start>;

/** Runs service processes, configured by environment variables and killed after each test. */
export function useServiceCommand() {
  let folder = '';
  const children: ServiceProcess[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollkeeper-service-'));
    const output = `--outfile=${join(folder, 'service.cjs')}`;
    await promisify(execFile)('npm', ['run', 'build:service', '--', output]);
  });
  afterEach(async () => {
    for (const { child, ended } of children.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
  });
  afterAll(async () => rm(folder, { recursive: true }));
  return {
    folder: () => folder,
    run: (environment: Record<string, string>) => {
      const env = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          `TOLLKEEPER_GAS_${name}`,
          value,
        ]),
      );
      const started = start(folder, env);
      children.push(started);
      return started;
    },
  };
}

function start(folder: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['service.cjs'], { cwd: folder, env });
  let output = '';
  const url = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const found = /Serving chains? [\d, ]+ at (http:\S+)\./u.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
  });
  return {
    child,
    /** Resolves to the service's URL once it listens. */
    url,
    output: () => output,
    entries: () =>
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    /** Resolves to the exit code, or null after a signal. */
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}
