import { addOne, createCounterStore } from '../../support/counter-store';
import type { Counter } from '../../support/counter-store';
import { createGate, settle } from '../../support/gate';
import { refusalOf } from '../../support/refusal';

describe('Store.name', () => {
  it('is what messages call the document, whether or not it can be read', async () => {
    const { store } = createCounterStore({ version: 1, count: 'many' });
    expect(store.name).toBe('counter');
    await refusalOf(store.read());
    expect(store.name).toBe('counter');
  });
});

describe('Store.read', () => {
  it('gives the empty document where nothing is stored, and stores nothing', async () => {
    const { backend, store } = createCounterStore();
    expect(await store.read()).toStrictEqual({ version: 1, count: 0 });
    expect(backend.document).toBeNull();
    expect(backend.saves).toBe(0);
  });

  it('loads once for all readers', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    const readers = Array.from({ length: 10 }, () => store.read());
    const counts = (await Promise.all(readers)).map(({ count }) => count);
    expect(counts).toStrictEqual(Array<number>(10).fill(7));
    await store.read();
    expect(backend.loads).toBe(1);
  });

  it('reports a failed load to every reader that waits for it', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    backend.failNextLoad = new Error('locked');
    const errors = await Promise.allSettled([store.read(), store.read()]);
    expect(errors.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
    expect(backend.loads).toBe(1);
  });

  it('loads anew after a load that failed', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    backend.failNextLoad = new Error('locked');
    await expect(store.read()).rejects.toThrow(Error);
    expect(await store.read()).toHaveProperty('count', 7);
  });
});

describe('Store.update', () => {
  it('gives and stores the changed document', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    expect(await store.update(addOne)).toStrictEqual({ version: 1, count: 8 });
    expect(backend.document).toStrictEqual({ version: 1, count: 8 });
    expect(await store.read()).toStrictEqual({ version: 1, count: 8 });
  });

  it('loses none of a hundred updates made at once', async () => {
    const { backend, store } = createCounterStore();
    await Promise.all(Array.from({ length: 100 }, () => store.update(addOne)));
    expect(backend.document).toStrictEqual({ version: 1, count: 100 });
    expect(backend.loads).toBe(1);
  });

  it('carries updates out in the order in which they were asked for', async () => {
    const { store } = createCounterStore();
    const seen: number[] = [];
    const push = (counter: Counter): Counter => {
      seen.push(counter.count);
      return addOne(counter);
    };
    await Promise.all(Array.from({ length: 5 }, () => store.update(push)));
    expect(seen).toStrictEqual([0, 1, 2, 3, 4]);
  });

  it('saves nothing if the document stays the same', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    await store.update((counter) => counter);
    expect(backend.saves).toBe(0);
  });

  it('writes nothing if the change throws, and goes on with the next update', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    const change = (): never => {
      throw new Error('no');
    };
    await expect(store.update(change)).rejects.toThrow(new Error('no'));
    expect(backend.saves).toBe(0);
    expect(await store.update(addOne)).toHaveProperty('count', 8);
  });

  it('leaves the old document whole if saving fails, and reads it again', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    await store.read();
    backend.failNextSave = new Error('disk full');
    await expect(store.update(addOne)).rejects.toThrow(new Error('disk full'));
    expect(backend.document).toStrictEqual({ version: 1, count: 7 });
    expect(await store.read()).toStrictEqual({ version: 1, count: 7 });
    expect(backend.loads).toBe(2);
  });

  it('sees what was stored by a save that failed late', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    const save = backend.save;
    backend.save = async (document) => {
      await save(document);
      throw new Error('disconnected');
    };
    await expect(store.update(addOne)).rejects.toThrow(Error);
    backend.save = save;
    expect(await store.update(addOne)).toHaveProperty('count', 9);
  });

  it('sees what was stored by such a save also if somebody read during it', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    const save = backend.save;
    backend.save = async (document) => {
      await store.read();
      await save(document);
      throw new Error('disconnected');
    };
    await expect(store.update(addOne)).rejects.toThrow(Error);
    backend.save = save;
    expect(await store.update(addOne)).toHaveProperty('count', 9);
  });

  it('does not save over a document that could not be loaded', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    backend.failNextLoad = new Error('locked');
    await expect(store.update(addOne)).rejects.toThrow(new Error('locked'));
    expect(backend.saves).toBe(0);
    expect(await store.update(addOne)).toHaveProperty('count', 8);
  });

  it('shows no reader a change before it is stored', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    const { opened, open } = createGate();
    const save = backend.save;
    backend.save = async (document) => {
      await opened;
      await save(document);
    };
    const updating = store.update(addOne);
    await settle();
    expect(await store.read()).toHaveProperty('count', 7);
    open();
    await updating;
    expect(await store.read()).toHaveProperty('count', 8);
  });
});
