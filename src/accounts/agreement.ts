// Keeps the accounts of the snap and of MetaMask in agreement, whatever fails and whenever the snap
// stops. An addition, update or removal is noted first, then MetaMask is notified, and the note is
// removed once MetaMask's result is known. Notes left by an earlier worker or a failure are settled
// by asking MetaMask whether it holds the account.
//
// An unlisted account exists only in the snap, because MetaMask does not support it or the user
// chose so. It is sent to MetaMask again only at the user's request.

import { Mutex } from 'async-mutex';

import { NotFoundError, UserRejectedError } from '../core/errors';
import type { AccountRecord, Unsettled } from '../state/account-record';
import { AlreadyAskingError, UnansweredError, UnsupportedAccountError } from './events';
import type { Correlation, KeyringEvents } from './events';
import { withListing } from './repository';
import type { AccountRepository } from './repository';

type AgreementParts = {
  repository: AccountRepository;
  events: KeyringEvents;
  currentSession: () => Promise<number>;
};

type Services = AgreementParts & {
  inFlight: InFlight;
  /** Rejects if another keyring of MetaMask holds the address. */
  free?: Promise<void>;
};

/** Rejects if the user refuses. */
export type ConfirmAccount = (account: AccountRecord) => Promise<unknown>;

export type AccountQuestions = {
  /** Asked before anything is stored or sent to MetaMask. */
  create: ConfirmAccount;
  /** Asked before the account is stored only in the snap. */
  createUnlisted: (
    account: AccountRecord,
    why: 'unsupported' | 'wanted',
  ) => Promise<unknown>;
};

/** Changes accounts on both sides. Methods that ask or notify MetaMask can throw the errors of
 * {@link KeyringEvents}. */
export type Agreement = {
  /** Adds an account to MetaMask, or announces an existing one again, since MetaMask may have lost
   * it. Announcements queue up, because MetaMask refuses one while it asks its user about another.
   * Returns the stored account, which is unlisted if MetaMask does not support it, or if it is new
   * and `wish` says so. */
  add: (
    record: AccountRecord,
    questions: AccountQuestions,
    wish?: AdditionWish,
  ) => Promise<AccountRecord>;
  /** Announces a stored account, which stays stored even if MetaMask refuses it. Returns the
   * account like {@link Agreement.add}. */
  announce: (record: AccountRecord) => Promise<AccountRecord>;
  /** Removes an account from MetaMask and keeps it in the snap, unlisted. */
  withdraw: (record: AccountRecord) => Promise<void>;
  /** Sends a new state of an account to MetaMask, and restores the old one if that fails. If
   * MetaMask does not support the account, the new state stays, unlisted. */
  update: (record: AccountRecord, before: AccountRecord) => Promise<void>;
  /** Stores the new source of an account's key. MetaMask is notified; its errors are ignored. */
  renewKey: (record: AccountRecord) => Promise<void>;
  /** Makes MetaMask drop an account; MetaMask calls {@link Agreement.drop} in the process. */
  remove: (id: string) => Promise<void>;
  /** Creates an account that MetaMask takes from our response, without an event. Its note stays
   * until the next request settles it, since MetaMask can still fail. */
  give: (record: AccountRecord, confirm: ConfirmAccount) => Promise<AccountRecord>;
  /** Deletes an account that MetaMask has dropped, without an event. Unlisted accounts stay. */
  drop: (id: string) => Promise<void>;
  /** Settles all open changes that can be settled now; never fails. */
  settle: () => Promise<void>;
  /** Finds an account that MetaMask refers to. Stores one that was only noted for addition, unless
   * its addition is still in progress. */
  findNamed: (id: string) => Promise<AccountRecord | undefined>;
};

type AdditionWish = {
  unlisted?: boolean | undefined;
  metamask?: Correlation | undefined;
};

/** `isHeld` is undefined if MetaMask does not say. */
type Outcome = { isHeld: boolean | undefined; error?: Error };

type InFlight = ReturnType<typeof createInFlight>;

function createInFlight() {
  return {
    /** Number of changes in progress per account. */
    counts: new Map<string, number>(),
    /** Accounts about which no earlier worker's question can be open in MetaMask. */
    clear: new Set<string>(),
    /** Accounts that MetaMask has dropped. They are settled even if their removal could not be
     * noted. */
    recalled: new Set<string>(),
    settling: new Mutex(),
  };
}

