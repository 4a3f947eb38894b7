// Settling what an earlier worker left, or a failure: changes of accounts that were noted and
// never struck out. MetaMask is asked whether it holds the account; its answer decides.
import type { AccountRepository } from '../accounts/repository';
import { NotFoundError } from '../errors';
import type { AccountRecord, Unsettled } from '../state/account-record';
import type { KeyringEvents } from './events';
import type { InFlight } from './in-flight';

/** What settling needs. */
export type SettleServices = {
  repository: AccountRepository;
  events: Pick<KeyringEvents, 'updated'>;
  inFlight: InFlight;
  currentSession: () => Promise<number>;
};

/** Settles what was left over. */
export type Settler = {
  /** Settle all that can be settled now; never fails. */
  settle: () => Promise<void>;
  /**
   * Find an account that MetaMask names: one that was only noted to be added is ours from
   * now on, since MetaMask holds it.
   */
  findNamed: (id: string) => Promise<AccountRecord | undefined>;
};

/** Create the settler. */
export function createSettler(services: SettleServices): Settler {
  const { repository, inFlight } = services;
  const isLeft = (id: string): boolean => !inFlight.has(id);
  return {
    settle: async () => {
      try {
        const left = (await listLeft(services)).filter(isLeft);
        if (left.length === 0) return;
        await inFlight.settling(async () => {
          for (const id of left.filter(isLeft)) await settleOne(id, services);
        });
      } catch {
        // The request goes on; the next one tries again.
      }
    },
    findNamed: async (id) => {
      const record = await repository.find(id);
      if (record) return record;
      const note = await repository.findUnsettled(id);
      if (!note?.record) return undefined;
      if (!inFlight.has(id)) {
        await repository.settle({ id, change: note.change, isHeld: true });
      }
      return note.record;
    },
  };
}

/**
 * Ask MetaMask whether it holds an account, by telling it the account as it is.
 *
 * @returns Undefined if MetaMask does not say.
 */
export async function askWhetherHeld(
  events: Pick<KeyringEvents, 'updated'>,
  record: AccountRecord,
): Promise<boolean | undefined> {
  try {
    await events.updated(record);
    return true;
  } catch (error) {
    return error instanceof NotFoundError ? false : undefined;
  }
}

async function listLeft({ repository, inFlight }: SettleServices): Promise<string[]> {
  const noted = await repository.listUnsettled();
  return [...noted.map(([id]) => id), ...inFlight.listRecalled()];
}

async function settleOne(id: string, services: SettleServices): Promise<void> {
  const { repository, events, inFlight } = services;
  const record = await repository.find(id);
  const note = await repository.findUnsettled(id);
  const known = record ?? note?.record;
  const isHeld = known ? await askWhetherHeld(events, known) : false;
  if (isHeld === undefined) return;
  if (note && !isHeld && (await isOpen(id, note, services))) return;
  if (known && !note && !isHeld) await repository.beginRemoval(id);
  await repository.settle({ id, change: note?.change ?? 'remove', isHeld });
  inFlight.forget(id);
}

// A question to MetaMask's user outlives our worker, but not the client: until then an
// account that MetaMask lacks may yet be accepted, and its key must be there.
async function isOpen(
  id: string,
  { change, session }: Unsettled,
  { inFlight, currentSession }: SettleServices,
): Promise<boolean> {
  if (change !== 'add' || inFlight.isClear(id)) return false;
  return session === (await currentSession());
}
