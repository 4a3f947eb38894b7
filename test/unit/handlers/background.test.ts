import { handleCronjob, pollOnHead } from '../../../src/handlers/background';

/** Follow one chain over a list of what was done. */
function setup(poll = async (): Promise<void> => Promise.resolve()): {
  tracker: Parameters<typeof pollOnHead>[1];
  polled: () => number;
  home: { refresh: (params: unknown) => Promise<void> };
  /** The params with which the home page was drawn anew. */
  drawn: unknown[];
} {
  let polled = 0;
  const drawn: unknown[] = [];
  return {
    drawn,
    home: {
      refresh: (params) => Promise.resolve(void drawn.push(params)),
    },
    polled: () => polled,
    tracker: {
      isWatched: (chainId) => chainId === 7n,
      poll: async () => {
        polled += 1;
        return poll();
      },
    },
  };
}

describe('a background event', () => {
  it('of ours polls', async () => {
    const { tracker, home, polled, drawn } = setup();
    await handleCronjob({ request: { method: 'tollkeeper_poll' } }, { tracker, home });
    expect([polled(), drawn]).toStrictEqual([1, []]);
  });

  it('of the home page draws it anew', async () => {
    const { tracker, home, polled, drawn } = setup();
    const request = { method: 'tollkeeper_home', params: ['page'] };
    await handleCronjob({ request }, { tracker, home });
    expect([polled(), drawn]).toStrictEqual([0, [['page']]]);
  });

  it.each(['poll', 'constructor', '', 'tollkeeper_getActivity'])(
    'of another kind does nothing (%j)',
    async (method) => {
      const { tracker, home, polled, drawn } = setup();
      await handleCronjob({ request: { method } }, { tracker, home });
      expect([polled(), drawn]).toStrictEqual([0, []]);
    },
  );

  it('tells what went wrong', async () => {
    const fault = new Error('disk full');
    const { tracker, home } = setup(async () => Promise.reject(fault));
    const event = { request: { method: 'tollkeeper_poll' } };
    await expect(handleCronjob(event, { tracker, home })).rejects.toBe(fault);
  });
});

describe('a new block', () => {
  it('polls where something was sent, and nowhere else', async () => {
    const { tracker, polled } = setup();
    await pollOnHead(8n, tracker);
    expect(polled()).toBe(0);
    await pollOnHead(7n, tracker);
    expect(polled()).toBe(1);
  });

  it('does no harm where polling fails', async () => {
    const { tracker, polled } = setup(async () => Promise.reject(new Error('no')));
    await expect(pollOnHead(7n, tracker)).resolves.toBeUndefined();
    expect(polled()).toBe(1);
  });
});
