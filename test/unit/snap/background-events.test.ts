import type { Json } from '@metamask/utils';

import { backgroundEvents } from '../../../src/snap/background-events';
import { notify } from '../../../src/snap/notifications';
import { createFakePlatform, paramsOf } from '../../support/platform';
import type { FakePlatform } from '../../support/platform';

type Event = { id: string; date: string; request: { method: string } };

const POLL = 'tollkeeper_poll';

const eventOf = (id: string, date: string, method = POLL): Event => ({
  id,
  date,
  request: { method },
});

/** A wallet with events that are due. */
function setup(events: Event[] = []): FakePlatform {
  const platform = createFakePlatform();
  Object.assign(platform.answers, {
    snap_getBackgroundEvents: () => Promise.resolve(events as unknown as Json),
    snap_scheduleBackgroundEvent: () => Promise.resolve('new'),
    snap_cancelBackgroundEvent: () => Promise.resolve(null),
    snap_notify: () => Promise.resolve(null),
  });
  Object.assign(globalThis, { snap: platform });
  return platform;
}

afterAll(() => {
  Object.assign(globalThis, { snap: undefined });
});

describe('finding the next background event', () => {
  it('gives the time of the earliest of the method', async () => {
    setup([
      eventOf('late', '2026-01-01T00:00:20Z'),
      eventOf('next', '2026-01-01T00:00:10Z'),
      eventOf('other', '2026-01-01T00:00:05Z', 'other'),
    ]);
    const next = Date.UTC(2026, 0, 1, 0, 0, 10);
    expect(await backgroundEvents.findNext(POLL)).toBe(next);
  });

  it('finds none where there is none of the method', async () => {
    setup([eventOf('other', '2026-01-01T00:00:05Z', 'other')]);
    expect(await backgroundEvents.findNext(POLL)).toBeUndefined();
  });
});

describe('setting a background event', () => {
  it('schedules it in so many seconds', async () => {
    const platform = setup();
    await backgroundEvents.set(POLL, 3);
    expect(paramsOf(platform, 'snap_scheduleBackgroundEvent')).toStrictEqual([
      { duration: 'PT3S', request: { method: POLL, params: [] } },
    ]);
  });

  it('takes the place of the others of its method, and of no other', async () => {
    const date = '2026-01-01T00:00:10Z';
    const platform = setup([
      eventOf('first', date),
      eventOf('other', date, 'other'),
      eventOf('second', date),
    ]);
    await backgroundEvents.set(POLL, 600);
    expect(paramsOf(platform, 'snap_cancelBackgroundEvent')).toStrictEqual([
      { id: 'first' },
      { id: 'second' },
    ]);
    expect(platform.asked.at(-1)?.method).toBe('snap_scheduleBackgroundEvent');
  });

  it('goes on though one of them has fired meanwhile', async () => {
    const platform = setup([eventOf('gone', '2026-01-01T00:00:10Z')]);
    platform.answers.snap_cancelBackgroundEvent = () =>
      Promise.reject(new Error('A background event with the id "gone" was not found.'));
    await backgroundEvents.set(POLL, 3);
    expect(paramsOf(platform, 'snap_scheduleBackgroundEvent')).toHaveLength(1);
  });
});

describe('a notification', () => {
  it('is shown within the wallet', async () => {
    const platform = setup();
    await notify('It was included.');
    expect(platform.asked).toStrictEqual([
      { method: 'snap_notify', params: { type: 'inApp', message: 'It was included.' } },
    ]);
  });
});
