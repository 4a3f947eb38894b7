// Three wallets side by side, with one, a hundred and a thousand accounts.
import type { AccountWallet } from './account-wallet';
import { compare, takeTimes, undisturbed } from './rounds';
import type { Summary } from './rounds';

/** Something for each number of accounts. */
export type ByCount<Value> = { one: Value; hundred: Value; thousand: Value };

/** The wallets. */
export type Wallets = ByCount<AccountWallet>;

/** How often an operation is done in a turn. */
const REPEATS = 5;

/** How often an operation is measured that seems to grow too much. */
const TRIES = 3;

/** Let every wallet answer once, one after another. */
export async function mapWallets(
  { one, hundred, thousand }: Wallets,
  measure: (wallet: AccountWallet) => Promise<number>,
): Promise<ByCount<number>> {
  return {
    one: await measure(one),
    hundred: await measure(hundred),
    thousand: await measure(thousand),
  };
}

/** Let the wallets work in turns; see {@link compare}. */
export async function compareWallets(
  { one, hundred, thousand }: Wallets,
  work: (wallet: AccountWallet) => Promise<number | number[]>,
  { rounds, summarize }: { rounds: number; summarize?: Summary },
): Promise<ByCount<number>> {
  const contestants = {
    one: async () => work(one),
    hundred: async () => work(hundred),
    thousand: async () => work(thousand),
  };
  return compare(contestants, rounds, summarize);
}

/**
 * Find the undisturbed time of an operation in each wallet, in milliseconds.
 *
 * @param options - `maxGrowth` is how many times as long as with one account it may take:
 * beyond, it is measured again. What grows does so every time; what the machine held up in
 * one of the wallets is done sooner some other time.
 */
export async function compareTimes(
  wallets: Wallets,
  run: (wallet: AccountWallet) => Promise<unknown>,
  { rounds, maxGrowth = Infinity }: { rounds: number; maxGrowth?: number },
): Promise<ByCount<number>> {
  const compareOnce = async (): Promise<ByCount<number>> =>
    compareWallets(
      wallets,
      async (wallet) => takeTimes(async () => run(wallet), REPEATS),
      {
        rounds,
        summarize: undisturbed,
      },
    );
  let least = await compareOnce();
  for (let tries = 1; tries < TRIES; tries += 1) {
    const { one, hundred, thousand } = least;
    if (Math.max(hundred, thousand) <= one * maxGrowth) break;
    const again = await compareOnce();
    least = {
      one: Math.min(one, again.one),
      hundred: Math.min(hundred, again.hundred),
      thousand: Math.min(thousand, again.thousand),
    };
  }
  return least;
}
