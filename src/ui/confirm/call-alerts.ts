// What a user should know of what a call does, in words.
import type { CallAlert, NumberedAlert } from '../../eth/alerts';
import { findTokenUnit } from '../../eth/known-tokens';
import { toShownCoins, toShownCount, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { danger, info, sortNotices, warning } from '../notice';
import type { Notice } from '../notice';

/** More notices nobody reads; the worst of them are shown. */
const MAX_SHOWN = 15;

/** Writes an alert on a CAIP-2 chain, where one is known. */
type Writing = { translate: Translate; chain: string | undefined };

type Kind = CallAlert['kind'];

type AlertOf<Wanted extends Kind> = Extract<CallAlert, { kind: Wanted }>;

type Writer<Alert> = (alert: Alert, writing: Writing) => Notice;

const writers: { [Each in Kind]: Writer<AlertOf<Each>> } = {
  unlimited: ({ spender, token }, { translate, chain = '' }) => {
    const { symbol = token } = findTokenUnit(chain, token) ?? {};
    return warning(translate('alert.unlimited', { spender, token: symbol }));
  },
  noExpiry: (_alert, { translate }) => warning(translate('typed.noDeadline')),
  spenderNoCode: ({ spender }, { translate }) =>
    danger(translate('typed.spenderNoCode', { address: spender })),
  operator: ({ operator }, { translate }) =>
    danger(translate('alert.operator', { operator })),
  creationValue: ({ value }, { translate, chain }) =>
    warning(
      translate('alert.creationValue', {
        value: toShownCoins(value, translate, chain),
      }),
    ),
  nobody: ({ value }, { translate, chain }) =>
    value === 0n
      ? warning(translate('alert.dataToNobody'))
      : danger(
          translate('alert.nobody', { value: toShownCoins(value, translate, chain) }),
        ),
  noContract: ({ address }, { translate }) =>
    warning(translate('alert.noContract', { address })),
  tokensToNobody: (_alert, { translate }) => danger(translate('alert.tokensToNobody')),
  tokensToContract: (_alert, { translate }) =>
    danger(translate('alert.tokensToContract')),
  othersTokens: ({ owner }, { translate }) =>
    warning(translate('alert.othersTokens', { owner })),
  delegation: (_alert, { translate }) => danger(translate('warning.authorizations')),
  revocation: (_alert, { translate }) => info(translate('alert.revocation')),
  control: ({ signature }, { translate }) =>
    warning(translate('alert.control', { function: signature })),
  unread: ({ signature }, { translate }) =>
    warning(translate('alert.unread', { function: signature })),
  ownData: (_alert, { translate }) => warning(translate('alert.ownData')),
};

/**
 * Write what is remarkable about a call.
 *
 * @param chain - CAIP-2.
 */
export function writeCallAlert(
  alert: CallAlert,
  translate: Translate,
  chain?: string,
): Notice {
  const write = writers[alert.kind] as Writer<CallAlert>;
  return write(alert, { translate, chain });
}

/** How several calls are written. */
export type NumberedWriting = {
  translate: Translate;
  /** CAIP-2. */
  chain?: string | undefined;
  /** Says which of them a text is about; has `{number}` and `{text}`. */
  about: TextKey;
};

/** Write what is remarkable about several calls: what is said of more than one is said once,
 * with their numbers. */
export function writeNumberedAlerts(
  alerts: readonly NumberedAlert[],
  { translate, chain, about }: NumberedWriting,
): Notice[] {
  const written = alerts.map(({ alert, number }) => ({
    number,
    notice: writeCallAlert(alert, translate, chain),
  }));
  return numberNotices(written, about, translate);
}

/** Say of notices which calls they are about; the worst of many are kept. */
export function numberNotices(
  notices: readonly { notice: Notice; number: number }[],
  about: TextKey,
  translate: Translate,
): Notice[] {
  const groups = new Map<string, { notice: Notice; numbers: number[] }>();
  for (const { notice, number } of notices) {
    const group = groups.get(notice.text) ?? { notice, numbers: [] };
    group.numbers.push(number);
    groups.set(notice.text, group);
  }
  const numbered = [...groups.values()].map(({ notice, numbers }) => ({
    severity: notice.severity,
    text: translate(about, {
      number: toShownLine(numbers.join(', ')),
      text: notice.text,
    }),
  }));
  const sorted = sortNotices(numbered);
  const more = toShownCount(sorted.length - MAX_SHOWN, translate);
  return sorted.length <= MAX_SHOWN
    ? sorted
    : [...sorted.slice(0, MAX_SHOWN), danger(translate('alert.more', { count: more }))];
}
