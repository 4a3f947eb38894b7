// Flows of a site and its granted accounts: signatures, grants, settings and waiting requests.
import type { Json } from '@metamask/utils';
import {
  type Hash,
  type Hex,
  parseEther,
  recoverMessageAddress,
  stringToHex,
} from 'viem';

import { fieldsOf } from '../../demo/documents';
import { connect } from '../../demo/world';
import {
  createAccount,
  DAPP,
  listActivity,
  POLL,
  poll,
  type Account,
  type Case,
} from '../bench';
import { type Flow, hold } from '../sweep';
import { cancelEvents, SMART } from './accounts';

export const RECIPIENT = `0x${'be'.repeat(20)}` as const;

export async function firstAccount({ dapp, get, companion }: Case): Promise<Account> {
  const [address] = (await get(dapp.snap('eth_accounts'))) as Hex[];
  const all = (await get(companion.keyring('keyring_listAccounts'))) as Account[];
  const found = all.find((each) => each.address === address);
  hold(found !== undefined, 'the site has an account');
  return found;
}

export async function openAccount(
  bench: Case,
  options: Record<string, Json> = {},
): Promise<Account> {
  const { companion, dapp, get, node } = bench;
  const ordinary = await firstAccount(bench);
  const account = await createAccount(bench, options);
  await node.setBalance({ address: account.address, value: parseEther('1000') });
  for (const site of [dapp, companion]) {
    await get(connect(bench, site, [ordinary, account]));
  }
  return account;
}

const MESSAGE = 'A message of the site.';

const DOCUMENT = {
  domain: { name: 'Faults', chainId: 31_337 },
  types: {
    EIP712Domain: fieldsOf('string name, uint256 chainId'),
    Note: fieldsOf('string text'),
  },
  primaryType: 'Note',
  message: { text: MESSAGE },
} as const;

const messageSigning: Signing = {
  ask: async ({ dapp }, address) =>
    dapp.snap('personal_sign', [stringToHex(MESSAGE), address]),
  verify: async ({ node }, signed) =>
    node.verifyMessage({ message: MESSAGE, ...signed }),
};

export const signMessage = signing('sign a message', messageSigning);

/** ERC-6492 makes the signature verifiable before the deployment. */
export const signUndeployed = signing('sign a message with an undeployed account', {
  ...messageSigning,
  prepare: async (bench) =>
    openAccount(bench, { ...SMART, implementation: 'safe', entryPoint: '0.7' }),
});

export const signDocument = signing('sign typed data', {
  ask: async ({ dapp }, address) =>
    dapp.snap('eth_signTypedData_v4', [address, JSON.stringify(DOCUMENT)]),
  verify: async ({ node }, signed) => node.verifyTypedData({ ...DOCUMENT, ...signed }),
});

type Signing = {
  /** By default, returns the first account of the site. */
  prepare?: Flow<Account>['prepare'];
  ask: (bench: Case, address: Hex) => Promise<unknown>;
  verify: (bench: Case, signed: { address: Hex; signature: Hex }) => Promise<boolean>;
};

function signing(
  name: string,
  { prepare = firstAccount, ask, verify }: Signing,
): Flow<Account> {
  return {
    name,
    prepare,
    run: async (bench, { address }) => ask(bench, address),
    check: async (bench, { address }, { ending }) => {
      const again = await bench.get(ask(bench, address));
      const all = 'result' in ending ? [ending.result, again] : [again];
      for (const signature of all) {
        const signed = { address, signature: signature as Hex };
        hold(await verify(bench, signed), "the signature is the account's");
      }
      return 'signs when asked again';
    },
  };
}

export const grant: Flow = {
  name: 'grant a site an account',
  prepare: async (bench) => bench.get(revokeAccounts(bench)),
  run: async ({ dapp }) => dapp.snap('eth_requestAccounts'),
  check: async (bench, _given, { ending }) => {
    const granted = await countGranted(bench);
    if ('result' in ending) hold(granted === 1, 'the returned account is granted');
    await bench.get(bench.dapp.snap('eth_requestAccounts'));
    hold((await countGranted(bench)) === 1, 'the retry grants it');
    return granted === 1 ? 'granted' : 'not granted';
  },
};

export const revoke: Flow = {
  name: 'revoke a grant',
  run: revokeAccounts,
  check: async (bench, _given, { ending }) => {
    const granted = await countGranted(bench);
    if ('result' in ending) hold(granted === 0, 'the grant is revoked');
    await bench.get(revokeAccounts(bench));
    hold((await countGranted(bench)) === 0, 'the retry revokes it');
    await bench.get(bench.dapp.snap('eth_requestAccounts'));
    return granted === 0 ? 'revoked' : 'still granted';
  },
};

export const setChain: Flow = {
  name: 'change the settings of a chain',
  run: changeGasUrl,
  check: async (bench, _given, { ending }) => {
    const isChanged = (await findGasUrl(bench)) === changedUrl(bench);
    if ('result' in ending) hold(isChanged, 'the setting is changed');
    await bench.get(changeGasUrl(bench));
    hold((await findGasUrl(bench)) === changedUrl(bench), 'the retry changes it');
    return isChanged ? 'changed' : 'unchanged';
  },
};

