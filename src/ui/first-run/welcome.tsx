// What a new user sees first: three steps, each on the same dialog.
import type { ButtonElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import { APPROVE, REFUSE } from '../components/Confirmation';
import { toShownCount } from '../format';
import type { Translate } from '../i18n';
import { drawButton, drawGreeting } from './greeting';
import type { Part } from './greeting';

/** Name of the button that goes on. */
export const NEXT = 'welcome.next';

/** Name of the button that goes back. */
export const BACK = 'welcome.back';

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

/** Number of the last step; the first is 0. */
export const LAST_STEP = steps.length - 1;

/** What of the welcome is shown. */
export type WelcomeView = { translate: Translate; step: number };

/** Draw a step of the welcome. */
export function Welcome({ translate, step }: WelcomeView): JSXElement {
  const number = toShownCount(step + 1, translate);
  const count = toShownCount(steps.length, translate);
  return drawGreeting({
    translate,
    title: translate('welcome.title'),
    line: translate('welcome.step', { number, count }),
    parts: steps[step] ?? [],
    buttons: drawButtons(step, translate),
  });
}

function drawButtons(
  step: number,
  translate: Translate,
): [ButtonElement, ButtonElement] {
  return [
    step === 0
      ? drawButton(REFUSE, 'action.close', translate)
      : drawButton(BACK, 'action.back', translate),
    step === LAST_STEP
      ? drawButton(APPROVE, 'action.done', translate)
      : drawButton(NEXT, 'action.next', translate),
  ];
}
