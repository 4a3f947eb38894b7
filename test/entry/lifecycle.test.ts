// Starts, installations, updates, and the events with which MetaMask wakes the snap.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { REQUEST_ID } from '../../dev/wallet/keyring-requests';
import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import { refuses } from '../support/fake-node';
import { storeSettings } from '../support/given';
import { expectRefusal } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { click, createAccount, createTestApp, RELEASE } from '../support/test-app';
import type { Edges } from '../support/test-app';
import { namesOf, textOf, textsOf, writeView } from '../support/view';

type LifecycleEvent = 'onStart' | 'onInstall' | 'onUpdate' | 'onActive';

const WELCOME = textOf('welcome.title');

const NEWS = textOf('news.title');

/** Triggers a lifecycle event in a new worker of the snap. */
async function trigger(edges: Edges, event: LifecycleEvent, version = '1.2.3') {
  const app = createTestApp(edges, { ...RELEASE, version });
  expect(await app.entry[event]({ origin: 'metamask' })).toBeNull();
  return app;
}

const titlesIn = ({ dialogs }: Edges): (string | undefined)[] =>
  dialogs.shown.map((content) => textsOf(content)[0]);

describe('an installation', () => {
  it('welcomes the user once per version, and lists the news after an update', async () => {
    const { edges } = createTestApp();
    const greeted = () => (edges.publicBackend.document as { greeted: Json }).greeted;
    await trigger(edges, 'onInstall');
    await trigger(edges, 'onInstall');
    await trigger(edges, 'onUpdate');
    expect([titlesIn(edges), greeted()]).toStrictEqual([[WELCOME], '1.2.3']);
    await trigger(edges, 'onUpdate', '1.3.0');
    await trigger(edges, 'onUpdate', '1.3.0');
    expect([titlesIn(edges), greeted()]).toStrictEqual([[WELCOME, NEWS], '1.3.0']);
    const news = textOf('news.version', { version: '1.3.0' });
    expect(textsOf(edges.dialogs.shown[1])).toContain(news);
  });

  it('welcomes once for concurrent events', async () => {
    const { edges, entry } = createTestApp();
    const origin = 'metamask';
    await Promise.all([entry.onInstall({ origin }), entry.onInstall({ origin })]);
    expect(titlesIn(edges)).toStrictEqual([WELCOME]);
  });

  it('welcomes while locked and without background events, and reads nothing encrypted', async () => {
    const { edges } = createTestApp();
    edges.clock.isLocked = true;
    Object.defineProperty(edges.alarm, 'due', {
      get: () => {
        throw new Error('no events');
      },
    });
    await trigger(edges, 'onInstall');
    expect(titlesIn(edges)).toStrictEqual([WELCOME]);
    expect([edges.backend.loads, edges.backend.saves]).toStrictEqual([0, 0]);
  });

  it('does not fail if the dialog fails, and does not try again', async () => {
    const { edges } = createTestApp();
    edges.dialogs.answer = async () => Promise.reject(new Error('no window'));
    await trigger(edges, 'onInstall');
    await trigger(edges, 'onInstall');
    expect(titlesIn(edges)).toStrictEqual([WELCOME]);
  });

  it('does not fail if the unencrypted document is damaged, and leaves it unchanged', async () => {
    const { edges } = createTestApp();
    const damaged = { version: 1, levels: 7 };
    edges.publicBackend.document = damaged;
    await trigger(edges, 'onInstall');
    expect(titlesIn(edges)).toStrictEqual([]);
    expect(edges.publicBackend.document).toStrictEqual(damaged);
  });
});

