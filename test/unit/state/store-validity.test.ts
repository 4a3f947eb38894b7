import { addOne, createCounterStore } from '../../support/counter-store';
import type { Counter } from '../../support/counter-store';
import { refusalOf } from '../../support/refusal';

describe('a changed document that is not valid', () => {
  it('is not stored: it could not be read again', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 7 });
    const spoil = (counter: Counter): Counter =>
      ({ ...counter, count: 'many' }) as unknown as Counter;
    expect(await refusalOf(store.update(spoil))).toStrictEqual({
      code: -32603,
      message: 'counter.count must be a number.',
    });
    expect(backend.saves).toBe(0);
    expect(await store.read()).toStrictEqual({ version: 1, count: 7 });
    expect(await store.update(addOne)).toStrictEqual({ version: 1, count: 8 });
  });
});

describe('a stored document that is not valid', () => {
  it('is refused and left as it is', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 'many' });
    const message =
      'The stored counter is not valid and was left as it is: counter.count must be a number.';
    expect(await refusalOf(store.read())).toStrictEqual({ code: -32002, message });
    expect(await refusalOf(store.update(addOne))).toStrictEqual({
      code: -32002,
      message,
    });
    expect(backend.saves).toBe(0);
    expect(backend.document).toStrictEqual({ version: 1, count: 'many' });
  });

  it('is read again once it was mended', async () => {
    const { backend, store } = createCounterStore({ version: 1, count: 'many' });
    await refusalOf(store.read());
    backend.document = { version: 1, count: 3 };
    expect(await store.read()).toHaveProperty('count', 3);
  });
});
