// Changing an account on both sides, so that MetaMask and the snap agree whatever fails and
// whenever the snap is stopped: a change is noted, MetaMask is notified, the note is removed
// when it is known what MetaMask made of it. What an earlier worker or a failure has left noted is
// settled by asking MetaMask whether it holds the account.
//
// An account can be unlisted: it lives here alone, because MetaMask takes no such account or because its
// user wants it so. It is sent to MetaMask again only when its user asks for that.

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
  /** Settles when it is known whether MetaMask holds the address elsewhere. */
  free?: Promise<void>;
};

/** Asks the user about an account; throws unless they agree. */
export type ConfirmAccount = (account: AccountRecord) => Promise<unknown>;

/** Questions to the user about an account that is to be created. */
export type AccountQuestions = {
  /** Before anything is stored or sent to MetaMask. */
  create: ConfirmAccount;
  /** When it is to live here alone: MetaMask takes no such account, or the request says so. */
  createUnlisted: (
    account: AccountRecord,
    why: 'unsupported' | 'wanted',
  ) => Promise<unknown>;
};

/** Changes accounts on both sides; each throws what {@link KeyringEvents} throws. */
export type Agreement = {
  /** Has MetaMask take an account; one that exists is announced again, since MetaMask may have
   * lost it. MetaMask asks its user about each new account, and fails a second announcement while one
   * waits: they go one after another, in a queue that nothing else waits for. Returns the account as
   * it is stored; unlisted if MetaMask takes no such account. A new one that is to be unlisted is
   * stored here alone. */
  add: (
    record: AccountRecord,
    questions: AccountQuestions,
    wish?: AdditionWish,
  ) => Promise<AccountRecord>;
  /** Announces a stored account that MetaMask lacks; it stays stored if that fails. Returns it as
   * {@link Agreement.add} does. */
  announce: (record: AccountRecord) => Promise<AccountRecord>;
  /** Has MetaMask drop an account, which stays here alone; it stays listed if MetaMask keeps it. */
  withdraw: (record: AccountRecord) => Promise<void>;
  /** Has MetaMask take a new state of an account; the old one is back if it does not. */
  update: (record: AccountRecord, before: AccountRecord) => Promise<void>;
  /** Stores where the key of an account comes from now; MetaMask is told, and need not take it. */
  renewKey: (record: AccountRecord) => Promise<void>;
  /** Has MetaMask drop an account, which asks for {@link Agreement.drop} meanwhile. */
  remove: (id: string) => Promise<void>;
  /** Creates an account that MetaMask takes from our answer, without an event. It stays noted until
   * the next request settles it, since MetaMask can still fail. */
  give: (record: AccountRecord, confirm: ConfirmAccount) => Promise<AccountRecord>;
  /** Drops an account that MetaMask has dropped, without an event; an unlisted one stays. */
  drop: (id: string) => Promise<void>;
  /** Settles all that can be settled now; never fails. */
  settle: () => Promise<void>;
  /** Finds an account that MetaMask names: one that was only noted to be added is ours from now on,
   * since MetaMask holds it. */
  findNamed: (id: string) => Promise<AccountRecord | undefined>;
};

/** How an account is to be added. */
type AdditionWish = {
  unlisted?: boolean | undefined;
  metamask?: Correlation | undefined;
};

/** Whether MetaMask holds an account now, where that is known, and what went wrong. */
type Outcome = { isHeld: boolean | undefined; error?: Error };

type InFlight = ReturnType<typeof createInFlight>;

function createInFlight() {
  return {
    /** How often each is: a removal is re-entrant. */
    counts: new Map<string, number>(),
    /** Those of which no question of an earlier worker is open: notes about them are our own. */
    clear: new Set<string>(),
    /** Removals that could not even be noted, to be settled like a note. */
    recalled: new Set<string>(),
    settling: new Mutex(),
  };
}

