// onSignature: what is said beside any signature in the wallet's own confirmation, as in our own
// dialogs: what typed data allow, and who is signed in with. Plain data are passed over in
// silence unless a descriptor describes them, and so is whatever cannot be read.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnSignatureHandler, OnSignatureResponse } from '@metamask/snaps-sdk';
import { Box } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import type { InsightContext } from '../context';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { parseMessage } from '../eth/message';
import { parseTypedData } from '../eth/typed-data';
import type { TypedData } from '../eth/typed-data';
import { parseTypedEntries } from '../eth/typed-data-v1';
import type { SigningContext } from '../review/disguises';
import { findTypedWarnings } from '../review/document-findings';
import { decodeDocument, decodeEntries } from '../review/documents';
import type { CallEffect, Description } from '../review/effects';
import { decodeMessage, findMessageWarnings } from '../review/messages';
import {
  drawInner,
  drawIntent,
  listItems,
  warnOfNotShown,
  weighItem,
} from '../review/screen/calls';
import { drawDescribed } from '../review/screen/document';
import { validate } from '../schema/parse';
import { drawNotices } from '../ui/components';
import { toPages } from '../ui/confirmation';
import type { Translate } from '../ui/i18n';
import { printWarnings } from '../ui/warnings';
import type { Warning } from '../ui/warnings';

type Signature = Parameters<OnSignatureHandler>[0];

/** Tells what is remarkable about a signature; null if nothing is. */
export async function handleSignature(
  { signature, signatureOrigin }: Signature,
  context: InsightContext,
): Promise<OnSignatureResponse | null> {
  try {
    const { knownAddresses, knownOperations, loadTranslate, now, describer } = context;
    const [{ own, all: known }, operations, translate] = await Promise.all([
      knownAddresses(),
      knownOperations.list(),
      loadTranslate(),
    ]);
    const read = readSignature(signature);
    const warnings = read.findWarnings({
      origin: signatureOrigin ?? 'metamask',
      account: signature.from as Hex,
      // Which chains there are is for the wallet to say.
      chains: undefined,
      now: now(),
      own,
      known,
      operations,
    });
    const { document } = read;
    const description =
      document && (await describer.document(document, signature.from as Hex));
    const calls = [...(read.calls ?? []), ...(description?.calls ?? [])];
    if (!description && calls.length === 0 && warnings.length === 0) return null;
    const isCritical = warnings.some(({ severity }) => severity === 'danger');
    return {
      content: SignatureInsightView({
        translate,
        warnings,
        description,
        calls,
        chain: findChain(document),
      }),
      ...(isCritical ? { severity: SeverityLevel.Critical } : {}),
      // Its type knows the former components only; the wallet takes these, too.
    } as unknown as OnSignatureResponse;
  } catch {
    return null;
  }
}

/** Draws what is remarkable about a signature, and what it does. */
export function SignatureInsightView({
  translate,
  warnings,
  description,
  calls = [],
  chain = '',
}: {
  translate: Translate;
  warnings: readonly Warning[];
  /** What a document does, where a descriptor says so. */
  description?: Description | undefined;
  /** The calls that it makes. */
  calls?: readonly CallEffect[];
  /** CAIP-2: the chain that the document names. */
  chain?: string | undefined;
}): JSXElement {
  // There are no pages to turn here.
  const [page, ...others] = toPages(listItems(calls), weighItem);
  const drawn = (page ?? []).map((item) => drawInner(item, { translate, chain }));
  const notShown = warnOfNotShown(others.flat());
  const described = description
    ? [drawIntent(description), drawDescribed(description, translate)]
    : [];
  return (
    <Box>
      {drawNotices(printWarnings([...warnings, ...notShown], translate), translate)}
      {described as GenericSnapElement[]}
      {drawn as GenericSnapElement[]}
    </Box>
  );
}

/** A signature's content: what finds its warnings, and the document, if it is one. */
type ReadSignature = {
  findWarnings: (context: SigningContext) => Warning[];
  document?: TypedData;
  calls?: readonly CallEffect[];
};

function readSignature(signature: Signature['signature']): ReadSignature {
  if (signature.signatureMethod === 'personal_sign') {
    const message = decodeMessage(parseMessage(signature.data));
    return { findWarnings: (context) => findMessageWarnings(message, context) };
  }
  if (Array.isArray(signature.data)) {
    const entries = decodeEntries(parseTypedEntries(signature.data, 'data'));
    return { findWarnings: (context) => findTypedWarnings(entries, context) };
  }
  const document = parseTypedData(signature.data, 'data');
  const typed = decodeDocument(document);
  return {
    document,
    calls: typed.calls,
    findWarnings: (context) => {
      const warnings = findTypedWarnings(typed, context);
      // What merely tells of data that are known for nothing is no news.
      const isKnown = warnings.some(({ key }) => key.startsWith('shape.'));
      return isKnown
        ? warnings
        : warnings.filter(({ severity }) => severity !== 'info');
    },
  };
}

function findChain(document: TypedData | undefined): string | undefined {
  const chain = validate(document?.domain.chainId, ChainIdStruct);
  return 'value' in chain ? toCaip2(chain.value) : undefined;
}
