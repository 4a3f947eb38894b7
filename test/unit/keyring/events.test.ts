import type { Json } from '@metamask/utils';

import { createKeyringEvents } from '../../../src/keyring/events';
import type { KeyringEvents } from '../../../src/keyring/events';
import { toKeyringAccount } from '../../../src/keyring/keyring-account';
import { createGate, settle } from '../../support/gate';
import {
  derivedRecord,
  importedRecord,
  IMPORTED_KEY,
  smartRecord,
} from '../../support/records';
import { refusalOf } from '../../support/refusal';

type Bench = {
  events: KeyringEvents;
  emitted: [string, Record<string, Json>][];
  take: { now: () => Promise<void> };
};

function setup(): Bench {
  const emitted: Bench['emitted'] = [];
  const take = { now: (): Promise<void> => Promise.resolve() };
  const events = createKeyringEvents((event, params) => {
    emitted.push([event, params]);
    return take.now();
  });
  return { events, emitted, take };
}

describe('the events of an account', () => {
  it('tell of its creation, with a name', async () => {
    const { events, emitted } = setup();
    const record = smartRecord();
    await events.created(record);
    const account = toKeyringAccount(record);
    expect(emitted).toStrictEqual([
      [
        'notify:accountCreated',
        { account, accountNameSuggestion: 'Tollkeeper Smart 1' },
      ],
    ]);
  });

  it('tell of its update and of its deletion', async () => {
    const { events, emitted } = setup();
    const record = derivedRecord();
    await events.updated(record);
    await events.deleted(record.id);
    expect(emitted).toStrictEqual([
      ['notify:accountUpdated', { account: toKeyringAccount(record) }],
      ['notify:accountDeleted', { id: record.id }],
    ]);
  });

  it('never hold its key', async () => {
    const { events, emitted } = setup();
    await events.created(importedRecord(), { correlationId: 'c' });
    await events.updated(importedRecord());
    expect(JSON.stringify(emitted)).not.toContain(IMPORTED_KEY.slice(2));
  });
});

describe('announcements', () => {
  it('go one after another, since MetaMask fails a second one', async () => {
    const { events, emitted, take } = setup();
    const gates = [createGate(), createGate(), createGate()];
    take.now = () => gates[emitted.length - 1]?.opened ?? Promise.resolve();
    const announcing = gates.map((_gate, index) =>
      events.created(derivedRecord(index)),
    );
    for (const [index, { open }] of gates.entries()) {
      await settle();
      expect(emitted).toHaveLength(index + 1);
      open();
    }
    await Promise.all(announcing);
  });

  it('go on after one that was declined', async () => {
    const { events, emitted, take } = setup();
    take.now = () => Promise.reject(new Error('User denied account creation'));
    const first = refusalOf(events.created(derivedRecord(0)));
    const second = refusalOf(events.created(derivedRecord(1)));
    expect([await first, await second]).toMatchObject([{ code: 4001 }, { code: 4001 }]);
    expect(emitted).toHaveLength(2);
  });
});

describe('a change that MetaMask does not take', () => {
  const declined = { code: 4001, message: 'The user declined it in MetaMask.' };
  const held = {
    code: -32602,
    message: 'MetaMask holds an account with this address already.',
  };
  const untaken = {
    code: -32002,
    message: 'MetaMask did not take the change of the account.',
  };

  it.each([
    ['User denied account creation', declined],
    ['User rejected the request.', declined],
    [`Account address '0x1' already exists`, held],
    ['Snap "npm:x" is not allowed', untaken],
    ['', untaken],
  ])('is told by what MetaMask says: %j', async (message, refusal) => {
    const { events, take } = setup();
    take.now = () => Promise.reject(new Error(message));
    expect(await refusalOf(events.created(derivedRecord()))).toStrictEqual(refusal);
    expect(await refusalOf(events.updated(derivedRecord()))).toStrictEqual(refusal);
    expect(await refusalOf(events.deleted('id'))).toStrictEqual(refusal);
  });

  it.each([['text'], [null], [undefined], [{ code: 1 }], [{ message: 7 }]])(
    'is refused also if MetaMask throws %j',
    async (thrown: unknown) => {
      const { events, take } = setup();
      take.now = async () => {
        await Promise.resolve();
        throw thrown;
      };
      expect(await refusalOf(events.deleted('id'))).toStrictEqual(untaken);
    },
  );
});
