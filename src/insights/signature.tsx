// onSignature: the insight in the wallet's own confirmation of a signature, as in our own dialogs:
// what typed data allow, and the site of a sign-in. Plain data get no insight unless a descriptor
// describes them. Data that we cannot read but MetaMask can sign are critical.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnSignatureHandler, OnSignatureResponse } from '@metamask/snaps-sdk';
import { Box, CollapsibleSection, Copyable } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import type { InsightContext } from '../context';
import { findChainId, toCaip2 } from '../eth/chain';
import { hasAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseMessage } from '../eth/message';
import { parseForeign, parseTypedData, parseTypedEntries } from '../eth/typed-data';
import { reviewDocument } from '../review/document-review';
import { decodeDocument, decodeEntries } from '../review/documents';
import type { DecodedTypedData } from '../review/documents';
import type { CallEffect, Description } from '../review/effects';
import { decodeMessage, findMessageWarnings } from '../review/messages';
import type { SigningContext } from '../review/messages';
import { drawInner, drawIntent, fitCalls } from '../review/screen/calls';
import { warnOfMore } from '../review/screen/changes';
import { drawEnglish } from '../review/screen/description';
import {
  drawDigestFold,
  getMessageDigest,
  listTypedDigests,
} from '../review/screen/digests';
import type { Digest } from '../review/screen/digests';
import { drawCards, drawDescribed } from '../review/screen/document';
import { drawSignIn } from '../review/screen/message';
import { drawNotices } from '../ui/components';
import { toShownText } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { danger, printWarnings } from '../ui/warnings';
import type { Warning } from '../ui/warnings';

/** Reports findings about a signature, and its digests; null if there are none. */
export async function handleSignature(
  { signature, signatureOrigin }: Parameters<OnSignatureHandler>[0],
  context: InsightContext,
): Promise<OnSignatureResponse | null> {
  try {
    const { knownAddresses, knownOperations, loadTranslate, now } = context;
    const [{ own, all: known }, operations, translate] = await Promise.all([
      knownAddresses(),
      knownOperations.list(),
      loadTranslate(),
    ]);
    const message =
      signature.signatureMethod === 'personal_sign'
        ? decodeMessage(parseMessage(toEven(signature.data)))
        : undefined;
    const account = signature.from as Hex;
    // The wallet knows its own chains.
    const chains = undefined;
    const origin = signatureOrigin ?? 'metamask';
    const signing = { origin, account, chains, now: now(), own, known, operations };
    const { chain, typed, description, warnings, balances, digests } = message
      ? {
          warnings: findMessageWarnings(message, signing),
          digests: [getMessageDigest(message.bytes)],
        }
      : await findOfDocument(signature, signing, context);
    const calls = typed?.calls ?? [];
    const parts = [...warnings, ...calls, ...digests];
    if (!description && parts.length === 0) return null;
    const isCritical = [...warnings, ...fitCalls(calls).warnings].some(
      ({ severity }) => severity === 'danger',
    );
    return {
      content: SignatureInsightView({
        translate,
        warnings,
        description,
        calls,
        ...(typed && { cards: { typed, account, balances } }),
        chain,
        digests,
      }),
      ...(isCritical ? { severity: SeverityLevel.Critical } : {}),
      // The type only knows older components; the wallet also accepts these.
    } as unknown as OnSignatureResponse;
  } catch {
    const warnings = [danger('insight.unreadable')];
    const translate = await context.loadTranslate();
    return {
      content: SignatureInsightView({ translate, warnings }),
      severity: SeverityLevel.Critical,
    } as unknown as OnSignatureResponse;
  }
}

export function SignatureInsightView({
  translate,
  warnings,
  description,
  calls = [],
  cards,
  chain = '',
  digests = [],
}: {
  translate: Translate;
  warnings: readonly Warning[];
  description?: Description | undefined;
  calls?: readonly CallEffect[];
  /** The document whose allowances and orders are shown, and the account's token balances. */
  cards?: {
    typed: DecodedTypedData;
    account: Hex;
    balances: ReadonlyMap<Hex, bigint> | undefined;
  };
  /** CAIP-2: the chain that the document names. */
  chain?: string | undefined;
  digests?: readonly Digest[];
}): JSXElement {
  // An insight has no pages.
  const { items, warnings: notShown } = fitCalls(calls);
  const drawn = items.map((item) => drawInner(item, { translate, chain }));
  const drawnCards = cards
    ? drawCards(cards.typed, cards.account, { translate, chain, ...cards })
    : [];
  const { signIn, text } = cards?.typed.message ?? {};
  // Details that the cards already show are folded.
  const isFolded = drawnCards.length > 0;
  const fields = (
    description ? [drawDescribed(description, translate, isFolded)] : []
  ) as GenericSnapElement[];
  const described = [
    ...drawEnglish(translate, calls, description),
    ...(description ? [drawIntent(description)] : []),
    ...drawnCards,
    ...(isFolded ? [] : fields),
  ];
  return (
    <Box>
      {drawNotices(printWarnings([...warnings, ...notShown], translate), translate)}
      {signIn ? drawSignIn(signIn, translate) : null}
      {text === undefined ? null : <Copyable value={toShownText(text).text} />}
      {described as GenericSnapElement[]}
      {isFolded && description ? (
        <CollapsibleSection label={translate('fields.all')}>
          {fields}
        </CollapsibleSection>
      ) : null}
      {drawn as GenericSnapElement[]}
      {drawDigestFold(digests, translate) as GenericSnapElement[]}
    </Box>
  );
}

// Pads hex like MetaMask's signer.
function toEven(data: string): string {
  return /^0x(?:[\da-f]{2})*[\da-f]$/iu.test(data) ? `0x0${data.slice(2)}` : data;
}

const versions: Readonly<Record<string, 'V3' | 'V4'>> = {
  eth_signTypedData_v3: 'V3',
  eth_signTypedData_v4: 'V4',
};

async function findOfDocument(
  { signatureMethod, data }: Parameters<OnSignatureHandler>[0]['signature'],
  signing: SigningContext,
  context: InsightContext,
) {
  const { account, own } = signing;
  const version = versions[signatureMethod] ?? 'V1';
  // Own accounts sign here, and accept strict values only.
  const parsed = hasAddress(own, account)
    ? (version === 'V1' ? parseTypedEntries : parseTypedData)(data, 'data')
    : parseForeign(data, version, 'data');
  const read = Array.isArray(parsed) ? decodeEntries(parsed) : decodeDocument(parsed);
  const chainId = findChainId(read.document?.domain.chainId);
  const review = await reviewDocument(read, { account, chainId, signing }, context);
  const { typed, warnings } = review;
  // Plain information about ordinary documents is omitted.
  const isNews = !read.document || warnings.some(({ key }) => key.startsWith('shape.'));
  const news = isNews
    ? warnings
    : warnings.filter(({ severity }) => severity !== 'info');
  return {
    ...review,
    chain: chainId === undefined ? undefined : toCaip2(chainId),
    warnings: [...news, ...warnOfMore(typed.allowances)],
    digests: listTypedDigests(read),
  };
}
