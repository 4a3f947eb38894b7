// One stored document with one writer. Loading is read → migrate by version → validate;
// the only write is an update by a pure function, and updates come one after another.
import type { Json } from '@metamask/utils';
import { Mutex } from 'async-mutex';

import { InternalError, UnavailableError } from '../errors';
import { describeRejection, validate } from '../parse';
import type { StructOf } from '../parse';
import { migrate } from './migrations';
import type { Migration } from './migrations';

/** Where a document is kept. */
export type StateBackend = {
  /** Fetch the document; null if there is none yet. */
  load: () => Promise<Json>;
  save: (document: Json) => Promise<void>;
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

/** A document that is read often and written by one hand. */
export class Store<Document extends { version: number }> {
  readonly #backend: StateBackend;

  readonly #kind: DocumentKind<Document>;

  readonly #writer = new Mutex();

  // Nobody else writes the document, so what was read holds while the worker lives.
  #known: Promise<Document> | undefined;

  constructor(kind: DocumentKind<Document>, backend: StateBackend) {
    this.#kind = kind;
    this.#backend = backend;
  }

  /** How messages name the document. */
  get name(): string {
    return this.#kind.name;
  }

  /**
   * Read the document.
   *
   * @throws {UnavailableError} If what is stored is not valid. It is left as it is: there
   * are keys in it.
   */
  async read(): Promise<Document> {
    this.#known ??= this.#load();
    try {
      return await this.#known;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }

  /**
   * Change the document, after all updates that were asked for before.
   *
   * @param change - Pure; gets the document and returns the next one, or the same if
   * there is nothing to write. If it throws, nothing is written.
   * @returns The document after the change.
   */
  async update(change: (document: Document) => Document): Promise<Document> {
    return this.#writer.runExclusive(async () => {
      const document = await this.read();
      const next = change(document);
      if (next === document) return document;
      this.#assertValid(next);
      try {
        await this.#backend.save(next);
      } catch (error) {
        // Nobody knows which of the two is stored now: read it again.
        this.#known = undefined;
        throw error;
      }
      this.#known = Promise.resolve(next);
      return next;
    });
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
