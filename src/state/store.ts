// A stored document with one writer. Loading is read → migrate by version → validate; the only
// write is an update by a pure function, and updates come one after another.
//
// A document that an earlier release wrote is migrated before it is validated; one that a newer
// release wrote is refused and left as it is. A release that changes a document
// appends a migration to that document's list.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';
import { Mutex } from 'async-mutex';

import { InternalError, UnavailableError } from '../errors';
import { describeRejection, validate } from '../schema/parse';
import type { StructOf } from '../schema/parse';
import { integerBetween } from '../schema/structs';

/** Makes a document of the next version; sets everything but the version itself. */
export type Migration = (document: Record<string, Json>) => Record<string, Json>;

/** Where a document is kept. */
export type StateBackend = {
  /** Fetches the document; null if there is none yet. */
  load: () => Promise<Json>;
  save: (document: Json) => Promise<void>;
  /** The number of the worker epoch: what was asked in an earlier one may never
   * be answered. Without it everything is answered. */
  epoch?: () => number;
};

/** What a document is. */
export type DocumentKind<Document> = {
  /** How messages name it. */
  name: string;
  struct: StructOf<Document>;
  /** Steps from version 1 on: the first makes 2 of 1. */
  migrations: readonly Migration[];
  empty: Document;
};

/** A moment, in ms since 1970. */
export const TimeStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

/** A session of the client, from 0 on. Sessions are numbered because what MetaMask keeps in its
 * memory (questions to its user, requests that wait for an answer) is gone when it has started
 * anew. */
export const SessionStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

/** A queue of updates, and the epoch in which the first of them began. */
type Writer = { readonly mutex: Mutex; since: number };

/** A document that is read often and written by one hand. */
export class Store<Document extends { version: number }> {
  readonly #backend: StateBackend;

  readonly #kind: DocumentKind<Document>;

  #writer: Writer = { mutex: new Mutex(), since: 0 };

  // Nobody else writes the document, so what was read holds while the worker lives.
  #known: Document | undefined;

  #loading: { since: number; result: Promise<Document> } | undefined;

  constructor(kind: DocumentKind<Document>, backend: StateBackend) {
    this.#kind = kind;
    this.#backend = backend;
  }

  /** How messages name the document. */
  get name(): string {
    return this.#kind.name;
  }

  /** Whether the document is read already, so that reading it asks nobody. */
  get isRead(): boolean {
    return this.#known !== undefined;
  }

  /**
   * Reads the document.
   *
   * @throws {UnavailableError} If what is stored is not valid. It is left as it is: there
   * are keys in it.
   */
  async read(): Promise<Document> {
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
   * Changes the document, after all updates that were asked for before.
   *
   * @param change - Pure; gets the document and returns the next one, or the same if
   * there is nothing to write. If it throws, nothing is written.
   * @returns The document after the change.
   */
  async update(change: (document: Document) => Document): Promise<Document> {
    const writer = this.#findWriter();
    return writer.mutex.runExclusive(async () => {
      writer.since = this.#epoch();
      const document = await this.read();
      const next = change(document);
      if (next === document) return document;
      this.#assertValid(next);
      if (this.#writer !== writer) throw new InternalError('The write came too late.');
      await this.#save(next, writer);
      return next;
    });
  }

  // One that waits for an answer of an earlier epoch waits for ever: the next one does not
  // wait for it. What became of its write is not known, so the document is read again.
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

  async #save(next: Document, writer: Writer): Promise<void> {
    try {
      await this.#backend.save(next);
    } catch (error) {
      // Nobody knows which of the two is stored now: read it again.
      this.#known = undefined;
      throw error;
    }
    if (this.#writer === writer) this.#known = next;
  }

  #epoch(): number {
    return this.#backend.epoch?.() ?? 0;
  }

  // What is not valid could not be read again: it must not be written.
  #assertValid(document: Document): void {
    const result = validate(document, this.#kind.struct);
    if ('value' in result) return;
    throw new InternalError(describeRejection(result.rejection, this.#kind.name));
  }

  async #load(): Promise<Document> {
    const stored = await this.#backend.load();
    if (stored === null) return this.#kind.empty;
    const { name, migrations, struct } = this.#kind;
    const result = validate(migrate(stored, migrations, name), struct);
    if ('value' in result) return result.value;
    const reason = describeRejection(result.rejection, name);
    throw new UnavailableError(
      `The stored ${name} is not valid and was left as it is: ${reason}`,
    );
  }
}

/**
 * Migrates a document to the newest version.
 *
 * @param migrations - The first makes version 2 of version 1, and so on.
 * @throws {UnavailableError} If it has no version, or was written by a newer snap.
 */
function migrate(
  stored: Json,
  migrations: readonly Migration[],
  name: string,
): Record<string, Json> {
  const version = isObject(stored) && 'version' in stored ? stored.version : undefined;
  const newest = migrations.length + 1;
  if (!isObject(stored) || !Number.isInteger(version) || Number(version) < 1) {
    throw new UnavailableError(
      `The stored ${name} has no version and was left as it is.`,
    );
  }
  if (Number(version) > newest) {
    throw new UnavailableError(
      `The stored ${name} was written by a newer version of Tollkeeper (${Number(version)}, ` +
        `this one knows ${newest}) and was left as it is: update the snap.`,
    );
  }
  return migrations.slice(Number(version) - 1).reduce<Record<string, Json>>(
    (document, step) => ({
      ...step(document),
      version: Number(document.version) + 1,
    }),
    stored as Record<string, Json>,
  );
}
