// The home page around its tabs: totals, navigation, notices.
import { Box, Button, Divider, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import { Field } from '../components/Field';
import { drawNotices } from '../components/Notices';
import { toShownCount } from '../format';
import type { TextKey, Translate } from '../i18n';
import type { Notice } from '../notice';

/** How many tabs stand beside each other in a popup. */
const TABS_A_ROW = 3;

/** What waits, over all accounts. */
export type HomeTotals = { requests: number; pending: number };

/** The page around a tab. */
export type HomeFrameView = {
  translate: Translate;
  tabs: readonly { name: string; label: TextKey; isOpen: boolean }[];
  notices: readonly Notice[];
  isLocked: boolean;
  /** Undefined where they are not known. */
  totals: HomeTotals | undefined;
  /** What the tab draws; undefined if there is nothing to draw. */
  content: BoxElement | undefined;
};

/** Draw the page. */
export function HomeFrame(view: HomeFrameView): BoxElement {
  const { translate, notices, isLocked, totals, content } = view;
  return (
    <Box>
      {toRows(view.tabs).map((row) => drawTabs(row, translate))}
      {drawNotices(notices, translate)}
      {totals ? drawTotals(totals, translate) : null}
      <Divider />
      {isLocked ? <Text>{translate('home.locked')}</Text> : null}
      {content ?? null}
      <Button name="home.frame.refresh">{translate('home.refresh')}</Button>
    </Box>
  );
}

function drawTabs(tabs: HomeFrameView['tabs'], translate: Translate): BoxElement {
  return (
    <Box direction="horizontal" alignment="space-between">
      {tabs.map(({ name, label, isOpen }) => (
        <Button name={`home.frame.tab:${name}`} size="sm" disabled={isOpen}>
          {translate(label)}
        </Button>
      ))}
    </Box>
  );
}

function drawTotals(
  { requests, pending }: HomeTotals,
  translate: Translate,
): BoxElement | null {
  if (requests + pending === 0) return null;
  return (
    <Box>
      <Field
        label={translate('home.totalRequests')}
        value={toShownCount(requests, translate)}
      />
      <Field
        label={translate('home.totalPending')}
        value={toShownCount(pending, translate)}
      />
    </Box>
  );
}

function toRows(tabs: HomeFrameView['tabs']): HomeFrameView['tabs'][] {
  return tabs.length === 0
    ? []
    : [tabs.slice(0, TABS_A_ROW), ...toRows(tabs.slice(TABS_A_ROW))];
}
