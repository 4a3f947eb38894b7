// What a user should know first, as banners.
import { Banner, Text } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement } from '@metamask/snaps-sdk/jsx';

import type { TextKey, Translate } from '../i18n';
import { sortBySeverity } from '../notice';
import type { Notice, Severity } from '../notice';

const titles: Record<Severity, TextKey> = {
  danger: 'danger.title',
  warning: 'warning.title',
  info: 'info.title',
};

/** Draw notices, the worst first. */
export function drawNotices(
  notices: readonly Notice[],
  translate: Translate,
): GenericSnapElement[] {
  return sortBySeverity(notices).map(({ severity, text }) => (
    <Banner title={translate(titles[severity])} severity={severity}>
      <Text>{text}</Text>
    </Banner>
  ));
}