export function createAgreement(parts: AgreementParts): Agreement {
  const services = { ...parts, inFlight: createInFlight() };
  const { repository, events, inFlight } = services;
  const { counts, recalled, settling } = inFlight;
  const announcements = new Mutex();
  const isIdle = (id: string): boolean => !counts.get(id);
  // Waits for settling in progress. Later settling skips the account until the change ends.
  const during = async <Result>(
    id: string,
    change: () => Promise<Result>,
  ): Promise<Result> => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    try {
      await settling.waitForUnlock();
      return await change();
    } finally {
      counts.set(id, (counts.get(id) ?? 0) - 1);
    }
  };
  const queue = async <Result>(
    { id }: AccountRecord,
    change: () => Promise<Result>,
  ): Promise<Result> => announcements.runExclusive(async () => during(id, change));
  return {
    add: async (record, questions, { unlisted, metamask: correlation } = {}) => {
      await questions.create(record);
      if (unlisted) {
        return during(record.id, async () => keep(record, repository, questions));
      }
      return queue(record, async () =>
        add(record, { ...services, ...questions, correlation }),
      );
    },
    announce: async (record) =>
      queue(record, async () => announce(record, undefined, services)),
    withdraw: async (record) =>
      during(record.id, async () => withdraw(record, services)),
    update: async (record, before) =>
      during(record.id, async () => update(record, before, services)),
    renewKey: async (record) =>
      during(record.id, async () => {
        await repository.renewKey(record);
        if (!record.unlisted) await askWhetherHeld(events, record);
      }),
    remove: async (id) => during(id, async () => remove(id, services)),
    // MetaMask holds its lock during `give` and `drop`. Other changes and settling may wait for
    // that lock, so waiting for them would be a deadlock.
    give: async (record, confirm) => {
      await confirm(record);
      await events.assertFree(record);
      return (await repository.beginAddition(record)).record;
    },
    drop: async (id) => drop(id, services),
    settle: async () => {
      try {
        const noted = (await repository.listUnsettled()).map(([id]) => id);
        const left = [...noted, ...recalled].filter(isIdle);
        if (left.length === 0) return;
        await settling.runExclusive(async () => {
          for (const id of left.filter(isIdle)) await settleOne(id, services);
        });
      } catch {
        // The next request tries again.
      }
    },
    findNamed: async (id) => {
      const record = await repository.find(id);
      if (record) return record;
      const note = await repository.findUnsettled(id);
      if (note?.record && isIdle(id)) {
        await repository.settle({ id, change: note.change, isHeld: true });
      }
      return note?.record;
    },
  };
}

async function add(
  wanted: AccountRecord,
  services: Services & {
    createUnlisted: AccountQuestions['createUnlisted'];
    correlation: Correlation | undefined;
  },
): Promise<AccountRecord> {
  const { repository, inFlight, createUnlisted, correlation } = services;
  const wasNoted = (await repository.findUnsettled(wanted.id)) !== undefined;
  if (!wasNoted) inFlight.clear.add(wanted.id);
  const free = services.events.assertFree(wanted);
  free.catch(() => undefined);
  const { record, isNew } = await repository.beginAddition(wanted);
  if (!isNew) return announce(record, correlation, { ...services, free });
  const outcome = await notify(record, correlation, { ...services, free });
  // MetaMask may still be asking about this very account for an earlier worker, so the note stays.
  if (wasNoted && outcome.error instanceof AlreadyAskingError) throw outcome.error;
  const addition = { id: record.id, change: 'add' } as const;
  if (!(outcome.error instanceof UnsupportedAccountError)) {
    await conclude(outcome, addition, repository);
    return record;
  }
  try {
    await createUnlisted(record, 'unsupported');
  } catch (error) {
    await conclude({ isHeld: false }, addition, repository);
    throw error;
  }
  return repository.ensure(withListing(record, false));
}

/** Stores a new account without sending it to MetaMask. */
async function keep(
  record: AccountRecord,
  repository: AccountRepository,
  { createUnlisted }: AccountQuestions,
): Promise<AccountRecord> {
  const existing = await repository.find(record.id);
  if (existing) return existing;
  await createUnlisted(record, 'wanted');
  return repository.ensure(withListing(record, false));
}

async function withdraw(
  record: AccountRecord,
  { repository, events }: Services,
): Promise<void> {
  // Unlists the account first, because MetaMask calls `drop`, which keeps only unlisted accounts.
  await repository.ensure(withListing(record, false));
  try {
    await events.deleted(record.id);
  } catch (error) {
    const isOut =
      error instanceof NotFoundError || error instanceof UnsupportedAccountError;
    if (isOut) return;
    // Unless the user refused, MetaMask may still drop the account, so it stays unlisted.
    if (error instanceof UserRejectedError) {
      await repository.ensure(withListing(record, true));
    }
    throw error;
  }
}

async function announce(
  record: AccountRecord,
  correlation: Correlation | undefined,
  services: Services,
): Promise<AccountRecord> {
  const { repository, events } = services;
  // If an earlier worker was stopped during a withdrawal, MetaMask may still hold the account.
  if (record.unlisted && (await askWhetherHeld(events, record))) {
    return repository.ensure(withListing(record, true));
  }
  const { error } = await notify(record, correlation, services);
  const isUnsupported = error instanceof UnsupportedAccountError;
  if (error !== undefined && !isUnsupported) throw error;
  // Stores the account again, as it may have been removed while MetaMask asked its user.
  return repository.ensure(withListing(record, !isUnsupported));
}

