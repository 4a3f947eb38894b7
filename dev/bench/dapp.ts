// What a user waits for between the click on a dapp's page and the open dialog, asked by the
// provider as dapps do, with a running worker and with a stopped one.
import type { Address } from 'viem';

import { createProvider, type Provider } from '../../packages/provider/src';
import { permitOf } from '../demo/documents';
import { configureChain, createAccount, startWorld, type World } from '../demo/world';
import { withStopped } from '../stack/server';
import { approveWith } from '../wallet/user';
import { compareWithLimits, measureTime, type Bench, type Table } from './measure';
import { startBareNode } from './servers';
import { listAccounts } from './signing';
import { TEXT } from './signing-cases';

const ORIGIN = 'https://dapp.example';

/** At most until the dialog, in ms, by what the worker does before. */
const LIMITS = { running: 300, stopped: 600 };

const workers = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

/** At most so many times what a dialog without a description takes. */
const DESCRIBED = { atMost: 1.15 };

/** Contracts on the main network that a descriptor describes, and one that none does. */
const CONTRACTS = {
  described: {
    weth: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  'not described': {
    weth: '0x00000000000000000000000000000000c0ffee00',
    usdc: '0x00000000000000000000000000000000c0ffee00',
  },
};

export async function* benchDapp(): Bench {
  // What it does not answer is left out of a dialog at once.
  yield* await withStopped(startBareNode('0x1'), async ({ url }) =>
    withStopped(startWorld(), async (world) => measure(world, url)),
  );
}

async function measure(world: World, mainnet: string): Promise<Table[]> {
  const { wallet, stack } = world;
  const { provider, address } = await openDapp(world, mainnet);
  const requests: Record<string, unknown[]> = {
    personal_sign: [TEXT, address],
    eth_sendTransaction: [{ from: address, to: stack.funded.address, value: '0x1' }],
  };
  const limited = Object.keys(requests);
  for (const [name, { weth, usdc }] of Object.entries(CONTRACTS)) {
    const permit = permitOf(address, usdc, { ...PERMITTED, spender: address });
    requests[`eth_signTransaction, ${name}`] = [
      { ...DEPOSIT, from: address, to: weth },
    ];
    requests[`eth_signTypedData_v4, ${name}`] = [address, permit];
  }
  const contestants: Record<string, () => Promise<number>> = {};
  const limits: Record<string, number> = {};
  for (const [name, params] of Object.entries(requests)) {
    const [method = ''] = name.split(',');
    for (const worker of workers) {
      const what = `${name}, ${worker} worker`;
      if (limited.includes(name)) limits[what] = LIMITS[worker];
      contestants[what] = async () => {
        await (worker === 'stopped' ? wallet.stopSnap() : listAccounts(wallet));
        const opened = measureTime(async () => wallet.user.nextDialog());
        const answer = provider.request({ method, params });
        // A request that fails opens none.
        await Promise.race([opened, answer]);
        const [, time] = await opened;
        await answer;
        return time;
      };
    }
  }
  const { times, rows } = await compareWithLimits(contestants, limits);
  const described = ['eth_signTransaction', 'eth_signTypedData_v4'].flatMap((method) =>
    workers.map((worker) => ({
      what: `${method}, ${worker} worker`,
      ours: times[`${method}, described, ${worker} worker`] ?? NaN,
      theirs: times[`${method}, not described, ${worker} worker`] ?? NaN,
      unit: 'ms',
      bound: DESCRIBED,
    })),
  );
  const name = 'From click to dialog';
  return [
    { name, ours: 'tollkeeper', theirs: 'limit', rows },
    { name, ours: 'described', theirs: 'not described', rows: described },
  ];
}

// A transaction that lacks nothing, so that no node is asked.
const DEPOSIT = {
  data: '0xd0e30db0',
  value: '0x1',
  chainId: '0x1',
  nonce: '0x0',
  gas: '0xc350',
  maxFeePerGas: '0x3b9aca00',
  maxPriorityFeePerGas: '0x1',
};

const PERMITTED = { value: '1000000', nonce: '0', deadline: '1900000000' };

async function openDapp(
  world: World,
  mainnet: string,
): Promise<{ provider: Provider; address: Address }> {
  const { wallet, stack } = world;
  await configureChain(world);
  await world.companion.snap('tollkeeper_setChain', [{ chainId: 1, rpcUrl: mainnet }]);
  const { id, address } = await createAccount(world, { type: 'eip155:eoa' });
  await stack.fund(address, '1');
  wallet.connect(ORIGIN);
  wallet.user.onDialog = approveWith(id);
  const ethereum = wallet.site(ORIGIN);
  const provider = createProvider({ ethereum, snapId: wallet.snapId });
  await provider.request({ method: 'eth_requestAccounts' });
  return { provider, address };
}
