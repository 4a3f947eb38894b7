// Runs cases. Several scenes run in parallel. Each opens one wallet after another and runs a batch
// of cases in it.
import type { Json } from '@metamask/utils';
import fc, { type Arbitrary } from 'fast-check';

import type { Wallet } from '../wallet/wallet';
import { anyServerFaults, type ServerFaults } from './network';
import { judge, see, type Failure, type Outcome } from './oracle';
import { anyInput, routes, type FuzzRequest, type Input, type Plan } from './routes';
import { send, setScene, type Scene } from './scene';
import { chance, itemAt, mix } from './values';

export type Play = Awaited<ReturnType<Scene['open']>> & {
  scene: Scene;
  /** Whether the worker was running at the end of the last case, which can still end it later. */
  wasRunning: boolean;
  deleted: Set<string>;
  /** Accounts that the snap believes MetaMask holds, because MetaMask's requests referred to
   * them. */
  named: Set<string>;
};

type Decision = { inputs: readonly Input[]; end: 'approve' | 'refuse' | 'close' };

/** The user's decisions in dialogs and answers to MetaMask's questions, in rotation. */
export type UserScript = { dialogs: readonly Decision[]; answers: readonly boolean[] };

type Case = { route: string; plan: Plan; faults: ServerFaults; script: UserScript };

export type Result = {
  route: string;
  request: FuzzRequest;
  outcome: Outcome;
  failure: Failure | undefined;
  /** Options that repeat the case. The path leads to its smallest failing version. */
  replay?: { seed: number; path: string };
};

/** Number of cases per wallet. A case can depend on earlier cases of its batch. */
const BATCH = 500;

/** Time limit of a case, in ms. It includes time that the platform's own limit does not count. */
const LIMIT_MS = 120_000;

const MAX_SHRINKS = 60;

type RunOptions = {
  /** Seed of the first batch. Each further batch adds one. */
  seed: number;
  count: number;
  /** Runs only the case at this path of the first batch. */
  path?: string | undefined;
  lanes: number;
  /** Called for each case. A failed case has already been shrunk. */
  onResult: (result: Result) => void;
};

export async function runCases(options: RunOptions): Promise<void> {
  let next = 0;
  const lanes = Array.from({ length: options.lanes }, async () => {
    const scene = await setScene();
    try {
      while (next < options.count) {
        const from = next;
        next = Math.min(options.count, from + BATCH);
        await playBatch(scene, options, { from, to: next });
      }
    } finally {
      await scene.stop();
    }
  });
  await Promise.all(lanes);
}

async function playBatch(
  scene: Scene,
  { seed: first, path, onResult }: RunOptions,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const seed = first + from / BATCH;
  let play = await openPlay(scene);
  let failed: Result | undefined;
  let shrinks = 0;
  const property = fc.asyncProperty(drawCases(scene), async (drawn) => {
    if (shrinks > MAX_SHRINKS) return;
    if (failed) shrinks += 1;
    const result = await playCase(play, drawn);
    if (!result.failure) {
      if (!failed) onResult(result);
      return;
    }
    failed = result;
    // The failure may affect later cases in the same wallet.
    await play.wallet.stop();
    play = await openPlay(scene);
    throw new Error(result.failure.kind);
  });
  try {
    const details = await fc.check(
      property,
      path === undefined
        ? { seed, numRuns: to - from }
        : { seed, path, numRuns: 1, endOnFailure: true },
    );
    if (failed) {
      onResult({ ...failed, replay: { seed, path: details.counterexamplePath ?? '' } });
    } else if (details.failed) {
      throw new Error('The fuzzer itself failed.', { cause: details.errorInstance });
    }
  } finally {
    await play.wallet.stop();
  }
}

export async function openPlay(scene: Scene): Promise<Play> {
  scene.network.setFaults([]);
  return {
    scene,
    ...(await scene.open()),
    wasRunning: false,
    deleted: new Set(),
    named: new Set(),
  };
}

const anyDecision: Arbitrary<Decision> = fc.record({
  inputs: mix<Input[]>(
    [2, fc.constant([])],
    [1, fc.tuple(anyInput)],
    [1, fc.tuple(anyInput, anyInput)],
  ),
  end: mix<Decision['end']>(
    [75, fc.constant('approve')],
    [15, fc.constant('refuse')],
    [10, fc.constant('close')],
  ),
});

const anyUserScript: Arbitrary<UserScript> = fc.record({
  dialogs: fc.array(anyDecision, { minLength: 1, maxLength: 4 }),
  answers: fc.array(chance(80), { minLength: 1, maxLength: 4 }),
});

