// The insight snap's home page, with storage that may fail.
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { createInsightApp } from '../../src/insight-snap/app';
import { drawHomePage, handleInput } from '../../src/insight-snap/home';
import { createFakeInterfaces } from '../support/fake-interfaces';
import { createFakeNode } from '../support/fake-node';
import { createEdges } from '../support/test-edges';
import { severitiesOf, textOf, warningsOf, writeView } from '../support/view';

const SAFE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

function setup(
  stored: Json | (() => Promise<Json>),
  save: (settings: Json) => Promise<void>,
) {
  const { shipped, screens } = createEdges();
  return createInsightApp({
    now: () => 0,
    requestWallet: createFakeNode().request,
    interfaces: createFakeInterfaces(screens),
    readFile: async (path) => shipped.read(path),
    loadSettings: async () => (typeof stored === 'function' ? stored() : stored),
    saveSettings: save,
    getLanguage: () => 'en-GB',
  });
}

const submitted = (value: Record<string, string>): UserInputEvent =>
  ({ type: 'FormSubmitEvent', name: 'add', value }) as UserInputEvent;

it('reports that a Safe could not be stored', async () => {
  const app = setup(null, async () => Promise.reject(new Error('The disk is full.')));
  const page = await handleInput(submitted({ name: 'Treasury', address: SAFE }), app);
  expect(warningsOf(page)).toStrictEqual([textOf('home.failed')]);
  expect(severitiesOf(page)).toStrictEqual(['danger']);
});

it.each<[string, Record<string, string>]>([
  ['without a name', { name: ' ', address: SAFE }],
  ['with a name that is too long', { name: 'x'.repeat(41), address: SAFE }],
  ['with a wrong address checksum', { name: 'A', address: SAFE.replace('c5', 'C5') }],
])('rejects a Safe %s, and keeps the entered values', async (_what, value) => {
  const save = jest.fn(async () => Promise.resolve());
  const page = await handleInput(submitted(value), setup(null, save));
  expect(JSON.stringify(page)).toContain(textOf('home.insight.invalid'));
  expect(JSON.stringify(page)).toContain(value.address);
  expect(save).not.toHaveBeenCalled();
});

const FIFTY = Array.from({ length: 50 }, (_, index) => ({
  name: 'A',
  address: `0x${String(index).padStart(40, '0')}`,
}));

it('names the limit of 50 Safes, and keeps the entered values', async () => {
  const save = jest.fn(async () => Promise.resolve());
  const app = setup({ version: 1, safes: FIFTY }, save);
  const page = await handleInput(submitted({ name: 'B', address: SAFE }), app);
  expect(JSON.stringify(page)).toContain(textOf('home.insight.full', { count: '50' }));
  expect(JSON.stringify(page)).toContain(SAFE);
  expect(warningsOf(page)).toStrictEqual([]);
  expect(save).not.toHaveBeenCalled();
});

it.each<[string, () => Promise<Json>]>([
  ['cannot be loaded', async () => Promise.reject(new Error('disk gone'))],
  ['have another format', async () => Promise.resolve({ version: 7, safes: [] })],
])(
  'stores no Safe if the settings %s, and keeps the entered values',
  async (_what, load) => {
    const save = jest.fn(async () => Promise.resolve());
    const app = setup(load, save);
    const page = await handleInput(submitted({ name: 'B', address: SAFE }), app);
    expect(warningsOf(page)).toStrictEqual([textOf('home.failed')]);
    expect(JSON.stringify(page)).toContain(SAFE);
    expect(save).not.toHaveBeenCalled();
  },
);

it('keeps Safes that are added concurrently, even after a failure', async () => {
  let stored: Json = null;
  const save = jest
    .fn(async (settings: Json) => Promise.resolve(void (stored = settings)))
    .mockRejectedValueOnce(new Error('The disk is full.'));
  const app = setup(async () => Promise.resolve(stored), save);
  const names = ['Failed', 'Treasury', 'Reserve'];
  const add = async (name: string, index: number) =>
    handleInput(submitted({ name, address: SAFE.replace(/.$/u, String(index)) }), app);
  await Promise.all(names.map(add));
  const { safes } = await app.settings.read();
  expect(safes.map(({ name }) => name)).toStrictEqual(['Treasury', 'Reserve']);
});

it('treats an unreadable document as empty', async () => {
  const page = await drawHomePage(setup({ version: 7 }, async () => Promise.resolve()));
  expect(writeView(page)).toContain(textOf('home.insight.noSafes'));
});

it('ignores an unknown control', async () => {
  const event = { type: 'ButtonClickEvent', name: 'other' } as UserInputEvent;
  const app = setup(null, async () => Promise.resolve());
  expect(await handleInput(event, app)).toBeUndefined();
});
