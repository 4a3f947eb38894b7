import { jest } from '@jest/globals';

import { createProvider, ProviderRpcError } from '../../../src/provider';
import type { Provider } from '../../../src/provider';
import { createFakeWallet } from '../../support/fake-wallet';
import type { FakeWallet } from '../../support/fake-wallet';
import { createGate, settle } from '../../support/gate';

type Told = [event: string, value: unknown];

function setup(): FakeWallet & { provider: Provider; told: Told[] } {
  const wallet = createFakeWallet();
  const provider = createProvider({ ethereum: wallet.ethereum });
  const told: Told[] = [];
  const events = ['connect', 'disconnect', 'accountsChanged', 'chainChanged'] as const;
  for (const event of events) {
    provider.on(event, (value: unknown) => told.push([event, value]));
  }
  return { ...wallet, provider, told };
}

it('tells that it is connected once, and which accounts there are', async () => {
  const { provider, told, snapAnswers } = setup();
  snapAnswers.eth_requestAccounts = () => ['0xa'];
  snapAnswers.eth_accounts = () => ['0xa'];
  await provider.request({ method: 'eth_requestAccounts' });
  await provider.request({ method: 'eth_accounts' });
  expect(told).toStrictEqual([
    ['connect', { chainId: '0x7a69' }],
    ['accountsChanged', ['0xa']],
  ]);
});

it('tells what the wallet tells', async () => {
  const { told, emit } = setup();
  await settle();
  emit('chainChanged', '0x1');
  emit('disconnect', { code: 4900, message: 'No chain is left.' });
  expect(told).toStrictEqual([
    ['chainChanged', '0x1'],
    ['disconnect', new ProviderRpcError(4900, 'No chain is left.')],
  ]);
  const [, error] = told[1] ?? [];
  expect(error).toMatchObject({ code: 4900, details: 'No chain is left.' });
});

describe('accountsChanged', () => {
  it('is told before a revocation answers', async () => {
    const { provider, told, snapAnswers } = setup();
    snapAnswers.eth_accounts = () => ['0xa'];
    await provider.request({ method: 'eth_accounts' });
    snapAnswers.wallet_revokePermissions = () => {
      snapAnswers.eth_accounts = () => [];
      return null;
    };
    await provider.request({ method: 'wallet_revokePermissions', params: [] });
    expect(told.slice(-2)).toStrictEqual([
      ['accountsChanged', ['0xa']],
      ['accountsChanged', []],
    ]);
  });

  it('is told after whatever else is asked, if another tab changed it', async () => {
    const { provider, told, snapAnswers } = setup();
    snapAnswers.gas_suggestedGasFees = () => ({});
    snapAnswers.eth_accounts = () => ['0xb'];
    await provider.request({ method: 'gas_suggestedGasFees', params: ['0x1'] });
    await settle();
    expect(told.at(-1)).toStrictEqual(['accountsChanged', ['0xb']]);
  });

  it('is told after a request that was refused for its account', async () => {
    const { provider, told, snapAnswers } = setup();
    snapAnswers.eth_accounts = () => ['0xa'];
    await provider.request({ method: 'eth_accounts' });
    snapAnswers.eth_accounts = () => [];
    const refused = provider.request({ method: 'personal_sign', params: [] });
    await refused.catch(() => undefined);
    await settle();
    expect(told.at(-1)).toStrictEqual(['accountsChanged', []]);
  });

  it('is not told of the same accounts', async () => {
    const { provider, told, snapAnswers } = setup();
    snapAnswers.eth_accounts = () => ['0xa', '0xb'];
    await provider.request({ method: 'eth_accounts' });
    await provider.request({ method: 'eth_accounts' });
    expect(told.filter(([event]) => event === 'accountsChanged')).toHaveLength(1);
  });

  it('is not told of what was asked earlier and answered later', async () => {
    const { provider, told, snapAnswers } = setup();
    const late = createGate();
    snapAnswers.eth_accounts = async () => {
      await late.opened;
      return ['0xa'];
    };
    const first = provider.request({ method: 'eth_accounts' });
    await settle();
    snapAnswers.eth_accounts = () => ['0xb'];
    await provider.request({ method: 'eth_accounts' });
    late.open();
    expect(await first).toStrictEqual(['0xa']);
    const changes = told.filter(([event]) => event === 'accountsChanged');
    expect(changes).toStrictEqual([['accountsChanged', ['0xb']]]);
  });

  it('costs no question where nobody listens', async () => {
    const { ethereum, askedSnap, snapAnswers } = createFakeWallet();
    snapAnswers.personal_sign = () => '0x';
    const provider = createProvider({ ethereum });
    await provider.request({ method: 'personal_sign', params: [] });
    await settle();
    expect(askedSnap.map(({ method }) => method)).toStrictEqual(['personal_sign']);
  });
});

it('tells nothing to who has left, and everything to the others', async () => {
  const { provider, emit } = setup();
  const [left, stays] = [jest.fn(), jest.fn()];
  provider.on('chainChanged', left).on('chainChanged', stays);
  provider.removeListener('chainChanged', left).removeListener('message', left);
  await settle();
  emit('chainChanged', '0x1');
  expect(left).not.toHaveBeenCalled();
  expect(stays.mock.calls).toStrictEqual([['0x1']]);
});

it('has the other ways to listen and to leave that EventEmitter has', async () => {
  const { provider, emit } = setup();
  const [once, left, added, off] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
  provider
    .once('chainChanged', once)
    .once('chainChanged', left)
    .addListener('chainChanged', added)
    .on('chainChanged', off)
    .removeListener('chainChanged', left)
    .off('chainChanged', off);
  await settle();
  emit('chainChanged', '0x1');
  emit('chainChanged', '0x2');
  expect(once.mock.calls).toStrictEqual([['0x1']]);
  expect(added.mock.calls).toStrictEqual([['0x1'], ['0x2']]);
  expect(left).not.toHaveBeenCalled();
  expect(off).not.toHaveBeenCalled();
});

it('lets all listeners go, of one event or of every event', async () => {
  const { provider, emit, told } = setup();
  await settle();
  provider.removeAllListeners('chainChanged');
  emit('chainChanged', '0x1');
  emit('connect', { chainId: '0x1' });
  provider.removeAllListeners();
  emit('connect', { chainId: '0x2' });
  expect(told).toStrictEqual([['connect', { chainId: '0x1' }]]);
});

it('hears the wallet for whoever listens once', async () => {
  const { ethereum, emit } = createFakeWallet();
  const once = jest.fn();
  createProvider({ ethereum }).once('chainChanged', once);
  await settle();
  emit('chainChanged', '0x1');
  expect(once.mock.calls).toStrictEqual([['0x1']]);
});

describe('with a listener that throws', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('tells the others, and leaves the error where its author finds it', async () => {
    const { provider, emit, told } = setup();
    provider.on('chainChanged', () => {
      throw new Error('A mistake of the page.');
    });
    const after = jest.fn();
    provider.on('chainChanged', after);
    await settle();
    emit('chainChanged', '0x1');
    expect(told).toStrictEqual([['chainChanged', '0x1']]);
    expect(after).toHaveBeenCalledTimes(1);
    expect(() => jest.runAllTimers()).toThrow('A mistake of the page.');
  });
});
