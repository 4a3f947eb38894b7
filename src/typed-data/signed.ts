// Permits and orders that were signed here and can still be used: which they are, whether the
// chain lets them be used, and the call that ends one. A table says for each kind what its contract
// is asked, how the answer is read, and what is called.
import { bytesToHex, stringToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { withTimeLimit } from '../../packages/client/src/abort';
import type { AppContext, RequestContext } from '../context';
import { encodeFunction, listTypes } from '../eth/abi';
import type { AbiValue } from '../eth/abi';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  AddressStruct,
  concatHex,
  findQuantity,
  keccak256,
  MAX_UINT256,
  NodeAddressStruct,
  smaller,
  toLower,
  toPaddedHex,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hashParts, hashTypedData } from '../eth/typed-data';
import type { TypedData } from '../eth/typed-data';
import type { DecodedTypedData } from '../review/documents';
import { listOrders, valuesAt } from '../review/shapes';
import type { ShapeName } from '../review/shapes';
import { matches } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';
import { MAX_SIGNED_DOCUMENTS } from '../state/signed-document';
import type { SignedDocument, SignedKind } from '../state/signed-document';

/** Longest wait for the state before a signature is given out, and for a node. */
const MAX_MS = { keep: 1_000, node: 5_000 };

type Message = Record<string, Json>;

/** What a document says of its use. */
type Use = { nonce?: bigint; deadline?: bigint; checks: Hex[]; cancel?: Hex };

type Signing = { account: Hex; hash: Hex; document: TypedData };

type Reader = {
  /** Throws if a field is missing. */
  read: (message: Message, signing: Signing) => Use;
  /** Returns whether it can be used still, by the words of each answer. */
  isUsable: (answers: readonly (readonly bigint[])[], nonce: bigint) => boolean;
};

// The first word is a bit map.
const isBitFree: Reader['isUsable'] = ([[word = 0n] = []], nonce) =>
  ((word >> (nonce & 0xffn)) & 1n) === 0n;

