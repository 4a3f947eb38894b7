// In which unit an amount of typed data is meant, where the document is of a shape that
// people meet often, and says itself of which token it speaks.
import type { Json } from '@metamask/utils';

import { matches, validate } from '../schema/parse';
import { ChainIdStruct, toCaip2 } from './chain';
import { isSameAddress, NodeAddressStruct } from './hex';
import type { Hex } from './hex';
import { findTokenUnit } from './known-tokens';
import type { TokenUnit } from './known-tokens';
import { ZERO_ADDRESS } from './operation-cost';
import type { TypedData } from './typed-data';
import type { ShapeName } from './typed-shape';
import { findShape } from './typed-shapes';
import type { TypedValue } from './typed-tree';

/** The chain's coin in wei, wei for a unit of gas, or a token's. */
export type TypedUnit = 'coin' | 'fee' | TokenUnit;

/** What an amount is of: the coin, a fee, the document's contract, or the token that the
 * field of that name beside it names. */
type Source = 'coin' | 'fee' | 'contract' | { beside: string };

const beside = (name: string): Source => ({ beside: name });

/** Fields with amounts, wherever in the document they stand. */
const sources: Partial<Record<ShapeName, Record<string, Source>>> = {
  permit: { value: 'contract' },
  transfer: { value: 'contract' },
  permit2Allowance: { amount: beside('token') },
  permit2Transfer: {
    amount: beside('token'),
    inputStartAmount: beside('inputToken'),
    inputEndAmount: beside('inputToken'),
    startAmount: beside('token'),
    endAmount: beside('token'),
  },
  sale: {
    startAmount: beside('token'),
    endAmount: beside('token'),
    price: beside('paymentToken'),
  },
  order: {
    sellAmount: beside('sellToken'),
    buyAmount: beside('buyToken'),
    makingAmount: beside('makerAsset'),
    takingAmount: beside('takerAsset'),
    makerAmount: beside('makerToken'),
    takerAmount: beside('takerToken'),
  },
  safeTransaction: { value: 'coin' },
  metaTransaction: { value: 'coin' },
  userOperation: { maxFeePerGas: 'fee', maxPriorityFeePerGas: 'fee' },
};

/** What exchanges write for the coin where a token's address belongs. */
const COINS: readonly Hex[] = [
  ZERO_ADDRESS,
  '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
];

/**
 * Find the unit in which a number of a document is meant.
 *
 * @param value - One of the values of {@link listTypedValues}.
 */
export function findTypedUnit(
  data: TypedData,
  { place }: TypedValue,
): TypedUnit | undefined {
  const shape = findShape(data)?.name;
  const name = place.at(-1) ?? '';
  const table = shape === undefined ? {} : (sources[shape] ?? {});
  const source = Object.hasOwn(table, name) ? table[name] : undefined;
  if (source === undefined || source === 'coin' || source === 'fee') return source;
  const token =
    source === 'contract'
      ? data.domain.verifyingContract
      : valueAt(data.message, [...place.slice(0, -1), source.beside]);
  return matches(token, NodeAddressStruct) ? unitOf(token, data) : undefined;
}

function unitOf(token: Hex, { domain }: TypedData): TypedUnit | undefined {
  if (COINS.some((each) => isSameAddress(each, token))) return 'coin';
  const chain = validate(domain.chainId, ChainIdStruct);
  return 'value' in chain ? findTokenUnit(toCaip2(chain.value), token) : undefined;
}

// Places count from 1.
function valueAt(message: Json, place: readonly string[]): Json | undefined {
  return place.reduce<Json | undefined>((value, part) => {
    if (Array.isArray(value)) return value[Number(part) - 1];
    const isStruct = typeof value === 'object' && value !== null;
    return isStruct && Object.hasOwn(value, part) ? value[part] : undefined;
  }, message);
}
