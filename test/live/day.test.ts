// A day of use with a fake clock: a transaction every hour, new blocks over a socket, background
// events, a worker that stops whenever it is idle, and two restarts of MetaMask. The number of
// requests does not grow, and nothing accumulates.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';
import { createTestClient, http } from 'viem';
import { foundry } from 'viem/chains';

import { createSnapSite } from '../../dev/demo/world';
import { untilQuiet } from '../../dev/faults/bench';
import { type TestServers, startTestServers } from '../../dev/faults/servers';
import type { WalletDisk } from '../../dev/wallet/controllers';
import type { World } from '../../dev/wallet/in-process';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { startWallet, type Wallet } from '../../dev/wallet/wallet';

function createTestWorld(onRequest: () => void): World {
  return {
    time: {
      now: () => Date.now(),
      set: (run, ms) => setTimeout(run, ms),
      clear: (handle) => clearTimeout(handle as never),
      next: () => undefined,
      moveTo: () => undefined,
    },
    asking: { count: 0 },
    fetch: async (...args) => {
      onRequest();
      return fetch(...args);
    },
  };
}

const DAPP = 'https://dapp.example';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOURS = 24;

const FINAL_BLOCKS = 70;

const RESTARTS = [8, 16];

/** Limits of platform calls and HTTP requests per hour. */
const BOUNDS = { calls: 120, requests: 60 };

type Hour = {
  calls: number;
  requests: number;
  starts: number;
  pending: number;
  stored: number;
  events: number;
  sockets: number;
  size: number;
};

let ground: TestServers;
let wallet: Wallet;
let requests = 0;
let starts = 0;
let calls = 0;
let wasRunning = false;

const world = createTestWorld(() => {
  requests += 1;
});

/** Advances the clock in short steps, and settles everything after each one. */
async function advance(ms: number, stepMs = 5 * SECOND): Promise<void> {
  for (let remaining = ms; remaining > 0; remaining -= stepMs) {
    jest.advanceTimersByTime(Math.min(stepMs, remaining));
    await untilQuiet(world, () => true);
    const isRunning = wallet.isRunning();
    if (isRunning && !wasRunning) starts += 1;
    wasRunning = isRunning;
  }
}

/** Advances the clock until a promise settles, for calls that depend on the wallet's timers. */
async function waitWithTimers<Result>(running: Promise<Result>): Promise<Result> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  running.then(over, over);
  for (let turns = 0; !isOver && turns < 10_000; turns += 1) {
    jest.advanceTimersByTime(5);
    await untilQuiet(world, () => true);
  }
  return running;
}

/** Gives messages on real sockets time to arrive. */
async function waitForMessages(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise(setImmediate);
  await untilQuiet(world, () => true);
}

async function mine(blocks = 1): Promise<void> {
  const transport = http(ground.servers.nodeUrl);
  await createTestClient({ mode: 'anvil', chain: foundry, transport }).mine({ blocks });
  await waitForMessages(20);
}

async function open(disk: WalletDisk): Promise<void> {
  const chain = { url: ground.servers.nodeUrl };
  const onSnapCall = (): void => void (calls += 1);
  wallet = await startWallet({ chain, world, disk, onSnapCall });
  await untilQuiet(world, () => true);
}

async function restart(): Promise<void> {
  const disk = await waitWithTimers(wallet.disk());
  await waitWithTimers(wallet.stop());
  await open(disk);
}

/** Plays an hour: a transaction, five quick blocks, then one block every ten minutes. */
async function playHour(): Promise<Hour> {
  const before = { calls, requests, starts };
  const { address } = ground.kept;
  const transfer = { from: address, to: address, value: '0x1' };
  await waitWithTimers(
    createSnapSite(wallet, DAPP).snap('eth_sendTransaction', [transfer]),
  );
  for (let block = 0; block < 5; block += 1) {
    await advance(12 * SECOND);
    await mine();
  }
  for (let minutes = 0; minutes < 59; minutes += 10) {
    await advance(10 * MINUTE);
    await mine();
  }
  // Leaves time to process the last block.
  await advance(MINUTE);
  return { ...countSince(before), ...(await inspectState()) };
}

function countSince(before: { calls: number; requests: number; starts: number }) {
  return {
    calls: calls - before.calls,
    requests: requests - before.requests,
    starts: starts - before.starts,
  };
}

async function inspectState(): Promise<Omit<Hour, 'calls' | 'requests' | 'starts'>> {
  const { encrypted, unencrypted } = await wallet.state();
  const { activity, ...rest } = encrypted as {
    activity: Record<string, { status: string }>;
  };
  const listed = async (method: string): Promise<number> =>
    ((await wallet.perform({ method })) as Json[]).length;
  return {
    pending: Object.values(activity).filter(({ status }) => status === 'pending')
      .length,
    stored: Object.keys(activity).length,
    events: await listed('snap_getBackgroundEvents'),
    sockets: await listed('snap_getWebSockets'),
    size: JSON.stringify([rest, unencrypted]).length,
  };
}

beforeAll(async () => {
  ground = await startTestServers();
  // Anvil finalizes a block 64 blocks later. On a shorter chain, nothing would settle.
  await mine(FINAL_BLOCKS);
  jest.useFakeTimers({
    doNotFake: [
      'setImmediate',
      'clearImmediate',
      'nextTick',
      'queueMicrotask',
      'performance',
    ],
  });
  await open(ground.disk);
  const wsUrl = ground.servers.service.url.replace('http', 'ws');
  const companion = createSnapSite(wallet, COMPANION_ORIGIN);
  await waitWithTimers(
    companion.snap('tollkeeper_setChain', [{ chainId: 31_337, wsUrl }]),
  );
});

afterAll(async () => {
  if (wallet) await waitWithTimers(wallet.stop());
  jest.useRealTimers();
  await ground?.stop();
});

it('survives a day of use', async () => {
  const hours: Hour[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    if (RESTARTS.includes(hour)) await restart();
    hours.push(await playHour());
    expect(wallet.isRunning()).toBe(false);
  }
  const maximum = (field: keyof Hour) => Math.max(...hours.map((each) => each[field]));
  expect(maximum('calls')).toBeLessThan(BOUNDS.calls);
  expect(maximum('requests')).toBeLessThan(BOUNDS.requests);
  expect({ pending: maximum('pending'), events: maximum('events') }).toStrictEqual({
    pending: 0,
    events: 0,
  });
  expect(maximum('sockets')).toBeLessThanOrEqual(1);
  expect(hours.at(-1)?.stored).toBe(HOURS);
  expect(Math.min(...hours.map((each) => each.starts))).toBeGreaterThan(0);
  // Only the activity grows.
  expect(maximum('size') - (hours[0]?.size ?? 0)).toBeLessThan(200);
}, 500_000);
