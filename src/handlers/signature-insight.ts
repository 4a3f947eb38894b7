// onSignature: what is said beside any signature in the wallet's own confirmation, in the words
// of our own dialogs: what typed data allow, and who is signed in with. Plain data are passed
// over in silence, and so is whatever cannot be read.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnSignatureHandler, OnSignatureResponse } from '@metamask/snaps-sdk';

import type { Hex } from '../eth/hex';
import { findLookAlikes } from '../eth/look-alike';
import { parseMessage } from '../eth/message';
import { findMessageAlerts } from '../eth/message-alerts';
import type { SigningContext } from '../eth/message-alerts';
import { findTypedAlerts } from '../eth/typed-alerts';
import { parseTypedData } from '../eth/typed-data';
import type { TypedData } from '../eth/typed-data';
import { ENTRY_ALERTS } from '../eth/typed-domain-alerts';
import { listDocumentAddresses } from '../eth/typed-tree';
import type { KnownAddresses, RouteServices } from '../methods';
import { lookAlikeNotices } from '../ui/confirm/look-alike-notices';
import { writeMessageAlert } from '../ui/confirm/message-notices';
import { writeTypedAlert } from '../ui/confirm/typed-notices';
import { findText } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { SignatureInsightView } from '../ui/insight/signature';
import type { Notice } from '../ui/notice';

/** What telling needs. */
export type SignatureInsightServices = {
  methodServices: Pick<RouteServices, 'knownAddresses'>;
  loadTranslate: () => Promise<Translate>;
  now: () => number;
};

type Signature = Parameters<OnSignatureHandler>[0];

/** What notices are made with. */
type Looking = { context: SigningContext; known: KnownAddresses; translate: Translate };

/** Tell what is remarkable about a signature; null if nothing is. */
export async function handleSignature(
  { signature, signatureOrigin }: Signature,
  { methodServices, loadTranslate, now }: SignatureInsightServices,
): Promise<OnSignatureResponse | null> {
  try {
    const known = await methodServices.knownAddresses();
    const translate = await loadTranslate();
    const context: SigningContext = {
      origin: signatureOrigin ?? 'metamask',
      account: signature.from as Hex,
      // Which chains there are is for the wallet to say.
      chains: undefined,
      now: now(),
    };
    const notices = findNotices(signature, { context, known, translate });
    if (notices.length === 0) return null;
    const isCritical = notices.some(({ severity }) => severity === 'danger');
    return {
      content: SignatureInsightView({ translate, notices }),
      ...(isCritical ? { severity: SeverityLevel.Critical } : {}),
      // Its type knows the former components only; the wallet takes these, too.
    } as unknown as OnSignatureResponse;
  } catch {
    return null;
  }
}

function findNotices(signature: Signature['signature'], looking: Looking): Notice[] {
  const { context, translate } = looking;
  if (signature.signatureMethod === 'personal_sign') {
    const bytes = parseMessage(signature.data);
    const alerts = findMessageAlerts({ bytes, text: findText(bytes) }, context);
    return alerts.map((alert) => writeMessageAlert(alert, translate));
  }
  if (Array.isArray(signature.data)) {
    return ENTRY_ALERTS.map((alert) => writeTypedAlert(alert, translate));
  }
  return findTypedNotices(parseTypedData(signature.data, 'data'), looking);
}

function findTypedNotices(
  data: TypedData,
  { context, known, translate }: Looking,
): Notice[] {
  const alerts = findTypedAlerts(data, { ...context, own: known.own });
  const resembling = findLookAlikes(listDocumentAddresses(data), known.all);
  const notices = [
    ...alerts.map((alert) => writeTypedAlert(alert, translate)),
    ...lookAlikeNotices(resembling, translate),
  ];
  // What merely tells of data that are known for nothing is no news.
  const isKnown = alerts.some(({ kind }) => kind === 'shape');
  return isKnown ? notices : notices.filter(({ severity }) => severity !== 'info');
}
