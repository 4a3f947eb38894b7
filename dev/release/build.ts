// Builds what is released.
import { buildSnap } from '../build/build';
import { buildLibraries } from '../build/libraries';

/**
 * Builds the snap and the libraries of the current folder.
 *
 * @throws {Error} If this is not how a release is built.
 */
export async function buildRelease(): Promise<void> {
  if (process.env.TOLLKEEPER_COMPANION_ORIGIN) {
    throw new Error(
      'Unset TOLLKEEPER_COMPANION_ORIGIN: a release has no companion page.',
    );
  }
  const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildLibraries()]);
  if (isManifestChanged) {
    throw new Error('The build changed snap.manifest.json: commit it and try again.');
  }
}
