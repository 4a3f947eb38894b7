// Bringing a stored document of an earlier version up to this one. Steps are numbered by
// their place and never change once released: append, don't edit.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../errors';

/** A step from one version to the next; sets everything but the version itself. */
export type Migration = (document: Record<string, Json>) => Record<string, Json>;

/**
 * Migrate a document to the newest version.
 *
 * @param migrations - The first makes version 2 of version 1, and so on.
 * @throws {UnavailableError} If it has no version, or was written by a newer snap.
 */
export function migrate(
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
