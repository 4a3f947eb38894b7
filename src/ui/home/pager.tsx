// Turning the pages of a list of the home page.
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import { Pager as AnyPager } from '../components/Pager';
import type { PagerProps } from '../components/Pager';

/** Draws the way to the other pages; nothing if there is only one. */
export function Pager(props: Omit<PagerProps, 'nameOf'>): BoxElement {
  return <AnyPager {...props} nameOf={(page) => `home.frame.page:${page}`} />;
}
