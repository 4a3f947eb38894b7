// onSignature: what is said beside any signature in the wallet's own confirmation, in the words
// of our own dialogs: what typed data allow, and who is signed in with. Plain data are passed
// over in silence, and so is whatever cannot be read.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnSignatureHandler, OnSignatureResponse } from '@metamask/snaps-sdk';

import { findDisguisedEntries } from '../eth/disguises';
import type { Hex } from '../eth/hex';
import { findLookAlikes } from '../eth/look-alike';
import { parseMessage } from '../eth/message';
import { findMessageAlerts, listTextAddresses } from '../eth/message-alerts';
import type { SigningContext } from '../eth/message-alerts';
import { findTypedAlerts } from '../eth/typed-alerts';
import type { TypedAlert } from '../eth/typed-alerts';
import { parseTypedData } from '../eth/typed-data';
import { parseTypedEntries } from '../eth/typed-data-v1';
import { ENTRY_ALERTS } from '../eth/typed-domain-alerts';
import { listDocumentAddresses, listEntryAddresses } from '../eth/typed-tree';
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
  methodServices: Pick<RouteServices, 'knownAddresses' | 'knownOperations'>;
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
    const { knownAddresses, knownOperations } = methodServices;
    const known = await knownAddresses();
    const translate = await loadTranslate();
    const context: SigningContext = {
      origin: signatureOrigin ?? 'metamask',
      account: signature.from as Hex,
      // Which chains there are is for the wallet to say.
      chains: undefined,
      now: now(),
      own: known.own,
      operations: await knownOperations.list(),
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

function findNotices(
  signature: Signature['signature'],
  { context, known, translate }: Looking,
): Notice[] {
  const findResembling = (addresses: readonly Hex[]): Notice[] =>
    lookAlikeNotices(findLookAlikes(addresses, known.all), translate);
  const writeTyped = (alerts: readonly TypedAlert[]): Notice[] =>
    alerts.map((alert) => writeTypedAlert(alert, translate));
  if (signature.signatureMethod === 'personal_sign') {
    const bytes = parseMessage(signature.data);
    const text = findText(bytes);
    return [
      ...findMessageAlerts({ bytes, text }, context).map((alert) =>
        writeMessageAlert(alert, translate),
      ),
      ...findResembling(listTextAddresses(text)),
    ];
  }
  if (Array.isArray(signature.data)) {
    const entries = parseTypedEntries(signature.data, 'data');
    return [
      ...writeTyped([...findDisguisedEntries(entries, context), ...ENTRY_ALERTS]),
      ...findResembling(listEntryAddresses(entries)),
    ];
  }
  const data = parseTypedData(signature.data, 'data');
  const alerts = findTypedAlerts(data, context);
  const notices = [
    ...writeTyped(alerts),
    ...findResembling(listDocumentAddresses(data)),
  ];
  // What merely tells of data that are known for nothing is no news.
  const isKnown = alerts.some(({ kind }) => kind === 'shape');
  return isKnown ? notices : notices.filter(({ severity }) => severity !== 'info');
}
