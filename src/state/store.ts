// A stored document with a single writer. It is loaded, migrated by its version, and validated. It
// is written only by updates with a pure function, which run one after another.
//
// A document of a newer release is refused and left unchanged. A release that changes a document
// appends a migration to its list.
//
// If a document is invalid, its records are validated one by one. Invalid ones are set aside: the
// document is used without them, and every write preserves them, except in a cache.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';
import { Mutex } from 'async-mutex';

import { InternalError, UnavailableError } from '../core/errors';
import type { Backend } from '../core/vault';
import { describeRejection, validate } from '../schema/parse';
import type { StructOf } from '../schema/parse';
import { integerBetween } from '../schema/structs';

/** Converts a document to the next version; sets everything but the version itself. */
export type Migration = (document: Record<string, Json>) => Record<string, Json>;

type DocumentKind<Document> = {
  /** The document's name in messages. */
  name: string;
  struct: StructOf<Document>;
  /** Fields that contain records, in objects or arrays. An invalid record does not affect the
   * others. */
  collections: Record<string, StructOf<unknown>>;
  /** Whether records can be fetched again, so invalid ones are dropped. */
  isCache?: boolean;
  /** One migration per version up to the newest; the first also covers all earlier versions. */
  migrations: readonly Migration[];
  empty: Document;
};

type RecordPlace = { collection: string; key: string };

/** An unusable record, preserved unchanged. */
export type SetAside = RecordPlace & {
  record: unknown;
  /** The record's fault, without its values; undefined if the whole document is refused. */
  problem?: string | undefined;
};

type Loaded<Document> = { document: Document; setAside: readonly SetAside[] };

/** A moment, in ms since 1970. */
export const TimeStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

/** Number of a client session, counted from 0. A restart of the client begins a new session, in
 * which MetaMask has forgotten its open questions to the user. */
export const SessionStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

/** A queue of updates, and the epoch of the one that is running. */
type Writer = { readonly mutex: Mutex; since: number };

export class Store<Document extends { version: number }> {
  readonly #backend: Backend;
  readonly #kind: DocumentKind<Document>;
  #writer: Writer = { mutex: new Mutex(), since: 0 };
  // There is no other writer, so a document that was read stays valid until the worker ends.
  #known: Loaded<Document> | undefined;
  #loading: { since: number; result: Promise<Loaded<Document>> } | undefined;

  constructor(kind: DocumentKind<Document>, backend: Backend) {
    this.#kind = kind;
    this.#backend = backend;
  }

  /** Whether the document was already read, so reading it makes no request. */
  get isRead(): boolean {
    return this.#known !== undefined;
  }

