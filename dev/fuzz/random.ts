// Chance that can be repeated: the same seeds give the same numbers.

/** A stream of chance. */
export type Random = {
  /** From 0 to below 1. */
  next: () => number;
  /** From 0 to below the bound. */
  below: (bound: number) => number;
  /** Whether something happens that happens so often. */
  chance: (share: number) => boolean;
  /** @throws {Error} If there is nothing to pick. */
  pick: <Item>(items: readonly Item[]) => Item;
};

/** Create a stream of seeds; another order of them is another stream. */
export function createRandom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => mix(mixed ^ seed), 0x9e3779b9);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => {
      if (items.length === 0) throw new Error('There is nothing to pick.');
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}

// Mulberry32's: each bit of the number changes about half of those of the result.
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 1 | value);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
