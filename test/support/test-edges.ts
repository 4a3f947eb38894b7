// In-memory versions of the snap's outer edges.
import { readFileSync } from 'node:fs';

import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { EmitKeyringEvent } from '../../src/accounts/events';
import type { AppContext } from '../../src/context';
import { createEntropy } from './entropy';
import { createFakeNetwork } from './fake-fetch';
import { createScreens } from './fake-interfaces';
import { createFakeNode } from './fake-node';
import { createFakeSockets } from './fake-socket';
import { FEE_ANSWERS } from './fees';
import { createMemoryBackend } from './memory-backend';
import { namesOf } from './view';

/** The wallet's clock, advanced by {@link advanceTime}. */
export type Clock = {
  time: number;
  isLocked: boolean;
  slept: number[];
  sleepers: { due: number; wake: () => void }[];
};

export type Edges = ReturnType<typeof createEdges>;

/** Creates the edges for a new wallet whose user approves everything. */
export function createEdges() {
  const clock: Clock = {
    time: 1_700_000_000_000,
    isLocked: false,
    slept: [],
    sleepers: [],
  };
  /** Keyring events, and MetaMask's answer to them. */
  const events: { emitted: Parameters<EmitKeyringEvent>[]; take: EmitKeyringEvent } = {
    emitted: [],
    take: () => Promise.resolve(),
  };
  const dialogs: {
    shown: JSXElement[];
    answer: (content: JSXElement, id: string) => Promise<Json>;
  } = { shown: [], answer: approve };
  return {
    backend: createMemoryBackend(),
    publicBackend: createMemoryBackend(),
    /** The wallet's provider, on chain 1. */
    wallet: createFakeNode({
      eth_chainId: '0x1',
      eth_getTransactionCount: '0x5',
      eth_estimateGas: '0x5208',
      eth_getBalance: '0x8ac7230489e80000',
      ...FEE_ANSWERS,
    }),
    network: createFakeNetwork(),
    sockets: createFakeSockets(),
    entropy: createEntropy(),
    events,
    dialogs,
    screens: createScreens(),
    clock,
    /** Time at which the wallet will wake the snap, in ms since 1970. */
    alarm: { due: undefined } as { due: number | undefined; held?: Promise<void> },
    /** Background events for single items, such as an open home page. */
    wakes: [] as Wake[],
    notifications: [] as string[],
    shipped: {
      // Synchronous, because `settle` does not wait for the disk.
      read: async (path: string): Promise<string | null> =>
        Promise.resolve(readFileSync(path, 'utf8')),
      locale: async () => Promise.resolve('en'),
    },
    lines: [] as string[],
  };
}

/** Waits of at least this length last until a test advances the time. */
const LONG_MS = 1_000;

export async function sleepOn(clock: Clock, ms: number): Promise<void> {
  clock.slept.push(ms);
  if (ms < LONG_MS) return;
  await new Promise<void>((wake) => {
    clock.sleepers.push({ due: clock.time + ms, wake });
  });
}

export function advanceTime({ clock }: Pick<Edges, 'clock'>, ms: number): void {
  clock.time += ms;
  const due = clock.sleepers.filter((each) => each.due <= clock.time);
  clock.sleepers = clock.sleepers.filter((each) => each.due > clock.time);
  for (const { wake } of due) wake();
}

/** Approves a dialog with every checkbox ticked. */
export async function approve(content: JSXElement): Promise<Json> {
  const boxes = namesOf(content, 'Checkbox').map((name) => [name, true]);
  await Promise.resolve();
  return { approved: true, values: Object.fromEntries(boxes) as Json };
}

export async function refuse(): Promise<Json> {
  await Promise.resolve();
  return { approved: false, values: {} };
}

/** Runs a function while a dialog is open, just before the user answers it. */
export function whileDialogOpen(
  { dialogs }: Pick<Edges, 'dialogs'>,
  act: () => unknown,
) {
  const { answer } = dialogs;
  dialogs.answer = async (...shown) => {
    await act();
    return answer(...shown);
  };
}

export type Wake = [method: string, id: string, seconds: number];

/** Creates a fake of the wallet's background events, which it stores in `due`. */
export function createFakeWakes(due: Wake[]): AppContext['wakes'] {
  return {
    has: (method, id) =>
      Promise.resolve(due.some((each) => each[0] === method && each[1] === id)),
    add: async (...wake) => {
      due.push(wake);
      return Promise.resolve();
    },
  };
}
