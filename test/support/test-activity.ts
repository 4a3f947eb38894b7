// Sending and following over edges in memory: the wallet's alarm and its notifications.
import { composeActivity } from '../../src/activity/compose';
import type { ActivityApp, ActivityParts } from '../../src/activity/compose';
import { createTellSettled } from '../../src/handlers/tell-settled';
import type { TellServices } from '../../src/handlers/tell-settled';
import type { Edges } from './test-app';

/** Put sending and following together as app.ts does. */
export function composeTestActivity(
  { clock, alarm, told }: Edges,
  parts: Pick<ActivityParts, 'store' | 'publicStore' | 'now' | 'connect'> &
    Pick<TellServices, 'loadTranslate'>,
): ActivityApp {
  return composeActivity({
    ...parts,
    isLocked: () => Promise.resolve(clock.isLocked),
    alarm: {
      findNext: () => Promise.resolve(alarm.due),
      set: (_method, seconds) => {
        alarm.due = clock.time + seconds * 1000;
        return Promise.resolve();
      },
    },
    watch: () => Promise.resolve(),
    tell: createTellSettled({
      ...parts,
      isWanted: async () => (await parts.store.read()).settings.notifications,
      notify: (message) => {
        told.push(message);
        return Promise.resolve();
      },
    }),
  });
}
