// Lists permits and orders that were signed here and can still be used, with the call that cancels
// each, if it is known. A table defines for most kinds how to query the contract, read its answer
// and cancel.
import type { Json } from '@metamask/utils';

import type { NodeClient } from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import type { AppContext, ApprovedContext } from '../context';
import type { Approval } from '../core/approval';
import type { Hashes, TypedData } from '../core/typed-data';
import { encodeBySignature as encode } from '../eth/abi';
import { toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  concatHex,
  findQuantity,
  larger,
  MAX_UINT256,
  NodeAddressStruct,
  toLower,
  toPaddedHex,
  withQuantities,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { DecodedTypedData } from '../review/documents';
import { listOrders, quantitiesIn } from '../review/shapes';
import { matches } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';
import { KindStruct, MAX_SIGNED_DOCUMENTS } from '../state/private-state';
import type { SignedDocument } from '../state/private-state';

/** Time limits in ms: `keep` for storing a document before its signature is returned, and `node`
 * for a node's answers. */
const MAX_MS = { keep: 1_000, node: 5_000 };

/** The stored chain of documents that name none. */
export const EVERY_CHAIN = 'eip155:0';

type Message = Record<string, Json>;

type Kind = Pick<SignedDocument, 'kind' | 'market'>;

/** How to check and cancel a document; see `SignedDocument` for the fields. */
type DocumentUse = { nonce?: bigint; deadline?: bigint; checks: Hex[]; cancel?: Hex };

type Signing = {
  account: Hex;
  hash: Hex;
  message: Hex | undefined;
  document: TypedData;
};

type Reader = {
  /** Throws if a field is malformed. */
  read: (message: Message, signing: Signing) => DocumentUse;
  /** Returns whether the document can still be used. `word` returns one 32-byte word of the
   * contract's answers, or throws if it is missing. */
  isUsable: (word: (index: number) => bigint, nonce: bigint) => boolean;
};

// The first word is a bitmap of used nonces.
const isBitFree: Reader['isUsable'] = (word, nonce) =>
  ((word(0) >> (nonce & 0xffn)) & 1n) === 0n;

const readers: Partial<Record<string, Reader>> = {
  // ERC-2612 permits, and those of DAI.
  permit: {
    read: ({ nonce }, { account }) => ({
      nonce: toNumber(nonce),
      checks: [encode('nonces(address)', account)],
    }),
    isUsable: (word, nonce) => word(0) <= nonce,
  },
  // Several allowances are used as a whole, so cancelling the first one cancels all of them.
  permit2Allowance: {
    read: ({ details, spender, sigDeadline }, { account }) => {
      const [first] = [details].flat() as [Message];
      const nonce = toNumber(first.nonce);
      const allowed = [first.token, spender] as string[];
      return {
        nonce,
        deadline: toNumber(sigDeadline),
        checks: [encode('allowance(address,address,address)', account, ...allowed)],
        cancel: encode(
          'invalidateNonces(address,address,uint48)',
          ...allowed,
          nonce + 1n,
        ),
      };
    },
    isUsable: (word, nonce) => word(2) <= nonce,
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
  // Incrementing the counter cancels all orders of the account. A tree of orders is checked by the
  // counter alone, because its hash is not the hash of an order.
  seaport: {
    read: (message, { account, message: order = fail() }) => ({
      nonce: toNumber((message.tree ? listOrders(message)[0] : message)?.counter),
      checks: [
        encode('getCounter(address)', account),
        encode('getOrderStatus(bytes32)', order),
      ],
      cancel: encode('incrementCounter()'),
    }),
    isUsable: (word, nonce) =>
      word(0) === nonce && word(2) === 0n && (word(4) === 0n || word(3) < word(4)),
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
    isUsable: (word, whole) => word(0) < whole,
  },
  // `makerTraits` holds the expiration, and whether the contract tracks the order by a bit or by
  // its remaining amount.
  oneInch: {
    read: ({ makerTraits }, { account, hash }) => {
      const traits = toNumber(makerTraits);
      const deadline = (traits >> 80n) & 0xff_ffff_ffffn;
      const nonce = (traits >> 120n) & 0xff_ffff_ffffn;
      const usesBit = traits >> 254n !== 1n;
      return {
        nonce: usesBit ? nonce : MAX_UINT256,
        ...(deadline > 0n && { deadline }),
        checks: [
          usesBit
            ? encode('bitInvalidatorForOrder(address,uint256)', account, nonce)
            : encode('rawRemainingInvalidatorForOrder(address,bytes32)', account, hash),
        ],
        cancel: encode('cancelOrder(uint256,bytes32)', traits, hash),
      };
    },
    isUsable: (word, nonce) =>
      nonce === MAX_UINT256 ? word(0) !== nonce : isBitFree(word, nonce),
  },
  // The contract's functions take the whole order, one word per field. The status 1 means fillable.
  zeroEx: {
    read: (message, { document: { primaryType, types } }) => {
      const fields = types[primaryType] ?? [];
      const order = `(${fields.map(({ type }) => type).join(',')})`;
      if (!/^\((?:(?:address|bytes32|uint\d+)[,)]){1,12}$/u.test(order)) fail();
      const values = fields.map(({ name, type }) =>
        type.startsWith('uint') ? toNumber(message[name]) : (message[name] as string),
      );
      return {
        nonce: 1n,
        checks: [encode(`get${primaryType}Info(${order})`, values)],
        cancel: encode(`cancel${primaryType}(${order})`, values),
      };
    },
    isUsable: (word, fillable) => word(1) === fillable,
  },
};

function findKind({ document, shape }: DecodedTypedData): Kind | undefined {
  const name = shape?.name === 'daiPermit' ? 'permit' : shape?.name;
  if (!document || !matches(name, KindStruct)) return undefined;
  const { domain, primaryType, message } = document;
  const isSeaport = name === 'sale' && domain.name === 'Seaport';
  if (name !== 'order') return { kind: name, ...(isSeaport && { market: 'seaport' }) };
  if (domain.name === 'Gnosis Protocol') return { kind: name, market: 'cow' };
  if (message.makerTraits !== undefined) return { kind: name, market: 'oneInch' };
  const isZeroEx = /^(?:Limit|Rfq)Order$/u.test(primaryType);
  return { kind: name, ...(isZeroEx && { market: 'zeroEx' }) };
}

/** Stores a document that is being signed, if it is a permit or an order. Without a chain, it can
 * be used on all of them. Never fails, and takes at most a second. */
export async function keepSigned(
  typed: DecodedTypedData,
  { chainId, approval }: { chainId: ChainId | undefined; approval: Approval },
  context: ApprovedContext,
): Promise<void> {
  const keep = async (): Promise<void> => {
    const [task] = context.core.tasksOf(approval);
    const row = task && toRow(typed, { chainId, hashes: task }, context);
    if (!row) return;
    await context.store.update((state) => {
      const others = state.signedDocuments.filter(
        ({ hash, account }) => hash !== row.hash || account !== row.account,
      );
      const kept = [...others, row].slice(-MAX_SIGNED_DOCUMENTS);
      return { ...state, signedDocuments: kept };
    });
  };
  await tryInTime(keep, MAX_MS.keep);
}

function toRow(
  typed: DecodedTypedData,
  { chainId, hashes }: { chainId: ChainId | undefined; hashes: Hashes },
  { account, origin, now }: ApprovedContext,
): SignedDocument | undefined {
  const { document, shape, allowances, trades } = typed;
  const kind = findKind(typed);
  const contract = document?.domain.verifyingContract;
  if (!document || !kind || !matches(contract, NodeAddressStruct)) return undefined;
  const { digest: hash, message } = hashes;
  let use: DocumentUse = { checks: [] };
  try {
    const signing = { account: account.address, hash, message, document };
    use = readers[kind.market ?? kind.kind]?.read(document.message, signing) ?? use;
  } catch {
    // A document in an unexpected form is stored without checks.
  }
  const [allowance] = allowances;
  const assets = allowance ? allowances : trades.flatMap(({ gives }) => gives);
  const [asset] = assets;
  // Takes the latest of several deadlines, because parts of the document can be used until then.
  const deadline = quantitiesIn(document.message, shape?.deadlines).reduce(larger, 0n);
  return {
    hash,
    chain: chainId === undefined ? EVERY_CHAIN : toCaip2(chainId),
    account: account.id,
    ...kind,
    origin,
    contract: toLower(contract),
    signedAt: now(),
    ...(asset && { token: toLower(asset.token), others: assets.length - 1 }),
    ...(allowance && { spender: toLower(allowance.spender) }),
    ...(withQuantities({
      ...(asset?.amount !== undefined && { amount: asset.amount }),
      ...(deadline > 0n && { deadline }),
      ...use,
    }) as { checks: Hex[] }),
  };
}

/** A signed document that can still be used on `chain`. `isKnown` is false if its state could not
 * be read. */
export type UsableDocument = SignedDocument & { isKnown: boolean };

/** Loads an account's usable signed documents for a chain (CAIP-2), newest first. */
export async function loadSigned(
  { id }: AccountRecord,
  chain: string,
  { store, connect, now }: AppContext,
): Promise<UsableDocument[]> {
  const chainId = toChainId(chain);
  const ask = async (row: SignedDocument, node: NodeClient): Promise<boolean> => {
    const { contract: to, checks } = row;
    const { isUsable } = readers[row.market ?? row.kind] ?? fail();
    const answers = await Promise.all(
      checks.map(async (data) => node.request('eth_call', [{ to, data }, 'latest'])),
    );
    const words = answers.flatMap((each) => each.match(/[\da-f]{64}/giu) ?? []);
    const word = (index: number): bigint => BigInt(`0x${words[index] ?? fail()}`);
    return isUsable(word, BigInt(row.nonce ?? fail()));
  };
  // A document for every chain is not usable on those that lack its contract.
  const check = async (row: SignedDocument): Promise<boolean> => {
    const { node } = await connect(chainId);
    return ask(row, node).catch(async (error: unknown) => {
      if (row.chain !== EVERY_CHAIN) throw error;
      const code = await node.request('eth_getCode', [row.contract, 'latest']);
      if (code !== '0x') throw error;
      return false;
    });
  };
  const { signedDocuments } = await store.read();
  const listed = signedDocuments.map(async (row) => {
    const isOver = Number(row.deadline ?? MAX_UINT256) * 1_000 < now();
    const isHere = row.chain === chain || row.chain === EVERY_CHAIN;
    if (row.account !== id || !isHere || isOver) return [];
    const isUsable = await tryInTime(async () => check(row), MAX_MS.node);
    return isUsable === false
      ? []
      : [{ ...row, chain: toCaip2(chainId), isKnown: isUsable === true }];
  });
  return (await Promise.all(listed)).flat().reverse();
}

function toNumber(value: Json | undefined): bigint {
  return findQuantity(value) ?? fail();
}

function fail(): never {
  throw new Error('The field has another form.');
}