  /** Throws `UnavailableError` if the document is refused, and leaves it unchanged. */
  async read(): Promise<Document> {
    return (await this.#readAll()).document;
  }

  /** Lists the records set aside, or all records of a refused document. */
  async listSetAside(): Promise<readonly SetAside[]> {
    try {
      return (await this.#readAll()).setAside;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const { collections } = this.#kind;
      return Object.keys(collections).flatMap((collection) =>
        listRecords(error.stored, collection),
      );
    }
  }

  async discard({ collection, key }: RecordPlace): Promise<void> {
    await this.#write(({ document, setAside }) => ({
      document,
      setAside: setAside.filter(
        (each) => each.collection !== collection || each.key !== key,
      ),
    }));
  }

  async #readAll(): Promise<Loaded<Document>> {
    if (this.#known) return this.#known;
    const since = this.#epoch();
    if (this.#loading?.since !== since) this.#loading = { since, result: this.#load() };
    const loading = this.#loading;
    try {
      const document = await loading.result;
      if (this.#loading === loading) this.#known = document;
      return document;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  /**
   * Changes the document, after all earlier updates.
   *
   * @param change - Pure; gets the document and returns the next one, or the same if there is
   *   nothing to write. If it throws, nothing is written.
   * @returns The document after the change.
   */
  async update(change: (document: Document) => Document): Promise<Document> {
    const { document } = await this.#write((before) => {
      const next = change(before.document);
      return next === before.document ? before : { ...before, document: next };
    });
    return document;
  }

  async #write(
    change: (before: Loaded<Document>) => Loaded<Document>,
  ): Promise<Loaded<Document>> {
    const writer = this.#findWriter();
    return writer.mutex.runExclusive(async () => {
      writer.since = this.#epoch();
      const before = await this.#readAll();
      const next = change(before);
      if (next === before) return before;
      this.#assertValid(next.document);
      if (this.#writer !== writer) throw new InternalError('The write came too late.');
      await this.#save(next, writer);
      return next;
    });
  }

  // A writer whose update began in an earlier epoch may wait forever, so a new writer replaces it.
  // The outcome of the old write is unknown, so the document is read again.
  #findWriter(): Writer {
    const { mutex, since } = this.#writer;
    const now = this.#epoch();
    if (!mutex.isLocked()) this.#writer.since = now;
    else if (since !== now) {
      this.#writer = { mutex: new Mutex(), since: now };
      this.#known = undefined;
    }
    return this.#writer;
  }

  async #save(next: Loaded<Document>, writer: Writer): Promise<void> {
    try {
      await this.#backend.save(putBack(next));
    } catch (error) {
      // The old or the new document may be stored now, so the next access reads it again.
      this.#known = undefined;
      throw error;
    }
    if (this.#writer === writer) this.#known = next;
  }

  #epoch(): number {
    return this.#backend.epoch?.() ?? 0;
  }

  // An invalid document could not be read again, so it must not be written.
  #assertValid(document: Document): void {
    const result = validate(document, this.#kind.struct);
    if ('value' in result) return;
    throw new InternalError(describeRejection(result.rejection, this.#kind.name));
  }

  async #load(): Promise<Loaded<Document>> {
    const stored = await this.#backend.load();
    if (stored === null) return { document: this.#kind.empty, setAside: [] };
    const { struct, empty, name, isCache } = this.#kind;
    const whole = validate(this.#migrate(stored, empty.version), struct);
    if ('value' in whole) return { document: whole.value, setAside: [] };
    // The struct converts values in place, which corrupts a refused document.
    const again = await this.#backend.load();
    const { sound, setAside } = this.#sortOut(this.#migrate(again, empty.version));
    const result = validate(sound, struct);
    if ('value' in result) {
      return { document: result.value, setAside: isCache ? [] : setAside };
    }
    const reason = describeRejection(result.rejection, name);
    throw this.#refuse(`is not valid and was left as it is: ${reason}`, again);
  }

  #sortOut(document: Record<string, Json>): {
    sound: Record<string, Json>;
    setAside: SetAside[];
  } {
    const { collections, name } = this.#kind;
    const sound = { ...document };
    const setAside: SetAside[] = [];
    for (const [collection, struct] of Object.entries(collections)) {
      const isList = Array.isArray(document[collection]);
      const fits = ({ key, record }: SetAside): boolean => {
        const copied = copy(record);
        const alone = validate(isList ? [copied] : { [key]: copied }, struct);
        if ('value' in alone) return true;
        const path = [key, ...alone.rejection.path.slice(1)];
        const at = { ...alone.rejection, path };
        const reason = describeRejection(at, `${name}.${collection}`);
        const problem = `A record of the stored ${name} is damaged and was set aside: ${reason}`;
        setAside.push({ collection, key, record, problem });
        return false;
      };
      const records = listRecords(document, collection);
      const kept = records.filter(fits);
      // Entries that were put back can make a full list too long, so the oldest are dropped.
      const isTooLong = (): boolean =>
        !('value' in validate(copy(kept.map(({ record }) => record)), struct));
      while (isList && kept.length > 0 && isTooLong()) kept.shift();
      if (kept.length === records.length) continue;
      sound[collection] = (
        isList
          ? kept.map(({ record }) => record)
          : Object.fromEntries(kept.map(({ key, record }) => [key, record]))
      ) as Json;
    }
    return { sound, setAside };
  }

  #migrate(stored: Json, newest: number): Record<string, Json> {
    const { migrations } = this.#kind;
    const version =
      isObject(stored) && 'version' in stored ? stored.version : undefined;
    if (!isObject(stored) || !Number.isInteger(version) || Number(version) < 1) {
      throw this.#refuse('has no version and was left as it is.', stored);
    }
    if (Number(version) > newest) {
      throw this.#refuse(
        `has format ${Number(version)}; this version of Tollkeeper reads formats up to ` +
          `${newest}. Install a newer version of Tollkeeper.`,
        stored,
      );
    }
    const first = newest - migrations.length;
    const due = migrations.slice(Math.max(0, Number(version) - first));
    const given = stored as Record<string, Json>;
    return { ...due.reduce((before, step) => step(before), given), version: newest };
  }

  #refuse(why: string, stored: Json): RefusedError {
    return new RefusedError(`The stored ${this.#kind.name} ${why}`, stored);
  }
}

/** The stored document is unusable, and stays unchanged. */
export class RefusedError extends UnavailableError {
  readonly stored: Json;

  constructor(message: string, stored: Json) {
    super(message);
    this.stored = stored;
  }
}

function listRecords(document: Json, collection: string): SetAside[] {
  const { [collection]: records } = isObject(document) ? document : {};
  if (typeof records !== 'object' || records === null) return [];
  return Object.entries(records).map(([key, record]) => ({ collection, key, record }));
}

function copy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

// Adds the records set aside. If a record's key was reused in the meantime, the record gets a new
// key.
function putBack({ document, setAside }: Loaded<object>): Json {
  const whole = { ...document } as Record<string, Json>;
  for (const { collection, key, record } of [...setAside].reverse()) {
    const others = whole[collection];
    if (Array.isArray(others)) whole[collection] = [record as Json, ...others];
    else {
      let place = key;
      while (isObject(others) && Object.hasOwn(others, place)) place += "'";
      whole[collection] = { ...(others as object), [place]: record as Json };
    }
  }
  return whole;
}

/** Gets an entry by a caller's key, which could be `toString`. */
export function findOwn<Value>(
  entries: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

export function without<Value>(
  entries: Readonly<Record<string, Value>>,
  key: string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).filter(([other]) => other !== key));
}
