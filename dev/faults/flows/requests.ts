// MetaMask's signing requests that wait for the companion's user: each is settled in the end,
// and none stays behind.
import { recoverMessageAddress, stringToHex } from 'viem';
import type { Hex } from 'viem';

import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Ended, Flow } from '../flow';
import { firstAccount } from './site';

const MESSAGE = 'It waits.';

/** A request that waits, and what MetaMask is told in the end. */
type Waiting = {
  id: string;
  answered: Promise<{ signature: string } | { error: string }>;
};

/** The companion's user approves a request of MetaMask's. */
export const approve: Flow<Account> = {
  name: 'approve a waiting request',
  ...answerBy('approve', async (told, address) => {
    hold(
      'signature' in told,
      `MetaMask gets a signature, and not: ${JSON.stringify(told)}`,
    );
    const signature = told.signature as Hex;
    const signer = await recoverMessageAddress({ message: MESSAGE, signature });
    hold(signer.toLowerCase() === address, 'it is that of the account');
  }),
};

/** The companion's user rejects a request of MetaMask's. */
export const reject: Flow<Account> = {
  name: 'reject a waiting request',
  ...answerBy('reject', async (told) => {
    hold('error' in told, 'MetaMask gets no signature');
    return Promise.resolve();
  }),
};

function answerBy(
  how: 'approve' | 'reject',
  checkTold: (told: Awaited<Waiting['answered']>, address: Hex) => Promise<void>,
): Omit<Flow<Account>, 'name'> {
  const answer = async ({ companion }: Case, id: string): Promise<unknown> =>
    companion.keyring(
      `keyring_${how}Request`,
      how === 'approve' ? { id, data: {} } : { id },
    );
  return {
    prepare: async (bench) => {
      const settings = [{ approvalMode: 'asynchronous' }];
      await bench.get(bench.companion.snap('tollkeeper_setSettings', settings));
      return firstAccount(bench);
    },
    look: async (bench, { address }) => submit(bench, address),
    run: async (bench, _account, before) => answer(bench, (before as Waiting).id),
    check: async (bench, { address }, { before }: Ended) => {
      const { id, answered } = before as Waiting;
      const left = await list(bench);
      // One that MetaMask was told of is known to it no more: that it is, is told.
      if (left.length > 0) await bench.until(answer(bench, id));
      hold((await list(bench)).length === 0, 'no request stays behind');
      const told = await bench.get(answered);
      await checkTold(told, address);
      const next = await submit(bench, address);
      await bench.get(answer(bench, next.id));
      await checkTold(await bench.get(next.answered), address);
      return left.length > 0 ? 'waits until it is answered again' : 'settled';
    },
  };
}

async function submit(bench: Case, address: Hex): Promise<Waiting> {
  const { wallet } = bench;
  const before = wallet.user.questions.length;
  const asking = wallet.keyring.signPersonalMessage(address, stringToHex(MESSAGE));
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
