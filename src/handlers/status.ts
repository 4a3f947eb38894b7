// tollkeeper_getStatus: whether all is well with what is stored. A document that is not valid
// is never overwritten, since keys may be in it; so its user must learn of it.
import { TollkeeperError } from '../errors';
import type { PrivateStore } from '../state/private-state';
import type { PublicStore } from '../state/public-state';

/** What telling the status needs. */
export type StatusServices = { store: PrivateStore; publicStore: PublicStore };

/** A stored document, and what is wrong with it. */
export type DocumentStatus = { name: string; problem: string | null };

/** How the snap is. Counts are null where the encrypted document cannot be read. */
export type Status = {
  documents: DocumentStatus[];
  accounts: number | null;
  /** Changes of accounts that MetaMask has not answered for. */
  unsettled: number | null;
  /** Signing requests that wait for approval; those of earlier sessions do not. */
  requests: number | null;
};

/** Tell how the snap is; never fails. */
export async function getStatus({
  store,
  publicStore,
}: StatusServices): Promise<Status> {
  const { status, document } = await check(store);
  const { status: publicStatus, document: known } = await check(publicStore);
  const current = known?.session ?? 0;
  const waiting =
    document &&
    Object.values(document.requests).filter((each) => each.session === current);
  const count = (entries: object | undefined): number | null =>
    entries === undefined ? null : Object.keys(entries).length;
  return {
    documents: [status, publicStatus],
    accounts: count(document?.accounts),
    unsettled: count(document?.unsettled),
    requests: count(waiting),
  };
}

// Reads once: each reading can ask a locked wallet's user to unlock.
async function check<Document>(store: {
  name: string;
  read: () => Promise<Document>;
}): Promise<{ status: DocumentStatus; document?: Document }> {
  const { name } = store;
  try {
    return { status: { name, problem: null }, document: await store.read() };
  } catch (error) {
    const isOurs = error instanceof TollkeeperError;
    const problem = isOurs ? error.message : 'MetaMask did not give it out.';
    return { status: { name, problem } };
  }
}
