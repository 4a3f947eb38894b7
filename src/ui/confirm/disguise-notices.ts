// What a message or typed data are in disguise, in words: always a danger.
import type { DisguiseAlert } from '../../eth/disguises';
import type { Translate } from '../i18n';
import { danger } from '../notice';
import type { Notice } from '../notice';

/** Write what was found in a message or in typed data. */
export function writeDisguise(alert: DisguiseAlert, translate: Translate): Notice {
  if (alert.kind === 'authorization') {
    const { address } = alert;
    return danger(translate('disguise.authorization', { address }));
  }
  const { kind, account } = alert;
  if (account === undefined) return danger(translate('disguise.operation'));
  return kind === 'operation'
    ? danger(translate('disguise.ownOperation', { account }))
    : danger(translate('disguise.operationHash', { account }));
}
