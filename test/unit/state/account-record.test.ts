import { AccountRecordStruct, ScopeStruct } from '../../../src/state/account-record';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const eoa = {
  type: 'eip155:eoa',
  id: '11111111-1111-4111-8111-111111111111',
  address: ADDRESS,
  key: { kind: 'derived', index: 0 },
};

const smart = {
  ...eoa,
  type: 'eip155:erc4337',
  owner: ADDRESS,
  entryPoint: '0.6',
  factory: ADDRESS,
  salt: '0x0',
  scopes: ['eip155:1'],
};

const isRecord = (record: unknown): boolean => AccountRecordStruct.is(record);

describe('ScopeStruct', () => {
  it.each(['eip155:0', 'eip155:1', 'eip155:11155111'])('takes %s', (scope) => {
    expect(ScopeStruct.is(scope)).toBe(true);
  });

  it.each([
    'eip155:',
    'eip155:01',
    'eip155:0x1',
    'eip155:-1',
    'eip155:1 ',
    'EIP155:1',
    'solana:mainnet',
    `eip155:1${'0'.repeat(20)}`,
    '',
    '1',
    1,
    null,
  ])('refuses %j', (scope) => {
    expect(ScopeStruct.is(scope)).toBe(false);
  });
});

describe('AccountRecordStruct', () => {
  it.each([
    eoa,
    smart,
    { ...eoa, key: { kind: 'derived', index: 2 ** 31 - 1, entropySource: 'second' } },
    { ...eoa, key: { kind: 'imported', privateKey: `0x${'11'.repeat(32)}` } },
  ])('takes %j', (record) => {
    expect(isRecord(record)).toBe(true);
  });

  it.each([
    { ...eoa, key: { kind: 'derived', index: -1 } },
    { ...eoa, key: { kind: 'derived', index: 0.5 } },
    { ...eoa, key: { kind: 'derived', index: 2 ** 31 } },
    { ...eoa, key: { kind: 'derived', index: 0, privateKey: `0x${'11'.repeat(32)}` } },
    { ...eoa, key: { kind: 'imported', privateKey: '0x11' } },
    { ...eoa, key: { kind: 'imported' } },
    { ...eoa, scopes: ['eip155:0'] },
    { ...eoa, type: 'bip122:p2wpkh' },
    { ...smart, scopes: [] },
    { ...smart, entryPoint: '0.5' },
    { ...smart, salt: '1' },
    { ...smart, owner: undefined },
  ])('refuses %j', (record) => {
    expect(isRecord(record)).toBe(false);
  });
});
