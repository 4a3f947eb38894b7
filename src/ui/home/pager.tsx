// Turning the pages of a long list.
import { Box, Button, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import { toShownCount } from '../format';
import type { Translate } from '../i18n';

/** Draw the way to the other pages; nothing if there is only one. */
export function Pager({
  translate,
  page,
  pages,
}: {
  translate: Translate;
  /** From 0 on. */
  page: number;
  pages: number;
}): BoxElement {
  if (pages === 1) return <Box>{null}</Box>;
  const values = {
    page: toShownCount(page + 1, translate),
    pages: toShownCount(pages, translate),
  };
  return (
    <Box direction="horizontal" alignment="space-between">
      <Button name={`home.frame.page:${page - 1}`} disabled={page === 0}>
        {translate('home.previous')}
      </Button>
      <Text>{translate('home.page', values)}</Text>
      <Button name={`home.frame.page:${page + 1}`} disabled={page + 1 >= pages}>
        {translate('home.next')}
      </Button>
    </Box>
  );
}
