// tollkeeper_getActivity: what was sent, as the companion page lists it.
import type { Json } from '@metamask/utils';

import { callersOf } from '../../support/callers';
import { refusalOf } from '../../support/refusal';
import { createSendBench, RECIPIENT } from '../../support/send-bench';
import type { SendBench } from '../../support/send-bench';
import { COMPANION, DAPP } from '../../support/test-app';

async function setup(): Promise<
  SendBench & { list: () => Promise<Record<string, Json>[]> }
> {
  const bench = await createSendBench();
  const { rpc } = callersOf(bench.app);
  const list = async (): Promise<Record<string, Json>[]> =>
    (await rpc(COMPANION, 'tollkeeper_getActivity')) as Record<string, Json>[];
  return { ...bench, list };
}

describe('tollkeeper_getActivity', () => {
  it('lists what was sent, newest first, without signed bytes and receipts', async () => {
    const { send, mine, poll, list, edges, address, app } = await setup();
    const [account] = await app.services.keyring.listAccounts();
    const first = await send();
    edges.clock.time += 1;
    const second = await send({ value: '0x2' });
    const sentAt = edges.clock.time;
    mine(first);
    await poll(3_000);
    const common = {
      chain: 'eip155:1',
      account: account?.id,
      from: address,
      to: RECIPIENT,
      fees: { maxFeePerGas: '0x50775d82', maxPriorityFeePerGas: '0x2' },
      origin: DAPP,
    };
    expect(await list()).toStrictEqual([
      {
        ...common,
        hash: second,
        nonce: '0x6',
        value: '0x2',
        sentAt,
        status: 'pending',
        canBeReplaced: true,
        hasReceipt: false,
      },
      {
        ...common,
        hash: first,
        nonce: '0x5',
        value: '0x1',
        sentAt: sentAt - 1,
        status: 'included',
        settledAt: sentAt + 3_000,
        inclusion: {
          blockNumber: '0x10',
          blockHash: `0x${'cd'.repeat(32)}`,
          gasUsed: '0x5208',
          effectiveGasPrice: '0x3b9aca00',
          cost: '0x1319718a5000',
          success: true,
        },
        canBeReplaced: false,
        hasReceipt: true,
      },
    ]);
  });

  it('is for the companion page alone', async () => {
    const { call } = await setup();
    expect(await refusalOf(call('tollkeeper_getActivity', []))).toHaveProperty(
      'code',
      4100,
    );
  });

  it('goes on where the account was deleted while it was pending', async () => {
    const { send, mine, poll, list, app, edges } = await setup();
    const hash = await send();
    const [account] = await app.services.keyring.listAccounts();
    await app.services.keyring.deleteAccount(account?.id ?? '');
    mine(hash);
    await poll(3_000);
    expect(await list()).toMatchObject([{ hash, status: 'included' }]);
    expect(edges.told).toHaveLength(1);
  });
});

describe('the document in the clear', () => {
  it('tells of what was sent only since when something is pending', async () => {
    const { send, mine, poll, edges, address } = await setup();
    const hash = await send();
    const text = (): string => JSON.stringify(edges.publicBackend.document);
    expect(edges.publicBackend.document).toHaveProperty(
      'pendingSince',
      edges.clock.time,
    );
    expect(text()).not.toContain(hash as string);
    expect(text()).not.toContain(address);
    mine(hash);
    await poll(3_000);
    expect(edges.publicBackend.document).toHaveProperty('pendingSince', null);
  });
});
