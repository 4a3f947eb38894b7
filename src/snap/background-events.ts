// Background events: the wallet wakes the snap at a time, also while it is locked.

/** Wakes the snap by `onCronjob`. */
export type Alarm = {
  /** Find when the next event of a method is due, in ms since 1970. */
  findNext: (method: string) => Promise<number | undefined>;
  /** Have `onCronjob` called with a method in some seconds, in place of its other events. */
  set: (method: string, seconds: number) => Promise<void>;
};

/** The wallet's background events. */
export const backgroundEvents: Alarm = {
  findNext: async (method) => {
    const times = (await list(method)).map(({ date }) => Date.parse(date));
    return times.length === 0 ? undefined : Math.min(...times);
  },
  set: async (method, seconds) => {
    const others = await list(method);
    await Promise.all(others.map(async ({ id }) => cancel(id)));
    await snap.request({
      method: 'snap_scheduleBackgroundEvent',
      params: { duration: `PT${seconds}S`, request: { method, params: [] } },
    });
  },
};

async function list(method: string): Promise<{ id: string; date: string }[]> {
  const events = await snap.request({ method: 'snap_getBackgroundEvents' });
  return events.filter(({ request }) => request.method === method);
}

// One that fires meanwhile cannot be cancelled, and does no harm.
async function cancel(id: string): Promise<void> {
  const params = { id };
  await snap
    .request({ method: 'snap_cancelBackgroundEvent', params })
    .catch(() => undefined);
}
