// Confirmation of personal_sign: the text, or hex where the bytes are no text.
import { Copyable, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { bytesToHex } from '@metamask/utils';

import type { Hex } from '../../eth/hex';
import { Confirmation } from '../components/Confirmation';
import { Raw } from '../components/Raw';
import { cutWarnings, findText, toShownText } from '../format';
import type { Translate } from '../i18n';

/** A message to sign. */
export type MessageView = {
  translate: Translate;
  origin: string;
  account: Hex;
  message: Uint8Array;
};

/** Draw the confirmation of a message. */
export function MessageConfirmation(view: MessageView): JSXElement {
  const { translate, origin, account, message } = view;
  const text = findText(message);
  const hex = bytesToHex(message);
  const shown = toShownText(text ?? hex);
  return (
    <Confirmation
      translate={translate}
      title="message.title"
      origin={origin}
      account={account}
      notices={cutWarnings(shown.isCut ? shown : toShownText(hex), translate)}
    >
      {text === undefined ? <Text>{translate('message.hex')}</Text> : null}
      <Copyable value={shown.text} />
      <Raw translate={translate} value={hex} />
    </Confirmation>
  );
}