const readers: Partial<Record<SignedKind, Reader>> = {
  // ERC-2612, and DAI's.
  permit: {
    read: ({ nonce }, { account }) => ({
      nonce: toNumber(nonce),
      checks: [encode('nonces(address)', account)],
    }),
    isUsable: ([[current = 0n] = []], nonce) => current <= nonce,
  },
  // A batch is used as a whole: what ends its first allowance ends it.
  permit2Allowance: {
    read: ({ details, spender }, { account }) => {
      const { token, nonce } = [details].flat()[0] as Message;
      const [who, whose] = [toAddress(token), toAddress(spender)];
      const current = toNumber(nonce);
      return {
        nonce: current,
        checks: [encode('allowance(address,address,address)', account, who, whose)],
        cancel: encode(
          'invalidateNonces(address,address,uint48)',
          who,
          whose,
          current + 1n,
        ),
      };
    },
    isUsable: ([[, , current = 0n] = []], nonce) => current <= nonce,
  },
  permit2Transfer: {
    read: (message, { account }) => {
      const nonce = toNumber(message.nonce);
      const [word, mask] = [nonce >> 8n, 1n << (nonce & 0xffn)];
      return {
        nonce,
        checks: [encode('nonceBitmap(address,uint256)', account, word)],
        cancel: encode('invalidateUnorderedNonces(uint256,uint256)', word, mask),
      };
    },
    isUsable: isBitFree,
  },
  // The counter ends all orders of the account.
  seaport: {
    read: (message, { account, document }) => {
      const orders = 'tree' in message ? listOrders(message) : [message];
      const { message: hash } = hashParts(document);
      return {
        nonce: toNumber(orders[0]?.counter),
        checks: [
          encode('getCounter(address)', account),
          ...('tree' in message || hash === undefined
            ? []
            : [encode('getOrderStatus(bytes32)', hash)]),
        ],
        cancel: encode('incrementCounter()'),
      };
    },
    isUsable: (
      [[counter = 0n] = [], [, isCancelled = 0n, filled = 0n, size = 0n] = []],
      nonce,
    ) => counter === nonce && isCancelled === 0n && (size === 0n || filled < size),
  },
  cow: {
    read: ({ kind, sellAmount, buyAmount, validTo }, { account, hash }) => {
      const id = concatHex(hash, account, toPaddedHex(toNumber(validTo), 4));
      return {
        nonce: toNumber(kind === 'sell' ? sellAmount : buyAmount),
        checks: [encode('filledAmount(bytes)', id)],
        cancel: encode('invalidateOrder(bytes)', id),
      };
    },
    isUsable: ([[filled = 0n] = []], whole) => filled < whole,
  },
  // Its traits say whether a bit or what remains ends it, and until when it can be used.
  oneInch: {
    read: ({ makerTraits }, { account, hash }) => {
      const traits = toNumber(makerTraits);
      const [nonce, deadline] = [120n, 80n].map(
        (at) => (traits >> at) & 0xff_ffff_ffffn,
      );
      const isOfBit = traits >> 254n !== 1n;
      return {
        nonce: isOfBit ? (nonce ?? 0n) : MAX_UINT256,
        ...(deadline && { deadline }),
        checks: [
          isOfBit
            ? encode('bitInvalidatorForOrder(address,uint256)', account, nonce ?? 0n)
            : encode('rawRemainingInvalidatorForOrder(address,bytes32)', account, hash),
        ],
        cancel: encode('cancelOrder(uint256,bytes32)', traits, hash),
      };
    },
    isUsable: (answers, nonce) =>
      nonce === MAX_UINT256 ? answers[0]?.[0] !== nonce : isBitFree(answers, nonce),
  },
  // Its functions take the order itself; all of its fields are words.
  zeroEx: {
    read: (message, { document: { primaryType, types } }) => {
      const fields = types[primaryType] ?? [];
      const order = `(${fields.map(({ type }) => type).join(',')})`;
      if (!/^\((?:(?:address|bytes32|uint\d+)[,)]){1,12}$/u.test(order)) fail();
      const values = fields.map(({ name, type }) =>
        type.startsWith('uint') ? toNumber(message[name]) : (message[name] as string),
      );
      return {
        nonce: 0n,
        checks: [encode(`get${primaryType}Info(${order})`, values)],
        cancel: encode(`cancel${primaryType}(${order})`, values),
      };
    },
    isUsable: ([[, status = 0n] = []]) => status === 1n,
  },
};

/** What is remembered of a document. */
const kinds: Partial<Record<ShapeName, (document: TypedData) => SignedKind>> = {
  permit: () => 'permit',
  daiPermit: () => 'permit',
  nftPermit: () => 'nftPermit',
  permit2Allowance: () => 'permit2Allowance',
  permit2Transfer: () => 'permit2Transfer',
  sale: ({ domain }) => (domain.name === 'Seaport' ? 'seaport' : 'sale'),
  order: ({ domain, primaryType, message }) => {
    if (domain.name === 'Gnosis Protocol') return 'cow';
    if (Object.hasOwn(message, 'makerTraits')) return 'oneInch';
    const isZeroEx =
      /^(?:Limit|Rfq)Order$/u.test(primaryType) && 'makerToken' in message;
    return isZeroEx ? 'zeroEx' : 'order';
  },
};

/** Keeps a permit or an order that is being signed. Never fails, and takes a second at most. */
export async function keepSigned(
  typed: DecodedTypedData,
  chainId: ChainId | undefined,
  context: RequestContext,
): Promise<void> {
  const keep = async (): Promise<void> => {
    const id = chainId ?? context.scope ?? (await context.ownChain());
    const row = toRow(typed, id, context);
    if (!row) return;
    await context.store.update((state) => {
      const others = state.signedDocuments.filter(
        ({ hash, account }) => hash !== row.hash || account !== row.account,
      );
      const kept = [...others, row].slice(-MAX_SIGNED_DOCUMENTS);
      return { ...state, signedDocuments: kept };
    });
  };
  await withTimeLimit(keep, MAX_MS.keep).catch(() => undefined);
}

