// What a new user sees first: three steps, each on the same dialog.
import type { ButtonElement } from '@metamask/snaps-sdk/jsx';

import { REFUSE } from '../components/Confirmation';
import { toShownCount } from '../format';
import type { Translate } from '../i18n';
import { nameTurn } from '../pages';
import type { Frame, PagedView } from '../pages';
import { drawButton, drawGreeting } from './greeting';
import type { Part } from './greeting';

const steps: readonly (readonly Part[])[] = [
  [
    { heading: 'welcome.what', texts: ['welcome.what.does', 'welcome.what.asks'] },
    { heading: 'welcome.page', texts: ['welcome.page.where', 'welcome.page.shows'] },
  ],
  [
    {
      heading: 'welcome.create',
      texts: ['welcome.create.how', 'welcome.create.back', 'welcome.create.install'],
    },
    { heading: 'welcome.import', texts: ['welcome.import.how', 'welcome.import.copy'] },
  ],
  [
    { heading: 'welcome.sites', texts: ['welcome.sites.choose', 'welcome.sites.end'] },
    { heading: 'welcome.fees', texts: ['welcome.fees.levels', 'welcome.fees.change'] },
  ],
];

/** Draw the welcome, a page for each step. */
export function Welcome({ translate }: { translate: Translate }): PagedView {
  const count = toShownCount(steps.length, translate);
  return {
    pages: steps.length,
    draw: (frame) =>
      drawGreeting({
        translate,
        title: translate('welcome.title'),
        line: translate('welcome.step', {
          number: toShownCount(frame.page + 1, translate),
          count,
        }),
        parts: steps[frame.page] ?? [],
        buttons: drawButtons(frame, translate),
      }),
  };
}

function drawButtons(
  { page, number }: Frame,
  translate: Translate,
): [ButtonElement, ButtonElement] {
  return [
    page === 0
      ? drawButton(REFUSE, 'action.close', translate)
      : drawButton(nameTurn(page - 1, number), 'action.back', translate),
    page === steps.length - 1
      ? drawButton(REFUSE, 'action.done', translate)
      : drawButton(nameTurn(page + 1, number), 'action.next', translate),
  ];
}
