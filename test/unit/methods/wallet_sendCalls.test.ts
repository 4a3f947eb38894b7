import { parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { createCallsBench } from '../../support/calls-bench';
import { refuses } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { RECIPIENT } from '../../support/send-bench';
import { refuse } from '../../support/test-app';
import { textOf, warningsOf, writeView } from '../../support/view';

const NO = { code: -32000, message: 'insufficient funds' };

const sentOf = (pool: ReadonlyMap<Hex, Hex>): object[] =>
  [...pool.values()].map((raw) => {
    const { nonce, to, value, gas, data } = parseTransaction(raw);
    return { nonce, to, value: String(value), gas: String(gas), data };
  });

describe('calls of an ordinary account', () => {
  it('are confirmed once, and sent in their order with consecutive nonces', async () => {
    const { sendCalls, pool, edges, batches, address, app } = await createCallsBench();
    const shown = edges.dialogs.shown.length;
    expect(await sendCalls({ id: 'mine' })).toStrictEqual({ id: 'mine' });
    expect(sentOf(pool)).toStrictEqual([
      { nonce: 5, to: RECIPIENT, value: '1', gas: '21000', data: undefined },
      { nonce: 6, to: RECIPIENT, value: '2', gas: '21000', data: undefined },
    ]);
    expect(edges.dialogs.shown).toHaveLength(shown + 1);
    const [view] = edges.dialogs.shown.slice(-1);
    expect(writeView(view)).toContain(textOf('calls.title'));
    expect(warningsOf(view)).toStrictEqual([textOf('warning.notAtomic')]);
    const sent = await app.services.ledger.list();
    expect(sent.map(({ origin, from }) => [origin, from])).toStrictEqual([
      ['https://dapp.example', address],
      ['https://dapp.example', address],
    ]);
    expect(batches()).toStrictEqual([
      {
        id: 'mine',
        origin: 'https://dapp.example',
        chain: 'eip155:1',
        account: sent[0]?.account,
        atomic: false,
        size: 2,
        hashes: [...pool.keys()],
        sentAt: edges.clock.time,
      },
    ]);
  });

  it('get an id that nobody can guess if the site chose none', async () => {
    const { sendCalls } = await createCallsBench();
    const { id } = await sendCalls();
    const { id: other } = await sendCalls();
    expect(id).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(other).not.toBe(id);
  });

  it('leave out the nonces of what was sent while the user decided', async () => {
    const { sendCalls, send, edges, pool } = await createCallsBench();
    const { answer } = edges.dialogs;
    edges.dialogs.answer = async (content, id) => {
      edges.dialogs.answer = answer;
      await send({ value: '0x9', nonce: 6 });
      return answer(content, id);
    };
    await sendCalls();
    const nonces = sentOf(pool).map((each) => (each as { nonce: number }).nonce);
    expect(nonces).toStrictEqual([6, 5, 7]);
  });

  it('are not sent if the user refuses, and leave no batch', async () => {
    const { sendCalls, pool, edges, batches } = await createCallsBench();
    edges.dialogs.answer = refuse;
    expect(await refusalOf(sendCalls({ id: 'mine' }))).toHaveProperty('code', 4001);
    expect(pool.size).toBe(0);
    expect(batches()).toStrictEqual([]);
  });

  it('are marked if a later one cannot be estimated alone', async () => {
    const { sendCalls, edges, pool } = await createCallsBench();
    edges.wallet.answers.eth_estimateGas = ([call]) =>
      (call as { value: string }).value === '0x2'
        ? refuses({ code: 3, message: 'reverted' })()
        : '0x5208';
    await sendCalls();
    const text = textOf('warning.notEstimated');
    expect(warningsOf(edges.dialogs.shown.slice(-1))).toContain(
      textOf('calls.about', { number: '2', text }),
    );
    const gas = sentOf(pool).map((each) => (each as { gas: string }).gas);
    expect(gas).toStrictEqual(['21000', '500000']);
  });

  it('are refused if a server fails for another reason', async () => {
    const { sendCalls, edges } = await createCallsBench();
    const limited = { code: -32005, message: 'too many' };
    edges.wallet.answers.eth_estimateGas = refuses(limited);
    expect(await refusalOf(sendCalls())).toHaveProperty('code', -32005);
  });

  it('create contracts where there is no recipient', async () => {
    const { sendCalls, pool } = await createCallsBench();
    await sendCalls({ calls: [{ data: '0x600a' }] });
    expect(sentOf(pool)).toStrictEqual([
      { nonce: 5, to: undefined, value: 'undefined', gas: '21000', data: '0x600a' },
    ]);
  });

  it('warn once if the account cannot pay for all of them', async () => {
    const { sendCalls, edges } = await createCallsBench();
    // Each of them takes 21,000 × 1.35 gwei: it is enough for one.
    edges.wallet.answers.eth_getBalance = '0x254db1c2243e';
    await sendCalls();
    const warnings = warningsOf(edges.dialogs.shown.slice(-1));
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/^It can cost 0\.0000567.*, but the account has/u);
  });

  it('warn once if nothing can be checked', async () => {
    const { sendCalls, edges } = await createCallsBench();
    edges.wallet.answers.eth_getBalance = refuses(NO);
    await sendCalls();
    expect(warningsOf(edges.dialogs.shown.slice(-1))).toStrictEqual([
      textOf('alert.unchecked'),
      textOf('warning.notAtomic'),
    ]);
  });

  it('are nothing, and leave no batch, if the node refuses the first', async () => {
    const { sendCalls, edges, batches, app } = await createCallsBench();
    edges.wallet.answers.eth_sendRawTransaction = refuses(NO);
    expect(await refusalOf(sendCalls({ id: 'mine' }))).toStrictEqual({
      code: -32000,
      message:
        "eth_sendRawTransaction at the wallet's node failed: insufficient funds.",
    });
    expect(batches()).toStrictEqual([]);
    expect(await app.services.ledger.list()).toStrictEqual([]);
  });

  it('are answered with their id, and remembered, if the node refuses the second', async () => {
    const { sendCalls, edges, batches, pool } = await createCallsBench();
    const { eth_sendRawTransaction: accept } = edges.wallet.answers;
    edges.wallet.answers.eth_sendRawTransaction = (params) => {
      if (pool.size > 0) return refuses(NO)();
      return typeof accept === 'function' ? accept(params) : null;
    };
    expect(await sendCalls({ id: 'mine' })).toStrictEqual({ id: 'mine' });
    const [batch] = batches();
    expect(batch).toMatchObject({
      size: 2,
      hashes: [...pool.keys()],
      failure:
        "eth_sendRawTransaction at the wallet's node failed: insufficient funds.",
    });
  });

  it('stay known if nobody can tell whether they arrived', async () => {
    const { sendCalls, edges, batches, app } = await createCallsBench();
    edges.wallet.answers.eth_sendRawTransaction = () => {
      throw new Error('the connection broke');
    };
    expect(await sendCalls({ id: 'mine' })).toStrictEqual({ id: 'mine' });
    const [sent] = await app.services.ledger.list();
    expect(batches()[0]?.hashes).toStrictEqual([sent?.hash]);
    expect(batches()[0]?.failure).toContain('which is followed, and sent again');
  });
});
