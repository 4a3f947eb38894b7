// Stored documents have a version. One that an earlier release wrote is migrated before it is
// validated; one that a newer release wrote is refused and left as it is. There are no
// migrations yet: a release that changes a document appends one to that document's list.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../errors';

/** Makes a document of the next version; sets everything but the version itself. */
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
