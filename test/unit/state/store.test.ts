// Cases that no current stored document covers: several migrations, and invalid changes.
import { literal, object, string } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { list, text } from '../../../src/schema/structs';
import { Store } from '../../../src/state/store';
import type { Migration } from '../../../src/state/store';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

type Path = { version: number; path: string };

const append =
  (letter: string): Migration =>
  ({ path, ...others }) => ({
    ...others,
    // A migration cannot set the version.
    version: 77,
    path: typeof path === 'string' ? path + letter : '?',
  });

function open(document: Json): { store: Store<Path>; backend: MemoryBackend } {
  const backend = createMemoryBackend(document);
  const struct = object({ version: literal(4), path: string() });
  const migrations = [append('b'), append('c'), append('d')];
  const empty = { version: 4, path: '' };
  const kind = { name: 'state', struct, collections: {}, migrations, empty };
  const store = new Store<Path>(kind, backend);
  return { store, backend };
}

it.each([
  [1, 'abcd'],
  [2, 'acd'],
  [3, 'ad'],
  [4, 'a'],
])('applies the later migrations to version %i, in order', async (version, path) => {
  const { store, backend } = open({ version, path: 'a' });
  expect(await store.read()).toStrictEqual({ version: 4, path });
  expect(backend.document).toStrictEqual({ version, path: 'a' });
  await store.update((document) => ({ ...document, path: 'x' }));
  expect(backend.document).toStrictEqual({ version: 4, path: 'x' });
});

it('rejects a newer document, and one without a version', async () => {
  const documents: Json[] = [{}, [], 'text', 7, { version: -1 }, { version: 1.5 }];
  const refusals = documents.map(async (each) => refusalOf(open(each).store.read()));
  for (const { message } of await Promise.all(refusals)) {
    expect(message).toBe('The stored state has no version and was left as it is.');
  }
  const { message } = await refusalOf(open({ version: 5, path: 'a' }).store.read());
  expect(message).toBe(
    'The stored state has format 5; this version of Tollkeeper reads formats up to 4. Install ' +
      'a newer version of Tollkeeper.',
  );
});

it('does not store a change that throws or is invalid, and continues', async () => {
  const { store, backend } = open({ version: 4, path: 'a' });
  const wrong = { version: 4, path: 7 } as unknown as Path;
  expect(await refusalOf(store.update(() => wrong))).toStrictEqual({
    code: -32603,
    message: 'state.path must be a string.',
  });
  const failing = store.update(() => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow(new Error('no'));
  await store.update((document) => document);
  expect(backend.saves).toBe(0);
  const push = async (letter: string): Promise<Path> =>
    store.update(({ version, path }) => ({ version, path: path + letter }));
  await Promise.all(['b', 'c', 'd'].map(push));
  expect(backend.document).toHaveProperty('path', 'abcd');
});

it('drops the oldest entries of a full list once a record set aside is accepted again', async () => {
  const backend = createMemoryBackend({ version: 1, words: ['long', 'b', 'c'] });
  const openWith = (maxLength: number) => {
    const collections = { words: list(text(maxLength), { max: 3 }) };
    const struct = object({ version: literal(1), ...collections });
    const empty = { version: 1, words: [] as string[] };
    return new Store<typeof empty>(
      { name: 'state', struct, collections, migrations: [], empty },
      backend,
    );
  };
  await openWith(1).update(({ words, ...state }) => ({
    ...state,
    words: [...words, 'd'],
  }));
  expect(backend.document).toHaveProperty('words', ['long', 'b', 'c', 'd']);
  const later = openWith(9);
  expect(await later.read()).toHaveProperty('words', ['b', 'c', 'd']);
  await later.update(({ words, ...state }) => ({ ...state, words: words.slice(1) }));
  expect(backend.document).toHaveProperty('words', ['c', 'd']);
});
