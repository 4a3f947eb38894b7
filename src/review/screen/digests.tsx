// The digests that signers compare across devices (ERC-8213), under the standard's terms.
import { CollapsibleSection, Copyable, Text } from '@metamask/snaps-sdk/jsx';
import type {
  CollapsibleSectionElement,
  GenericSnapElement,
} from '@metamask/snaps-sdk/jsx';
import { bytesToHex, concatBytes, hexToBytes } from '@metamask/utils';

import { hashMessage } from '../../core/message';
import { hashTypedData } from '../../core/typed-data';
import type { Hashes } from '../../core/typed-data';
import { keccak256, toPaddedHex } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import type { Translate } from '../../ui/i18n';
import type { DecodedTypedData } from '../documents';

/** A digest with its term, which is not translated, so that it matches other devices. */
export type Digest = { term: string; value: Hex };

/** Safe's own terms for these digests; ERC-8213 calls each of them an EIP-712 digest. */
const terms: Readonly<Record<string, string>> = {
  SafeTx: 'Safe transaction hash',
  SafeOp: 'Safe operation hash',
  SafeMessage: 'Safe message hash',
};

/** Lists the digests of typed data (EIP-712). Lists none for version 1, which has no domain, or for
 * data that cannot be hashed. `held` has the core's hashes if the core is about to sign. */
export function listTypedDigests(
  { document }: DecodedTypedData,
  held?: Hashes,
): Digest[] {
  if (!document) return [];
  const { primaryType } = document;
  const term = Object.hasOwn(terms, primaryType) ? terms[primaryType] : undefined;
  try {
    const { domain, message, digest } = held ?? hashTypedData(document);
    return [
      ...(domain === undefined ? [] : [{ term: 'Domain hash', value: domain }]),
      ...(message === undefined ? [] : [{ term: 'Message hash', value: message }]),
      { term: term ?? 'EIP-712 digest', value: digest },
    ];
  } catch {
    // Data that cannot be hashed cannot be signed either; warnings must still be shown.
    return [];
  }
}

/** Returns the digest of a message for `personal_sign` (EIP-191, version 0x45); `held` is the
 * core's own digest. */
export function getMessageDigest(message: Uint8Array, held?: Hex): Digest {
  return { term: 'ERC-191 digest', value: held ?? hashMessage(message) };
}

/** Returns the digest of call data: the hash of its length, as a 32-byte word, and the data. */
export function getCalldataDigest(data: Hex): Digest {
  const bytes = hexToBytes(data);
  const length = hexToBytes(toPaddedHex(BigInt(bytes.length), 32));
  const value = bytesToHex(keccak256(concatBytes([length, bytes])));
  return { term: 'Calldata digest', value };
}

export function drawDigests(digests: readonly Digest[]): GenericSnapElement[] {
  return digests.flatMap(({ term, value }) => [
    <Text>{term}</Text>,
    <Copyable value={value} />,
  ]);
}

export function drawDigestRows(
  digests: readonly Digest[],
  translate: Translate,
): GenericSnapElement[] {
  return digests.length === 0
    ? []
    : [<Text>{translate('digests.title')}</Text>, ...drawDigests(digests)];
}

export function drawDigestFold(
  digests: readonly Digest[],
  translate: Translate,
): CollapsibleSectionElement[] {
  if (digests.length === 0) return [];
  return [
    <CollapsibleSection label={translate('digests.title')}>
      {drawDigests(digests)}
    </CollapsibleSection>,
  ];
}
