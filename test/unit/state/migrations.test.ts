import { literal, object, string } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { migrate } from '../../../src/state/migrations';
import type { Migration } from '../../../src/state/migrations';
import { Store } from '../../../src/state/store';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalIn } from '../../support/refusal';

const append =
  (letter: string): Migration =>
  ({ path, ...others }) => ({
    ...others,
    path: typeof path === 'string' ? path + letter : '?',
  });

/** Steps to version 4. */
const steps = [append('b'), append('c'), append('d')];

describe('migrate', () => {
  it.each([
    [1, 'abcd'],
    [2, 'acd'],
    [3, 'ad'],
    [4, 'a'],
  ])('takes the steps from version %i on, in order', (version, path) => {
    expect(migrate({ version, path: 'a' }, steps, 'state')).toStrictEqual({
      version: 4,
      path,
    });
  });

  it('counts the version itself, whatever a step says', () => {
    const meddle: Migration = () => ({ version: 77 });
    expect(migrate({ version: 1 }, [meddle], 'state')).toStrictEqual({ version: 2 });
  });

  it('leaves the stored document alone', () => {
    const stored = { version: 1, path: 'a' };
    migrate(stored, steps, 'state');
    expect(stored).toStrictEqual({ version: 1, path: 'a' });
  });

  const withoutVersion: Json[] = [
    {},
    [],
    'text',
    7,
    false,
    { version: 0 },
    { version: -1 },
    { version: 1.5 },
    { version: '1' },
    { version: null },
  ];

  it.each(withoutVersion)('refuses %j, which has no version', async (stored) => {
    expect(await refusalIn(() => migrate(stored, steps, 'state'))).toStrictEqual({
      code: -32002,
      message: 'The stored state has no version and was left as it is.',
    });
  });

  it('refuses a document of a newer snap, and says what to do', async () => {
    const read = (): unknown => migrate({ version: 5, path: 'a' }, steps, 'state');
    expect(await refusalIn(read)).toStrictEqual({
      code: -32002,
      message:
        'The stored state was written by a newer version of Tollkeeper (5, this one ' +
        'knows 4) and was left as it is: update the snap.',
    });
  });
});

describe('a document of an earlier version', () => {
  it('is migrated before it is validated, and stored so by the next update', async () => {
    const backend = createMemoryBackend({ version: 1, path: 'a' });
    const store = new Store<{ version: number; path: string }>(
      {
        name: 'state',
        struct: object({ version: literal(4), path: string() }),
        migrations: steps,
        empty: { version: 4, path: '' },
      },
      backend,
    );
    expect(await store.read()).toStrictEqual({ version: 4, path: 'abcd' });
    expect(backend.saves).toBe(0);
    await store.update((document) => ({ ...document, path: 'x' }));
    expect(backend.document).toStrictEqual({ version: 4, path: 'x' });
  });
});
