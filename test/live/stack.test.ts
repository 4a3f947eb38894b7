// The embedded stack itself: that it holds what it says, keeps to this machine, and
// leaves nothing behind however it ends. Everything else that is live is tested on it.
import { setTimeout as sleep } from 'node:timers/promises';

import { createPublicClient, http, parseEther, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import {
  startChainStack,
  type ChainStack,
  type ChainStackOptions as Options,
} from '../../dev/stack/stack';
import { fetchFacts } from '../fixtures/stack/facts';
import { runParent } from '../fixtures/stack/orphans';
import {
  findDescendants,
  findListeningAddresses,
  isAlive,
} from '../fixtures/stack/processes';
import {
  fetchChainIdBySocket,
  includeOperation,
  send,
  takePort,
} from '../fixtures/stack/requests';
import {
  createAccount,
  createOperation06,
  createSponsoredOperation,
} from '../fixtures/stack/simple-account';
import { encodeHandleOps, toRpc } from '../fixtures/stack/user-operation';

// What looks at processes needs /proc.
const itOnLinux = process.platform === 'linux' ? it : it.skip;

const started: ChainStack[] = [];
let stacks: [ChainStack, ChainStack];
let stack: ChainStack;
let client: PublicClient;

beforeAll(async () => {
  stacks = await Promise.all([start(), start()]);
  stack = stacks[0];
  client = createPublicClient({ transport: http(stack.chain.url) });
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
  it('stands beside another one, alike but for the ports', async () => {
    const ids = stacks.flatMap(({ chain }) => [
      createPublicClient({ transport: http(chain.url) }).getChainId(),
      fetchChainIdBySocket(chain.wsUrl),
    ]);
    expect(await Promise.all(ids)).toStrictEqual([31337, 31337, 31337, 31337]);
    const urls = stacks.flatMap(({ chain, bundler }) => [chain.url, bundler.url]);
    expect(new Set(urls).size).toBe(4);
    expect(stacks[1].contracts).toStrictEqual(stack.contracts);
  });

  it.each(['0.6', '0.7', '0.8', '0.9'] as const)(
    'has contracts of %s',
    async (version) => {
      const { codeSizes, ...facts } = await fetchFacts(stack, version);
      const { entryPoint } = stack.contracts[version];
      expect(facts).toStrictEqual({
        entryPointOf: { account: entryPoint, paymaster: entryPoint },
        deposit: parseEther('100'),
        stake: parseEther('1'),
      });
      expect(Math.min(...codeSizes)).toBeGreaterThan(1_000);
    },
  );

  it('has a funded account with a fresh nonce, and a signer, whose keys fit', async () => {
    for (const { address, privateKey } of [stack.funded, stack.paymasterSigner]) {
      expect(privateKeyToAccount(privateKey).address).toBe(address);
    }
    const { address } = stack.funded;
    expect(await client.getBalance({ address })).toBe(parseEther('10000'));
    expect(await client.getTransactionCount({ address })).toBe(0);
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

describe('user operations', () => {
  it('are included by the bundler for EntryPoint 0.6, also after a pause', async () => {
    const account = await createAccount(stack, '0.6');
    await send(stack, { to: account.address, value: parseEther('1') });
    for (const pause of [0, 2_500]) {
      await sleep(pause);
      const operation = toRpc(await createOperation06(account));
      const receipt = await includeOperation(stack, operation);
      expect(receipt).toMatchObject({ sender: account.address, success: true });
    }
    expect(await client.getCode({ address: account.address })).toBeDefined();
  });

  it.each(['0.6', '0.7', '0.8', '0.9'] as const)(
    'of %s are sponsored',
    async (version) => {
      const account = await createAccount(stack, version);
      // What the operation sends on; nothing for fees.
      await send(stack, { to: account.address, value: 1n });
      const operation = await createSponsoredOperation(account);
      const data = encodeHandleOps(operation, stack.funded.address);
      const { entryPoint } = stack.contracts[version];
      expect(await send(stack, { to: entryPoint, data })).toBe('success');
      expect(await client.getCode({ address: account.address })).toBeDefined();
      expect(await client.getBalance({ address: account.address })).toBe(0n);
    },
  );
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

  itOnLinux('is told when a part dies, and takes the rest with it', async () => {
    const { other, pids } = await startOther();
    // The guard of the chain: its node must not live on without it.
    process.kill(Number(pids[0]), 'SIGKILL');
    // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
    const error = await other.died.finally(() => other.stop());
    expect(error.message).toMatch(
      /^The chain \(anvil\) ended by itself \(SIGKILL\)\./u,
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
