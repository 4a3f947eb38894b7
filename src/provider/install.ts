// Having the snap in the wallet. The wallet is asked what it has before it is asked to install:
// it would install a snap of this machine anew each time.
import type { Eip1193 } from './eip1193';
import { codes, ProviderRpcError } from './errors';
import { satisfies } from './version';

/** Which snap is wanted. */
export type Wanted = {
  /** `npm:…`, or `local:…` while it is developed. */
  snapId: string;
  /** A version, `1.2.3`, or the least of those that are compatible, `^1.2.3`. */
  version?: string | undefined;
};

type Snap = { version?: unknown; enabled?: unknown; blocked?: unknown; error?: unknown };

/**
 * Have the snap installed, in a version that is wanted; the user is asked only if it is not.
 *
 * @returns Its version.
 * @throws {ProviderRpcError} 4001 if the user refuses; 4200 if the wallet has no snaps, or not
 * in the version that is wanted.
 */
export async function install(wallet: Eip1193, wanted: Wanted): Promise<string> {
  const { snapId, version } = wanted;
  const installed = await find(wallet, snapId);
  if (fits(installed, version)) return String(installed?.version);
  const params = { [snapId]: version === undefined ? {} : { version } };
  const answer = await wallet.request({ method: 'wallet_requestSnaps', params });
  const got = pick(answer, snapId);
  if (fits(got, version)) return String(got?.version);
  throw new ProviderRpcError(
    codes.unsupported,
    `The wallet did not install ${snapId}${version === undefined ? '' : ` ${version}`}.`,
    got?.error,
  );
}

/** Find the snap as the wallet has it for this site; undefined if it has not. */
async function find(wallet: Eip1193, snapId: string): Promise<Snap | undefined> {
  return pick(await wallet.request({ method: 'wallet_getSnaps' }), snapId);
}

function pick(snaps: unknown, snapId: string): Snap | undefined {
  const all = typeof snaps === 'object' && snaps !== null ? snaps : {};
  return (all as Record<string, Snap | undefined>)[snapId];
}

function fits(snap: Snap | undefined, version: string | undefined): boolean {
  if (!snap || snap.error !== undefined) return false;
  if (snap.enabled === false || snap.blocked === true) return false;
  return version === undefined || satisfies(String(snap.version), version);
}
