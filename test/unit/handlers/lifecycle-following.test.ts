// A start, an installation and an update: the wallet has dropped the snap's events.
import { atBoundary } from '../../../src/handlers/boundary';
import { handleAwake, handleStart } from '../../../src/handlers/lifecycle';
import { createSendBench } from '../../support/send-bench';
import type { SendBench } from '../../support/send-bench';
import { createTestApp } from '../../support/test-app';

type Bench = SendBench & {
  /** Have the event happen in a new worker, some ms later; no event is due any more. */
  happen: (
    handle: typeof handleStart | typeof handleAwake,
    ms: number,
  ) => Promise<unknown>;
};

async function setup(): Promise<Bench> {
  const bench = await createSendBench();
  const { edges } = bench;
  return {
    ...bench,
    happen: async (handle, ms) => {
      edges.alarm.due = undefined;
      edges.clock.time += ms;
      const { services } = createTestApp(edges);
      return atBoundary('onStart', () => services, handle)({ origin: 'metamask' });
    },
  };
}

describe.each([
  ['a start', handleStart],
  ['an installation or an update', handleAwake],
])('%s', (_what, handle) => {
  it('goes on with what is pending, at its pace', async () => {
    const { send, happen, edges } = await setup();
    await send();
    expect(await happen(handle, 60_000)).toBeNull();
    expect(edges.alarm.due).toBe(edges.clock.time + 30_000);
  });

  it('looks again later while locked, and reads nothing encrypted', async () => {
    const { send, happen, edges } = await setup();
    await send();
    edges.clock.isLocked = true;
    const { loads } = edges.backend;
    await happen(handle, 0);
    expect(edges.alarm.due).toBe(edges.clock.time + 60_000);
    expect(edges.backend.loads).toBe(loads);
  });

  it('sets no alarm where nothing is pending', async () => {
    const { happen, edges } = await setup();
    await happen(handle, 0);
    expect(edges.alarm.due).toBeUndefined();
  });
});
