import { createSignedOperations } from '../../../src/activity/signed-operations';
import type { SignedOperations } from '../../../src/activity/signed-operations';
import type { SignedOperation } from '../../../src/state/noted-operations';
import type { MemoryBackend } from '../../support/memory-backend';
import { hashOf, SENT } from '../../support/sent-transactions';
import { createAccountBench } from '../../support/stored-accounts';

const USE = { chain: 'eip155:1', sender: SENT.from, nonce: '0x7' } as const;

const signed = (n: number, fields: Partial<SignedOperation> = {}): SignedOperation => ({
  ...USE,
  hash: hashOf(n),
  ...fields,
});

function setup(): { signed: SignedOperations; backend: MemoryBackend } {
  const { store, backend } = createAccountBench();
  return { signed: createSignedOperations(store), backend };
}

describe('which operation was signed for a nonce', () => {
  it('is not known before one was', async () => {
    expect(await setup().signed.find(USE)).toBeUndefined();
  });

  it('is the last one', async () => {
    const { signed: operations } = setup();
    await operations.note(signed(1));
    await operations.note(signed(2));
    expect(await operations.find(USE)).toBe(hashOf(2));
  });

  it.each([
    ['nonce', { nonce: '0x8' }],
    ['chain', { chain: 'eip155:2' }],
    ['sender', { sender: `0x${'12'.repeat(20)}` }],
  ] as const)('is another one for another %s', async (_what, fields) => {
    const { signed: operations } = setup();
    await operations.note(signed(1));
    await operations.note(signed(2, fields));
    expect(await operations.find(USE)).toBe(hashOf(1));
    expect(await operations.find({ ...USE, ...fields })).toBe(hashOf(2));
  });

  it('is found however the nonce and the sender are written', async () => {
    const { signed: operations } = setup();
    await operations.note(signed(1));
    const sender = USE.sender.toUpperCase().replace('0X', '0x') as typeof USE.sender;
    expect(await operations.find({ ...USE, nonce: '0x07', sender })).toBe(hashOf(1));
  });

  it('is not written again', async () => {
    const { signed: operations, backend } = setup();
    await operations.note(signed(1));
    backend.failNextSave = new Error('written again');
    await operations.note(signed(1));
    expect(await operations.find(USE)).toBe(hashOf(1));
  });

  it('is forgotten after 200 others', async () => {
    const { signed: operations } = setup();
    await operations.note(signed(1));
    for (let nonce = 100; nonce < 299; nonce += 1) {
      await operations.note(signed(2, { nonce: `0x${nonce.toString(16)}` }));
    }
    expect(await operations.find(USE)).toBe(hashOf(1));
    await operations.note(signed(2, { nonce: '0xffff' }));
    expect(await operations.find(USE)).toBeUndefined();
  });
});
