// onSignature: what is said beside any signature in the wallet's own confirmation, as in our own
// dialogs: what typed data allow, and who is signed in with. Plain data are passed over in
// silence, and so is whatever cannot be read.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnSignatureHandler, OnSignatureResponse } from '@metamask/snaps-sdk';
import { Box } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { InsightContext } from '../context';
import type { Hex } from '../eth/hex';
import { parseMessage } from '../eth/message';
import { parseTypedData } from '../eth/typed-data';
import { parseTypedEntries } from '../eth/typed-data-v1';
import { decodeMessage, findMessageWarnings } from '../message/warnings';
import { decodeDocument, decodeEntries } from '../typed-data/decoded';
import { findTypedWarnings } from '../typed-data/warnings';
import { drawNotices } from '../ui/components';
import type { Translate } from '../ui/i18n';
import { printWarnings } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import type { SigningContext } from '../warnings/disguises';

type Signature = Parameters<OnSignatureHandler>[0];

/** Tells what is remarkable about a signature; null if nothing is. */
export async function handleSignature(
  { signature, signatureOrigin }: Signature,
  { knownAddresses, knownOperations, loadTranslate, now }: InsightContext,
): Promise<OnSignatureResponse | null> {
  try {
    const { own, all: known } = await knownAddresses();
    const translate = await loadTranslate();
    const warnings = findWarnings(signature, {
      origin: signatureOrigin ?? 'metamask',
      account: signature.from as Hex,
      // Which chains there are is for the wallet to say.
      chains: undefined,
      now: now(),
      own,
      known,
      operations: await knownOperations.list(),
    });
    if (warnings.length === 0) return null;
    const isCritical = warnings.some(({ severity }) => severity === 'danger');
    return {
      content: SignatureInsightView({ translate, warnings }),
      ...(isCritical ? { severity: SeverityLevel.Critical } : {}),
      // Its type knows the former components only; the wallet takes these, too.
    } as unknown as OnSignatureResponse;
  } catch {
    return null;
  }
}

/** Draws what is remarkable about a signature. */
export function SignatureInsightView({
  translate,
  warnings,
}: {
  translate: Translate;
  warnings: readonly Warning[];
}): JSXElement {
  return <Box>{drawNotices(printWarnings(warnings, translate), translate)}</Box>;
}

function findWarnings(
  signature: Signature['signature'],
  context: SigningContext,
): Warning[] {
  if (signature.signatureMethod === 'personal_sign') {
    return findMessageWarnings(decodeMessage(parseMessage(signature.data)), context);
  }
  if (Array.isArray(signature.data)) {
    const entries = parseTypedEntries(signature.data, 'data');
    return findTypedWarnings(decodeEntries(entries), context);
  }
  const typed = decodeDocument(parseTypedData(signature.data, 'data'));
  const warnings = findTypedWarnings(typed, context);
  // What merely tells of data that are known for nothing is no news.
  const isKnown = warnings.some(({ key }) => key.startsWith('shape.'));
  return isKnown ? warnings : warnings.filter(({ severity }) => severity !== 'info');
}
