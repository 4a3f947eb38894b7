// The embedded stack that the other live tests use: it listens only on loopback, and leaves no
// process behind, however it ends.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { startDevStack, type DevStack } from '../../dev/stack/stack';
import { waitFor } from '../fixtures/stack/requests';

// Inspecting processes needs /proc.
const itOnLinux = process.platform === 'linux' ? it : it.skip;

let stack: DevStack;

beforeAll(async () => {
  stack = await startDevStack();
});
afterAll(async () => stack.stop());

describe('a stack', () => {
  itOnLinux('listens only on loopback', () => {
    const pids = [process.pid, ...findDescendants(process.pid)];
    const addresses = pids.flatMap(findListeningAddresses);
    const expected = listUrls(stack).map((url) => new URL(url).host);
    expect(addresses).toStrictEqual(expect.arrayContaining(expected));
    // The fifth listener is the EntryPoint 0.6 bundler, which the main bundler uses.
    expect(addresses).toHaveLength(5);
    expect(addresses.filter((each) => !each.startsWith('127.0.0.1:'))).toStrictEqual(
      [],
    );
  });

  itOnLinux.each([
    ['SIGKILL', 'starting'],
    ['SIGKILL', 'started'],
    ['exception', 'started'],
  ] as const)('leaves no process if its parent ends (%s, %s)', async (ending, when) => {
    expect(await runParent(ending, when)).toBe(0);
  });
});

function listUrls({ chain, bundler, service, paymaster }: DevStack): string[] {
  return [chain, bundler, service, paymaster].map(({ url }) => url);
}

// Helpers that read Linux's /proc.

function findDescendants(ancestor: number): number[] {
  const children = listPids().filter((pid) => readStatus(pid)?.parent === ancestor);
  return children.flatMap((pid) => [pid, ...findDescendants(pid)]);
}

/** Lists the running processes whose environment contains a text. */
function findMarked(mark: string): number[] {
  return listPids().filter(
    (pid) => isAlive(pid) && read(`/proc/${pid}/environ`)?.includes(mark),
  );
}

function isAlive(pid: number): boolean {
  return readStatus(pid) !== undefined;
}

function findListeningAddresses(pid: number): string[] {
  const descriptors = readdirSync(`/proc/${pid}/fd`).map((descriptor) =>
    readLink(`/proc/${pid}/fd/${descriptor}`),
  );
  const tables = ['tcp', 'tcp6'].map((name) => read(`/proc/${pid}/net/${name}`) ?? '');
  return tables.flatMap((table) =>
    table
      .split('\n')
      .map((line) => line.trim().split(/\s+/u))
      .filter(
        ([, , , state, , , , , , inode]) =>
          state === '0A' && descriptors.includes(`socket:[${inode}]`),
      )
      .map(([, address = '']) => toText(address)),
  );
}

/** @param address - As the kernel writes it: `0100007F:1F90`. */
function toText(address: string): string {
  const [host = '', port = ''] = address.split(':');
  const bytes = (host.match(/../gu) ?? []).map((byte) => parseInt(byte, 16)).reverse();
  return bytes.length === 4 ? `${bytes.join('.')}:${parseInt(port, 16)}` : address;
}

function listPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function readStatus(pid: number): { parent: number } | undefined {
  // pid (name, which may contain anything) state parent …
  const [state, parent] =
    (read(`/proc/${pid}/stat`) ?? '').split(') ').pop()?.split(' ') ?? [];
  return parent === undefined || state === 'Z' ? undefined : { parent: Number(parent) };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function readLink(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

type Ending = 'SIGKILL' | 'exception';

async function runParent(ending: Ending, when: 'starting' | 'started') {
  // The children inherit the mark, so the test finds them even after their parent has ended.
  const mark = `TOLLKEEPER_TEST_MARK=${randomUUID()}`;
  const [name = '', value] = mark.split('=');
  const parent = fork('test/fixtures/stack/parent.ts', [], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, [name]: value },
    stdio: 'ignore',
  });
  try {
    const exited = once(parent, 'exit');
    let state: unknown;
    parent.on('message', (message) => (state = message));
    // The process, guard, node and bundler; the module loader may add one.
    await waitFor(() => findMarked(mark).length >= 4 && state === when);
    if (ending === 'SIGKILL') parent.kill(ending);
    else parent.send('end');
    await exited;
    await waitFor(() => findMarked(mark).length === 0, 3_000).catch(() => undefined);
    return findMarked(mark).length;
  } finally {
    for (const pid of findMarked(mark)) process.kill(pid, 'SIGKILL');
  }
}
