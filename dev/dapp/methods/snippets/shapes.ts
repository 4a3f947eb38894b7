// Params that an idiom of a library stands for. What has another shape, since it was edited,
// is asked as it is.
import { hexToBigInt, isHex } from 'viem';
import type { Hex } from 'viem';

import { splitAddress } from '../verify/signatures';
import type { Subject } from './snippet';

type Fields = Record<string, unknown>;

/** Typed data in the parts that libraries take. */
export type TypedDocument = {
  address: Hex;
  domain: Fields;
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Fields;
};

/** Read the one string in params. */
export function readOne({ params }: Subject): string | undefined {
  if (!Array.isArray(params) || params.length !== 1) return undefined;
  const [one] = params as unknown[];
  return typeof one === 'string' ? one : undefined;
}

/** Read the one object in params, if it has no other fields than these. */
export function readFields(
  { params }: Subject,
  names: readonly string[],
): Fields | undefined {
  if (!Array.isArray(params) || params.length !== 1) return undefined;
  const [fields] = params as unknown[];
  if (!isFields(fields)) return undefined;
  return Object.keys(fields).every((name) => names.includes(name)) ? fields : undefined;
}

/** Read a payment on the wallet's own chain; amounts in wei. */
export function readPayment(
  subject: Subject,
): { from: Hex; to?: Hex; value?: bigint; data?: Hex } | undefined {
  const names = ['from', 'to', 'value', 'data', 'chainId'];
  const { from, to, value, data, chainId } = readFields(subject, names) ?? {};
  if (chainId !== undefined && chainId !== subject.given.chainId) return undefined;
  if (!isHex(from) || (to !== undefined && !isHex(to))) return undefined;
  return {
    from,
    ...(to === undefined ? {} : { to }),
    ...(isHex(value) ? { value: hexToBigInt(value) } : {}),
    ...(isHex(data) && data !== '0x' ? { data } : {}),
  };
}

/** Read a message and its signer; bytes are marked. */
export function readMessage({ params }: Subject):
  | {
      address: Hex;
      message: string;
      isBytes: boolean;
    }
  | undefined {
  if (!Array.isArray(params) || params.length !== 2) return undefined;
  const { address, other } = splitAddress(params);
  if (typeof other !== 'string' || !isHex(address)) return undefined;
  return { address, message: other, isBytes: isHex(other) };
}

/** Read typed data. */
export function readTypedData({ params }: Subject): TypedDocument | undefined {
  if (!Array.isArray(params) || params.length !== 2) return undefined;
  const { address, other } = splitAddress(params);
  if (!isHex(address) || !isFields(other)) return undefined;
  const { domain, types, primaryType, message } = other;
  if (!isFields(domain) || !isFields(types) || !isFields(message)) return undefined;
  if (typeof primaryType !== 'string') return undefined;
  const known = types as TypedDocument['types'];
  // Libraries add it by themselves.
  const own = Object.entries(known).filter(([name]) => name !== 'EIP712Domain');
  return {
    address,
    domain,
    types: Object.fromEntries(own),
    primaryType,
    message: writeNumbers(message, primaryType, known),
  };
}

// Numbers as bigints where their type is a large one: viem takes no other.
function writeNumbers(
  message: Fields,
  type: string,
  types: TypedDocument['types'],
): Fields {
  const write = (value: unknown, own: string): unknown => {
    if (Array.isArray(value)) {
      const item = own.replace(/\[\d*\]$/u, '');
      return value.map((each) => write(each, item));
    }
    if (isFields(value)) return writeNumbers(value, own, types);
    const bits = Number(/^u?int(\d+)$/u.exec(own)?.[1] ?? 0);
    if (bits === 0) return value;
    return bits > 48 ? BigInt(String(value)) : Number(value);
  };
  const members = types[type] ?? [];
  return Object.fromEntries(
    members.map(({ name, type: own }) => [name, write(message[name], own)]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