function toRow(
  { document, shape, allowances, trades }: DecodedTypedData,
  chainId: ChainId,
  { account, origin, now }: RequestContext,
): SignedDocument | undefined {
  const contract = document?.domain.verifyingContract;
  const kind = document && shape && kinds[shape.name]?.(document);
  if (!kind || !matches(contract, NodeAddressStruct)) return undefined;
  const { message } = document;
  const hash = hashTypedData(document);
  const { nonce, checks, cancel, ...use } = readUse(kind, {
    ...{ account: account.address, hash, document },
  });
  const [allowance] = allowances;
  const assets = allowance ? allowances : trades.flatMap(({ gives }) => gives);
  const [asset] = assets;
  const deadlines = (shape.deadlines ?? [])
    .flatMap((path) => valuesAt(message, path))
    .map((each) => findQuantity(each) ?? 0n)
    .filter((each) => each > 0n);
  const deadline =
    use.deadline ?? (deadlines.length > 0 ? deadlines.reduce(smaller) : undefined);
  return {
    ...{ hash, chain: toCaip2(chainId), account: account.id, kind },
    ...{ contract: toLower(contract), checks, origin, signedAt: now() },
    ...(asset && { token: toLower(asset.token) }),
    ...(asset?.amount !== undefined && { amount: toQuantity(asset.amount) }),
    ...(assets.length > 1 && { others: toQuantity(assets.length - 1) }),
    ...(allowance && { spender: toLower(allowance.spender) }),
    ...(deadline !== undefined && { deadline: toQuantity(deadline) }),
    ...(nonce !== undefined && { nonce: toQuantity(nonce) }),
    ...(cancel && { cancel }),
  };
}

function readUse(kind: SignedKind, signing: Signing): Use {
  try {
    return readers[kind]?.read(signing.document.message, signing) ?? { checks: [] };
  } catch {
    // It is listed all the same.
    return { checks: [] };
  }
}

/** A document that can still be used, as far as the chain says. */
export type UsableDocument = SignedDocument & { isKnown: boolean };

/** Lists what an account signed for a chain that can still be used, the newest first. What cannot
 * be read is not known, and is listed. */
export async function listUsable(
  { id }: Pick<AccountRecord, 'id'>,
  chainId: ChainId,
  { store, connect, now }: Pick<AppContext, 'store' | 'connect' | 'now'>,
): Promise<UsableDocument[]> {
  const { signedDocuments } = await store.read();
  const seconds = BigInt(Math.floor(now() / 1_000));
  const own = signedDocuments.filter(
    ({ account, chain, deadline }) =>
      account === id &&
      chain === toCaip2(chainId) &&
      (deadline === undefined || BigInt(deadline) >= seconds),
  );
  if (own.length === 0) return [];
  const ask = async ({
    contract: to,
    ...row
  }: SignedDocument): Promise<boolean | undefined> => {
    const reader = readers[row.kind];
    if (!reader || row.checks.length === 0 || row.nonce === undefined) return undefined;
    const { node } = await connect(chainId);
    const answers = await Promise.all(
      row.checks.map(async (data) =>
        toWords(await node.request('eth_call', [{ to, data }, 'latest'])),
      ),
    );
    return reader.isUsable(answers, BigInt(row.nonce));
  };
  const found = await Promise.all(
    own.map(async (row) =>
      withTimeLimit(async () => ask(row), MAX_MS.node).catch(() => undefined),
    ),
  );
  return own
    .flatMap((row, index) =>
      found[index] === false ? [] : [{ ...row, isKnown: found[index] === true }],
    )
    .reverse();
}

// A contract without the function answers nothing.
function toWords(answer: Hex): bigint[] {
  const words = answer.slice(2).match(/[\da-f]{64}/giu) ?? fail();
  return words.map((word) => BigInt(`0x${word}`));
}

function encode(signature: string, ...values: readonly AbiValue[]): Hex {
  const selector = bytesToHex(keccak256(stringToBytes(signature)).slice(0, 4));
  return encodeFunction({ selector, types: listTypes(signature) }, values);
}

function toNumber(value: Json | undefined): bigint {
  return findQuantity(value) ?? fail();
}

function toAddress(value: Json | undefined): Hex {
  return matches(value, AddressStruct) ? value : fail();
}

function fail(): never {
  throw new Error('It is of another form.');
}
