// The embedded stack itself: that it keeps to this machine, and leaves nothing behind however it
// ends. Everything else that is live is tested on it.
import { createPublicClient, http } from 'viem';

import {
  startChainStack,
  type ChainStack,
  type ChainStackOptions as Options,
} from '../../dev/stack/stack';
import { runParent } from '../fixtures/stack/orphans';
import {
  findDescendants,
  findListeningAddresses,
  isAlive,
} from '../fixtures/stack/processes';
import { fetchChainIdBySocket, takePort } from '../fixtures/stack/requests';

// What looks at processes needs /proc.
const itOnLinux = process.platform === 'linux' ? it : it.skip;

const started: ChainStack[] = [];
let stacks: [ChainStack, ChainStack];

beforeAll(async () => {
  stacks = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
});

/** A stack that ends with the tests at the latest. */
async function start(options?: Options): Promise<ChainStack> {
  const result = await startChainStack(options);
  started.push(result);
  return result;
}

/** A stack for one test, with the processes that came with it. */
async function startOther(): Promise<{ other: ChainStack; pids: number[] }> {
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
    const urls = stacks.flatMap(({ chain, bundler }) => [chain.url, bundler.url]);
    expect(new Set(urls).size).toBe(4);
    expect(stacks[1].contracts).toStrictEqual(stacks[0].contracts);
  });

  itOnLinux('listens on loopback only', () => {
    const pids = [process.pid, ...findDescendants(process.pid)];
    const addresses = pids.flatMap(findListeningAddresses);
    const urls = stacks.flatMap(({ chain, bundler }) => [chain.url, bundler.url]);
    const expected = urls.map((url) => new URL(url).host);
    expect(addresses).toStrictEqual(expect.arrayContaining(expected));
    // And the bundlers for EntryPoint 0.6, which stand behind.
    expect(addresses).toHaveLength(6);
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
    expect(await runParent(ending, when)).toMatchObject({ left: 0 });
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
