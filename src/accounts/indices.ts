// Numbers for new derived accounts: the next that is free, and that no other call is about
// to use.
import { UnavailableError } from '../errors';
import type { AccountRecord, AccountType } from '../state/account-record';

/** Of which accounts a number is wanted. */
export type IndexSpace = { type: AccountType; entropySource?: string | undefined };

/** Gives out numbers. */
export type Indices = {
  /**
   * Use the next free number. No other call is given it meanwhile.
   *
   * @param use - Answers undefined if the number does not serve: the next one is tried.
   * @throws {UnavailableError} If none served.
   */
  withNext: <Result>(
    space: IndexSpace,
    use: (index: number) => Promise<Result | undefined>,
  ) => Promise<Result>;
};

/** Numbers that are tried: the address of each may be held already. */
const MAX_ATTEMPTS = 100;

/** Create the giver of numbers. What is in use now outlives no request. */
export function createIndices(listRecords: () => Promise<AccountRecord[]>): Indices {
  const inUse = new Set<string>();
  return {
    withNext: async (space, use) => {
      const nameOf = (index: number): string =>
        JSON.stringify([space.type, space.entropySource, index]);
      let index = -1;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        // Listed anew: others may have taken some while the last one was tried.
        const isTaken = createIsTaken(space, await listRecords());
        do index += 1;
        while (isTaken(index) || inUse.has(nameOf(index)));
        const name = nameOf(index);
        inUse.add(name);
        try {
          const result = await use(index);
          if (result !== undefined) return result;
        } finally {
          inUse.delete(name);
        }
      }
      throw new UnavailableError(
        `No free index was found in ${MAX_ATTEMPTS} attempts; name one.`,
      );
    },
  };
}

function createIsTaken(
  { type, entropySource }: IndexSpace,
  records: readonly AccountRecord[],
): (index: number) => boolean {
  const taken = new Set(
    records.flatMap(({ type: each, key }) =>
      each === type && key.kind === 'derived' && key.entropySource === entropySource
        ? [key.index]
        : [],
    ),
  );
  return (index) => taken.has(index);
}
