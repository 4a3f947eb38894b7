// How far a user is from having the snap, so that a page can say what to do next.
import { fits, isOff } from './connection';
import type { Connection } from './connection';
import { codes, toProviderError } from './eip1193';

/** What there is, and the version of the snap where there is one. */
export type Status =
  /** No MetaMask in this browser. */
  | { state: 'no-metamask' }
  /** A MetaMask that takes no snaps but those that its makers have allowed: not Flask. */
  | { state: 'no-flask' }
  | { state: 'not-installed' }
  /** Another version is needed. */
  | { state: 'outdated'; version: string }
  /** Turned off by the user, or blocked by MetaMask. */
  | { state: 'disabled'; version: string }
  | { state: 'ready'; version: string };

/**
 * Find it out.
 *
 * @throws {ProviderRpcError} What the wallet says, if it cannot tell.
 */
export async function findStatus({
  askWallet,
  findInstalled,
  wanted,
}: Pick<Connection, 'askWallet' | 'findInstalled' | 'wanted'>): Promise<Status> {
  try {
    const snap = await findInstalled();
    if (!snap) {
      return { state: (await isFlask(askWallet)) ? 'not-installed' : 'no-flask' };
    }
    const version = String(snap.version);
    if (isOff(snap)) return { state: 'disabled', version };
    return { state: fits(snap, wanted.version) ? 'ready' : 'outdated', version };
  } catch (thrown) {
    const error = toProviderError(thrown);
    if (error.code === codes.disconnected) return { state: 'no-metamask' };
    if (error.code === codes.unknownMethod) return { state: 'no-flask' };
    throw error;
  }
}

// `MetaMask/v13.5.0` is the public one; Flask has its name behind the version. Who says
// neither may well take snaps.
async function isFlask(askWallet: Connection['askWallet']): Promise<boolean> {
  const name = await askWallet({ method: 'web3_clientVersion' }).catch(() => '');
  return !/^MetaMask\/v[\d.]+$/u.test(String(name));
}
