// Transactions from a dapp's request to their receipts, over a real chain.
import { parseTransaction } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { setupLiveSendBench } from '../support/live-send-bench';
import { BLOB_HASH } from '../support/transactions';
import { until } from '../support/ws-relay';

const live = setupLiveSendBench();

const DELEGATE = `0x${'de'.repeat(20)}` as const;

const types = [
  ['0x0', { type: '0x0' }],
  ['0x1', { type: '0x1', accessList: [] }],
  ['0x2', { type: '0x2' }],
  ['a creation', { to: null, value: '0x0', data: '0x600a600c' }],
] as const;

describe('a transaction', () => {
  it('is reported by a notification when it is included, without a request', async () => {
    const before = live.wallet.notifications.length;
    const hash = await live.send();
    await live.mine();
    await until(() => live.wallet.notifications.length > before);
    const { type, message } = live.wallet.notifications.at(-1) ?? {};
    expect(type).toBe('inApp');
    expect(message).toContain(
      `${hash.slice(0, 10)}…${hash.slice(-6)} on eip155:31337 was confirmed`,
    );
  });

  it.each(types)('of type %s is sent, included and found', async (_name, fields) => {
    const hash = await live.send(fields as never);
    await live.mine();
    const receipt = await live.dapp.snap('eth_getTransactionReceipt', [hash]);
    expect(receipt).toMatchObject({ transactionHash: hash, status: '0x1' });
    await live.poll();
    const [newest] = await live.activity();
    expect(newest).toMatchObject({
      hash,
      status: 'included',
      inclusion: { success: true },
    });
    expect(await live.dapp.snap('eth_getTransactionByHash', [hash])).toMatchObject({
      hash,
    });
  });

  it('of type 0x4 sets the code of the account that authorised it', async () => {
    const authority = privateKeyToAccount(`0x${'47'.repeat(32)}`);
    const signed = await authority.signAuthorization({
      chainId: 31_337,
      address: DELEGATE,
      nonce: 0,
    });
    const { chainId, nonce, yParity = 0, r, s } = signed;
    const entry = { chainId, nonce, yParity, r, s, address: DELEGATE };
    const hash = await live.send({ authorizationList: [entry] });
    await live.mine();
    const receipt = await live.dapp.snap('eth_getTransactionReceipt', [hash]);
    expect(receipt).toMatchObject({ status: '0x1', type: '0x4' });
    await live.poll();
    const code = await live.node.getCode({ address: authority.address });
    expect(code).toBe(`0xef0100${DELEGATE.slice(2)}`);
  });

  it('of type 0x3 is signed, with its blob fee filled, and carries no blobs', async () => {
    const transfer = {
      from: live.address,
      to: live.address,
      blobVersionedHashes: [BLOB_HASH],
    };
    const { raw } = (await live.dapp.snap('eth_signTransaction', [transfer])) as {
      raw: Hex;
    };
    const parsed = parseTransaction(raw);
    expect(parsed).toMatchObject({ type: 'eip4844', blobVersionedHashes: [BLOB_HASH] });
    expect(parsed.sidecars).toBeUndefined();
    expect(parsed.maxFeePerBlobGas).toBeGreaterThan(0n);
  });

  it('that reverts is shown with the reason, and is sent if its user agrees', async () => {
    // A contract that reverts with Error("no").
    const reason = '08c379a0'.padEnd(8, '0');
    const words = [
      '20'.padStart(64, '0'),
      '2'.padStart(64, '0'),
      Buffer.from('no').toString('hex').padEnd(64, '0'),
    ].join('');
    const data = `${reason}${words}`;
    const size = (data.length / 2).toString(16).padStart(2, '0');
    // CODECOPY of what follows, then REVERT.
    const code = `0x60${size}600c60003960${size}6000fd${data}` as Hex;
    const creation = { from: live.address, to: null, value: '0x0', data: code };
    const dialogs = live.wallet.user.dialogs.length;
    await expect(
      live.dapp.snap('eth_fillTransaction', [creation]),
    ).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('no') as string,
    });
    expect(live.wallet.user.dialogs).toHaveLength(dialogs);
    const hash = await live.send(creation);
    expect(live.wallet.user.dialogs.at(-1)?.text).toContain('This will fail: no');
    await live.mine();
    const receipt = await live.dapp.snap('eth_getTransactionReceipt', [hash]);
    expect(receipt).toHaveProperty('status', '0x0');
  });
});

describe('two quick transactions', () => {
  it('get two nonces, and are included both', async () => {
    const hashes = await Promise.all([live.send(), live.send({ value: '0x2' })]);
    const [second, first] = await live.activity();
    expect(BigInt(second?.nonce ?? 0) - BigInt(first?.nonce ?? 0)).toBe(1n);
    await live.mine();
    await live.poll();
    const shown = (await live.activity()).slice(0, 2);
    expect(shown.map(({ status }) => status)).toStrictEqual(['included', 'included']);
    expect(shown.map(({ hash }) => hash).sort()).toStrictEqual(hashes.sort());
  });
});
