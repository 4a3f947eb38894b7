import { UnsettledStruct } from '../../../src/state/unsettled';
import { derivedRecord, importedRecord, smartRecord } from '../../support/records';

const isNote = (value: unknown): boolean => UnsettledStruct.is(value);

describe('UnsettledStruct', () => {
  it.each([
    { change: 'add', record: derivedRecord(), session: 0 },
    { change: 'add', record: importedRecord(), session: 3 },
    { change: 'add', record: smartRecord(), session: Number.MAX_SAFE_INTEGER },
    { change: 'update', session: 0 },
    { change: 'remove', session: 0 },
    { change: 'remove', record: importedRecord(), session: 0 },
  ])('takes %j', (note) => {
    expect(isNote(note)).toBe(true);
  });

  it.each([
    {},
    { change: 'add' },
    { session: 0 },
    { change: 'rename', session: 0 },
    { change: 'remove', session: -1 },
    { change: 'remove', session: 1.5 },
    { change: 'remove', session: '0' },
    { change: 'remove', session: 2 ** 53 },
    { change: 'add', record: null, session: 0 },
    { change: 'add', record: undefined, session: 0 },
    { change: 'add', record: { ...derivedRecord(), address: '0x12' }, session: 0 },
    { change: 'remove', session: 0, more: 1 },
  ])('refuses %j', (note) => {
    expect(isNote(note)).toBe(false);
  });
});
