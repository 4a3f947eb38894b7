import { readFileSync } from 'node:fs';

import { announce, createProvider } from '../../../src/provider';
import type { ProviderInfo } from '../../../src/provider';
import { createFakeWallet } from '../../support/fake-wallet';

type Detail = { info: ProviderInfo; provider: unknown };

const page = globalThis as unknown as { window?: EventTarget };

beforeEach(() => {
  page.window = new EventTarget();
});

afterEach(() => {
  delete page.window;
});

function listen(): Detail[] {
  const offers: Detail[] = [];
  page.window?.addEventListener('eip6963:announceProvider', (event) => {
    offers.push((event as CustomEvent<Detail>).detail);
  });
  return offers;
}

const ask = (): unknown =>
  page.window?.dispatchEvent(new Event('eip6963:requestProvider'));

const provider = createProvider({ ethereum: createFakeWallet().ethereum });

it('offers the provider at once, and to whoever asks later', () => {
  const offers = listen();
  announce(provider);
  ask();
  expect(offers).toHaveLength(2);
  expect(offers[1]).toBe(offers[0]);
  expect(offers[0]?.provider).toBe(provider);
  expect(Object.isFrozen(offers[0]) && Object.isFrozen(offers[0]?.info)).toBe(true);
});

it('says who it is, with a unique id', () => {
  const offers = listen();
  announce(provider);
  announce(provider);
  const [info, other] = offers.map((each) => each.info);
  expect(info).toMatchObject({ name: 'Tollkeeper', rdns: 'io.tollkeeper.snap' });
  expect(info?.uuid).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
  );
  expect(other?.uuid).not.toBe(info?.uuid);
});

it('shows the icon of the snap', () => {
  const offers = listen();
  announce(provider);
  const [, uri = ''] = offers[0]?.info.icon.split('data:image/svg+xml,') ?? [];
  const drawn = readFileSync('images/icon.svg', 'utf8').replace(/\s*\n\s*/gu, '');
  expect(decodeURIComponent(uri)).toBe(drawn);
});

it('takes another name', () => {
  const offers = listen();
  announce(provider, { name: 'My accounts' });
  expect(offers[0]?.info.name).toBe('My accounts');
});

it('offers nothing any more once it is taken back', () => {
  const takeBack = announce(provider);
  const offers = listen();
  takeBack();
  ask();
  expect(offers).toStrictEqual([]);
});

it('offers nothing where there is no page, and can be taken back', () => {
  delete page.window;
  const takeBack = announce(provider);
  expect(() => takeBack()).not.toThrow();
});
