// Discovery in a page (EIP-6963): finding MetaMask, and announcing the provider.
import { readFileSync } from 'node:fs';

import { announce, createProvider } from '../../../packages/provider/src';
import type { ProviderInfo } from '../../../packages/provider/src';
import { waitFor } from '../../fixtures/stack/requests';
import { errorOf } from '../../support/error-of';
import { createFakeWallet } from '../../support/fake-wallet';

type Detail = { info: Partial<ProviderInfo>; provider: unknown };

const global = globalThis as unknown as { window?: EventTarget };

let page: EventTarget;

beforeEach(() => {
  page = new EventTarget();
  global.window = page;
});

afterEach(() => {
  delete global.window;
});

function offer(rdns: string, provider: unknown): void {
  const event = new Event('eip6963:announceProvider');
  page.dispatchEvent(Object.assign(event, { detail: { info: { rdns }, provider } }));
}

const createWallet = (name: string, isMetaMask = true): object => {
  const wallet = createFakeWallet();
  wallet.answers.eth_chainId = () => name;
  return { ...wallet.ethereum, isMetaMask };
};

const find = async () => createProvider().request({ method: 'eth_chainId' });

describe('the wallet', () => {
  it.each<[string, string[], string]>([
    ['MetaMask', ['io.metamask'], 'io.metamask'],
    [
      'Flask rather than MetaMask',
      ['io.metamask', 'io.metamask.flask'],
      'io.metamask.flask',
    ],
    ['MetaMask among others', ['com.other', 'io.metamask'], 'io.metamask'],
    ['window.ethereum if no wallet announces itself', [], 'window'],
  ])('is %s', async (_name, announced, expected) => {
    Object.assign(page, { ethereum: createWallet('window') });
    page.addEventListener('eip6963:requestProvider', () => {
      for (const rdns of announced) offer(rdns, createWallet(rdns));
    });
    expect(await find()).toBe(expected);
  });

  it('may be announced late', async () => {
    setTimeout(() => offer('io.metamask.flask', createWallet('late')), 50);
    expect(await find()).toBe('late');
  });

  it('may be announced after the time limit, and listeners are notified', async () => {
    const heard: unknown[] = [];
    const provider = createProvider().on('connect', (info) => heard.push(info));
    expect(await provider.status()).toStrictEqual({ state: 'no-metamask' });
    offer('com.other', createWallet('other'));
    const announceFlask = (): void => offer('io.metamask.flask', createWallet('late'));
    page.addEventListener('eip6963:requestProvider', announceFlask);
    announceFlask();
    await waitFor(() => heard.length > 0);
    expect(heard).toStrictEqual([{ chainId: 'late' }]);
  });

  it.each<[string, Record<string, unknown>, object | undefined]>([
    ['there is none', {}, undefined],
    ['only other wallets exist', { 'com.other': createWallet('other') }, undefined],
    ['a name is only similar', { 'io.metamaskfake': createWallet('fake') }, undefined],
    ['window.ethereum is another wallet', {}, createWallet('window', false)],
    ['window.ethereum is Tollkeeper', {}, createProvider()],
    ['an announcement has no provider', { 'io.metamask': undefined }, undefined],
  ])('is missing if %s', async (_name, wallets, ethereum) => {
    Object.assign(page, { ethereum });
    page.addEventListener('eip6963:requestProvider', () => {
      for (const [rdns, provider] of Object.entries(wallets)) offer(rdns, provider);
    });
    expect(await errorOf(find)).toMatchObject({
      name: 'ProviderRpcError',
      code: 4900,
      message: 'MetaMask was not found in this browser.',
    });
  });

  it('is missing outside a page', async () => {
    delete global.window;
    expect(await errorOf(find)).toMatchObject({ code: 4900 });
    expect(await createProvider().status()).toStrictEqual({ state: 'no-metamask' });
  });
});

describe('an announcement', () => {
  const provider = createProvider({ ethereum: createFakeWallet().ethereum });

  const listen = (): Detail[] => {
    const offers: Detail[] = [];
    page.addEventListener('eip6963:announceProvider', (event) => {
      offers.push((event as CustomEvent<Detail>).detail);
    });
    return offers;
  };
  const ask = (): unknown => page.dispatchEvent(new Event('eip6963:requestProvider'));

  it('is made immediately and on request, until it is withdrawn', () => {
    const offers = listen();
    const withdraw = announce(provider);
    ask();
    withdraw();
    ask();
    expect(offers).toHaveLength(2);
    expect(offers[1]).toBe(offers[0]);
    expect(offers[0]?.provider).toBe(provider);
    expect(Object.isFrozen(offers[0]) && Object.isFrozen(offers[0]?.info)).toBe(true);
  });

  it('has the name and icon of the snap and one id for each provider', () => {
    const offers = listen();
    announce(provider);
    announce(provider, { name: 'My accounts' });
    const [info, other] = offers.map((each) => each.info);
    expect(info).toMatchObject({ name: 'Tollkeeper', rdns: 'io.tollkeeper.snap' });
    expect(other).toMatchObject({ name: 'My accounts', icon: info?.icon });
    expect(info?.uuid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
    );
    expect(other?.uuid).toBe(info?.uuid);
    announce(createProvider({ ethereum: createFakeWallet().ethereum }));
    expect(offers[2]?.info?.uuid).not.toBe(info?.uuid);
    const [, uri = ''] = info?.icon?.split('data:image/svg+xml,') ?? [];
    const source = readFileSync('images/icon.svg', 'utf8').replace(/\s*\n\s*/gu, '');
    expect(decodeURIComponent(uri)).toBe(source);
  });

  it('is not made outside a page, and can be withdrawn', () => {
    delete global.window;
    const withdraw = announce(provider);
    expect(() => withdraw()).not.toThrow();
  });
});