describe('the steps of the welcome', () => {
  const step = (number: string) => textOf('welcome.step', { number, count: '3' });

  it.each<[string[], string[], string[]]>([
    [[], ['1'], ['refuse', 'page:1:1']],
    [
      ['page:1:1', 'page:2:2'],
      ['1', '2', '3'],
      ['page:1:3', 'refuse'],
    ],
    [
      ['page:1:1', 'page:2:2', 'page:1:3'],
      ['1', '2', '3', '2'],
      ['page:0:4', 'page:2:4'],
    ],
    [
      ['page:9:9', 'other'],
      ['1', '1', '1'],
      ['refuse', 'page:1:2'],
    ],
  ])('lead forward and back in one dialog: %j', async (names, steps, buttons) => {
    const app = createTestApp();
    const { screens, dialogs } = app.edges;
    const shownSteps: unknown[] = [];
    let last: JSXElement | undefined;
    dialogs.answer = async (_content, id) => {
      const record = (): void => void shownSteps.push(textsOf(screens.get(id))[1]);
      for (const name of names) {
        record();
        await click(app.entry, id, name);
      }
      record();
      last = screens.get(id);
      return null;
    };
    await app.entry.onInstall({ origin: 'metamask' });
    expect(shownSteps).toStrictEqual(steps.map(step));
    expect(namesOf(last, 'Button')).toStrictEqual(buttons);
    if (steps.at(-1) === '2') {
      expect(writeView(last)).toContain(
        'Installs from npm: and from local: derive different keys',
      );
      expect(writeView(last)).toContain('so they have different accounts');
    }
  });
});

describe('pending transactions', () => {
  const events: LifecycleEvent[] = ['onStart', 'onInstall', 'onUpdate', 'onActive'];

  // Events are lost while the snap is disabled or the browser is closed.
  it.each(events)('are looked up soon after %s', async (event) => {
    const { send, edges } = await createSendBench();
    edges.alarm.due = undefined;
    await trigger(edges, event);
    expect(edges.alarm.due).toBeUndefined();
    await send();
    edges.alarm.due = undefined;
    edges.clock.time += 60_000;
    await trigger(edges, event);
    expect(edges.alarm.due).toBe(edges.clock.time + 3_000);
  });

  it.each(events)('are not read while locked after %s', async (event) => {
    const { send, edges } = await createSendBench();
    await send();
    edges.alarm.due = undefined;
    edges.clock.isLocked = true;
    const { loads } = edges.backend;
    await trigger(edges, event);
    expect(edges.alarm.due).toBe(edges.clock.time + 60_000);
    expect(edges.backend.loads).toBe(loads);
  });

  it.each(['poll', 'constructor', '', 'tollkeeper_getChains'])(
    'are not looked up for an unknown event: %j',
    async (method) => {
      const { app, send, edges } = await createSendBench();
      await send();
      const count = edges.wallet.calls.length;
      const request = { jsonrpc: '2.0', id: 1, method } as const;
      expect(await app.entry.onCronjob({ request })).toBeNull();
      expect(edges.wallet.calls).toHaveLength(count);
    },
  );
});

describe('notifications of settled transactions', () => {
  /** Sends transactions. `names` are their hashes, shortened as in notifications. */
  async function setup(count: number) {
    const bench = await createSendBench();
    const hashes: string[] = [];
    for (let index = 0; index < count; index += 1) {
      hashes.push((await bench.send({ value: `0x${index + 1}` })) as string);
    }
    const names = hashes.map((hash) => `${hash.slice(0, 10)}…${hash.slice(-6)}`);
    return { ...bench, hashes, names };
  }

  const dropped =
    'is no longer known to your node. A block can still include it: look at ' +
    "Tollkeeper's page before you send it again.";

  it.each<[string, (bench: SendBench, hash: string) => Promise<unknown>]>([
    [
      'was confirmed in block 16.',
      async ({ mine }, hash) => Promise.resolve(mine(hash)),
    ],
    [
      'failed in block 16.',
      async ({ mine }, hash) => Promise.resolve(mine(hash, '0x0')),
    ],
    [
      dropped,
      async ({ edges, poll }) => {
        Object.assign(edges.wallet.answers, {
          eth_getTransactionByHash: null,
          eth_sendRawTransaction: refuses('no'),
        });
        await poll(3_000);
        edges.clock.time += 120_000;
      },
    ],
    [
      'was replaced by another transaction.',
      async ({ edges, poll }) => {
        Object.assign(edges.wallet.answers, {
          eth_getTransactionByHash: null,
          eth_getTransactionCount: '0x6',
          eth_blockNumber: '0x1',
          eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', transactions: [] },
        });
        await poll(3_000);
        edges.clock.time += 600_000;
      },
    ],
  ])('report that a transaction %s', async (outcome, prepare) => {
    const bench = await setup(1);
    await prepare(bench, bench.hashes[0] ?? '');
    await bench.poll(3_000);
    expect(bench.edges.notifications).toStrictEqual([
      `Transaction ${bench.names[0]} on eip155:1 ${outcome}`,
    ]);
  });

  it('are not sent if the user has turned them off', async () => {
    const { app, hashes, mine, poll, edges } = await setup(1);
    await storeSettings(app, { notifications: false });
    mine(hashes[0] ?? '');
    await poll(3_000);
    expect(edges.notifications).toStrictEqual([]);
    expect((await app.services.ledger.list())[0]?.status).toBe('included');
  });

  it('do not stop tracking if they cannot be shown', async () => {
    const { app, hashes, mine, poll, edges } = await setup(1);
    edges.notifications.push = () => {
      throw new Error('too many');
    };
    mine(hashes[0] ?? '');
    await poll(3_000);
    expect((await app.services.ledger.list())[0]?.status).toBe('included');
  });
});

