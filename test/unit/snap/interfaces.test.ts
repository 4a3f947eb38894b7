import { Text } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { wakes } from '../../../src/snap/background-events';
import { interfaces } from '../../../src/snap/interfaces';
import { createFakePlatform, paramsOf } from '../../support/platform';
import type { FakePlatform } from '../../support/platform';

function setup(answers: Record<string, Json>): FakePlatform {
  const platform = createFakePlatform();
  for (const [method, answer] of Object.entries(answers)) {
    platform.answers[method] = () => Promise.resolve(answer);
  }
  Object.assign(globalThis, { snap: platform });
  return platform;
}

afterAll(() => {
  Object.assign(globalThis, { snap: undefined });
});

const ui = Text({ children: 'x' });

describe('an interface', () => {
  it('is drawn, and drawn anew, with a context and without', async () => {
    const platform = setup({ snap_createInterface: 'id', snap_updateInterface: null });
    expect(await interfaces.create(ui)).toBe('id');
    expect(await interfaces.create(ui, { tab: 'gas' })).toBe('id');
    await interfaces.update('id', ui);
    await interfaces.update('id', ui, { tab: 'gas' });
    expect(paramsOf(platform, 'snap_createInterface')).toStrictEqual([
      { ui },
      { ui, context: { tab: 'gas' } },
    ]);
    expect(paramsOf(platform, 'snap_updateInterface')).toStrictEqual([
      { id: 'id', ui },
      { id: 'id', ui, context: { tab: 'gas' } },
    ]);
  });

  it('gives its context and what is filled in', async () => {
    const platform = setup({
      snap_getInterfaceContext: { tab: 'gas' },
      snap_getInterfaceState: { field: 'x' },
    });
    expect(await interfaces.fetchContext('id')).toStrictEqual({ tab: 'gas' });
    expect(await interfaces.fetchValues('id')).toStrictEqual({ field: 'x' });
    expect(platform.asked.map(({ params }) => params)).toStrictEqual([
      { id: 'id' },
      { id: 'id' },
    ]);
  });
});

describe('events of which a method has several', () => {
  it('are found by method and id, and added', async () => {
    const events = [
      { id: '1', date: '', request: { method: 'home', params: ['a'] } },
      { id: '2', date: '', request: { method: 'other', params: ['b'] } },
      { id: '3', date: '', request: { method: 'home' } },
    ];
    const platform = setup({
      snap_getBackgroundEvents: events,
      snap_scheduleBackgroundEvent: 'new',
    });
    expect(await wakes.has('home', 'a')).toBe(true);
    expect(await wakes.has('home', 'b')).toBe(false);
    await wakes.add('home', 'b', 10);
    expect(paramsOf(platform, 'snap_scheduleBackgroundEvent')).toStrictEqual([
      { duration: 'PT10S', request: { method: 'home', params: ['b'] } },
    ]);
  });
});
