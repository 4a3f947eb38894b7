// The embedded stack itself: that it keeps to this machine, and leaves nothing behind however it
// ends. Everything else that is live is tested on it.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

import { createPublicClient, http, webSocket } from 'viem';

import {
  startDevStack,
  type DevStack,
  type DevStackOptions as Options,
} from '../../dev/stack/stack';
import { waitFor } from '../fixtures/stack/requests';

// What looks at processes needs /proc.
const itOnLinux = process.platform === 'linux' ? it : it.skip;

const started: DevStack[] = [];
let stacks: [DevStack, DevStack];

beforeAll(async () => {
  stacks = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
});

/** A stack that ends with the tests at the latest. */
async function start(options?: Options): Promise<DevStack> {
  const result = await startDevStack(options);
  started.push(result);
  return result;
}

/** A stack for one test, with the processes that came with it. */
async function startOther(): Promise<{ other: DevStack; pids: number[] }> {
  const before = findDescendants(process.pid);
  const other = await start();
  const pids = findDescendants(process.pid).filter((pid) => !before.includes(pid));
  return { other, pids };
}

describe('a started stack', () => {
  it('runs beside another one on other ports', async () => {
    const ids = stacks.flatMap(({ chain }) => [
      createPublicClient({ transport: http(chain.url) }).getChainId(),
      fetchChainIdBySocket(chain.wsUrl),
    ]);
    expect(await Promise.all(ids)).toStrictEqual([31337, 31337, 31337, 31337]);
    expect(new Set(stacks.flatMap(listUrls)).size).toBe(8);
    expect(stacks[1].contracts).toStrictEqual(stacks[0].contracts);
  });

  itOnLinux('listens on loopback only', () => {
    const pids = [process.pid, ...findDescendants(process.pid)];
    const addresses = pids.flatMap(findListeningAddresses);
    const expected = stacks.flatMap(listUrls).map((url) => new URL(url).host);
    expect(addresses).toStrictEqual(expect.arrayContaining(expected));
    // And the bundlers for EntryPoint 0.6, which stand behind.
    expect(addresses).toHaveLength(10);
    expect(addresses.filter((each) => !each.startsWith('127.0.0.1:'))).toStrictEqual(
      [],
    );
  });
});

describe('the end of a stack', () => {
  itOnLinux('leaves no process, and may be asked for twice', async () => {
    const { other, pids } = await startOther();
    expect(pids).toHaveLength(3);
    await Promise.all([other.stop(), other.stop()]);
    expect(pids.filter(isAlive)).toStrictEqual([]);
    await other.stop();
  });

  it('frees its ports for the next', async () => {
    const first = await start();
    await first.stop();
    const [chain, bundler] = [first.chain.url, first.bundler.url].map((url) =>
      Number(new URL(url).port),
    ) as [number, number];
    const second = await start({ ports: { chain, bundler } });
    await second.stop();
    expect([second.chain, second.bundler]).toStrictEqual([first.chain, first.bundler]);
  });

  itOnLinux('reports when a part dies, and stops the rest', async () => {
    const { other, pids } = await startOther();
    // The guard of the chain: its node must not live on without it.
    process.kill(Number(pids[0]), 'SIGKILL');
    // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
    const error = await other.died.finally(() => other.stop());
    expect(error.message).toMatch(
      /^The chain \(anvil\) ended unexpectedly \(SIGKILL\)\./u,
    );
    expect(pids.filter(isAlive)).toStrictEqual([]);
  });

  itOnLinux.each([
    ['SIGKILL', 'starting'],
    ['SIGKILL', 'started'],
    ['SIGTERM', 'started'],
    ['SIGINT', 'started'],
    ['process.exit', 'started'],
    ['exception', 'started'],
  ] as const)('comes with that of its parent: %s when %s', async (ending, when) => {
    expect(await runParent(ending, when)).toBe(0);
  });
});

describe('a start', () => {
  it.each(['chain', 'bundler'] as const)('names a taken port: %s', async (part) => {
    const { port, release } = await takePort();
    await expect(start({ ports: { [part]: port } }).finally(release)).rejects.toThrow(
      `Port ${port}, wanted for the ${part}, is taken.`,
    );
  });

  itOnLinux('that takes too long names the part and leaves no process', async () => {
    const before = findDescendants(process.pid);
    // Which of the two that begin together is named depends on the machine.
    await expect(start({ timeout: 30 })).rejects.toThrow(
      /^The start took longer than 30 ms; it was (?:waiting for the chain \(anvil\)|preparing the contracts)\. /u,
    );
    expect(findDescendants(process.pid)).toStrictEqual(before);
  });
});

function listUrls({ chain, bundler, service, paymaster }: DevStack): string[] {
  return [chain, bundler, service, paymaster].map(({ url }) => url);
}

/** Asks a node for its chain id over a WebSocket. */
async function fetchChainIdBySocket(url: string): Promise<number> {
  const client = createPublicClient({
    transport: webSocket(url, { reconnect: false }),
  });
  try {
    return await client.getChainId();
  } finally {
    (await client.transport.getRpcClient()).close();
  }
}

/** Listens on a port of the loopback interface, until it is released. */
async function takePort(): Promise<{ port: number; release: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    release: () => void server.close(),
  };
}

// The processes of a Linux machine, by way of /proc.

/** Lists the running descendants of a process. */
function findDescendants(ancestor: number): number[] {
  const children = listPids().filter((pid) => readStatus(pid)?.parent === ancestor);
  return children.flatMap((pid) => [pid, ...findDescendants(pid)]);
}

/** Lists the running processes whose environment holds a text. */
function findMarked(mark: string): number[] {
  return listPids().filter(
    (pid) => isAlive(pid) && read(`/proc/${pid}/environ`)?.includes(mark),
  );
}

/** Returns whether a process runs. */
function isAlive(pid: number): boolean {
  return readStatus(pid) !== undefined;
}

/** Lists where a process listens for TCP connections. */
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
  // pid (name, which may hold anything) state parent …
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

/** How the process ends: a signal that it gets, or what it does itself. */
type Ending = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'process.exit' | 'exception';

/** Runs a process that starts a stack and ends without stopping it. */
async function runParent(ending: Ending, when: 'starting' | 'started') {
  // Its children inherit it, so that they are found when their parent is gone.
  const mark = `TOLLKEEPER_TEST_MARK=${randomUUID()}`;
  const [name = '', value] = mark.split('=');
  const parent = fork('test/fixtures/stack/parent.ts', [ending], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, [name]: value },
    stdio: 'ignore',
  });
  try {
    const exited = once(parent, 'exit');
    let state: unknown;
    parent.on('message', (message) => (state = message));
    // The process itself, guard, node and bundler; the loader may have one more.
    await waitFor(() => findMarked(mark).length >= 4 && state === when);
    if (ending.startsWith('SIG')) parent.kill(ending as NodeJS.Signals);
    else parent.send('end');
    await exited;
    await waitFor(() => findMarked(mark).length === 0, 3_000).catch(() => undefined);
    return findMarked(mark).length;
  } finally {
    for (const pid of findMarked(mark)) process.kill(pid, 'SIGKILL');
  }
}
