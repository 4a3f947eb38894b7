// onStart: the client has started anew, and with it its memory: its questions to the user are
// gone, and so are the requests that it waited for. (That only our worker was stopped and
// started means nothing to anybody.) It also drops background events that were due while it
// was closed, as an installation and an update drop all.
import type { Tracker } from '../activity/tracker';
import { greet } from '../home/greeting';
import type { GreetServices } from '../home/greeting';
import type { Requests } from '../keyring/requests';
import type { ClientSession } from '../state/public-state';

/** What handling a start needs, or an installation. */
export type LifecycleServices = GreetServices & {
  session: ClientSession;
  requests: Pick<Requests, 'purge'>;
  tracker: Pick<Tracker, 'arm'>;
  /** Tell whether the wallet is locked. */
  isLocked: () => Promise<boolean>;
};

/** Note that the client was started. */
export async function handleStart(
  _args: unknown,
  {
    session,
    requests,
    tracker,
    isLocked,
  }: Omit<LifecycleServices, keyof GreetServices>,
): Promise<void> {
  await session.begin();
  // Without an alarm the next one who sends arms it.
  await tracker.arm().catch(() => undefined);
  // Nobody is asked to unlock for this: stale requests are not shown, and go with the next.
  if (!(await isLocked())) await requests.purge();
}

/** Go on when the client is opened. */
export async function handleAwake(
  _args: unknown,
  { tracker }: Pick<LifecycleServices, 'tracker'>,
): Promise<void> {
  await tracker.arm();
}

/** Go on after an installation, and welcome the user. */
export async function handleInstall(
  args: unknown,
  services: Pick<LifecycleServices, 'tracker'> & GreetServices,
): Promise<void> {
  await goOn(args, services);
  await greet('installation', services);
}

/** Go on after an update, and tell the user what is new. */
export async function handleUpdate(
  args: unknown,
  services: Pick<LifecycleServices, 'tracker'> & GreetServices,
): Promise<void> {
  await goOn(args, services);
  await greet('update', services);
}

// Without an alarm the next one who sends arms it; the user is greeted all the same.
async function goOn(
  args: unknown,
  services: Pick<LifecycleServices, 'tracker'>,
): Promise<void> {
  await handleAwake(args, services).catch(() => undefined);
}
