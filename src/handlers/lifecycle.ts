// onStart: the client has started anew, and with it its memory: its questions to the user are
// gone, and so are the requests that it waited for. (That only our worker was stopped and
// started means nothing to anybody.)
import type { Requests } from '../keyring/requests';
import type { ClientSession } from '../state/client-session';

/** What handling a start needs. */
export type LifecycleServices = {
  session: ClientSession;
  requests: Pick<Requests, 'purge'>;
  /** Tell whether the wallet is locked. */
  isLocked: () => Promise<boolean>;
};

/** Note that the client was started. */
export async function handleStart(
  _args: unknown,
  { session, requests, isLocked }: LifecycleServices,
): Promise<void> {
  await session.begin();
  // Nobody is asked to unlock for this: stale requests are not shown, and go with the next.
  if (!(await isLocked())) await requests.purge();
}
