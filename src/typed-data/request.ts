// eth_signTypedData_v4 and _v3: [address, document] → signature (EIP-712). eth_signTypedData_v1,
// originally named eth_signTypedData: [address, [{ type, name, value }, …]] → signature of the
// packed values. The params may be in either order: MetaMask's version 1 takes the address last,
// and some dapps pass it last in every version.
import { tuple, unknown } from '@metamask/superstruct';

import { prepareSigning } from '../accounts/verifier';
import { defineMethod } from '../context';
import type { Method } from '../context';
import type { SigningPayload } from '../core/payload';
import type { ChainId } from '../eth/chain';
import { AddressStruct } from '../eth/hex';
import {
  findDomainChainId,
  parseTypedData,
  parseTypedDataV3,
  parseTypedEntries,
} from '../eth/typed-data';
import { assertNamed, assertSameChain, chooseChain } from '../request';
import { findTypedWarnings } from '../review/document-findings';
import { reviewDocument } from '../review/document-review';
import type { DocumentReview } from '../review/document-review';
import { decodeDocument, decodeEntries } from '../review/documents';
import type { DecodedTypedData } from '../review/documents';
import { findSigningContext, listChains } from '../review/facts';
import { refuseAuthorizations } from '../review/messages';
import { TypedDataConfirmation } from '../review/screen/document';
import { matches, parse } from '../schema/parse';
import { toConfirmation } from '../sites/consent';
import { keepSigned } from './signed';

const ParamsStruct = tuple([unknown(), unknown()]);

type Reading = {
  typed: DecodedTypedData;
  /** The chain in the data's domain. */
  chainId: ChainId | undefined;
  payload: Extract<SigningPayload, { kind: 'document' | 'entries' }>;
};

/** `root` is the name of the value in error messages. */
type Read = (value: unknown, root: string) => Reading;

const readDocument =
  (parseDocument: typeof parseTypedData): Read =>
  (value, root) => {
    const data = parseDocument(value, root);
    return {
      typed: decodeDocument(data),
      chainId: findDomainChainId(data, root),
      payload: { kind: 'document', document: data },
    };
  };

const readEntries: Read = (value, root) => {
  const entries = parseTypedEntries(value, root);
  return {
    typed: decodeEntries(entries),
    chainId: undefined,
    payload: { kind: 'entries', entries },
  };
};

export const ethSignTypedDataV4 = defineTypedDataMethod(
  'eth_signTypedData_v4',
  readDocument(parseTypedData),
);

/** Like version 4, but refuses arrays and recursive types. */
export const ethSignTypedDataV3 = defineTypedDataMethod(
  'eth_signTypedData_v3',
  readDocument(parseTypedDataV3),
);

export const ethSignTypedDataV1 = defineTypedDataMethod(
  'eth_signTypedData_v1',
  readEntries,
);

/** The original name of version 1, which MetaMask dropped but dapps still use. */
export const ethSignTypedData = defineTypedDataMethod('eth_signTypedData', readEntries);

// The chain in the data must equal the chain of the request's scope, if both exist. The default
// network may differ.
function defineTypedDataMethod(name: string, read: Read): Method {
  return defineMethod({
    parse: (params) => {
      const root = `${name}: params`;
      const [first, second] = parse(params, ParamsStruct, root);
      // Typed data is never an address, so the order is unambiguous.
      const isSwapped =
        !matches(first, AddressStruct) &&
        (matches(second, AddressStruct) || typeof first === 'object');
      const [named, document] = isSwapped ? [second, first] : [first, second];
      const address = parse(named, AddressStruct, `${root}[${isSwapped ? 1 : 0}]`);
      return { address, ...read(document, `${root}[${isSwapped ? 0 : 1}]`) };
    },
    accounts: ({ address }) => [address],
    countCalls: ({ typed }) => typed.contracts.length,
    prepare: async ({ address, ...reading }, context) => {
      const { account, scope } = context;
      const { chainId } = reading;
      assertNamed(account, address, 'The address');
      assertSameChain(scope, chainId);
      const signing = await prepareSigning(
        account,
        async () => chooseChain(context, chainId),
        context,
      );
      return { ...reading, ...signing };
    },
    review: async ({ typed: read, chainId, payload, ...signing }, context) => {
      const { account, origin, confirmsItself, scope, chains } = context;
      // Without a chain in the data, the signature may be valid on any chain, including the site's.
      const reviewedChain = chainId ?? scope ?? (await chains.own());
      const known = findSigningContext(context, listChains(context));
      const subject = {
        account: account.address,
        chainId: reviewedChain,
        signing: known,
      };
      const review: DocumentReview = confirmsItself
        ? await reviewDocument(read, subject, context)
        : { typed: read, warnings: findTypedWarnings(read, await known) };
      const { typed, warnings } = review;
      refuseAuthorizations(warnings);
      const { verifier, toTask } = signing;
      const view = { ...review, origin, account: account.address, chainId, verifier };
      return toConfirmation(
        [toTask(payload)],
        (translate, [task]) =>
          TypedDataConfirmation({ translate, ...view, hashes: task }),
        [...typed.allowances, ...typed.calls],
      );
    },
    // Returns the signature only after trying to store the document.
    sign: async (approval, { sign, typed, chainId, verifier }, context) => {
      const [, signature] = await Promise.all([
        // The signature of a smart account is bound to its chain.
        keepSigned(typed, { chainId: chainId ?? verifier?.chainId, approval }, context),
        sign(approval, context.core),
      ]);
      return signature;
    },
  });
}
