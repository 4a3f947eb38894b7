// A day in the life of the snap, by a clock that is moved: a transaction an hour, new blocks by
// socket, background events, a worker that is stopped whenever it is idle, and a client that
// is started anew twice. The requests stay the same from hour to hour, and nothing is left.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';
import { createTestClient, http } from 'viem';
import { foundry } from 'viem/chains';

import { createSnapSite } from '../../dev/demo/world';
import { untilQuiet } from '../../dev/faults/bench';
import { type Ground, startGround } from '../../dev/faults/servers';
import type { WalletDisk } from '../../dev/wallet/controllers';
import type { World } from '../../dev/wallet/in-process';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { startWallet, type Wallet } from '../../dev/wallet/wallet';

/** Creates the world. */
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

/** When the client is started anew. */
const RESTARTS = [8, 16];

/** What an hour may ask of the platform, and of servers. */
const BOUNDS = { calls: 120, requests: 60 };

type Kept = { status: string };

/** What an hour has cost, and what it has left. */
type Hour = {
  calls: number;
  requests: number;
  starts: number;
  pending: number;
  kept: number;
  events: number;
  sockets: number;
  size: number;
};

let ground: Ground;
let wallet: Wallet;
let requests = 0;
let starts = 0;
let calls = 0;
let wasRunning = false;

const world = createTestWorld(() => {
  requests += 1;
});

/** Lets time pass, in steps that are short enough for everything that waits. */
async function pass(ms: number, stepMs = 5 * SECOND): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    jest.advanceTimersByTime(Math.min(stepMs, left));
    await untilQuiet(world, () => true);
    const isRunning = wallet.isRunning();
    if (isRunning && !wasRunning) starts += 1;
    wasRunning = isRunning;
  }
}

/** Lets time pass for something that waits for a timer of the wallet's. */
async function get<Result>(running: Promise<Result>): Promise<Result> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  running.then(over, over);
  for (let turns = 0; !isOver && turns < 10_000; turns += 1) {
    jest.advanceTimersByTime(5);
    await untilQuiet(world, () => true);
  }
  return running;
}

/** Waits for what comes over a real socket. */
async function arrive(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise(setImmediate);
  await untilQuiet(world, () => true);
}

async function mine(blocks = 1): Promise<void> {
  const transport = http(ground.servers.nodeUrl);
  await createTestClient({ mode: 'anvil', chain: foundry, transport }).mine({ blocks });
  await arrive(20);
}

async function open(disk: WalletDisk): Promise<void> {
  const chain = { url: ground.servers.nodeUrl };
  const onSnapCall = (): void => void (calls += 1);
  wallet = await startWallet({ chain, world, disk, onSnapCall });
  await untilQuiet(world, () => true);
}

async function restart(): Promise<void> {
  const disk = await get(wallet.disk());
  await get(wallet.stop());
  await open(disk);
}

/** An hour: something is sent, five blocks come soon, then one every ten minutes. */
async function live(): Promise<Hour> {
  const before = { calls, requests, starts };
  const { address } = ground.kept;
  const transfer = { from: address, to: address, value: '0x1' };
  await get(createSnapSite(wallet, DAPP).snap('eth_sendTransaction', [transfer]));
  for (let block = 0; block < 5; block += 1) {
    await pass(12 * SECOND);
    await mine();
  }
  for (let minutes = 0; minutes < 59; minutes += 10) {
    await pass(10 * MINUTE);
    await mine();
  }
  // What the last block has woken.
  await pass(MINUTE);
  return { ...look(before), ...(await lookInside()) };
}

function look(before: { calls: number; requests: number; starts: number }) {
  return {
    calls: calls - before.calls,
    requests: requests - before.requests,
    starts: starts - before.starts,
  };
}

async function lookInside(): Promise<Omit<Hour, 'calls' | 'requests' | 'starts'>> {
  const { encrypted, unencrypted } = await wallet.state();
  const { activity, ...rest } = encrypted as { activity: Record<string, Kept> };
  const listed = async (method: string): Promise<number> =>
    ((await wallet.perform({ method })) as Json[]).length;
  return {
    pending: Object.values(activity).filter(({ status }) => status === 'pending')
      .length,
    kept: Object.keys(activity).length,
    events: await listed('snap_getBackgroundEvents'),
    sockets: await listed('snap_getWebSockets'),
    size: JSON.stringify([rest, unencrypted]).length,
  };
}

beforeAll(async () => {
  ground = await startGround();
  // Anvil calls blocks final after 64 more: a younger chain would settle nothing.
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
  await get(companion.snap('tollkeeper_setChain', [{ chainId: 31_337, wsUrl }]));
});

afterAll(async () => {
  if (wallet) await get(wallet.stop());
  jest.useRealTimers();
  await ground?.stop();
});

it('survives a day of use', async () => {
  const hours: Hour[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    if (RESTARTS.includes(hour)) await restart();
    hours.push(await live());
    expect(wallet.isRunning()).toBe(false);
  }
  const most = (field: keyof Hour) => Math.max(...hours.map((each) => each[field]));
  expect(most('calls')).toBeLessThan(BOUNDS.calls);
  expect(most('requests')).toBeLessThan(BOUNDS.requests);
  expect({ pending: most('pending'), events: most('events') }).toStrictEqual({
    pending: 0,
    events: 0,
  });
  expect(most('sockets')).toBeLessThanOrEqual(1);
  expect(hours.at(-1)?.kept).toBe(HOURS);
  // The worker was stopped and started again in every hour.
  expect(Math.min(...hours.map((each) => each.starts))).toBeGreaterThan(0);
  // Beside what was sent, nothing grows.
  expect(most('size') - (hours[0]?.size ?? 0)).toBeLessThan(200);
}, 500_000);
