import { findRoute, snapMethods } from '../../../src/provider/routes';
import { expected } from '../../fixtures/permissions';

// The wallet's network is the one that a site chose: the snap's own is another.
const WALLETS_OWN = ['eth_chainId'];

const ofSites = Object.entries(expected.rpc)
  .filter(([, origins]) => origins.includes('dapp'))
  .map(([method]) => method);

it('sends every method that sites may call to the snap, and no other', () => {
  const wanted = ofSites.filter(
    (method) => !WALLETS_OWN.includes(method) && method !== 'rpc.discover',
  );
  expect([...snapMethods].sort()).toStrictEqual(wanted.sort());
});

it.each([
  ['eth_chainId', 'wallet'],
  ['eth_getBalance', 'wallet'],
  ['wallet_switchEthereumChain', 'wallet'],
  ['wallet_getSnaps', 'wallet'],
  ['constructor', 'wallet'],
  ['rpc.discover', 'snap'],
  ['tollkeeper_getStatus', 'snap'],
  ['tollkeeper_getFeeLevels', 'on-chain'],
  ['keyring_listAccounts', 'keyring'],
])('finds who answers %s: %s', (method, route) => {
  expect(findRoute(method)).toBe(route);
});
