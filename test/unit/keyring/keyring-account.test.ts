import { EthEoaAccountStruct, EthErc4337AccountStruct } from '@metamask/keyring-api';
import { assert } from '@metamask/superstruct';

import { toKeyringAccount } from '../../../src/keyring/keyring-account';
import {
  derivedRecord,
  importedRecord,
  IMPORTED_KEY,
  smartRecord,
} from '../../support/records';

const imported = { kind: 'imported', privateKey: IMPORTED_KEY } as const;

describe('toKeyringAccount', () => {
  it('writes a derived EOA', () => {
    const record = derivedRecord(3);
    expect(toKeyringAccount(record)).toStrictEqual({
      id: record.id,
      type: 'eip155:eoa',
      address: record.address,
      scopes: ['eip155:0'],
      options: { entropy: { type: 'custom' }, index: 3 },
      methods: [
        'personal_sign',
        'eth_signTransaction',
        'eth_signTypedData_v1',
        'eth_signTypedData_v3',
        'eth_signTypedData_v4',
      ],
    });
  });

  it('writes a smart account with all that its address depends on', () => {
    const record = smartRecord({ salt: '0x2a', scopes: ['eip155:1', 'eip155:5'] });
    expect(toKeyringAccount(record)).toStrictEqual({
      id: record.id,
      type: 'eip155:erc4337',
      address: record.address,
      scopes: ['eip155:1', 'eip155:5'],
      options: {
        entropy: { type: 'custom' },
        index: 0,
        owner: record.owner,
        entryPoint: '0.6',
        factory: record.factory,
        salt: '0x2a',
      },
      methods: [
        'eth_prepareUserOperation',
        'eth_patchUserOperation',
        'eth_signUserOperation',
      ],
    });
  });

  it('names the entropy source', () => {
    const { options } = toKeyringAccount(derivedRecord(0, 'second'));
    expect(options).toHaveProperty('entropySource', 'second');
  });

  it.each([importedRecord(), smartRecord({ key: imported })])(
    'says of an imported account that it is one, and no more',
    (record) => {
      const account = toKeyringAccount(record);
      expect(account.options).toHaveProperty('entropy', { type: 'private-key' });
      expect(account.options).not.toHaveProperty('index');
      expect(JSON.stringify(account)).not.toContain(IMPORTED_KEY.slice(2));
    },
  );

  it.each([derivedRecord(), importedRecord(), derivedRecord(1, 'second')])(
    "writes an EOA as MetaMask's strict struct has it",
    (record) => {
      expect(() => assert(toKeyringAccount(record), EthEoaAccountStruct)).not.toThrow();
    },
  );

  it.each([smartRecord(), smartRecord({ key: imported, entryPoint: '0.8' })])(
    "writes a smart account as MetaMask's strict struct has it",
    (record) => {
      const account = toKeyringAccount(record);
      expect(() => assert(account, EthErc4337AccountStruct)).not.toThrow();
    },
  );
});
