// Builds everything that a release contains, and refuses what must not be released.
import { buildInsightSnap, buildSnap } from '../build/build';
import { buildLibraries } from '../build/libraries';

/** Builds the snaps and the libraries. Throws if a companion page is configured or a manifest
 * changes. */
export async function buildRelease(): Promise<void> {
  if (process.env.TOLLKEEPER_COMPANION_ORIGIN) {
    throw new Error(
      'Unset TOLLKEEPER_COMPANION_ORIGIN: a release has no companion page.',
    );
  }
  const [keyring, insight] = await Promise.all([
    buildSnap(),
    buildInsightSnap(),
    buildLibraries(),
  ]);
  if (keyring || insight) {
    throw new Error('The build changed a snap.manifest.json: commit it and try again.');
  }
}
