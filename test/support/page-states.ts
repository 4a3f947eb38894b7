// The states of the installation that a wallet in order is not in, and what the page says then.
import { answerAsFlask } from '../../dev/wallet/browser';
import type { Override } from '../../dev/wallet/browser';
import { DEFAULT_SNAP_ID } from '../../dev/wallet/options';

/** A wallet that lists the snap so, or not at all. */
export function withSnap(
  snap: object | undefined,
  name = 'MetaMask/v13.5.0-flask.0',
): Override {
  return (method) => {
    if (method === 'wallet_getSnaps') return snap ? { [DEFAULT_SNAP_ID]: snap } : {};
    return method === 'web3_clientVersion' ? name : undefined;
  };
}

/** A state, and what the page shows in it. */
type PageState = {
  state: string;
  title: string;
  verb: string;
  override: Override;
  query?: string;
};

/** All of them. */
export const pageStates: readonly PageState[] = [
  {
    state: 'no-metamask',
    title: 'No MetaMask in this browser',
    verb: 'Look again',
    override: answerAsFlask,
    query: '?without-wallet',
  },
  {
    state: 'no-flask',
    title: 'This MetaMask takes no snaps of this kind',
    verb: 'Look again',
    override: withSnap(undefined, 'MetaMask/v13.5.0'),
  },
  {
    state: 'not-installed',
    title: 'The snap is not installed',
    verb: 'Install',
    override: withSnap(undefined),
  },
  {
    state: 'outdated',
    title: 'Version 0.0.9 is outdated',
    verb: 'Update',
    override: withSnap({ version: '0.0.9', enabled: true }),
  },
  {
    state: 'disabled',
    title: 'The snap is turned off',
    verb: 'Look again',
    override: withSnap({ version: '0.1.0', enabled: false }),
  },
];

const STALE = '2d931510-d99f-494a-8c67-87feb05e1594';

/** A wallet whose snap lists a request that nobody waits for. */
export const withStaleRequest: Override = (_method, params) => {
  const asked = (params as { request?: { method: string } } | undefined)?.request;
  if (asked?.method !== 'keyring_listRequests') return undefined;
  const request = { method: 'eth_signTypedData_v4', params: [] };
  return [
    { id: STALE, origin: 'metamask', account: STALE, scope: 'eip155:1', request },
  ];
};
