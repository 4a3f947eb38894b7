import { createCallBatches } from '../../../src/activity/call-batches';
import type { CallBatches, NewBatch } from '../../../src/activity/call-batches';
import type { CallBatch } from '../../../src/state/call-batch';
import type { MemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';
import { hashOf, SENT } from '../../support/sent-transactions';
import { createAccountBench } from '../../support/stored-accounts';

const ORIGIN = 'https://dapp.example';

const DUPLICATE = {
  code: 5720,
  message: 'Calls with the id "one" were sent already. Choose another id.',
};

const batchOf = (id: string, fields: Partial<NewBatch> = {}): NewBatch => ({
  id,
  origin: ORIGIN,
  chain: 'eip155:1',
  account: SENT.account,
  atomic: false,
  size: 2,
  sentAt: 1,
  ...fields,
});

type Bench = {
  batches: CallBatches;
  backend: MemoryBackend;
  stored: () => CallBatch[];
  /** The same document, read by a new worker. */
  restart: () => CallBatches;
};

function setup(): Bench {
  const { store, backend } = createAccountBench();
  return {
    batches: createCallBatches(store),
    backend,
    stored: () => (backend.document as { batches: CallBatch[] }).batches,
    restart: () => createCallBatches(store),
  };
}

describe('a batch', () => {
  it('is kept before anything of it goes out', async () => {
    const { batches, stored } = setup();
    await batches.add(batchOf('one'));
    expect(stored()).toStrictEqual([{ ...batchOf('one'), hashes: [] }]);
  });

  it('grows by what goes out, and without what did not after all', async () => {
    const { batches, stored } = setup();
    const sending = await batches.add(batchOf('one'));
    await sending.note(hashOf(1));
    await sending.note(hashOf(2));
    expect(stored()[0]?.hashes).toStrictEqual([hashOf(1), hashOf(2)]);
    await sending.strike(hashOf(2));
    expect(stored()).toStrictEqual([{ ...batchOf('one'), hashes: [hashOf(1)] }]);
    expect(await sending.end('It broke.')).toBe(true);
    expect(stored()).toStrictEqual([
      { ...batchOf('one'), hashes: [hashOf(1)], failure: 'It broke.' },
    ]);
  });

  it('is forgotten if nothing went out', async () => {
    const { batches, stored } = setup();
    const sending = await batches.add(batchOf('one'));
    await batches.add(batchOf('two'));
    expect(await sending.end('It broke.')).toBe(false);
    expect(stored().map(({ id }) => id)).toStrictEqual(['two']);
    await batches.assertNew(ORIGIN, 'one');
  });

  it('keeps no more of a reason than there is room for', async () => {
    const { batches, stored } = setup();
    const sending = await batches.add(batchOf('one'));
    await sending.note(hashOf(1));
    await sending.end('x'.repeat(1_001));
    expect(stored()[0]?.failure).toHaveLength(1_000);
  });

  it('ends whatever is wrong with the storage', async () => {
    const { batches, backend, stored } = setup();
    const sending = await batches.add(batchOf('one'));
    await sending.note(hashOf(1));
    backend.failNextSave = new Error('full');
    expect(await sending.end('It broke.')).toBe(true);
    expect(stored()[0]).not.toHaveProperty('failure');
    expect(await batches.find(ORIGIN, 'one')).toHaveProperty('isSending', false);
  });

  it('does not count what could not be noted', async () => {
    const { batches, backend } = setup();
    const sending = await batches.add(batchOf('one'));
    backend.failNextSave = new Error('full');
    await expect(sending.note(hashOf(1))).rejects.toThrow('full');
    expect(await sending.end('It broke.')).toBe(false);
  });

  it('is being sent until that ends, and in no other worker', async () => {
    const { batches, restart } = setup();
    const sending = await batches.add(batchOf('one'));
    const kept = { ...batchOf('one'), hashes: [] };
    expect(await batches.find(ORIGIN, 'one')).toStrictEqual({
      ...kept,
      isSending: true,
    });
    expect(await restart().find(ORIGIN, 'one')).toStrictEqual({
      ...kept,
      isSending: false,
    });
    await sending.end();
    expect(await batches.find(ORIGIN, 'one')).toStrictEqual({
      ...kept,
      isSending: false,
    });
  });

  it('is known to its own origin alone, by its own id', async () => {
    const { batches } = setup();
    await batches.add(batchOf('one'));
    expect(await batches.find('https://other.example', 'one')).toBeUndefined();
    expect(await batches.find(ORIGIN, 'two')).toBeUndefined();
  });

  it('has an id that its origin has not used, and others may', async () => {
    const { batches, stored } = setup();
    await batches.add(batchOf('one'));
    expect(await refusalOf(batches.assertNew(ORIGIN, 'one'))).toStrictEqual(DUPLICATE);
    expect(await refusalOf(batches.add(batchOf('one')))).toStrictEqual(DUPLICATE);
    await batches.add(batchOf('one', { origin: 'https://other.example' }));
    expect(stored()).toHaveLength(2);
  });

  it('is forgotten after a hundred others', async () => {
    const { batches, stored } = setup();
    for (let index = 0; index < 101; index += 1) await batches.add(batchOf(`${index}`));
    expect(stored()).toHaveLength(100);
    expect(await batches.find(ORIGIN, '0')).toBeUndefined();
    expect(await batches.find(ORIGIN, '1')).toBeDefined();
  });
});
