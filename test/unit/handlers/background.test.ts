import { handleCronjob, pollOnHead } from '../../../src/handlers/background';

/** Follow one chain over a list of what was done. */
function setup(poll = async (): Promise<void> => Promise.resolve()): {
  tracker: Parameters<typeof pollOnHead>[1];
  polled: () => number;
} {
  let polled = 0;
  return {
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
    const { tracker, polled } = setup();
    await handleCronjob({ request: { method: 'tollkeeper_poll' } }, { tracker });
    expect(polled()).toBe(1);
  });

  it.each(['poll', 'constructor', '', 'tollkeeper_getActivity'])(
    'of another kind does nothing (%j)',
    async (method) => {
      const { tracker, polled } = setup();
      await handleCronjob({ request: { method } }, { tracker });
      expect(polled()).toBe(0);
    },
  );

  it('tells what went wrong', async () => {
    const fault = new Error('disk full');
    const { tracker } = setup(async () => Promise.reject(fault));
    const event = { request: { method: 'tollkeeper_poll' } };
    await expect(handleCronjob(event, { tracker })).rejects.toBe(fault);
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