function drawCases(scene: Scene): Arbitrary<Case> {
  const place = { ...scene, url: scene.network.url };
  const planned = Object.entries(routes).map(([route, [share, toPlan]]) => {
    const arbitrary = toPlan(place).map((plan) => ({ route, plan }));
    return [share, arbitrary] as [number, typeof arbitrary];
  });
  return fc
    .record({
      planned: mix(...planned),
      faults: anyServerFaults,
      script: anyUserScript,
    })
    .map(({ planned: each, ...others }) => ({ ...each, ...others }));
}

async function playCase(play: Play, drawn: Case): Promise<Result> {
  const { scene, wallet, page } = play;
  const sent = wallet.calls.findLast(
    ({ method }) => method === 'snap_sendWebSocketMessage',
  );
  const { id: socketId } = (sent?.params ?? {}) as { id?: string };
  const request = drawn.plan({
    page: { id: page.interfaceId, content: () => page.content },
    socketId,
  });
  scene.network.setFaults(drawn.faults);
  const played = await playRequest(play, request, drawn.script);
  return { route: drawn.route, request, ...played };
}

type Stored = {
  encrypted: {
    accounts: Record<string, { unlisted?: true }>;
    unsettled: Record<string, Json>;
  } | null;
  unencrypted: Json;
};

export async function playRequest(
  play: Play,
  request: FuzzRequest,
  script: UserScript,
): Promise<Pick<Result, 'outcome' | 'failure'>> {
  const { scene, wallet } = play;
  const shown: string[] = [];
  const hasDiedSince = play.wasRunning && !wallet.isRunning();
  followScript(script, wallet, shown);
  if (request.isFresh) await wallet.stopSnap();
  await ensureRunning(play);
  const listHeld = (): string[] =>
    [...wallet.keyring.listAccounts().map(({ id }) => id), ...play.named].filter(
      (id) => !play.deleted.has(id),
    );
  const before = listHeld();
  const { encrypted: given } = (await wallet.state()) as Stored;
  const [notes, lines] = [wallet.notifications.length, wallet.console().length];
  const outcome = await see(async () => send(wallet, request), LIMIT_MS);
  // Lets promises continue that the handler did not wait for.
  await new Promise((resolve) => setImmediate(resolve));
  const { encrypted, unencrypted } = (await wallet.state()) as Stored;
  play.wasRunning = wallet.isRunning();
  const snap = Object.keys(encrypted?.accounts ?? {});
  // MetaMask refers only to accounts that it holds. Requests from MetaMask can name other accounts
  // here, and the snap then believes that MetaMask holds them.
  const isNamed = (id: string): boolean =>
    request.origin === 'metamask' &&
    id in (given?.unsettled ?? {}) &&
    !listHeld().includes(id);
  for (const id of snap.filter(isNamed)) play.named.add(id);
  for (const id of play.named) if (!snap.includes(id)) play.named.delete(id);
  // The snap emits no event if MetaMask itself deletes an account.
  const isDeletion =
    request.origin === 'metamask' && request.request.method === 'keyring_deleteAccount';
  if (isDeletion) {
    for (const id of before) if (!snap.includes(id)) play.deleted.add(id);
  }
  for (const id of snap) play.deleted.delete(id);
  const failure = judge({
    request,
    outcome,
    shown: [
      ...shown,
      ...wallet.notifications.slice(notes).map(({ message }) => message),
      ...wallet.console().slice(lines),
      JSON.stringify(unencrypted),
    ],
    isRunning: play.wasRunning && !hasDiedSince,
    accounts: {
      before,
      metamask: listHeld(),
      snap,
      alone: snap.filter((id) => encrypted?.accounts[id]?.unlisted),
      unsettled: Object.keys(encrypted?.unsettled ?? {}),
    },
    secrets: scene.secrets,
  });
  return { outcome, failure };
}

const WAKE: FuzzRequest = {
  handler: 'onInactive',
  origin: 'metamask',
  request: { method: '' },
};

// Starts the worker before a case, so that the case is the cause if the worker dies. Events may
// start the worker at the same time, so this sends a request.
async function ensureRunning({ wallet }: Play): Promise<void> {
  for (let tries = 3; tries > 0 && !wallet.isRunning(); tries -= 1) {
    await send(wallet, WAKE).catch(() => undefined);
  }
}

function followScript(
  { dialogs, answers }: UserScript,
  wallet: Wallet,
  shown: string[],
): void {
  let [opened, asked] = [0, 0];
  wallet.user.confirmAccounts = () => itemAt(answers, asked++);
  wallet.user.onDialog = async (dialog) => {
    const { inputs, end } = itemAt(dialogs, opened++);
    shown.push(dialog.text);
    for (const input of inputs) {
      const request = input(dialog.interfaceId, dialog.content);
      await send(wallet, request).catch(() => undefined);
      shown.push(dialog.text);
    }
    if (dialog.isOpen && end === 'approve') await dialog.approve();
    else if (dialog.isOpen && end === 'refuse') await dialog.refuse();
    if (dialog.isOpen) await dialog.close();
  };
}
