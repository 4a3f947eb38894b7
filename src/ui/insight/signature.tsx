// What stands beside a signature in the wallet's own confirmation.
import { Box } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { drawNotices } from '../components/Notices';
import type { Translate } from '../i18n';
import type { Notice } from '../notice';

/** What is remarkable about a signature. */
export type SignatureInsight = { translate: Translate; notices: readonly Notice[] };

/** Draw what is remarkable about a signature. */
export function SignatureInsightView({
  translate,
  notices,
}: SignatureInsight): JSXElement {
  return <Box>{drawNotices(notices, translate)}</Box>;
}
