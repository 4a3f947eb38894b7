// From the installation of a snap to its first answer: the files are read, their checksum
// is compared, a worker starts, evaluates the bundle and lists no accounts.
import { COMPANION_ORIGIN } from '../../wallet/options';
import { compare, measureTime } from '../measure';
import type { Figure } from './figure';
import type { Side, Sides } from './side';

const ROUNDS = 9;

/** Measure both sides. */
export async function measureColdStart({ ours, theirs }: Sides): Promise<Figure> {
  const contestants = {
    ours: async () => startCold(ours),
    theirs: async () => startCold(theirs),
  };
  const times = await compare(contestants, ROUNDS);
  return { what: 'cold start: install to first answer', unit: 'ms', ...times };
}

// MetaMask installs a local snap again whenever a site asks for it.
async function startCold({ wallet, listAccounts }: Side): Promise<number> {
  const site = wallet.site(COMPANION_ORIGIN);
  const params = { [wallet.snapId]: {} };
  const [, time] = await measureTime(async () => {
    await site.request({ method: 'wallet_requestSnaps', params });
    await listAccounts();
  });
  // What a snap still does after its installation is no part of the next round.
  await wallet.stopSnap();
  return time;
}
