import { getStatus } from '../../../src/handlers/status';
import type { Status } from '../../../src/handlers/status';
import { openPrivateStore } from '../../../src/state/private-state';
import { openPublicStore } from '../../../src/state/public-state';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { derivedRecord, importedRecord, smartRecord } from '../../support/records';
import { SESSION, stateOf } from '../../support/stored-accounts';

const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

const NOT_GIVEN = 'MetaMask did not give it out.';

const [eoa, smart, imported] = [derivedRecord(), smartRecord(), importedRecord()];

const stored = {
  ...stateOf({
    accounts: [eoa, smart],
    unsettled: { [imported.id]: { change: 'add', record: imported, session: SESSION } },
  }),
  requests: {
    [ID]: {
      id: ID,
      account: eoa.id,
      origin: 'metamask',
      scope: '',
      request: { method: 'personal_sign', params: ['0x', eoa.address] },
      session: SESSION,
    },
  },
};

const publicly = {
  version: 1,
  levels: {},
  session: SESSION,
  pendingSince: null,
  greeted: null,
};

type Bench = {
  ask: () => Promise<Status>;
  backend: MemoryBackend;
  publicBackend: MemoryBackend;
};

function setup(document: unknown, publicDocument: unknown): Bench {
  const backend = createMemoryBackend(document);
  const publicBackend = createMemoryBackend(publicDocument);
  const publicStore = openPublicStore(publicBackend);
  const services = {
    store: openPrivateStore(backend),
    publicStore,
  };
  return { ask: async () => getStatus(services), backend, publicBackend };
}

const toDocuments = (
  problem: string | null,
  publicProblem: string | null,
): Status['documents'] => [
  { name: 'encrypted state', problem },
  { name: 'public state', problem: publicProblem },
];

const nothing = { accounts: 0, unsettled: 0, requests: 0 };
const unknown = { accounts: null, unsettled: null, requests: null };

describe('the status', () => {
  it('is that all is well where nothing is stored', async () => {
    const { ask } = setup(null, null);
    expect(await ask()).toStrictEqual({
      documents: toDocuments(null, null),
      ...nothing,
    });
  });

  it('counts what is stored, and nothing that is secret is in it', async () => {
    const { ask } = setup(stored, publicly);
    expect(await ask()).toStrictEqual({
      documents: toDocuments(null, null),
      accounts: 2,
      unsettled: 1,
      requests: 1,
    });
  });

  it('counts no request of an earlier session: nobody waits for it', async () => {
    const { ask } = setup(stored, { ...publicly, session: SESSION + 1 });
    expect(await ask()).toMatchObject({ accounts: 2, unsettled: 1, requests: 0 });
  });

  it('says what is wrong with each document, and leaves both as they are', async () => {
    const damaged = { ...stored, settings: 7 };
    const publicDamaged = { ...publicly, version: 99 };
    const { ask, backend, publicBackend } = setup(damaged, publicDamaged);
    expect(await ask()).toStrictEqual({
      documents: toDocuments(
        'The stored encrypted state is not valid and was left as it is: encrypted ' +
          'state.settings must be an object.',
        'The stored public state was written by a newer version of Tollkeeper (99, this ' +
          'one knows 1) and was left as it is: update the snap.',
      ),
      ...unknown,
    });
    expect(backend.document).toStrictEqual(damaged);
    expect(publicBackend.document).toStrictEqual(publicDamaged);
    expect([backend.saves, publicBackend.saves]).toStrictEqual([0, 0]);
  });

  it('counts accounts also if the document in the clear is damaged', async () => {
    const { ask } = setup(stored, { ...publicly, levels: 7 });
    expect(await ask()).toMatchObject({ accounts: 2, unsettled: 1 });
  });

  it('tells nothing of what the wallet says when it gives nothing out', async () => {
    const { ask, backend, publicBackend } = setup(stored, publicly);
    backend.failNextLoad = new Error('secret words');
    publicBackend.failNextLoad = new Error('secret words');
    expect(await ask()).toStrictEqual({
      documents: toDocuments(NOT_GIVEN, NOT_GIVEN),
      ...unknown,
    });
    expect(await ask()).toMatchObject({ documents: toDocuments(null, null) });
  });

  it('is told however often the wallet gives nothing out in the clear', async () => {
    const { ask, publicBackend } = setup(stored, publicly);
    publicBackend.load = () => Promise.reject(new Error('busy'));
    expect(await ask()).toMatchObject({
      documents: toDocuments(null, NOT_GIVEN),
      accounts: 2,
    });
  });

  it('asks for each document once: a locked wallet asks its user each time', async () => {
    const { ask, backend, publicBackend } = setup(stored, publicly);
    backend.failNextLoad = new Error('The user did not unlock.');
    await ask();
    expect([backend.loads, publicBackend.loads]).toStrictEqual([1, 1]);
  });
});