describe('a start of MetaMask', () => {
  const LATER_ID = '6404510c-e9ff-48e2-b0aa-1a47c6af07d9';

  async function setup() {
    const app = createTestApp();
    const { edges } = app;
    const eoa = await createAccount(app);
    await storeSettings(app, { approvalMode: 'asynchronous' });
    return {
      edges,
      eoa,
      start: async () => callersOf(await trigger(edges, 'onStart')),
      submit: async ({ submit }: Callers, id = REQUEST_ID) => {
        const params = ['0x', eoa.address];
        return submit({ account: eoa.id, method: 'personal_sign', params }, { id });
      },
      /** Lists the stored requests as [id, session]. */
      stored: () => {
        const { requests } = edges.backend.document as {
          requests: Record<string, { id: string; session: number }>;
        };
        return Object.values(requests).map(({ id, session }) => [id, session]);
      },
    };
  }

  it('drops only the requests that MetaMask no longer waits for', async () => {
    const { edges, start, submit, stored, eoa } = await setup();
    await submit(await start());
    expect(stored()).toStrictEqual([[REQUEST_ID, 1]]);
    // A new worker alone does not drop requests.
    const waiting = await callersOf(createTestApp(edges)).keyring(
      'metamask',
      'keyring_listRequests',
    );
    expect(waiting).toMatchObject([{ id: REQUEST_ID }]);
    const before = edges.backend.document as Record<string, Json>;
    const { keyring } = await start();
    expect(edges.backend.document).toStrictEqual({ ...before, requests: {} });
    expect(await keyring('metamask', 'keyring_listAccounts')).toStrictEqual([eoa]);
  });

  it('reads nothing encrypted while locked; the next request drops stale requests', async () => {
    const { edges, start, submit, stored } = await setup();
    await submit(await start());
    edges.clock.isLocked = true;
    const { backend } = edges;
    const before = [backend.loads, backend.saves];
    const callers = await start();
    expect([backend.loads, backend.saves]).toStrictEqual(before);
    expect(stored()).toStrictEqual([[REQUEST_ID, 1]]);
    expect(await callers.keyring('metamask', 'keyring_listRequests')).toStrictEqual([]);
    const getting = callers.keyring('metamask', 'keyring_getRequest', {
      id: REQUEST_ID,
    });
    await expectRefusal(getting, -32001);
    await submit(callers, LATER_ID);
    expect(stored()).toStrictEqual([[LATER_ID, 2]]);
  });

  it('is counted even if the lock state is unknown', async () => {
    const { edges } = await setup();
    Object.defineProperty(edges.clock, 'isLocked', {
      get: () => {
        throw new Error('no such method');
      },
    });
    const starting = createTestApp(edges).entry.onStart({ origin: 'metamask' });
    await expectRefusal(starting, -32603);
    expect(edges.publicBackend.document).toHaveProperty('session', 1);
  });
});
