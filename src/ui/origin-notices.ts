// What is remarkable about who asks, in words.
import { findOriginAlerts } from '../eth/origin';
import type { OriginAlert } from '../eth/origin';
import { toShownLine } from './foreign-text';
import { toShownCount } from './format';
import type { Translate } from './i18n';
import { danger, warning } from './notice';
import type { Notice } from './notice';

/** List what a user should know about an origin. */
export function originNotices(origin: string, translate: Translate): Notice[] {
  return findOriginAlerts(origin).map((alert) => writeAlert(alert, translate));
}

function writeAlert(alert: OriginAlert, translate: Translate): Notice {
  switch (alert.kind) {
    case 'originLetters':
      return danger(
        translate('origin.letters', { shown: toShownLine(alert.shown, 100) }),
      );
    case 'originBrand': {
      const { brand, host } = alert;
      return danger(translate('origin.brand', { brand, host: toShownLine(host, 100) }));
    }
    case 'originSubdomain':
      return warning(
        translate('origin.subdomain', { host: toShownLine(alert.host, 100) }),
      );
    case 'originForm':
      return danger(translate('origin.form'));
    case 'originHttp':
      return warning(translate('origin.http'));
    case 'originAddress':
      return warning(translate('origin.address'));
    case 'originLong': {
      const length = toShownCount(alert.length, translate);
      return warning(translate('origin.long', { length }));
    }
  }
}
