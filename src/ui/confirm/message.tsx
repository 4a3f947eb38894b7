// Confirmation of personal_sign: a sign-in by its fields, the text, or hex where the bytes
// are no text.
import { Copyable, Text } from '@metamask/snaps-sdk/jsx';
import { bytesToHex } from '@metamask/utils';

import type { Hex } from '../../eth/hex';
import type { LookAlike } from '../../eth/look-alike';
import type { SiweMessage } from '../../eth/message';
import type { MessageAlert } from '../../eth/message-alerts';
import { toPagedView } from '../components/Confirmation';
import { findText, splitText, toShownText } from '../foreign-text';
import type { Translate } from '../i18n';
import { warning } from '../notice';
import type { PagedView } from '../pages';
import { lookAlikeNotices } from './look-alike-notices';
import { writeMessageAlert } from './message-notices';
import { SignIn } from './sign-in';

/** A message to sign. */
export type MessageView = {
  translate: Translate;
  origin: string;
  account: Hex;
  message: Uint8Array;
  /** What it says, if it is a sign-in. */
  signIn?: SiweMessage | undefined;
  alerts?: readonly MessageAlert[];
  lookAlikes?: readonly LookAlike[];
};

/** Most characters of a message on a page. */
const PAGE = 10_000;

/** Draw the confirmation of a message. */
export function MessageConfirmation(view: MessageView): PagedView {
  const { translate, origin, account, message, signIn } = view;
  const { alerts = [], lookAlikes = [] } = view;
  const text = findText(message);
  const hex = bytesToHex(message);
  const parts = splitText(text ?? hex, PAGE).map((part) => toShownText(part));
  return toPagedView({
    translate,
    title: signIn ? 'siwe.title' : 'message.title',
    origin,
    account,
    notices: [
      ...alerts.map((alert) => writeMessageAlert(alert, translate)),
      ...lookAlikeNotices(lookAlikes, translate),
      ...(parts.some(({ isFolded }) => isFolded)
        ? [warning(translate('warning.folded'))]
        : []),
    ],
    head: [
      ...(signIn ? [SignIn({ translate, message: signIn })] : []),
      ...(text === undefined ? [Text({ children: translate('message.hex') })] : []),
    ],
    pages: parts.map((part) => () => [<Copyable value={part.text} />]),
    raw: hex,
  });
}
