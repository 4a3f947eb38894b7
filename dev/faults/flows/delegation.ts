// Flows in which an ordinary account delegates to a contract (EIP-7702). At most one authorization
// may be sent.
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
        'the delegation changes only if it was sent',
      );
      if ('result' in ending) {
        const { hash } = ending.result as { hash: `0x${string}` };
        hold(await isIncluded(bench, hash), 'the page gets the hash');
      }
      const again = await lookAt(bench, account, !isWanted);
      await bench.get(change(bench, account));
      hold((await checkSent(bench, account, again)).isSent, 'the retry is sent');
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
    hold(
      (await isDelegated(bench, account)) === isSent,
      'the account delegates only if the batch was sent',
    );
    const received = (await countReceived(bench)) - before.received;
    hold(received === (isSent ? 3n : 0n), 'all calls are made once, or none');
    const status = await findStatus(bench);
    if ('result' in ending) hold(status !== undefined, 'the returned id is known');
    const expected = isSent ? 200 : status === undefined ? undefined : 400;
    hold(status === expected, `the status becomes ${expected}`);
    const sendAgain = await findAgain(bench, account);
    const again = await lookAt(bench, account, false);
    await bench.get(sendAgain(bench, account));
    hold((await checkSent(bench, account, again)).isSent, 'the retry is sent');
    return status === undefined ? summary : `${summary}, with a status`;
  },
};

type Seen = { sent: number; used: number; received: bigint };

async function lookAt(bench: Case, { address }: Account, isDelegating: boolean) {
  const bytecode = isDelegating
    ? concatHex(['0xef0100', verifiers.simple7702['0.8']])
    : '0x';
  // Removes the transactions of earlier cases from the node's pool.
  await bench.node.request({ method: 'anvil_dropAllTransactions' } as never);
  await bench.node.setCode({ address, bytecode });
  return {
    sent: bench.transactions.size,
    used: await countSent(bench, address),
    received: await countReceived(bench),
  };
}

async function checkSent(bench: Case, { address }: Account, before: Seen) {
  const isLate = await sendLate(bench);
  await settleTransactions(bench);
  // The authorization and its transaction use one nonce each.
  const used = (await countSent(bench, address)) - before.used;
  hold(used === 0 || used === 2, 'at most one authorization is sent');
  const isSent = used === 2;
  const sent = bench.transactions.size - before.sent;
  hold(sent === Number(isSent), 'no other transaction is sent');
  if (isLate) return { isSent, summary: SENT_LATE };
  return { isSent, summary: isSent ? 'sent once, tracked' : 'nothing sent' };
}

async function isDelegated({ node }: Case, { address }: Account): Promise<boolean> {
  return (await node.getCode({ address })) !== undefined;
}

async function countReceived({ node }: Case): Promise<bigint> {
  return node.getBalance({ address: RECIPIENT });
}
