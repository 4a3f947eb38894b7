// Plays many cases: in several scenes at a time, since cases often wait, and in each scene
// in one wallet after another, a batch of cases each.
import { playCase } from './case';
import type { Play, Result } from './case';
import { createRandom } from './random';
import type { Scene } from './scene';

/** Cases that are played in one wallet. A case depends on those of its batch before it. */
export const BATCH = 500;

/** What is played. */
export type RunOptions = {
  /** Sets what is played in, for each lane. */
  setScene: () => Promise<Scene>;
  seed: number;
  /** The first case, and the one after the last. */
  from: number;
  to: number;
  /** Routes by name; none for all. */
  only: readonly string[];
  /** How many scenes at a time. */
  lanes: number;
  onResult: (result: Result) => void;
  /** Ends it after the cases that are being played. */
  signal?: AbortSignal;
};

/** Play cases. */
export async function runCases(options: RunOptions): Promise<void> {
  let next = options.from;
  const take = (): [from: number, to: number] | undefined => {
    if (next >= options.to || options.signal?.aborted) return undefined;
    const from = next;
    next = Math.min(options.to, (Math.floor(from / BATCH) + 1) * BATCH);
    return [from, next];
  };
  const lanes = Array.from({ length: options.lanes }, async () => {
    const scene = await options.setScene();
    try {
      for (let batch = take(); batch; batch = take()) {
        await playBatch(scene, batch, options);
      }
    } finally {
      await scene.stop();
    }
  });
  await Promise.all(lanes);
}

async function playBatch(
  scene: Scene,
  [from, to]: [number, number],
  { seed, only, onResult, signal }: RunOptions,
): Promise<void> {
  let play = await openPlay(scene);
  try {
    for (let id = from; id < to && !signal?.aborted; id += 1) {
      const result = await playCase(play, { seed, id, only });
      onResult(result);
      // What failed may have spoiled the wallet for those that follow.
      if (result.failure && !scene.goesOn) {
        await play.wallet.stop();
        play = await openPlay(scene);
      }
    }
  } finally {
    await play.wallet.stop();
  }
}

/** Open a wallet of a scene, with the snap's page on its screen. */
export async function openPlay(scene: Scene): Promise<Play> {
  scene.network.behave(createRandom(0), 0);
  return { scene, ...(await scene.open()), wasRunning: false };
}
