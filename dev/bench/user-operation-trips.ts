// How often preparing a user operation asks servers: HTTP requests and round trips of the
// built snap, counted before the development service and the bundler. Beside it stands
// MetaMask's account-abstraction example, counted in its source (packages/snap/src/
// keyring.ts, #prepareUserOperation): it asks for the chain, then for the nonce, and leaves
// the gas limits to the wallet, which then asks the bundler (UserOperationController,
// utils/gas.ts): three requests, each after the other.
import { parseEther } from 'viem';

import { createAccount } from '../demo/accounts';
import { openWorld, type World } from '../demo/world';
import { startDevStack } from '../stack/stack';
import type { Row } from './measure';
import { type CountingProxy, countTrips, startCountingProxy } from './servers';

/** Far longer than what is asked at once takes to be asked. */
const HOLD_MS = 100;

const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

const EXAMPLE = { requests: 3, trips: 3 };

/** The servers, each behind a proxy. */
type Proxies = { node: CountingProxy; bundler: CountingProxy };

/** Count what a preparation asks, for a first operation and for a later one. */
export async function countPreparations(): Promise<Row[]> {
  const stack = await startDevStack();
  const world = await openWorld(stack);
  const node = await startCountingProxy(stack.service.url, { holdMs: HOLD_MS });
  const { origin, pathname } = new URL(stack.bundler.url);
  const bundler = await startCountingProxy(origin, { holdMs: HOLD_MS });
  try {
    await configure(world, node.url, `${bundler.url}${pathname}`);
    const proxies = { node, bundler };
    return [
      ...(await countFor(world, proxies, '0.6')),
      ...(await countFor(world, proxies, '0.7')),
      ...(await countFor(world, proxies, '0.8')),
    ];
  } finally {
    await node.stop();
    await bundler.stop();
    await world.stop();
  }
}

async function configure(
  { companion, stack }: World,
  rpcUrl: string,
  bundlerUrl: string,
): Promise<void> {
  const { chainId, service } = stack;
  const { apiKey } = service;
  const row = { chainId, rpcUrl, apiKey, bundlerUrl };
  await companion.snap('tollkeeper_setChain', [row]);
}

async function countFor(
  world: World,
  proxies: Proxies,
  entryPoint: string,
): Promise<Row[]> {
  const account = await createAccount(world, {
    type: 'eip155:erc4337',
    entryPoint,
    scopes: ['eip155:31337'],
  });
  await world.stack.fund(account.address, '1');
  const exchanges = [proxies.node.exchanges, proxies.bundler.exchanges];
  for (const each of exchanges) each.length = 0;
  const value = `0x${parseEther('0.1').toString(16)}`;
  await world.wallet.keyring.prepareUserOperation(
    account.address,
    [{ to: RECIPIENT, value, data: '0x' }],
    { chainId: '31337' },
  );
  const counted = exchanges.flat();
  const name = `eth_prepareUserOperation, EntryPoint ${entryPoint}`;
  const bound = { atMost: 1 } as const;
  return [
    { what: `${name}: requests`, ours: counted.length, theirs: EXAMPLE.requests },
    { what: `${name}: round trips`, ours: countTrips(counted), theirs: EXAMPLE.trips },
  ].map((row) => ({ ...row, unit: '', bound }));
}
