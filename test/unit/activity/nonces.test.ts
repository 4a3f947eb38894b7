import { createNonces } from '../../../src/activity/nonces';
import type { Nonces } from '../../../src/activity/nonces';
import { createWalletTransport } from '../../../src/chains/wallet-transport';
import { createNodeClient } from '../../../src/client';
import type { NodeClient } from '../../../src/client';
import type { SentTransaction } from '../../../src/state/sent-transaction';
import { createFakeNode } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { createGate, settle } from '../../support/gate';
import { createLedgerBench } from '../../support/ledger-bench';
import { pendingOf, SENT } from '../../support/sent-transactions';

const SENDER = { chain: 'eip155:1', from: SENT.from } as const;

const OTHER = `0x${'0f'.repeat(20)}` as const;

/** A node at which the sender's next nonce is 5. */
function setup(sent: readonly SentTransaction[] = []): {
  nonces: Nonces;
  node: FakeNode;
  client: NodeClient;
} {
  const node = createFakeNode({ eth_getTransactionCount: '0x5' });
  return {
    nonces: createNonces(createLedgerBench(sent).ledger),
    node,
    client: createNodeClient(createWalletTransport(node.request)),
  };
}

describe('the next nonce', () => {
  it.each<[string, SentTransaction[], bigint]>([
    ["the node's, where nothing is pending", [], 5n],
    [
      'the one after our own that the node has not seen',
      [pendingOf(1, { nonce: '0x5' }), pendingOf(2, { nonce: '0x6' })],
      7n,
    ],
    [
      'in the gap before one that was sent far ahead',
      [pendingOf(1, { nonce: '0x5' }), pendingOf(2, { nonce: '0x9' })],
      6n,
    ],
    [
      "the node's, where it has seen ours",
      [pendingOf(1, { nonce: '0x3' }), pendingOf(2, { nonce: '0x4' })],
      5n,
    ],
    [
      'found though it was written with a zero in front',
      [pendingOf(1, { nonce: '0x05' })],
      6n,
    ],
    ['free again when its transaction is settled', [{ ...SENT, nonce: '0x5' }], 5n],
    [
      'not concerned by other chains',
      [pendingOf(1, { nonce: '0x5', chain: 'eip155:5' })],
      5n,
    ],
    [
      'not concerned by other senders',
      [pendingOf(1, { nonce: '0x5', from: OTHER })],
      5n,
    ],
  ])('is %s', async (_what, sent, nonce) => {
    const { nonces, node, client } = setup(sent);
    expect(await nonces.next(SENDER, client)).toBe(nonce);
    expect(node.calls).toStrictEqual([
      { method: 'eth_getTransactionCount', params: [SENT.from, 'pending'] },
    ]);
  });

  it('is the same in whatever case the sender is written', async () => {
    const { nonces, client } = setup([pendingOf(1, { nonce: '0x5' })]);
    const from = `0x${SENT.from.slice(2).toUpperCase()}` as const;
    expect(await nonces.next({ ...SENDER, from }, client)).toBe(6n);
  });
});

describe('being alone with nonces', () => {
  it('makes those of one sender wait, in whatever case it is written', async () => {
    const { nonces } = setup();
    const gate = createGate();
    const order: string[] = [];
    const first = nonces.alone(SENDER, async () => {
      order.push('first begins');
      await gate.opened;
      order.push('first ends');
      return 1;
    });
    const from = `0x${SENT.from.slice(2).toUpperCase()}` as const;
    const second = nonces.alone({ ...SENDER, from }, () => {
      order.push('second');
      return Promise.resolve(2);
    });
    await settle();
    expect(order).toStrictEqual(['first begins']);
    gate.open();
    expect(await Promise.all([first, second])).toStrictEqual([1, 2]);
    expect(order).toStrictEqual(['first begins', 'first ends', 'second']);
  });

  it.each([
    ['sender', { ...SENDER, from: OTHER }],
    ['chain', { ...SENDER, chain: 'eip155:5' as const }],
  ])('lets another %s pass', async (_what, other) => {
    const { nonces } = setup();
    const gate = createGate();
    const waiting = nonces.alone(SENDER, async () => gate.opened);
    expect(await nonces.alone(other, () => Promise.resolve('passed'))).toBe('passed');
    gate.open();
    await waiting;
  });

  it('goes on after a failure', async () => {
    const { nonces } = setup();
    const failing = nonces.alone(SENDER, () => Promise.reject(new Error('refused')));
    const next = nonces.alone(SENDER, () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow(new Error('refused'));
    expect(await next).toBe('next');
  });
});