async function notify(
  record: AccountRecord,
  correlation: Correlation | undefined,
  { events, inFlight, free = events.assertFree(record) }: Services,
): Promise<Outcome> {
  const notifying = free.then(async () => events.created(record, correlation));
  const ask = async (): Promise<boolean | undefined> => askWhetherHeld(events, record);
  const outcome = await findOutcome(notifying, true, ask);
  if (!(outcome.error instanceof AlreadyAskingError)) inFlight.clear.add(record.id);
  return outcome;
}

async function update(
  record: AccountRecord,
  before: AccountRecord,
  { repository, events }: AgreementParts,
): Promise<void> {
  const settlement = { id: record.id, change: 'update', isHeld: true } as const;
  await repository.beginUpdate(record);
  try {
    if (!record.unlisted) await events.updated(record);
  } catch (error) {
    const undo = async (): Promise<void> => {
      await repository.reviseUpdate(before);
      // If MetaMask's state is unknown, the note stays, so that the old state is sent again.
      if (!(error instanceof UnansweredError)) await repository.settle(settlement);
    };
    if (!(error instanceof UnsupportedAccountError)) {
      await undo().catch(() => undefined);
      throw error;
    }
    await repository.reviseUpdate(withListing(record, false));
  }
  // If the note cannot be removed now, it is settled later.
  await repository.settle(settlement).catch(() => undefined);
}

async function remove(
  id: string,
  { repository, events }: AgreementParts,
): Promise<void> {
  const record = await findAny(id, repository);
  if (!record) return;
  await repository.beginRemoval(id);
  const notifying = events.deleted(id);
  const outcome = await findOutcome(notifying, false, async () =>
    askWhetherHeld(events, record),
  );
  const isFree = record.unlisted && !(outcome.error instanceof UserRejectedError);
  const removal = { id, change: 'remove' } as const;
  await conclude(isFree ? { isHeld: false } : outcome, removal, repository);
}

async function drop(id: string, { repository, inFlight }: Services): Promise<void> {
  // MetaMask drops an account whatever we answer, so the removal must not be forgotten after a
  // failure.
  inFlight.recalled.add(id);
  const record = await findAny(id, repository);
  if (record && !record.unlisted) {
    await repository.beginRemoval(id);
    await conclude({ isHeld: false }, { id, change: 'remove' }, repository);
  }
  inFlight.recalled.delete(id);
}

export async function findAny(
  id: string,
  repository: AccountRepository,
): Promise<AccountRecord | undefined> {
  return (await repository.find(id)) ?? (await repository.findUnsettled(id))?.record;
}

async function findOutcome(
  notifying: Promise<void>,
  wanted: boolean,
  ask: () => Promise<boolean | undefined>,
): Promise<Outcome> {
  try {
    await notifying;
    return { isHeld: wanted };
  } catch (thrown) {
    const error = thrown as Error;
    if (error instanceof UnsupportedAccountError) {
      return wanted ? { isHeld: false, error } : { isHeld: false };
    }
    if (!(error instanceof UnansweredError)) return { isHeld: !wanted, error };
    const isHeld = await ask();
    return isHeld === wanted ? { isHeld } : { isHeld, error };
  }
}

async function conclude(
  { isHeld, error }: Outcome,
  { id, change }: { id: string; change: 'add' | 'remove' },
  repository: AccountRepository,
): Promise<void> {
  if (isHeld !== undefined) {
    // If this write fails, the note is settled later.
    await repository.settle({ id, change, isHeld }).catch(() => undefined);
  }
  if (error !== undefined) throw error;
}

/** Asks MetaMask whether it holds an account, by sending the account unchanged. Undefined if
 * MetaMask does not say. */
export async function askWhetherHeld(
  events: KeyringEvents,
  record: AccountRecord,
): Promise<boolean | undefined> {
  try {
    await events.updated(record);
    return true;
  } catch (error) {
    const isLacking =
      error instanceof NotFoundError || error instanceof UnsupportedAccountError;
    return isLacking ? false : undefined;
  }
}

async function settleOne(id: string, services: Services): Promise<void> {
  const { repository, events, inFlight } = services;
  const note = await repository.findUnsettled(id);
  const known = await findAny(id, repository);
  if (known?.unlisted && !note) {
    inFlight.recalled.delete(id);
    return;
  }
  const isHeld = known ? await askWhetherHeld(events, known) : false;
  if (isHeld === undefined) return;
  if (note && !isHeld && (await isOpen(id, note, services))) return;
  if (known && !note && !isHeld) await repository.beginRemoval(id);
  await repository.settle({ id, change: note?.change ?? 'remove', isHeld });
  inFlight.recalled.delete(id);
}

// A question to MetaMask's user survives the snap's worker, but not a restart of MetaMask. Until
// then, the account's key must remain.
async function isOpen(
  id: string,
  { change, session }: Unsettled,
  { inFlight, currentSession }: Services,
): Promise<boolean> {
  if (change !== 'add' || inFlight.clear.has(id)) return false;
  return session === (await currentSession());
}
