import { parseTransaction, recoverTransactionAddress } from 'viem';
import type { Hex, TransactionSerializedEIP1559 } from 'viem';

import { askedOf, refuses } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { createSendBench, RECIPIENT } from '../../support/send-bench';
import { refuse } from '../../support/test-app';
import { BLOB_HASH } from '../../support/transactions';
import { writeView } from '../../support/view';

const nonceOf = (raw: Hex | undefined): number | undefined =>
  raw && parseTransaction(raw).nonce;

describe('eth_sendTransaction', () => {
  it('fills, confirms, signs and sends, and answers the hash', async () => {
    const { send, pool, address, edges } = await createSendBench();
    const hash = (await send()) as Hex;
    const raw = pool.get(hash) as TransactionSerializedEIP1559;
    expect(parseTransaction(raw)).toMatchObject({
      chainId: 1,
      nonce: 5,
      to: RECIPIENT,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 1_350_000_002n,
    });
    const sender = await recoverTransactionAddress({ serializedTransaction: raw });
    expect(sender.toLowerCase()).toBe(address);
    expect(askedOf(edges.wallet).filter((name) => name.includes('send'))).toHaveLength(
      1,
    );
    expect(writeView(edges.dialogs.shown)).toContain('the next one (5 for now)');
  });

  it('gives two quick transactions two nonces', async () => {
    const { send, pool } = await createSendBench();
    const hashes = await Promise.all([send(), send({ value: '0x2' })]);
    const nonces = hashes.map((hash) => nonceOf(pool.get(hash as Hex)));
    expect(nonces.sort()).toStrictEqual([5, 6]);
  });

  it('fills past its own pending transactions, also after a stop of the worker', async () => {
    const { send, pool, restart } = await createSendBench();
    await send();
    restart();
    expect(nonceOf(pool.get((await send()) as Hex))).toBe(6);
  });

  it('leaves no gap where a transaction is refused', async () => {
    const { send, pool, edges } = await createSendBench();
    const { answer } = edges.dialogs;
    edges.dialogs.answer = refuse;
    const refused = refusalOf(send());
    expect(await refused).toHaveProperty('code', 4001);
    edges.dialogs.answer = answer;
    expect(nonceOf(pool.get((await send()) as Hex))).toBe(5);
    expect(pool.size).toBe(1);
  });

  it('takes a nonce that is given as it is', async () => {
    const { send, pool } = await createSendBench();
    const hash = (await send({ nonce: 9 })) as Hex;
    expect(nonceOf(pool.get(hash))).toBe(9);
    expect(nonceOf(pool.get((await send()) as Hex))).toBe(5);
  });

  it('tells why the node refuses, and forgets it', async () => {
    const { send, edges, call } = await createSendBench();
    const fault = {
      code: -32000,
      message: 'insufficient funds for gas * price + value',
    };
    edges.wallet.answers.eth_sendRawTransaction = refuses(fault);
    const { code, message } = await refusalOf(send());
    expect(code).toBe(-32000);
    expect(message).toContain('insufficient funds');
    const { activity } = edges.backend.document as { activity: object };
    expect(activity).toStrictEqual({});
    expect(await call('eth_accounts', [])).toHaveLength(1);
  });

  it('warns of a fee and of a cost that are too high', async () => {
    const { send, edges } = await createSendBench();
    edges.wallet.answers.eth_getBalance = '0x1';
    await send({ maxFeePerGas: 5_200_000_000, maxPriorityFeePerGas: '0x1' });
    const view = writeView(edges.dialogs.shown.slice(-1));
    expect(view).toContain(
      'Its fee of 5.2 gwei is more than three times the high level',
    );
    expect(view).toContain('but the account has 0.000000000000000001');
  });

  it('says so where nothing can be checked', async () => {
    const { send, edges } = await createSendBench();
    edges.wallet.answers.eth_getBalance = refuses({ code: -32603, message: 'no' });
    await send();
    const view = writeView(edges.dialogs.shown.slice(-1));
    expect(view).toContain('No server could be asked');
  });

  it.each([{ type: '0x3' }, {}])(
    'refuses blobs, which it does not have (%j)',
    async (type) => {
      const { send } = await createSendBench();
      const { code, message } = await refusalOf(
        send({ ...type, blobVersionedHashes: [BLOB_HASH], maxFeePerBlobGas: '0x1' }),
      );
      expect(code).toBe(-32602);
      expect(message).toContain('can be signed, but not sent');
    },
  );
});
