// Turning the pages of what is longer than one.
import { Box, Button, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import { toShownCount } from '../format';
import type { Translate } from '../i18n';

/** What a pager is drawn from. */
export type PagerProps = {
  translate: Translate;
  /** From 0 on. */
  page: number;
  pages: number;
  /** Names the button that turns to a page. */
  nameOf: (page: number) => string;
};

/** Draws the way to the other pages; nothing if there is only one. */
export function Pager({ translate, page, pages, nameOf }: PagerProps): BoxElement {
  if (pages === 1) return <Box>{null}</Box>;
  const values = {
    page: toShownCount(page + 1, translate),
    pages: toShownCount(pages, translate),
  };
  return (
    <Box direction="horizontal" alignment="space-between">
      <Button name={nameOf(page - 1)} disabled={page === 0}>
        {translate('pager.previous')}
      </Button>
      <Text>{translate('pager.page', values)}</Text>
      <Button name={nameOf(page + 1)} disabled={page + 1 >= pages}>
        {translate('pager.next')}
      </Button>
    </Box>
  );
}
