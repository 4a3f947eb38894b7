import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { REQUEST_ID, submission } from '../../../dev/wallet/keyring-requests';
import { atBoundary } from '../../../src/handlers/boundary';
import { handleStart } from '../../../src/handlers/lifecycle';
import type { PrivateState } from '../../../src/state/private-state';
import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { refusalOf } from '../../support/refusal';
import { COMPANION, createAccount, createTestApp } from '../../support/test-app';
import type { Edges } from '../../support/test-app';

const LATER_ID = '6404510c-e9ff-48e2-b0aa-1a47c6af07d9';

type Bench = {
  edges: Edges;
  eoa: KeyringAccount;
  /** Start the client: the snap's worker is a new one then. */
  start: () => Promise<Callers & { result: unknown }>;
  /** Have MetaMask ask for a signature that waits for approval. */
  submit: (by: Callers, id?: string) => Promise<Json>;
  /** List the requests that are stored, by id and session. */
  stored: () => [string, number][];
};

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { edges } = app;
  const eoa = await createAccount(app);
  const mode = [{ approvalMode: 'asynchronous' }];
  await callersOf(app).rpc(COMPANION, 'tollkeeper_setSettings', mode);
  return {
    edges,
    eoa,
    start: async () => {
      const next = createTestApp(edges);
      const onStart = atBoundary('onStart', () => next.services, handleStart);
      return { ...callersOf(next), result: await onStart({ origin: 'metamask' }) };
    },
    submit: (by, id = REQUEST_ID) => {
      const params = ['0x', eoa.address];
      const request = submission({ account: eoa.id, method: 'personal_sign', params });
      const asked = { ...(request.params as Record<string, Json>), id };
      return by.keyring('metamask', 'keyring_submitRequest', asked);
    },
    stored: () => {
      const { requests } = edges.backend.document as PrivateState;
      return Object.values(requests).map(({ id, session }) => [id, session]);
    },
  };
}

describe('a start of the client', () => {
  it('drops the requests that nobody waits for any more', async () => {
    const { start, submit, stored } = await setup();
    const first = await start();
    expect(first.result).toBeNull();
    await submit(first);
    expect(stored()).toStrictEqual([[REQUEST_ID, 1]]);
    await start();
    expect(stored()).toStrictEqual([]);
  });

  it('while locked touches nothing encrypted; the stale requests are not shown', async () => {
    const { edges, start, submit, stored } = await setup();
    await submit(await start());
    edges.clock.isLocked = true;
    const { loads, saves } = edges.backend;
    const { keyring, result } = await start();
    expect(result).toBeNull();
    const { backend } = edges;
    expect([backend.loads, backend.saves]).toStrictEqual([loads, saves]);
    expect(stored()).toStrictEqual([[REQUEST_ID, 1]]);
    expect(await keyring('metamask', 'keyring_listRequests')).toStrictEqual([]);
    const params = { id: REQUEST_ID };
    const getting = keyring('metamask', 'keyring_getRequest', params);
    expect(await refusalOf(getting)).toHaveProperty('code', -32001);
  });

  it('while locked leaves the stale requests to go with the next one', async () => {
    const { edges, start, submit, stored } = await setup();
    await submit(await start());
    edges.clock.isLocked = true;
    await submit(await start(), LATER_ID);
    expect(stored()).toStrictEqual([[LATER_ID, 2]]);
  });

  it('is no start if only the worker was a new one: requests go on waiting', async () => {
    const { edges, start, submit } = await setup();
    await submit(await start());
    const { keyring } = callersOf(createTestApp(edges));
    expect(await keyring('metamask', 'keyring_listRequests')).toMatchObject([
      { id: REQUEST_ID },
    ]);
  });

  it('drops nothing but requests', async () => {
    const { edges, start, submit, eoa } = await setup();
    await submit(await start());
    const before = edges.backend.document as PrivateState;
    const { keyring } = await start();
    expect(edges.backend.document).toStrictEqual({ ...before, requests: {} });
    expect(await keyring('metamask', 'keyring_listAccounts')).toStrictEqual([eoa]);
  });

  it('is not counted where the document in the clear is damaged, which stays', async () => {
    const { edges, start } = await setup();
    const damaged = { version: 1, levels: 7, session: 4 };
    edges.publicBackend.document = damaged;
    const { code } = await refusalOf(start());
    expect(code).toBe(-32002);
    expect(edges.publicBackend.document).toStrictEqual(damaged);
  });

  it('is counted although whether it is locked cannot be told', async () => {
    const begun: string[] = [];
    const note = (what: string) => (): Promise<void> => {
      begun.push(what);
      return Promise.resolve();
    };
    const starting = handleStart(undefined, {
      session: { current: () => Promise.resolve(0), begin: note('session') },
      requests: { purge: note('purge') },
      tracker: { arm: () => Promise.reject(new Error('no events')) },
      isLocked: () => Promise.reject(new Error('no such method')),
    });
    await expect(starting).rejects.toThrow(new Error('no such method'));
    expect(begun).toStrictEqual(['session']);
  });
});
