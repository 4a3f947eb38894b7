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

/** A snap as the wallet lists it. */
export type Snap = {
  version?: unknown;
  enabled?: unknown;
  blocked?: unknown;
  error?: unknown;
};

/**
 * Have the snap installed, in a version that is wanted; the user is asked only if it is not.
 *
 * @returns Its version.
 * @throws {ProviderRpcError} 4001 if the user refuses; 4200 if the wallet has no snaps, or not
 * in the version that is wanted.
 */
export async function install(wallet: Eip1193, wanted: Wanted): Promise<string> {
  const { snapId, version } = wanted;
  const installed = await findInstalledSnap(wallet, snapId);
  if (fits(installed, version)) return String(installed?.version);
  const params = { [snapId]: version === undefined ? {} : { version } };
  const answer = await wallet.request({ method: 'wallet_requestSnaps', params });
  const got = findSnap(answer, snapId);
  if (fits(got, version)) return String(got?.version);
  throw new ProviderRpcError(
    codes.unsupported,
    `The wallet did not install ${snapId}${version === undefined ? '' : ` ${version}`}.`,
    got?.error,
  );
}

/** Find the snap as the wallet has it for this site; the user is asked nothing. */
export async function findInstalledSnap(
  wallet: Eip1193,
  snapId: string,
): Promise<Snap | undefined> {
  return findSnap(await wallet.request({ method: 'wallet_getSnaps' }), snapId);
}

function findSnap(snaps: unknown, snapId: string): Snap | undefined {
  return (Object(snaps) as Record<string, Snap | undefined>)[snapId];
}

/** Tell whether a snap can be used, and its version is wanted. */
export function fits(snap: Snap | undefined, version: string | undefined): boolean {
  if (!snap || snap.error !== undefined || isOff(snap)) return false;
  return version === undefined || satisfies(String(snap.version), version);
}

/** Tell whether its user has turned a snap off, or the wallet blocks it. */
export function isOff({ enabled, blocked }: Snap): boolean {
  return enabled === false || blocked === true;
}
