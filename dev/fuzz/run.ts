// Plays many cases: in several scenes at a time, since cases often wait, and in each scene
// in one wallet after another, a batch of cases each.
import type { Wallet } from '../wallet/wallet';
import { playCase } from './case';
import type { Play, Result } from './case';
import { setScene } from './scene';
import type { Scene } from './scene';

/** Cases that are played in one wallet. A case depends on those of its batch before it. */
export const BATCH = 500;

/** What is played. */
export type RunOptions = {
  /** The folder of the built snap. */
  snapFolder: string;
  seed: number;
  /** The first case, and the one after the last. */
  from: number;
  to: number;
  /** Routes by name; none for all. */
  only: readonly string[];
  /** How many scenes at a time. */
  lanes: number;
  onResult: (result: Result) => void;
};

/** Play cases. */
export async function runCases(options: RunOptions): Promise<void> {
  let next = options.from;
  const take = (): [from: number, to: number] | undefined => {
    if (next >= options.to) return undefined;
    const from = next;
    next = Math.min(options.to, (Math.floor(from / BATCH) + 1) * BATCH);
    return [from, next];
  };
  const lanes = Array.from({ length: options.lanes }, async () => {
    const scene = await setScene(options.snapFolder);
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
  { seed, only, onResult }: RunOptions,
): Promise<void> {
  let play = await openPlay(scene);
  try {
    for (let id = from; id < to; id += 1) {
      const result = await playCase(play, { seed, id, only });
      onResult(result);
      // What failed may have spoiled the wallet for those that follow.
      if (result.failure) {
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
  scene.network.behave(
    { next: () => 0, below: () => 0, chance: () => false, pick: first },
    0,
  );
  const wallet: Wallet = await scene.open();
  return { scene, wallet, page: await wallet.openHomePage() };
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('There is nothing to pick.');
  return item;
}
