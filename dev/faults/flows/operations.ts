// A site has a user operation of a smart account sent.
import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Flow } from '../flow';
import { SENT_LATE } from './send';
import { RECIPIENT } from './site';
import { checkAgain, checkExecuted, checkSent, lookAt, openSmart } from './smart';
import type { Seen, Smart } from './smart';

/** The site sends a user operation, and its user approves it. */
export const sendUserOperation: Flow<Smart> = {
  name: 'send a user operation',
  prepare: async (bench) => openSmart(bench, sendOne),
  look: lookAt,
  run: sendOne,
  check: async (bench, account, { ending, before: seen }) => {
    const before = seen as Seen;
    const { hash, isLate } = await checkSent(bench, account, before);
    if ('result' in ending) hold(hash === ending.result, 'the site is told the hash');
    await checkExecuted(bench, account, { before, hash });
    await checkAgain(bench, account, sendOne);
    if (isLate) return SENT_LATE;
    return hash ? 'sent once, followed' : 'nothing sent';
  },
};

async function sendOne({ dapp }: Case, { id }: Account): Promise<unknown> {
  const params = [{ to: RECIPIENT, value: '0x1', data: '0x' }];
  return dapp.snap('eth_sendUserOperation', { account: id, params });
}
