// Who may use the snap, which servers it asks, what its page shows, and what becomes of what
// was sent.
import type { Hash } from 'viem';

import { DAPP, POLL, poll } from '../bench';
import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Flow } from '../flow';
import { firstAccount } from './site';

type Grant = { origin: string; accounts: { id: string }[] };

/** A site asks for accounts that it had not. */
export const grant: Flow = {
  name: 'grant a site an account',
  prepare: async ({ companion, get }) =>
    get(companion.snap('tollkeeper_revokeGrant', { origin: DAPP })),
  run: async ({ dapp }) => dapp.snap('eth_requestAccounts'),
  check: async (bench, _given, { ending }) => {
    const granted = await countGranted(bench);
    if ('result' in ending) hold(granted === 1, 'what is answered is granted');
    await bench.get(bench.dapp.snap('eth_requestAccounts'));
    hold((await countGranted(bench)) === 1, 'again it is granted');
    return granted === 1 ? 'granted' : 'not granted';
  },
};

/** The companion takes a grant back. */
export const revoke: Flow = {
  name: 'take a grant back',
  prepare: async () => Promise.resolve(),
  run: revokeOne,
  check: async (bench, _given, { ending }) => {
    const granted = await countGranted(bench);
    if ('result' in ending) hold(granted === 0, 'what is answered is taken back');
    await bench.get(revokeOne(bench));
    hold((await countGranted(bench)) === 0, 'again it is taken back');
    await bench.get(bench.dapp.snap('eth_requestAccounts'));
    return granted === 0 ? 'taken back' : 'granted still';
  },
};

/** The companion changes a chain's servers. */
export const setChain: Flow = {
  name: 'change a chain',
  prepare: async () => Promise.resolve(),
  run: changeOne,
  check: async (bench, _given, { ending }) => {
    const isChanged = (await findGasUrl(bench)) === changedUrl(bench);
    if ('result' in ending) hold(isChanged, 'what is answered is changed');
    await bench.get(changeOne(bench));
    hold((await findGasUrl(bench)) === changedUrl(bench), 'again it is changed');
    return isChanged ? 'changed' : 'as it was';
  },
};

/** The user opens the snap's page. */
export const openHome: Flow = {
  name: 'open the home page',
  prepare: async () => Promise.resolve(),
  run: async ({ wallet }) => (await wallet.openHomePage()).text,
  check: async ({ wallet, get }) => {
    const page = await get(wallet.openHomePage());
    hold(page.text.length > 0, 'again the page is shown');
    return 'nothing changes';
  },
};

/** MetaMask wakes the snap to see what became of a transaction. */
export const follow: Flow<Account> = {
  name: 'follow what was sent',
  prepare: firstAccount,
  look: async ({ dapp, get, node }, { address }) => {
    const transfer = { from: address, to: address, value: '0x1' };
    const hash = await get(dapp.snap('eth_sendTransaction', [transfer]));
    await node.mine({ blocks: 1 });
    return hash;
  },
  run: async ({ wallet }) => wallet.invoke('onCronjob', POLL),
  check: async (bench, _account, { before }) => {
    const isSettled = await findIncluded(bench, before as Hash);
    await poll(bench);
    hold(await findIncluded(bench, before as Hash), 'again it is settled');
    const told = bench.points.filter(({ call }) => call === 'snap_notify');
    hold(told.length <= 1, 'its user is told once');
    return isSettled ? 'settled' : 'followed still';
  },
};

async function countGranted({ companion, get }: Case): Promise<number> {
  const all = (await get(companion.snap('tollkeeper_getGrants'))) as Grant[];
  return all.find(({ origin }) => origin === DAPP)?.accounts.length ?? 0;
}

async function revokeOne({ companion }: Case): Promise<unknown> {
  return companion.snap('tollkeeper_revokeGrant', { origin: DAPP });
}

function changedUrl({ servers }: Case): string {
  return servers.service.url.replace('127.0.0.1', 'localhost');
}

async function changeOne(bench: Case): Promise<unknown> {
  // Of another host, so its keys are given anew.
  const { apiKey, apiKeySecret } = bench.servers.service;
  const keys = { apiKey, apiKeySecret };
  const row = { chainId: 31_337, gasBaseUrl: changedUrl(bench), ...keys };
  return bench.companion.snap('tollkeeper_setChain', [row]);
}

/** From what is stored: what is shown of an address is less. */
async function findGasUrl({ wallet }: Case): Promise<string | undefined> {
  const { chains } = (await wallet.state()).encrypted as unknown as {
    chains: Record<string, { gasBaseUrl?: string }>;
  };
  return chains['eip155:31337']?.gasBaseUrl;
}

async function findIncluded({ companion, get }: Case, hash: Hash): Promise<boolean> {
  const all = (await get(companion.snap('tollkeeper_getActivity'))) as unknown as {
    hash: Hash;
    status: string;
  }[];
  return all.some((each) => each.hash === hash && each.status === 'included');
}
