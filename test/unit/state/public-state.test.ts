import { openPublicStore } from '../../../src/state/public-state';
import type { PublicState } from '../../../src/state/public-state';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const level = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } as const;

const levels = {
  source: 'gas-api',
  at: 1_700_000_000_000,
  estimatedBaseFee: '0x1',
  low: level,
  medium: level,
  high: level,
} as const;

const wait = { min: 15_000, max: 30_000 };

const market = {
  congestion: 0.5,
  baseFeeTrend: 'up' as const,
  priorityFeeTrend: 'down' as const,
  waits: { low: wait, medium: wait, high: wait },
};

const full: PublicState = {
  version: 1,
  session: 12,
  pendingSince: 1_700_000_000_000,
  greeted: '0.1.0',
  grantMarks: ['0x1234'],
  levels: {
    'eip155:1': levels,
    'eip155:10': { ...levels, market },
    'eip155:59144': { ...levels, source: 'rollup-estimate', head: '0x10' },
  },
};

describe('the unencrypted document', () => {
  it.each([-0.1, 1.1, NaN, '0.5'])('holds no congestion of %j', async (congestion) => {
    const spoiled = { ...levels, market: { ...market, congestion } };
    const document = { ...full, levels: { 'eip155:1': spoiled } };
    const store = openPublicStore(createMemoryBackend(document));
    expect((await refusalOf(store.read())).message).toContain('market.congestion');
  });

  it('is empty where nothing is stored', async () => {
    const store = openPublicStore(createMemoryBackend());
    expect(await store.read()).toStrictEqual({
      version: 1,
      levels: {},
      session: 0,
      pendingSince: null,
      greeted: null,
      grantMarks: [],
    });
  });

  it('is read as it was written', async () => {
    const backend = createMemoryBackend();
    await openPublicStore(backend).update(() => full);
    expect(await openPublicStore(backend).read()).toStrictEqual(full);
  });

  it.each([-1, 0.5, 2 ** 53, '1', null])(
    'holds no session whose number is %j',
    async (session) => {
      const store = openPublicStore(createMemoryBackend({ ...full, session }));
      expect(await refusalOf(store.read())).toStrictEqual({
        code: -32002,
        message:
          'The stored public state is not valid and was left as it is: public ' +
          'state.session must be an integer from 0 to 9007199254740991.',
      });
    },
  );

  it.each([
    [
      'source',
      'oracle',
      'one of "gas-api", "rollup-estimate", "fee-history", "gas-price"',
    ],
    ['at', -1, 'an integer from 0 to 9007199254740991'],
    ['at', 1.5, 'an integer from 0 to 9007199254740991'],
    ['head', 16, 'a hex quantity'],
    ['head', null, 'a hex quantity'],
    ['estimatedBaseFee', '-0x1', 'a hex quantity'],
  ])('holds no levels whose %s is %j', async (field, value, expected) => {
    const spoiled = { ...levels, [field]: value };
    const document = { ...full, levels: { 'eip155:1': spoiled } };
    const store = openPublicStore(createMemoryBackend(document));
    expect(await refusalOf(store.read())).toStrictEqual({
      code: -32002,
      message:
        'The stored public state is not valid and was left as it is: public ' +
        `state.levels["eip155:1"].${field} must be ${expected}.`,
    });
  });

  it('has no place for anything but fee levels and the session', async () => {
    const store = openPublicStore(createMemoryBackend({ ...full, accounts: {} }));
    expect(await refusalOf(store.read())).toStrictEqual({
      code: -32002,
      message:
        'The stored public state is not valid and was left as it is: public ' +
        'state.accounts is not expected here.',
    });
  });
});
