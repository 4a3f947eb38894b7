// One case: a request of a route, chance for the network and for the person, and what is
// seen of it. All of it follows from the seed and the case's number.
import type { Json } from '@metamask/utils';

import type { Wallet } from '../wallet/wallet';
import { judge } from './oracle';
import type { Failure, Sighting } from './oracle';
import { see } from './outcome';
import type { Outcome } from './outcome';
import { createSend, decideByChance } from './person';
import { createRandom } from './random';
import type { Random } from './random';
import type { FuzzRequest, Route } from './route';
import { routes } from './routes';
import type { Page, Scene } from './scene';

/** A wallet in which cases are played one after another. */
export type Play = {
  scene: Scene;
  wallet: Wallet;
  page: Page;
  /** Whether the worker ran when the last case ended: one can die of what it left behind. */
  wasRunning: boolean;
};

/** What became of a case. */
export type Result = {
  id: number;
  route: string;
  request: FuzzRequest;
  outcome: Outcome;
  failure: Failure | undefined;
  ms: number;
};

/** Which case. */
export type CaseOptions = { seed: number; id: number; only: readonly string[] };

/** Longest time for a case, in ms: the platform's own limit, and what it does not count. */
const LIMIT_MS = 120_000;

/** How often servers go wrong in cases in which they do. */
const FAULT_SHARE = { cases: 0.2, answers: 0.4 };

/** Play a case. */
export async function playCase(play: Play, options: CaseOptions): Promise<Result> {
  const { seed, id } = options;
  const random = createRandom(seed, id);
  const route = pickRoute(random, options.only);
  const request = route.make(random, stageOf(play));
  const faultShare = random.chance(FAULT_SHARE.cases) ? FAULT_SHARE.answers : 0;
  play.scene.network.behave(createRandom(seed, id, 1), faultShare);
  const played = await playRequest(play, request, createRandom(seed, id, 2));
  return { id, route: route.name, request, ...played };
}

/** Play a request, with chance for the person. */
export async function playRequest(
  play: Play,
  request: FuzzRequest,
  random: Random,
): Promise<Pick<Result, 'outcome' | 'failure' | 'ms'>> {
  const start = Date.now();
  const sighting = await watch(play, request, random);
  const ms = Date.now() - start;
  return { outcome: sighting.outcome, failure: judge(sighting, play.scene.kinds), ms };
}

function pickRoute(random: Random, only: readonly string[]): Route {
  const open = routes.filter(({ name }) => only.length === 0 || only.includes(name));
  const shares = open.flatMap((route) =>
    Array.from({ length: route.share }, () => route),
  );
  return random.pick(shares);
}

function stageOf({ scene, wallet, page }: Play): Parameters<Route['make']>[1] {
  const sent = wallet.calls.findLast(
    ({ method }) => method === 'snap_sendWebSocketMessage',
  );
  const { id } = (sent?.params ?? {}) as { id?: string };
  return {
    accounts: scene.accounts,
    url: scene.network.url,
    companion: scene.companion,
    page: { id: page.interfaceId, content: () => page.content },
    socketId: id,
  };
}

async function watch(
  play: Play,
  request: FuzzRequest,
  random: Random,
): Promise<Sighting> {
  const { scene, wallet } = play;
  const shown: string[] = [];
  const hasDiedSince = play.wasRunning && !wallet.isRunning();
  decideByChance(wallet, random, shown);
  if (request.isFresh) await wallet.stopSnap();
  await ensureRunning(play);
  const before = listHeld(wallet);
  const told = {
    notifications: wallet.notifications.length,
    lines: wallet.console().length,
  };
  const outcome = await see(async () => createSend(wallet)(request), LIMIT_MS);
  // What a handler left behind runs now.
  await new Promise((resolve) => setImmediate(resolve));
  const { encrypted, unencrypted } = (await wallet.state()) as Stored;
  const open = JSON.stringify(unencrypted);
  play.wasRunning = wallet.isRunning();
  return {
    ...{ request, outcome, shown: [...shown, ...listNews(wallet, told), open] },
    isRunning: play.wasRunning && !hasDiedSince,
    accounts: {
      before,
      metamask: listHeld(wallet),
      snap: Object.keys(encrypted?.accounts ?? {}),
      unsettled: Object.keys(encrypted?.unsettled ?? {}),
    },
    secrets: scene.secrets,
  };
}

// So that a worker that is gone after a request has died of it. By a request, as the wallet
// does it: background events and sockets may start it just now as well.
async function ensureRunning({ scene, wallet }: Play): Promise<void> {
  const send = createSend(wallet);
  for (let tries = 3; tries > 0 && !wallet.isRunning(); tries -= 1) {
    await send(scene.wake).catch(() => undefined);
  }
}

type Stored = { encrypted: StoredAccounts | null; unencrypted: Json };

type StoredAccounts = {
  accounts: Record<string, Json>;
  unsettled: Record<string, Json>;
};

function listHeld({ keyring }: Wallet): string[] {
  return keyring.listAccounts().map(({ id }) => id);
}

function listNews(
  wallet: Wallet,
  told: { notifications: number; lines: number },
): string[] {
  const notes = wallet.notifications.slice(told.notifications);
  return [
    ...notes.map(({ message }) => message),
    ...wallet.console().slice(told.lines),
  ];
}
