// tollkeeper_replaceTransaction: which transactions can be sped up or cancelled, at which fees,
// and by whom.
import type { Json } from '@metamask/utils';
import { parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { callersOf } from '../support/callers';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { createAccount, DAPP, whileDialogOpen, OTHER_SITE } from '../support/test-app';
import { writeView } from '../support/view';

const METHOD = 'tollkeeper_replaceTransaction';
type Fields = Record<string, Json>;

async function setup(fields: Fields = {}) {
  const bench = await createSendBench();
  const hash = (await bench.send(fields)) as Hex;
  return {
    ...bench,
    hash,
    replace: async (options: Fields) => bench.replace(hash, options),
    parsed: (each: Json) => parseTransaction(bench.pool.get(each as Hex) as Hex),
  };
}

describe('a pending transaction', () => {
  const tokenCall = { data: '0xa9059cbb', gas: 50_000 };

  it.each<[string, Fields, object]>([
    [
      'EIP-1559',
      tokenCall,
      { maxFeePerGas: 1_881_000_000n, maxPriorityFeePerGas: 11_000_000n },
    ],
    [
      'legacy',
      { gasPrice: 5_000_000_000 },
      { type: 'legacy', gasPrice: 5_500_000_000n },
    ],
  ])(
    'is sped up or cancelled with fees that are 10 %% higher (%s)',
    async (_type, fields, fees) => {
      const { hash, replace, parsed, address, edges } = await setup(fields);
      const { nonce, to, value, data, gas, chainId, type } = parsed(hash);
      const faster = parsed(await replace({ action: 'speedUp' }));
      const same = { nonce, to, value, gas, chainId, type };
      expect(faster).toMatchObject({ ...same, ...(data && { data }), ...fees });
      expect(writeView(edges.dialogs.shown.at(-1))).toContain(RECIPIENT);
      const bench = await setup(fields);
      const cancelled = bench.parsed(await bench.replace({ action: 'cancel' }));
      const own = { nonce, chainId, to: address, gas: 21_000n };
      expect(cancelled).toMatchObject({ ...own, ...fees });
      const { value: spent = 0n, data: code = '0x' } = cancelled;
      expect([spent, code]).toStrictEqual([0n, '0x']);
      const view = writeView(bench.edges.dialogs.shown.at(-1));
      expect(view).toContain('Cancel transaction');
      expect(view).not.toContain(RECIPIENT);
    },
  );

  it.each<[string, Fields]>([
    [
      'maxPriorityFeePerGas',
      { maxFeePerGas: '0x5f5e100', maxPriorityFeePerGas: '0x0' },
    ],
    ['gasPrice', { gasPrice: '0x0' }],
  ])('is replaced with at least 1 wei if its %s is zero', async (name, fields) => {
    const { hash, replace, parsed, edges } = await setup(fields);
    // The market's priority fee is zero as well.
    Object.assign(edges.wallet.answers, {
      eth_feeHistory: {
        oldestBlock: '0x10',
        baseFeePerGas: ['0x1e', '0x1e'],
        gasUsedRatio: [0.5],
        reward: [['0x0', '0x0', '0x0', '0x0', '0x0', '0x0']],
      },
    });
    edges.clock.time += 60_000;
    expect(parsed(hash)).not.toHaveProperty(name);
    await expectRefusal(
      replace({ action: 'speedUp', [name]: '0x0' }),
      -32602,
      `params[1].${name} must be at least 0x1`,
    );
    const faster: Record<string, unknown> = parsed(
      await replace({ action: 'speedUp' }),
    );
    expect(faster[name]).toBeGreaterThanOrEqual(1n);
  });

  it('is not replaced if it is included while the dialog is open', async () => {
    const { replace, mine, poll, hash, edges, pool } = await setup();
    whileDialogOpen(edges, async () => {
      mine(hash);
      await poll(60_000);
    });
    await expectRefusal(replace({ action: 'speedUp' }), -32602, 'it is included');
    expect(pool.size).toBe(1);
  });

  const tenth = '10 % above the fee of the transaction to replace.';

  it.each<[Fields, string]>([
    [
      { action: 'speedUp', maxFeePerGas: '0x1' },
      `.maxFeePerGas must be at least 0x701dc840: ${tenth}`,
    ],
    [
      { action: 'speedUp', maxPriorityFeePerGas: 2 },
      `.maxPriorityFeePerGas must be at least 0xa7d8c0: ${tenth}`,
    ],
    [
      { action: 'cancel', gasPrice: '0x1' },
      '.gasPrice is not expected here: the pending transaction has maxFeePerGas and maxPriorityFeePerGas.',
    ],
    [
      {
        action: 'speedUp',
        maxFeePerGas: 2_000_000_000,
        maxPriorityFeePerGas: 3_000_000_000,
      },
      '.maxFeePerGas must be at least 0xb2d05e00, the priority fee.',
    ],
    [{ action: 'drop' }, '.action must be one of "speedUp", "cancel".'],
    [{}, '.action is missing: it must be one of "speedUp", "cancel".'],
    [{ action: 'cancel', gas: '0x1' }, '.gas is not expected here.'],
  ])('is not replaced with %j', async (options, reason) => {
    const { replace, pool } = await setup();
    expect(await refusalOf(replace(options))).toStrictEqual({
      code: -32602,
      message: `${METHOD}: params[1]${reason}`,
    });
    expect(pool.size).toBe(1);
  });

  it('is marked as replaced, and the user is notified, once the replacement is included', async () => {
    const { hash, replace, mine, poll, edges, pool, call } = await setup();
    const after = (await replace({ action: 'speedUp' })) as Hex;
    pool.delete(hash);
    mine(after);
    await poll(3_000);
    expect(edges.backend.document).toHaveProperty('activity', {
      [after]: expect.objectContaining({
        status: 'included',
        replaces: hash,
      }) as object,
      [hash]: expect.objectContaining({
        status: 'replaced',
        replacedBy: after,
      }) as object,
    });
    expect(edges.notifications).toStrictEqual([
      "2 transactions were completed; 1 of them did not succeed. See Tollkeeper's page.",
    ]);
    expect(await refusalOf(call(METHOD, [after, { action: 'cancel' }]))).toStrictEqual({
      code: -32602,
      message: `${METHOD}: params[0] must be the hash of a pending transaction that can be replaced; it is included.`,
    });
  });
});

describe('a site', () => {
  const cancel = { action: 'cancel' };

  it("gets the same error without the sender's grant as for an unknown transaction", async () => {
    const { app, hash, pool, address } = await setup();
    const { rpc } = callersOf(app);
    const unknown = `0x${'11'.repeat(32)}`;
    const other = await createAccount(app);
    await app.services.grants.set(OTHER_SITE, [other.id]);
    for (const [origin, each] of [
      [DAPP, unknown],
      [OTHER_SITE, unknown],
      [OTHER_SITE, hash],
    ] as const) {
      expect(await refusalOf(rpc(origin, METHOD, [each, cancel]))).toStrictEqual({
        code: -32001,
        message: `Tollkeeper sent no transaction ${each} from a granted account.`,
      });
    }
    const params = { account: address, params: [hash, cancel] };
    await expectRefusal(rpc(OTHER_SITE, METHOD, params), 4100);
    expect(pool.size).toBe(1);
  });

  it('replaces nothing if its grant is revoked while the dialog is open', async () => {
    const { app, edges, replace, pool } = await setup();
    whileDialogOpen(edges, async () => app.services.grants.revoke(DAPP));
    await expectRefusal(replace(cancel), 4100);
    expect(pool.size).toBe(1);
  });

  it('replaces nothing if it names a different chain', async () => {
    const { call, hash, pool } = await setup();
    const replacing = call(METHOD, { scope: 'eip155:5', params: [hash, cancel] });
    expect(await refusalOf(replacing)).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect(pool.size).toBe(1);
  });

  it('replaces nothing if it names a different account', async () => {
    const { app, edges, call, pool, address, hash } = await setup();
    const other = await createAccount(app);
    const [sender] = await app.services.keyring.listAccounts();
    await app.services.grants.set(DAPP, [sender?.id ?? '', other.id]);
    const shown = edges.dialogs.shown.length;
    const params = [hash, cancel];
    const replacing = call(METHOD, { account: other.address, params });
    expect(await refusalOf(replacing)).toStrictEqual({
      code: -32602,
      message: `The sender is ${address}, but the request is for the account ${other.address}.`,
    });
    expect([edges.dialogs.shown.length, pool.size]).toStrictEqual([shown, 1]);
  });
});