export const openHome: Flow = {
  name: 'open the home page',
  run: async ({ wallet }) => (await wallet.openHomePage()).text,
  check: async ({ wallet, get }) => {
    hold((await get(wallet.openHomePage())).text !== '', 'the page is shown again');
    return 'nothing changes';
  },
};

export const follow: Flow<Account, Hash> = {
  name: 'track a sent transaction',
  prepare: firstAccount,
  look: async (bench, { address }) => {
    const { dapp, get, node } = bench;
    const transfer = { from: address, to: address, value: '0x1' };
    const hash = await get(dapp.snap('eth_sendTransaction', [transfer]));
    await node.mine({ blocks: 1 });
    // MetaMask schedules events in whole seconds, so the number of events that this poll schedules
    // would vary from run to run.
    await cancelEvents(bench);
    return hash as Hash;
  },
  run: async ({ wallet }) => wallet.invoke('onCronjob', POLL),
  check: async (bench, _account, { before }) => {
    const isSettled = await isIncluded(bench, before);
    await poll(bench);
    hold(await isIncluded(bench, before), 'the retry settles it');
    const notifications = bench.points.filter(({ call }) => call === 'snap_notify');
    hold(notifications.length <= 1, 'the user is notified once');
    return isSettled ? 'settled' : 'still tracked';
  },
};

async function countGranted({ wallet }: Case): Promise<number> {
  const { encrypted } = await wallet.state();
  const { grants } = encrypted as { grants: Record<string, string[]> };
  return grants[DAPP]?.length ?? 0;
}

async function revokeAccounts({ dapp }: Case): Promise<unknown> {
  return dapp.snap('wallet_revokePermissions', [{ eth_accounts: {} }]);
}

function changedUrl({ servers }: Case): string {
  return servers.service.url.replace('127.0.0.1', 'localhost');
}

async function changeGasUrl(bench: Case): Promise<unknown> {
  // The host changes, so the API keys must be passed again.
  const { apiKey, apiKeySecret } = bench.servers.service;
  const keys = { apiKey, apiKeySecret };
  const row = { chainId: 31_337, gasBaseUrl: changedUrl(bench), ...keys };
  return bench.companion.snap('tollkeeper_setChain', [row]);
}

/** Reads the stored URL, because the page shows only part of it. */
async function findGasUrl({ wallet }: Case): Promise<string | undefined> {
  const { chains } = (await wallet.state()).encrypted as unknown as {
    chains: Record<string, { gasBaseUrl?: string }>;
  };
  return chains['eip155:31337']?.gasBaseUrl;
}

export async function isIncluded(bench: Case, wanted: Hash): Promise<boolean> {
  return (await listActivity(bench)).some(
    ({ hash, status }) => hash === wanted && status === 'included',
  );
}

const WAITING_MESSAGE = 'It waits.';

type Waiting = {
  id: string;
  answered: Promise<{ signature: string } | { error: string }>;
};

export const approve = answering('approve', async (answer, address) => {
  hold('signature' in answer, `MetaMask gets no error: ${JSON.stringify(answer)}`);
  const signature = answer.signature as Hex;
  const signer = await recoverMessageAddress({ message: WAITING_MESSAGE, signature });
  hold(signer.toLowerCase() === address, 'the account made the signature');
});

export const reject = answering('reject', async (answer) => {
  hold('error' in answer, 'MetaMask gets no signature');
  return Promise.resolve();
});

function answering(
  how: 'approve' | 'reject',
  checkAnswer: (answer: Awaited<Waiting['answered']>, address: Hex) => Promise<void>,
): Flow<Account, Waiting> {
  const answer = async ({ companion }: Case, id: string): Promise<unknown> =>
    companion.keyring(
      `keyring_${how}Request`,
      how === 'approve' ? { id, data: {} } : { id },
    );
  return {
    name: `${how} a waiting request`,
    prepare: async (bench) => {
      const settings = [{ approvalMode: 'asynchronous' }];
      await bench.get(bench.companion.snap('tollkeeper_setSettings', settings));
      return firstAccount(bench);
    },
    look: async (bench, { address }) => submit(bench, address),
    run: async (bench, _account, before) => answer(bench, before.id),
    check: async (bench, { address }, { before: { id, answered } }) => {
      const left = await list(bench);
      // If MetaMask already has the answer, it no longer knows the request, and this call fails.
      if (left.length > 0) await bench.until(answer(bench, id));
      hold((await list(bench)).length === 0, 'no request is left');
      await checkAnswer(await bench.get(answered), address);
      const next = await submit(bench, address);
      await bench.get(answer(bench, next.id));
      await checkAnswer(await bench.get(next.answered), address);
      return left.length > 0 ? 'still waits for an answer' : 'settled';
    },
  };
}

async function submit(bench: Case, address: Hex): Promise<Waiting> {
  const { wallet } = bench;
  const before = wallet.user.questions.length;
  const asking = wallet.keyring.signPersonalMessage(
    address,
    stringToHex(WAITING_MESSAGE),
  );
  const answered = asking.then(
    (signature) => ({ signature }),
    (error: Error) => ({ error: error.message }),
  );
  while (wallet.user.questions.length === before) await new Promise(setImmediate);
  const [waiting] = await list(bench);
  hold(waiting !== undefined, 'a request waits');
  return { id: waiting.id, answered };
}

async function list({ companion, get }: Case): Promise<{ id: string }[]> {
  return (await get(companion.keyring('keyring_listRequests'))) as { id: string }[];
}