export function createAgreement(parts: AgreementParts): Agreement {
  const services = { ...parts, inFlight: createInFlight() };
  const { repository, events, inFlight } = services;
  const { counts, recalled, settling } = inFlight;
  const announcements = new Mutex();
  const isLeft = (id: string): boolean => !counts.get(id);
  // Changes an account, once no settling is under way that could meet it.
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
    // MetaMask holds its lock while it asks for these two, and an event can wait for that lock. So
    // they wait neither for other changes nor for settling.
    give: async (record, confirm) => {
      await confirm(record);
      await events.assertFree(record);
      return (await repository.beginAddition(record)).record;
    },
    drop: async (id) => drop(id, services),
    settle: async () => {
      try {
        const noted = (await repository.listUnsettled()).map(([id]) => id);
        const left = [...noted, ...recalled].filter(isLeft);
        if (left.length === 0) return;
        await settling.runExclusive(async () => {
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
      if (note?.record && isLeft(id)) {
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
  // Asked while the note is written.
  const free = services.events.assertFree(wanted);
  free.catch(() => undefined);
  const { record, isNew } = await repository.beginAddition(wanted);
  if (!isNew) return announce(record, correlation, { ...services, free });
  const outcome = await notify(record, correlation, { ...services, free });
  // The question that is open may be an earlier worker's, about this very account.
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
  const unlisted = withListing(record, false);
  await repository.ensure(unlisted);
  return unlisted;
}

/** Stores a new account here alone. */
async function keep(
  record: AccountRecord,
  repository: AccountRepository,
  { createUnlisted }: AccountQuestions,
): Promise<AccountRecord> {
  const existing = await repository.find(record.id);
  if (existing) return existing;
  await createUnlisted(record, 'wanted');
  const unlisted = withListing(record, false);
  await repository.ensure(unlisted);
  return unlisted;
}

async function withdraw(
  record: AccountRecord,
  { repository, events }: Services,
): Promise<void> {
  // Stored first: MetaMask has us delete what it drops, and an unlisted account stays.
  await repository.ensure(withListing(record, false));
  try {
    await events.deleted(record.id);
  } catch (error) {
    const isOut =
      error instanceof NotFoundError || error instanceof UnsupportedAccountError;
    if (isOut) return;
    // As long as MetaMask may still drop it, it stays unlisted.
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
  // A worker that was stopped may not have seen that MetaMask keeps it.
  if (record.unlisted && (await askWhetherHeld(events, record))) {
    const listed = withListing(record, true);
    await repository.ensure(listed);
    return listed;
  }
  const { error } = await notify(record, correlation, services);
  const isUnsupported = error instanceof UnsupportedAccountError;
  if (error !== undefined && !isUnsupported) throw error;
  // It may have been removed while MetaMask asked its user.
  const announced = withListing(record, !isUnsupported);
  await repository.ensure(announced);
  return announced;
}

async function notify(
  record: AccountRecord,
  correlation: Correlation | undefined,
  { events, inFlight, free = events.assertFree(record) }: Services,
): Promise<Outcome> {
  const notifying = free.then(async () => events.created(record, correlation));
  const ask = async (): Promise<boolean | undefined> => askWhetherHeld(events, record);
  const outcome = await learn(notifying, true, ask);
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
      // If it is unknown which of the two MetaMask has, the old one is sent again.
      if (!(error instanceof UnansweredError)) await repository.settle(settlement);
    };
    if (!(error instanceof UnsupportedAccountError)) {
      await undo().catch(() => undefined);
      throw error;
    }
    await repository.reviseUpdate(withListing(record, false));
  }
  // MetaMask has it: a note that stays is settled later.
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
  const outcome = await learn(notifying, false, async () =>
    askWhetherHeld(events, record),
  );
  // What goes wrong in MetaMask keeps no account that it does not list.
  const isFree = record.unlisted && !(outcome.error instanceof UserRejectedError);
  const removal = { id, change: 'remove' } as const;
  await conclude(isFree ? { isHeld: false } : outcome, removal, repository);
}

async function drop(id: string, { repository, inFlight }: Services): Promise<void> {
  // MetaMask drops an account whatever we answer: a failure here must not be forgotten.
  inFlight.recalled.add(id);
  const record = await findAny(id, repository);
  if (record && !record.unlisted) {
    await repository.beginRemoval(id);
    await conclude({ isHeld: false }, { id, change: 'remove' }, repository);
  }
  inFlight.recalled.delete(id);
}

/** Finds an account that is stored, or only noted to be added. */
export async function findAny(
  id: string,
  repository: AccountRepository,
): Promise<AccountRecord | undefined> {
  return (await repository.find(id)) ?? (await repository.findUnsettled(id))?.record;
}

// `wanted` is whether MetaMask holds the account if it took the event.
async function learn(
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
    // What MetaMask made of it is what counts: a note that stays is settled later.
    await repository.settle({ id, change, isHeld }).catch(() => undefined);
  }
  if (error !== undefined) throw error;
}

/** Asks MetaMask whether it holds an account, by sending it the account as it is; returns undefined if
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

// A question to MetaMask's user outlives our worker, but not the client: until then an
// account that MetaMask lacks may yet be accepted, and its key must be there.
async function isOpen(
  id: string,
  { change, session }: Unsettled,
  { inFlight, currentSession }: Services,
): Promise<boolean> {
  if (change !== 'add' || inFlight.clear.has(id)) return false;
  return session === (await currentSession());
}
