import type { Json } from '@metamask/utils';

import { PlatformError } from '../../../src/errors';
import { createClientSession } from '../../../src/state/client-session';
import type { ClientSession } from '../../../src/state/client-session';
import { openPublicStore } from '../../../src/state/public-state';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const stored = {
  version: 1,
  levels: {},
  session: 7,
  pendingSince: null,
  greeted: null,
};

type Bench = { session: ClientSession; backend: MemoryBackend };

function setup(document: Json = null): Bench {
  const backend = createMemoryBackend(document);
  return { session: createClientSession(openPublicStore(backend)), backend };
}

describe("the client's session", () => {
  it('is the first where nothing is stored, and nothing is stored by asking', async () => {
    const { session, backend } = setup();
    expect(await session.current()).toBe(0);
    expect(backend.document).toBeNull();
  });

  it('is another one after each start', async () => {
    const { session } = setup();
    for (const number of [1, 2, 3]) {
      await session.begin();
      expect(await session.current()).toBe(number);
    }
  });

  it('outlives the worker, and leaves the rest of the document alone', async () => {
    const { session, backend } = setup(stored);
    await session.begin();
    expect(backend.document).toStrictEqual({ ...stored, session: 8 });
    const { session: later } = setup(backend.document);
    expect(await later.current()).toBe(8);
  });

  it('counts starts that come at once', async () => {
    const { session } = setup();
    await Promise.all([session.begin(), session.begin(), session.begin()]);
    expect(await session.current()).toBe(3);
  });

  it('is not taken for the first where MetaMask failed to tell', async () => {
    const { session, backend } = setup(stored);
    const { load } = backend;
    const failure = new PlatformError('MetaMask failed snap_getState');
    backend.load = async () => Promise.reject(failure);
    await expect(session.current()).rejects.toBe(failure);
    backend.load = load;
    expect(await session.current()).toBe(7);
  });

  it('is taken for the first where the document is not valid, which is left alone', async () => {
    const document = { ...stored, levels: 7 };
    const { session, backend } = setup(document);
    expect(await session.current()).toBe(0);
    expect(await refusalOf(session.begin())).toHaveProperty('code', -32002);
    expect(await session.current()).toBe(0);
    expect(backend.document).toStrictEqual(document);
    expect(backend.saves).toBe(0);
  });

  it('is not guessed while the document cannot be had', async () => {
    const { session, backend } = setup(stored);
    backend.failNextLoad = new Error('busy');
    await expect(session.current()).rejects.toThrow('busy');
    expect(await session.current()).toBe(7);
  });
});
