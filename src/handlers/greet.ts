// First run: a welcome on installation, what is new on an update, each once a version. (A
// local snap is installed anew whenever a site asks for it.)
import type { PublicStore } from '../state/public-state';
import { News } from '../ui/first-run/news';
import { Welcome } from '../ui/first-run/welcome';
import type { Translate } from '../ui/i18n';
import type { LiveDialogs } from './live-dialogs';

/** What greeting needs: nothing encrypted, so it works while the wallet is locked. */
export type GreetServices = {
  publicStore: Pick<PublicStore, 'update'>;
  dialogs: Pick<LiveDialogs, 'show'>;
  loadTranslate: () => Promise<Translate>;
  /** This version of the snap. */
  version: string;
};

/** What the user is greeted for. */
export type Occasion = 'installation' | 'update';

/**
 * Greet the user, unless that was done for this version; waits until the dialog is closed.
 *
 * Never fails: an installation is none the worse for a greeting that was not seen.
 */
export async function greet(
  occasion: Occasion,
  { publicStore, dialogs, loadTranslate, version }: GreetServices,
): Promise<void> {
  try {
    if (!(await claim(version, publicStore))) return;
    await dialogs.show(
      (translate) =>
        occasion === 'update' ? News({ translate, version }) : Welcome({ translate }),
      await loadTranslate(),
    );
  } catch {
    // The home page says what there is to say as well.
  }
}

// Noted before anything is shown: of two that come at once one greets, and nobody is greeted
// again because the browser was closed meanwhile.
async function claim(
  version: string,
  store: GreetServices['publicStore'],
): Promise<boolean> {
  let isNew = false;
  await store.update((state) => {
    isNew = state.greeted !== version;
    return isNew ? { ...state, greeted: version } : state;
  });
  return isNew;
}
