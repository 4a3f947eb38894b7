import type { Json } from '@metamask/utils';

import { createKeyringEvents, UnansweredError } from '../../../src/keyring/events';
import type { KeyringEvents } from '../../../src/keyring/events';
import { toKeyringAccount } from '../../../src/keyring/keyring-account';
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

describe('a request that waited', () => {
  it('is told of with its result, or without one', async () => {
    const { events, emitted } = setup();
    await events.approved('r-1', '0x12');
    await events.rejected('r-2');
    expect(emitted).toStrictEqual([
      ['notify:requestApproved', { id: 'r-1', result: '0x12' }],
      ['notify:requestRejected', { id: 'r-2' }],
    ]);
  });
});

describe('a change that MetaMask does not take', () => {
  const declined = { code: 4001, message: 'The user declined it in MetaMask.' };
  const held = {
    code: -32602,
    message:
      `MetaMask holds an account with the address 0x${'1a'.repeat(20)} already, ` +
      'outside of Tollkeeper.',
  };
  const heldById = {
    code: -32602,
    message:
      'MetaMask holds an account with the address of this one already, outside of Tollkeeper.',
  };
  const busy = {
    code: -32002,
    message: 'MetaMask is asking its user about an account; answer that and try again.',
  };
  const unknown = {
    code: -32001,
    message: 'MetaMask knows no such account or request.',
  };
  const untaken = { code: -32002, message: 'MetaMask did not take the change.' };

  it.each([
    ['User denied account creation', declined],
    ['User rejected the request.', declined],
    [`Account address '0x${'1a'.repeat(20)}' already exists`, held],
    ["Account 'a-1' already exists", heldById],
    [
      "Error occurred while showing account creation dialog.\nRequest of type 'x' already pending for origin y. Please wait.",
      busy,
    ],
    ["Account 'a-1' not found", unknown],
    ["Request 'r-1' not found", unknown],
    ['Snap "npm:x" not found', untaken],
    ['Snap "npm:x" is not allowed', untaken],
    ['', untaken],
  ])('is told by what MetaMask says: %j', async (message, refusal) => {
    const { events, take } = setup();
    take.now = () => Promise.reject(new Error(message));
    expect(await refusalOf(events.created(derivedRecord()))).toStrictEqual(refusal);
    expect(await refusalOf(events.updated(derivedRecord()))).toStrictEqual(refusal);
    expect(await refusalOf(events.deleted('id'))).toStrictEqual(refusal);
    expect(await refusalOf(events.approved('id', null))).toStrictEqual(refusal);
    expect(await refusalOf(events.rejected('id'))).toStrictEqual(refusal);
  });

  it('is of a class of its own where nobody can tell whether it was taken', async () => {
    const { events, take } = setup();
    take.now = () => Promise.reject(new Error('The connection was lost.'));
    await expect(events.deleted('id')).rejects.toBeInstanceOf(UnansweredError);
    take.now = () => Promise.reject(new Error('already pending'));
    await expect(events.deleted('id')).rejects.not.toBeInstanceOf(UnansweredError);
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
