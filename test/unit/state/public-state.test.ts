import { openPublicStore } from '../../../src/state/public-state';
import type { PublicState } from '../../../src/state/public-state';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const level = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } as const;

const full: PublicState = {
  version: 1,
  levels: {
    'eip155:1': {
      source: 'gas-api',
      at: 1_700_000_000_000,
      estimatedBaseFee: '0x1',
      low: level,
      medium: level,
      high: level,
    },
  },
};

describe('the unencrypted document', () => {
  it('is empty where nothing is stored', async () => {
    const store = openPublicStore(createMemoryBackend());
    expect(await store.read()).toStrictEqual({ version: 1, levels: {} });
  });

  it('is read as it was written', async () => {
    const backend = createMemoryBackend();
    await openPublicStore(backend).update(() => full);
    expect(await openPublicStore(backend).read()).toStrictEqual(full);
  });

  it('has no place for anything but fee levels', async () => {
    const store = openPublicStore(createMemoryBackend({ ...full, accounts: {} }));
    expect(await refusalOf(store.read())).toStrictEqual({
      code: -32002,
      message:
        'The stored public state is not valid and was left as it is: public ' +
        'state.accounts is not expected here.',
    });
  });
});
