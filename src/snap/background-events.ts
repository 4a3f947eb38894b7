// Background events: the wallet wakes the snap at a time, also while it is locked.
import { answered } from './answered';

/** Wakes the snap by `onCronjob`. */
export type Alarm = {
  /** Find when the next event of a method is due, in ms since 1970. */
  findNext: (method: string) => Promise<number | undefined>;
  /** Have `onCronjob` called with a method in some seconds, in place of its other events. */
  set: (method: string, seconds: number) => Promise<void>;
};

/** Wakes the snap for each of several things of a kind, by their ids. */
export type Wakes = {
  /** Tell whether an event of a method is due for one. */
  has: (method: string, id: string) => Promise<boolean>;
  /** Have `onCronjob` called with a method and an id in some seconds. */
  add: (method: string, id: string, seconds: number) => Promise<void>;
};

/** The wallet's background events, of which a method has one. */
export const backgroundEvents: Alarm = {
  findNext: async (method) => {
    const times = (await list(method)).map(({ date }) => Date.parse(date));
    return times.length === 0 ? undefined : Math.min(...times);
  },
  set: async (method, seconds) => {
    const others = await list(method);
    await Promise.all(others.map(async ({ id }) => cancel(id)));
    await schedule({ method, params: [] }, seconds);
  },
};

/** The wallet's background events, of which a method has one an id. */
export const wakes: Wakes = {
  has: async (method, id) =>
    (await list(method)).some(
      ({ request: { params } }) => Array.isArray(params) && params[0] === id,
    ),
  add: async (method, id, seconds) => schedule({ method, params: [id] }, seconds),
};

async function schedule(
  request: { method: string; params: string[] },
  seconds: number,
): Promise<void> {
  const method = 'snap_scheduleBackgroundEvent';
  const params = { duration: `PT${seconds}S`, request };
  await answered(method, snap.request({ method, params }));
}

async function list(
  method: string,
): Promise<{ id: string; date: string; request: { params?: unknown } }[]> {
  const listing = 'snap_getBackgroundEvents';
  const events = await answered(listing, snap.request({ method: listing }));
  return events.filter(({ request }) => request.method === method);
}

// One that fires meanwhile cannot be cancelled, and does no harm.
async function cancel(id: string): Promise<void> {
  const method = 'snap_cancelBackgroundEvent';
  await answered(method, snap.request({ method, params: { id } })).catch(
    () => undefined,
  );
}
