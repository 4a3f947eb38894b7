// What the client's own life means to the snap: it was started or opened, and the snap was
// installed or updated. A start of the client empties its memory: its questions to the user are gone,
// and so are the requests that it waited for. (That only our worker was stopped and started means
// nothing to anybody.) It also drops background events that were due while it was closed, as an
// installation and an update drop all.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { AppContext } from './context';
import { greet, News, Welcome } from './home/greeting';
import type { PagedView } from './ui/confirmation';
import type { Translate } from './ui/i18n';

/** Answers `onStart`. */
export async function handleStart(
  _args: unknown,
  { session, requests, tracker, isLocked }: AppContext,
): Promise<void> {
  await session.begin();
  // Without an alarm the next one who sends arms it.
  await tracker.arm().catch(() => undefined);
  // Nobody is asked to unlock for this: stale requests are not shown, and go with the next.
  if (!(await isLocked())) await requests.purge();
}

/** Answers `onActive`. */
export async function handleActive(
  _args: unknown,
  { tracker }: AppContext,
): Promise<void> {
  await tracker.arm();
}

/** Answers `onInstall`. */
export async function handleInstall(
  _args: unknown,
  context: AppContext,
): Promise<void> {
  await context.tracker.arm().catch(() => undefined);
  await greet('installation', context);
}

/** Answers `onUpdate`. */
export async function handleUpdate(_args: unknown, context: AppContext): Promise<void> {
  await context.tracker.arm().catch(() => undefined);
  await greet('update', context);
}
