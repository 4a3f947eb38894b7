// Confirmation of personal_sign: a sign-in by its fields, text, or hex if the bytes are not text.
import {
  CollapsibleSection,
  Copyable,
  Dropdown,
  Field as FormField,
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';
import { bytesToHex } from '@metamask/utils';

import { drawVerifier } from '../../accounts/verifier';
import type { Verifier } from '../../accounts/verifier';
import { toCaip2 } from '../../eth/chain';
import type { Hex } from '../../eth/hex';
import { resemblesSiwe } from '../../eth/message';
import type { SiweMessage } from '../../eth/message';
import type { AccountChoice } from '../../ui/access';
import { Field } from '../../ui/components';
import { toPagedView } from '../../ui/confirmation';
import type { PagedView } from '../../ui/confirmation';
import {
  splitText,
  toShownChain,
  toShownLine,
  toShownText,
  toShownTime,
} from '../../ui/format';
import type { TextKey, Translate } from '../../ui/i18n';
import { warning } from '../../ui/warnings';
import type { Warning } from '../../ui/warnings';
import type { DecodedMessage } from '../messages';
import { drawDigestRows, getMessageDigest } from './digests';

type MessageView = {
  translate: Translate;
  origin: string;
  account: Hex;
  message: DecodedMessage;
  verifier?: Verifier | undefined;
  warnings: readonly Warning[];
  /** The accounts to choose from, if the user can choose one; signing in connects the site. */
  choices?: readonly AccountChoice[];
  digest?: Hex | undefined;
};

/** Maximum characters of a message per page. */
const PAGE = 10_000;

/** Maximum number of a sign-in's resources to list. If there are more, the whole message is not
 * collapsed. */
const MAX_RESOURCES = 10;
const MAX_LINE = 200;
const MAX_FOLDED = 2_000;

const MAX_DOMAIN = 60;

export function MessageConfirmation(view: MessageView): PagedView {
  const { translate, origin, account, verifier, warnings, choices, digest } = view;
  const { bytes, text, signIn } = view.message;
  const hex = bytesToHex(bytes);
  // In an imitation of a sign-in, a tab could look like a space.
  const shown = text ?? hex;
  const isImitation = !signIn && resemblesSiwe(shown);
  const whole = isImitation ? shown.replaceAll('\t', '\\u{9}') : shown;
  const parts = splitText(whole, PAGE).map((part) => toShownText(part));
  const { domain = '', resources = [] } = signIn ?? {};
  const isSummarized =
    signIn &&
    whole.length <= MAX_FOLDED &&
    resources.length <= MAX_RESOURCES &&
    [domain, ...resources].every(({ length }) => length <= MAX_LINE);
  const isFolded = parts.some((part) => part.isFolded);
  return toPagedView({
    translate,
    title: signIn
      ? translate('act.signIn', { domain: toShownLine(signIn.domain, MAX_DOMAIN) })
      : translate('message.title'),
    approve: signIn ? 'act.verb.signIn' : 'action.approve',
    ...(choices && { subtitle: translate('connect.signIn') }),
    origin,
    account,
    warnings: [...warnings, ...(isFolded ? [warning('warning.folded')] : [])],
    head: [
      ...(choices ? [drawChoices(choices, translate)] : []),
      ...(signIn ? [drawSignIn(signIn, translate)] : []),
      ...(verifier ? [drawVerifier(verifier, translate)] : []),
      ...(text === undefined ? [Text({ children: translate('message.hex') })] : []),
    ],
    pages: parts.map((part) => () => [
      isSummarized ? (
        <CollapsibleSection label={translate('message.whole')}>
          <Copyable value={part.text} />
        </CollapsibleSection>
      ) : (
        <Copyable value={part.text} />
      ),
    ]),
    folded: parts.map(
      () => () => drawDigestRows([getMessageDigest(bytes, digest)], translate),
    ),
    raw: hex,
  });
}

function drawChoices(
  choices: readonly AccountChoice[],
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <FormField label={translate('field.account')}>
        <Dropdown name="account" value={choices.find(({ isChosen }) => isChosen)?.id}>
          {choices.map(({ id, label }) => (
            <Option value={id}>{label}</Option>
          ))}
        </Dropdown>
      </FormField>
      <Text>{translate('connect.signInMeaning')}</Text>
    </Section>
  );
}

/** Draws the fields of a sign-in that matter for the user's decision. */
export function drawSignIn(message: SiweMessage, translate: Translate): SectionElement {
  const { domain, statement, chainId, expirationTime, notBefore, resources } = message;
  const drawTime = (label: TextKey, time: number | undefined): RowElement | null =>
    time === undefined ? null : (
      <Field label={translate(label)} value={toShownTime(time, translate)} />
    );
  const more = resources.length - MAX_RESOURCES;
  return (
    <Section>
      {domain.length > MAX_DOMAIN ? (
        <Field label={translate('siwe.domain')} value={toShownLine(domain)} />
      ) : null}
      {statement === undefined ? null : (
        <Text>{toShownLine(statement, 10 * MAX_FOLDED)}</Text>
      )}
      <Field label={translate('siwe.chain')} value={toShownChain(toCaip2(chainId))} />
      {drawTime('siwe.expirationTime', expirationTime)}
      {drawTime('siwe.notBefore', notBefore)}
      {resources.slice(0, MAX_RESOURCES).map((resource) => (
        <Field label={translate('siwe.resource')} value={toShownLine(resource)} />
      ))}
      {more > 0 ? <Text>{translate('list.more', { count: String(more) })}</Text> : null}
    </Section>
  );
}
