import { suggestName } from '../../../src/accounts/account-name';
import type { AccountRecord } from '../../../src/state/account-record';
import {
  derivedRecord,
  importedRecord,
  IMPORTED_KEY,
  smartRecord,
} from '../../support/records';

const imported = { kind: 'imported', privateKey: IMPORTED_KEY } as const;

describe('suggestName', () => {
  it.each<[AccountRecord, string]>([
    [derivedRecord(0), 'Tollkeeper 1'],
    [derivedRecord(9), 'Tollkeeper 10'],
    [importedRecord(), 'Tollkeeper (imported)'],
    [smartRecord(), 'Tollkeeper Smart 1'],
    [smartRecord({ key: imported }), 'Tollkeeper Smart (imported)'],
  ])('names %#: a number from 1 on, or that it was imported', (record, name) => {
    expect(suggestName(record)).toBe(name);
  });
});
