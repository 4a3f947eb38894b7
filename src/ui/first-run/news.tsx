// What a user sees after an update: what is new in this version, and what became of what the
// version before had stored.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { REFUSE } from '../components/Confirmation';
import type { Translate } from '../i18n';
import { drawButton, drawGreeting } from './greeting';

/** A version that is new to the user. */
export type NewsView = { translate: Translate; version: string };

/** Draw what is new. */
export function News({ translate, version }: NewsView): JSXElement {
  return drawGreeting({
    translate,
    title: translate('news.title'),
    line: translate('news.version', { version }),
    parts: [
      {
        heading: 'news.changes',
        texts: ['news.page', 'news.fees', 'news.warnings', 'news.languages'],
      },
      { heading: 'news.kept', texts: ['news.kept.stored', 'news.kept.settings'] },
    ],
    buttons: drawButton(REFUSE, 'action.done', translate),
  });
}
