// An ordinary account delegates to a contract (EIP-7702), by one authorization at most.
import { concatHex } from 'viem';

import { verifiers } from '../../stack/verifiers';
import type { Account, Case } from '../bench';
import { type Flow, hold } from '../sweep';
import {
  countSent,
  findAgain,
  findStatus,
  ID,
  sendAs,
  SENT_LATE,
  sendLate,
  settleTransactions,
} from './sending';
import { isIncluded, openAccount, RECIPIENT } from './site';

type Method = 'tollkeeper_delegate' | 'tollkeeper_revokeDelegation';

export const delegate = changing('delegate an account', 'tollkeeper_delegate');

export const revokeDelegation = changing(
  'revoke a delegation',
  'tollkeeper_revokeDelegation',
);

function changing(name: string, method: Method): Flow<Account, Seen> {
  const isWanted = method === 'tollkeeper_delegate';
  const change = async ({ companion }: Case, { address }: Account): Promise<unknown> =>
    companion.snap(method, [{ account: address, chainId: '0x7a69' }]);
  return {
    name,
    prepare: openAccount,
    look: async (bench, account) => lookAt(bench, account, !isWanted),
    run: change,
    check: async (bench, account, { ending, before }) => {
      const { isSent, summary } = await checkSent(bench, account, before);
      hold(
        (await isDelegated(bench, account)) === (isSent === isWanted),
        'what was sent takes effect, and nothing else does',
      );
      if ('result' in ending) {
        const { hash } = ending.result as { hash: `0x${string}` };
        hold(await isIncluded(bench, hash), 'the page gets the hash');
      }
      const again = await lookAt(bench, account, !isWanted);
      await bench.get(change(bench, account));
      hold((await checkSent(bench, account, again)).isSent, 'again it is sent');
      hold((await isDelegated(bench, account)) === isWanted, 'it takes effect');
      return summary;
    },
  };
}

export const sendFirstBatch: Flow<Account, Seen> = {
  name: 'send the first atomic batch of an account',
  prepare: openAccount,
  look: async (bench, account) => lookAt(bench, account, false),
  run: sendAs(ID.job),
  check: async (bench, account, { ending, before }) => {
    const { isSent, summary } = await checkSent(bench, account, before);
    hold((await isDelegated(bench, account)) === isSent, 'it delegates if it was sent');
    const received = (await countReceived(bench)) - before.received;
    hold(received === (isSent ? 3n : 0n), 'all calls are made once, or none is');
    const status = await findStatus(bench);
    if ('result' in ending) hold(status !== undefined, 'the answered hash is known');
    const expected = isSent ? 200 : status === undefined ? undefined : 400;
    hold(status === expected, `the status becomes ${expected}`);
    const sendAgain = await findAgain(bench, account);
    const again = await lookAt(bench, account, false);
    await bench.get(sendAgain(bench, account));
    hold((await checkSent(bench, account, again)).isSent, 'again it is sent');
    return status === undefined ? summary : `${summary}, with a status`;
  },
};

/** Before a job: transactions that were sent, nonces that they used, what the recipient had. */
type Seen = { sent: number; used: number; received: bigint };

/** Has an account delegate on the chain, or not, before a job. */
async function lookAt(bench: Case, { address }: Account, isDelegating: boolean) {
  const bytecode = isDelegating
    ? concatHex(['0xef0100', verifiers.simple7702['0.8']])
    : '0x';
  // What an earlier case has left in the node's pool is none of this one's.
  await bench.node.request({ method: 'anvil_dropAllTransactions' } as never);
  await bench.node.setCode({ address, bytecode });
  return {
    sent: bench.transactions.size,
    used: await countSent(bench, address),
    received: await countReceived(bench),
  };
}

/** Checks that one authorization was sent at most, and has what was sent settled. */
async function checkSent(bench: Case, { address }: Account, before: Seen) {
  const isLate = await sendLate(bench);
  await settleTransactions(bench);
  // The authorization uses up a nonce, as its transaction does.
  const used = (await countSent(bench, address)) - before.used;
  hold(used === 0 || used === 2, 'one authorization is sent at most');
  const isSent = used === 2;
  const sent = bench.transactions.size - before.sent;
  hold(sent === Number(isSent), 'no other transaction is sent');
  if (isLate) return { isSent, summary: SENT_LATE };
  return { isSent, summary: isSent ? 'sent once, followed' : 'nothing sent' };
}

async function isDelegated({ node }: Case, { address }: Account): Promise<boolean> {
  return (await node.getCode({ address })) !== undefined;
}

async function countReceived({ node }: Case): Promise<bigint> {
  return node.getBalance({ address: RECIPIENT });
}
