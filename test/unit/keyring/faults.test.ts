// Every read and write of the state, and every event, fails once, each in turn: before it is
// done, and after it was done. Whatever fails, both sides agree after the next request, and
// no account is lost or doubled.
import type { Json } from '@metamask/utils';

import { callersOf } from '../../support/callers';
import { createKeyringBench } from '../../support/keyring-bench';
import type { KeyringBench } from '../../support/keyring-bench';
import { IMPORTED_KEY } from '../../support/records';
import { COMPANION } from '../../support/test-app';

const OTHER_KEY = `0x${'2e'.repeat(32)}`;

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:5'] };

type When = 'before' | 'after';

type Scenario = {
  /** What is done while something fails. */
  run: (
    bench: KeyringBench,
    ids: { imported: string; smart: string },
  ) => Promise<unknown>;
  /** Accounts that may be gone afterwards, of those that were there. */
  mayLose?: ('imported' | 'smart')[];
};

const keyring = async (
  { app }: KeyringBench,
  method: string,
  params: Json,
): Promise<Json> => callersOf(app).keyring(COMPANION, method, params);

const scenarios: Record<string, Scenario> = {
  'a derived account is created': { run: async (bench) => bench.create() },
  'an account is imported': {
    run: async (bench) => bench.create({ privateKey: OTHER_KEY }),
  },
  'an account is declined': {
    run: async (bench) => {
      bench.metamask.decide = () => Promise.resolve(false);
      await bench.create({ privateKey: OTHER_KEY });
    },
  },
  'an account is deleted': {
    run: async (bench, { imported }) =>
      keyring(bench, 'keyring_deleteAccount', { id: imported }),
    mayLose: ['imported'],
  },
  'MetaMask deletes an account': {
    run: async (bench, { imported }) => bench.metamask.remove(imported),
    mayLose: ['imported'],
  },
  'an account is kept': {
    run: async (bench, { imported }) => {
      bench.metamask.decide = () => Promise.resolve(false);
      await keyring(bench, 'keyring_deleteAccount', { id: imported });
    },
  },
  'an account is updated': {
    run: async (bench, { smart }) => {
      const account = await bench.app.services.keyring.getAccount(smart);
      const changed = { ...account, scopes: ['eip155:1'] };
      await keyring(bench, 'keyring_updateAccount', { account: changed });
    },
  },
  'accounts are restored': {
    run: async (bench) => {
      bench.metamask.accounts.clear();
      const { rpc } = callersOf(bench.app);
      await rpc(COMPANION, 'tollkeeper_restoreAccounts', [{ gap: 1 }]);
    },
    mayLose: [],
  },
};

/** Have the n-th call of the edges fail; the answer ends that, and tells whether it did. */
function failCall({ app }: KeyringBench, n: number, when: When): () => boolean {
  const { backend, events } = app.edges;
  let calls = 0;
  const faulty =
    <Arguments extends unknown[], Result>(
      run: (...args: Arguments) => Promise<Result>,
    ) =>
    async (...args: Arguments): Promise<Result> => {
      calls += 1;
      const isHit = calls === n;
      const thrown: unknown = { code: -32603, message: 'It was made to fail.' };
      if (isHit && when === 'before') throw thrown;
      const result = await run(...args);
      if (isHit) throw thrown;
      return result;
    };
  backend.load = faulty(backend.load);
  backend.save = faulty(backend.save);
  events.take = faulty(events.take);
  return () => {
    const hasFailed = calls >= n;
    calls = Infinity;
    return hasFailed;
  };
}

describe.each(Object.entries(scenarios))('while %s', (_name, scenario) => {
  it.each<When>(['before', 'after'])(
    'nothing is lost or doubled, whichever call fails %s it is done',
    async (when) => {
      let n = 0;
      let hasFailed = true;
      while (hasFailed) {
        n += 1;
        hasFailed = await survive(scenario, n, when);
      }
      expect(n).toBeGreaterThan(3);
    },
  );
});

async function survive(scenario: Scenario, n: number, when: When): Promise<boolean> {
  const bench = createKeyringBench();
  const derived = await bench.create();
  const imported = (await bench.create({ privateKey: IMPORTED_KEY })).id;
  const smart = (await bench.create(SMART)).id;
  // A worker that has read nothing yet, so that reads can fail, too.
  bench.restart();
  const hasFailed = failCall(bench, n, when);
  await scenario.run(bench, { imported, smart }).catch(() => undefined);
  const hit = hasFailed();
  bench.metamask.decide = () => Promise.resolve(true);

  const { metamask, snap } = await bench.sides();
  const restoring = scenario.mayLose?.length === 0;
  const mayLose = (scenario.mayLose ?? []).map((name) => ({ imported, smart })[name]);
  const kept = [derived.id, imported, smart].filter((id) => !mayLose.includes(id));
  expect(snap).toStrictEqual(expect.arrayContaining(kept));
  expect(new Set(snap).size).toBe(snap.length);
  // What MetaMask has not taken back yet is ours still, to be restored again.
  expect(
    restoring ? metamask.filter((id) => !snap.includes(id)) : metamask,
  ).toStrictEqual(restoring ? [] : snap);
  expect(bench.notes()).toStrictEqual([]);

  const { id } = await bench.create();
  expect(await bench.sides()).toMatchObject({
    metamask: expect.arrayContaining([id]) as string[],
    snap: expect.arrayContaining([id]) as string[],
  });
  return hit;
}
