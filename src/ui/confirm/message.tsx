// Confirmation of personal_sign: a sign-in by its fields, the text, or hex where the bytes
// are no text.
import { Copyable, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { bytesToHex } from '@metamask/utils';

import type { Hex } from '../../eth/hex';
import type { LookAlike } from '../../eth/look-alike';
import type { MessageAlert } from '../../eth/message-alerts';
import type { SiweMessage } from '../../eth/siwe';
import { Confirmation } from '../components/Confirmation';
import { Raw } from '../components/Raw';
import { cutWarnings, findText, toShownText } from '../foreign-text';
import type { Translate } from '../i18n';
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

/** Draw the confirmation of a message. */
export function MessageConfirmation(view: MessageView): JSXElement {
  const { translate, origin, account, message, signIn } = view;
  const { alerts = [], lookAlikes = [] } = view;
  const text = findText(message);
  const hex = bytesToHex(message);
  const shown = toShownText(text ?? hex);
  const cut = cutWarnings(shown.isCut ? shown : toShownText(hex), translate);
  const folded = cutWarnings({ ...shown, isCut: false }, translate);
  return (
    <Confirmation
      translate={translate}
      title={signIn ? 'siwe.title' : 'message.title'}
      origin={origin}
      account={account}
      notices={[
        ...alerts.map((alert) => writeMessageAlert(alert, translate)),
        ...lookAlikeNotices(lookAlikes, translate),
        ...(shown.isCut ? cut : [...cut, ...folded]),
      ]}
    >
      {signIn ? <SignIn translate={translate} message={signIn} /> : null}
      {text === undefined ? <Text>{translate('message.hex')}</Text> : null}
      <Copyable value={shown.text} />
      <Raw translate={translate} value={hex} />
    </Confirmation>
  );
}
