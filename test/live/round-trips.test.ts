// Counts how often the built snap makes its user wait for a server: requests and round trips to the
// gas service and the bundler. docs/internals/benchmarks.md has the figures.
import { createTestClient, http, parseEther } from 'viem';

import {
  countTrips,
  startCountingProxy,
  type CountingProxy,
} from '../../dev/bench/servers';
import { createAccount, startWorld, type World } from '../../dev/demo/world';
import { withStopped } from '../../dev/stack/server';
import { approveAll } from '../../dev/wallet/user';
import { entryPointVersions } from '../../src/core/entry-points';

const CHAIN_ID = 31_337;
const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** Longer than fee levels stay fresh. */
const STALE_MS = 5_100;

async function withDapp(
  seconds: number,
  work: (dapp: Awaited<ReturnType<typeof openDapp>>) => Promise<void>,
): Promise<void> {
  await withStopped(startWorld(), async (world) =>
    withStopped(startCountingProxy(world.stack.service.url), async (proxy) =>
      work(await openDapp(world, proxy, seconds)),
    ),
  );
}

/** Opens a dapp whose wallet reaches the service through a proxy; a block takes `seconds`. */
async function openDapp(world: World, proxy: CountingProxy, seconds: number) {
  const { chain, service } = world.stack;
  const { companion, dapp } = world;
  const { user } = world.wallet;
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
  // The snap measures the block time over this many blocks.
  await node.mine({ blocks: 100, interval: seconds });
  const { address: from } = await createAccount(world, { type: 'eip155:eoa' });
  await node.setBalance({ address: from, value: parseEther('1') });
  await dapp.snap('eth_requestAccounts');
  const transfer = { from, to: RECIPIENT, value: '0x1', chainId: '0x7a69' };
  return {
    proxy,
    node,
    user,
    configure: async ({ hasGasApi }: { hasGasApi: boolean }) => {
      const { apiKey, apiKeySecret } = service;
      const row = { chainId: CHAIN_ID, rpcUrl: proxy.url, apiKey };
      const gas = hasGasApi ? { gasBaseUrl: proxy.url, apiKeySecret } : {};
      user.onDialog = approveAll;
      await companion.snap('tollkeeper_setChain', [{ ...row, ...gas }]);
    },
    send: async (method: string) => dapp.snap(method, [transfer]),
  };
}

async function countWhile(
  proxies: readonly CountingProxy[],
  work: () => Promise<unknown>,
) {
  for (const { exchanges } of proxies) exchanges.length = 0;
  await work();
  return count(proxies);
}

function count(proxies: readonly CountingProxy[]) {
  const exchanges = proxies.flatMap((proxy) => proxy.exchanges);
  return { requests: exchanges.length, trips: countTrips(exchanges) };
}

it('fills a transaction in one round trip, with one request while fee levels are fresh', async () => {
  await withDapp(12, async ({ proxy, configure, send }) => {
    await configure({ hasGasApi: true });
    await new Promise((resolve) => setTimeout(resolve, STALE_MS));
    const fill = async () =>
      countWhile([proxy], async () => send('eth_fillTransaction'));
    expect(await fill()).toStrictEqual({ requests: 2, trips: 1 });
    expect(await fill()).toStrictEqual({ requests: 1, trips: 1 });
  });
});

// The snap awaits the receipt only if blocks are fast.
it.each([2, 12])(
  'sends in two round trips, nonce and transaction, at a block time of %i s',
  async (seconds) => {
    await withDapp(seconds, async ({ proxy, node, user, configure, send }) => {
      await node.setAutomine(true);
      await configure({ hasGasApi: false });
      user.onDialog = async (dialog) => {
        proxy.exchanges.length = 0;
        await approveAll(dialog);
      };
      // The first request learns which methods the node lacks.
      await send('eth_sendTransaction');
      await send('eth_sendTransaction');
      expect(count([proxy])).toStrictEqual({ requests: 2, trips: 2 });
    });
  },
);

it('prepares a user operation with one batch to the node and one call to the bundler', async () => {
  await withStopped(startWorld(), async (world) => {
    const { service, fund } = world.stack;
    await withStopped(startCountingProxy(service.url), async (node) =>
      withStopped(startCountingProxy(world.stack.bundler.url), async (bundler) => {
        const row = { chainId: CHAIN_ID, rpcUrl: node.url, apiKey: service.apiKey };
        await world.companion.snap('tollkeeper_setChain', [
          { ...row, bundlerUrl: bundler.url },
        ]);
        const intents = [{ to: RECIPIENT, value: '0x16345785d8a0000', data: '0x' }];
        const context = { chainId: String(CHAIN_ID) };
        for (const entryPoint of entryPointVersions) {
          const { address } = await createAccount(world, {
            type: 'eip155:erc4337',
            entryPoint,
            scopes: ['eip155:31337'],
          });
          await fund(address, '1');
          const counted = await countWhile([node, bundler], async () =>
            world.wallet.keyring.prepareUserOperation(address, intents, context),
          );
          expect(counted).toStrictEqual({ requests: 2, trips: 2 });
        }
      }),
    );
  });
});
