import { ChainRowStruct } from '../../../src/state/chain-row';

const isRow = (row: unknown): boolean => ChainRowStruct.is(row);

const httpFields = ['rpcUrl', 'gasBaseUrl', 'bundlerUrl', 'paymasterUrl'];
const keyFields = ['apiKey', 'apiKeySecret', 'bundlerApiKey'];

describe('ChainRowStruct', () => {
  it('takes a chain with nothing configured', () => {
    expect(isRow({})).toBe(true);
  });

  describe.each(httpFields)('%s', (field) => {
    it.each([
      'https://node.example',
      'https://node.example:8545/v3/path?x=1',
      'http://localhost:8545',
      'http://127.0.0.1:8545',
      'http://127.9.9.9',
      'http://[::1]:8545',
    ])('may be %s', (url) => {
      expect(isRow({ [field]: url })).toBe(true);
    });

    it.each([
      'http://node.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'http://0.0.0.0:8545',
      'http://192.168.1.1',
      'ws://localhost:8545',
      'wss://node.example',
      'ftp://node.example',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user@node.example',
      'https://:secret@node.example',
      'node.example',
      '',
      `https://node.example/${'a'.repeat(2_048)}`,
      7,
      {},
    ])('must not be %j', (url) => {
      expect(isRow({ [field]: url })).toBe(false);
    });
  });

  it.each(['wss://node.example/ws', 'ws://localhost:8546'])(
    'takes the wsUrl %s',
    (wsUrl) => {
      expect(isRow({ wsUrl })).toBe(true);
    },
  );

  it.each(['ws://node.example', 'https://node.example', 'wss://user:pw@node.example'])(
    'refuses the wsUrl %s',
    (wsUrl) => {
      expect(isRow({ wsUrl })).toBe(false);
    },
  );

  it.each(keyFields)('bounds %s', (field) => {
    expect(isRow({ [field]: 'a' })).toBe(true);
    expect(isRow({ [field]: 'a'.repeat(256) })).toBe(true);
    expect(isRow({ [field]: '' })).toBe(false);
    expect(isRow({ [field]: 'a'.repeat(257) })).toBe(false);
    expect(isRow({ [field]: 7 })).toBe(false);
  });

  it.each([{ gasAuth: 'basic' }, { gasAuth: 'path' }, { entryPoint: '0.7' }])(
    'takes %j',
    (row) => {
      expect(isRow(row)).toBe(true);
    },
  );

  it.each([
    { gasAuth: 'header' },
    { entryPoint: '0.9' },
    { entryPoint: 0.6 },
    { factory: '0x12' },
    { factory: '0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266' },
    { paymasterContext: 'text' },
    { paymasterContext: ['list'] },
    { somethingElse: 1 },
    { rpcUrl: null },
  ])('refuses %j', (row) => {
    expect(isRow(row)).toBe(false);
  });
});
