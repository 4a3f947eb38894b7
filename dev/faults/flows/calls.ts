// A site has calls of a smart account sent (EIP-5792), and asks what became of them.
import type { Account, Case } from '../bench';
import type { Ending } from '../drive';
import { hold } from '../flow';
import type { Flow } from '../flow';
import { SENT_LATE } from './send';
import { RECIPIENT } from './site';
import { checkAgain, checkExecuted, checkSent, lookAt, openSmart } from './smart';
import type { Seen, Smart } from './smart';

/** The ids that the site gives its calls. */
const ID = { first: 'prepared', job: 'wanted', again: 'again' };

/** Of EIP-5792: calls that nobody knows, and an id that is used. */
const CODES = { unknown: 5730, duplicate: 5720 };

/** The site sends calls under an id of its own, and its user approves them. */
export const sendCalls: Flow<Smart> = {
  name: 'send calls as a user operation',
  // As a user operation is.
  sharesReading: true,
  prepare: async (bench) => openSmart(bench, sendAs(ID.first)),
  look: lookAt,
  run: sendAs(ID.job),
  check: async (bench, account, { ending, before: seen }) => {
    const before = seen as Seen;
    const { hash, isLate } = await checkSent(bench, account, before);
    const status = await findStatus(bench);
    if ('result' in ending) hold(status !== undefined, 'what is answered is known');
    if (hash) hold(status === 100, 'what may have gone out is pending');
    await checkExecuted(bench, account, { before, hash });
    const expected = hash ? 200 : status === undefined ? undefined : 400;
    hold((await findStatus(bench)) === expected, `the status becomes ${expected}`);
    await checkAgain(bench, account, await findAgain(bench, account));
    if (isLate) return `${SENT_LATE}, its status known by its id`;
    if (hash) return 'sent once, followed, its status known by its id';
    return expected === 400
      ? 'nothing sent, as the status by its id says'
      : 'nothing sent';
  },
};

function sendAs(id: string) {
  return async ({ dapp }: Case, { address }: Account): Promise<unknown> =>
    dapp.snap('wallet_sendCalls', [
      {
        version: '2.0.0',
        id,
        from: address,
        chainId: '0x7a69',
        atomicRequired: true,
        calls: [
          { to: RECIPIENT, value: '0x1' },
          { to: RECIPIENT, value: '0x2' },
        ],
      },
    ]);
}

/** Find what the site is told of its calls; undefined if they are not known. */
async function findStatus({ dapp, until }: Case): Promise<number | undefined> {
  const ending = await until(dapp.snap('wallet_getCallsStatus', [ID.job]));
  if ('result' in ending) return (ending.result as { status: number }).status;
  hold(codeOf(ending) === CODES.unknown, 'calls are known, or unknown');
  return undefined;
}

/** The same id sends again only calls that are not known; for others the site takes another. */
async function findAgain(
  bench: Case,
  account: Account,
): Promise<ReturnType<typeof sendAs>> {
  if ((await findStatus(bench)) === undefined) return sendAs(ID.job);
  const ending = await bench.until(sendAs(ID.job)(bench, account));
  hold(codeOf(ending) === CODES.duplicate, 'an id that is known is not sent again');
  return sendAs(ID.again);
}

function codeOf(ending: Ending): number | undefined {
  return 'error' in ending ? (ending.error as { code?: number }).code : undefined;
}
