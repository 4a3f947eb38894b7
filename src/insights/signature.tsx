// onSignature: the insight in the wallet's own confirmation of a signature. It shows what typed
// data allows, and warns as our own dialogs do, for example of sign-ins for another site. Harmless
// data gets only its digests, and a description if a descriptor has one. Data that MetaMask can
// sign but we cannot read is critical.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnSignatureHandler, OnSignatureResponse } from '@metamask/snaps-sdk';
import { Box, CollapsibleSection, Copyable } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import type { InsightContext } from '../context';
import { findChainId, toCaip2 } from '../eth/chain';
import { hasAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseMessage } from '../eth/message';
import {
  parseWalletTypedData,
  parseTypedData,
  parseTypedEntries,
} from '../eth/typed-data';
import { reviewDocument } from '../review/document-review';
import type { DocumentReview } from '../review/document-review';
import { decodeDocument, decodeEntries } from '../review/documents';
import { findSigningContext } from '../review/facts';
import { decodeMessage, findMessageWarnings } from '../review/messages';
import type { SigningContext } from '../review/messages';
import { drawInner, drawIntent, selectFittingCalls } from '../review/screen/calls';
import { warnOfUnlistedAllowances } from '../review/screen/changes';
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

/** Reports findings about a signature, and its digests; null if there are neither. */
export async function handleSignature(
  { signature, signatureOrigin }: Parameters<OnSignatureHandler>[0],
  context: InsightContext,
): Promise<OnSignatureResponse | null> {
  const account = signature.from as Hex;
  try {
    const origin = signatureOrigin ?? 'metamask';
    const [signing, translate] = await Promise.all([
      // No chains are listed, since the wallet knows its own.
      findSigningContext({ ...context, account: { address: account }, origin }),
      context.loadTranslate(),
    ]);
    const message =
      signature.signatureMethod === 'personal_sign'
        ? decodeMessage(parseMessage(toEven(signature.data)))
        : undefined;
    const insight: SignatureInsight = message
      ? {
          warnings: findMessageWarnings(message, signing),
          digests: [getMessageDigest(message.bytes)],
        }
      : await reviewTypedData(signature, signing, context);
    const { typed, description, warnings, digests = [] } = insight;
    const calls = typed?.calls ?? [];
    const parts = [...warnings, ...calls, ...digests];
    if (!description && parts.length === 0) return null;
    return toResponse({ translate, account, ...insight });
  } catch {
    const warnings = [danger('insight.unreadable')];
    return toResponse({ translate: await context.loadTranslate(), account, warnings });
  }
}

function toResponse(
  view: Parameters<typeof SignatureInsightView>[0],
): OnSignatureResponse {
  const shown = [
    ...view.warnings,
    ...selectFittingCalls(view.typed?.calls ?? []).warnings,
  ];
  const isCritical = shown.some(({ severity }) => severity === 'danger');
  return {
    content: SignatureInsightView(view),
    ...(isCritical ? { severity: SeverityLevel.Critical } : {}),
    // The type lacks newer components, which the wallet accepts.
  } as unknown as OnSignatureResponse;
}

type SignatureInsight = Partial<DocumentReview> & {
  warnings: readonly Warning[];
  /** The chain that the document names (CAIP-2). */
  chain?: string | undefined;
  digests?: readonly Digest[];
};

export function SignatureInsightView({
  translate,
  account,
  warnings,
  typed,
  description,
  balances,
  chain = '',
  digests = [],
}: SignatureInsight & { translate: Translate; account: Hex }): JSXElement {
  const calls = typed?.calls ?? [];
  const { items, warnings: notShown } = selectFittingCalls(calls);
  const drawn = items.map((item) => drawInner(item, { translate, chain }));
  const cards = typed ? drawCards(typed, account, { translate, chain, balances }) : [];
  const { signIn, text } = typed?.message ?? {};
  const isFolded = cards.length > 0;
  const fields = (
    description ? [drawDescribed(description, translate, isFolded)] : []
  ) as GenericSnapElement[];
  const described = [
    ...drawEnglish(translate, calls, description),
    ...(description ? [drawIntent(description)] : []),
    ...cards,
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

// Pads hex as MetaMask's signer does.
function toEven(data: string): string {
  return /^0x(?:[\da-f]{2})*[\da-f]$/iu.test(data) ? `0x0${data.slice(2)}` : data;
}

const versions: Readonly<Record<string, 'V3' | 'V4'>> = {
  eth_signTypedData_v3: 'V3',
  eth_signTypedData_v4: 'V4',
};

async function reviewTypedData(
  { signatureMethod, data }: Parameters<OnSignatureHandler>[0]['signature'],
  signing: SigningContext,
  context: InsightContext,
): Promise<SignatureInsight> {
  const { account, own } = signing;
  const version = versions[signatureMethod] ?? 'V1';
  // Our own accounts accept only values that strictly fit their types.
  const parsed = hasAddress(own, account)
    ? (version === 'V1' ? parseTypedEntries : parseTypedData)(data, 'data')
    : parseWalletTypedData(data, version, 'data');
  const read = Array.isArray(parsed) ? decodeEntries(parsed) : decodeDocument(parsed);
  const chainId = findChainId(read.document?.domain.chainId);
  const review = await reviewDocument(read, { account, chainId, signing }, context);
  const { typed, warnings } = review;
  // Warnings that only inform about an ordinary document are omitted.
  const isNotable =
    !read.document || warnings.some(({ key }) => key.startsWith('shape.'));
  const shown = isNotable
    ? warnings
    : warnings.filter(({ severity }) => severity !== 'info');
  return {
    ...review,
    chain: chainId === undefined ? undefined : toCaip2(chainId),
    warnings: [...shown, ...warnOfUnlistedAllowances(typed.allowances)],
    digests: listTypedDigests(read),
  };
}
