// Hashes typed data as EIP-712's text specifies, with only viem's primitives, for documents that
// viem refuses. A missing struct, which ends a recursive type, hashes to zero, as in the published
// example.
import { concat, encodeAbiParameters, keccak256, stringToHex, zeroHash } from 'viem';
import type { Hex } from 'viem';

import type { Document } from '../fixtures/eth/typed-data';

type Types = Document['types'];

export function hashByReference({ types, primaryType, domain, message }: Document) {
  return keccak256(
    concat([
      '0x1901',
      hashStruct('EIP712Domain', domain, types),
      hashStruct(primaryType, message, types),
    ]),
  );
}

function hashStruct(name: string, value: unknown, types: Types): Hex {
  if (value === null || value === undefined) return zeroHash;
  const fields = types[name] ?? [];
  const typeHash = keccak256(stringToHex(encodeType(name, types)));
  const values = value as Record<string, unknown>;
  return keccak256(
    concat([
      typeHash,
      ...fields.map((field) => word(field.type, values[field.name], types)),
    ]),
  );
}

function encodeType(name: string, types: Types): string {
  const found = new Set([name]);
  for (const each of found) {
    (types[each] ?? [])
      .map(({ type }) => type.replace(/\[.*$/u, ''))
      .filter((type) => Object.hasOwn(types, type))
      .forEach((type) => found.add(type));
  }
  const [first = '', ...others] = found;
  return [first, ...others.sort()]
    .map((each) => {
      const fields = (types[each] ?? []).map((field) => `${field.type} ${field.name}`);
      return `${each}(${fields.join(',')})`;
    })
    .join('');
}

function word(type: string, value: unknown, types: Types): Hex {
  const item = /^(.*)\[\d*\]$/u.exec(type)?.[1];
  if (item !== undefined) {
    const items = value as unknown[];
    return keccak256(concat(items.map((each) => word(item, each, types))));
  }
  if (Object.hasOwn(types, type)) return hashStruct(type, value, types);
  if (type === 'string') return keccak256(stringToHex(String(value)));
  if (type === 'bytes') return keccak256(value as Hex);
  // Solidity's aliases `uint` and `int` mean 256 bits.
  const known = /^u?int$/u.test(type) ? `${type}256` : type;
  const plain = /^u?int/u.test(type) ? BigInt(value as string) : value;
  return encodeAbiParameters([{ type: known }], [plain]);
}
