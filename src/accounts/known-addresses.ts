// Addresses that the user knows, to tell those that were made to resemble them.
import type { AccountRepository } from '../accounts/repository';
import type { Ledger } from '../activity/ledger';
import type { KnownAddresses } from '../context';
import type { Hex } from '../eth/hex';
import { knownContracts } from '../warnings/look-alikes';

/** Creates what lists them. It never fails: what cannot be read is left out. */
export function createKnownAddresses({
  repository,
  ledger,
}: {
  repository: AccountRepository;
  ledger: Ledger;
}): () => Promise<KnownAddresses> {
  return async () => {
    const [accounts, sent] = await Promise.all([
      repository.list().catch(() => []),
      ledger.list().catch(() => []),
    ]);
    const own = accounts.map(({ address }): Hex => address);
    const recipients = sent.flatMap(({ to }) => (to === null ? [] : [to]));
    return { own, all: [...own, ...recipients, ...knownContracts] };
  };
}
