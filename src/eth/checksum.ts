// Chain-specific checksums of addresses (EIP-1191). Requests are converted once, on arrival, so
// that other code handles only EIP-55 checksums, except in sign-ins.
import {
  bytesToHex,
  getChecksumAddress,
  isValidChecksumAddress,
  stringToBytes,
} from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { validate } from '../schema/parse';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { findAddress, isMixedCase, keccak256, toLower } from './hex';
import type { Hex } from './hex';

/** Rootstock and its test network, whose wallets and explorers use only EIP-1191 checksums. */
const CHECKSUM_CHAINS: readonly ChainId[] = [30n, 31n];

export function hasChecksumOf(chainId: ChainId, address: Hex): boolean {
  if (!CHECKSUM_CHAINS.includes(chainId)) return false;
  const lower = toLower(address);
  const hash = bytesToHex(keccak256(stringToBytes(`${chainId}${lower}`)));
  const digits = [...lower].map((digit, index) =>
    index > 1 && (hash[index] ?? '') >= '8' ? digit.toUpperCase() : digit,
  );
  return digits.join('') === address;
}

/**
 * Converts a request's addresses from its chain's checksum to EIP-55. Addresses with invalid
 * checksums stay unchanged, and are refused where an address is required.
 *
 * @param own - Fetches the default network, for a request that names no chain.
 * @throws {InvalidParamsError} If the request is nested too deeply to be copied.
 */
export async function withPlainChecksums<Request extends object>(
  request: Request,
  own: () => Promise<ChainId>,
): Promise<Request> {
  const values = listValues(request);
  if (!values.some((each) => findForeign(each, CHECKSUM_CHAINS))) return request;
  const named = listChains(values);
  const chains = named.length > 0 ? named : [await own()];
  const copy = toCopy(request);
  for (const each of listValues(copy)) {
    const address = findForeign(each, chains);
    if (address) each.holder[each.key] = getChecksumAddress(address);
  }
  return copy;
}

function toCopy<Request>(request: Request): Request {
  try {
    return JSON.parse(JSON.stringify(request)) as Request;
  } catch (cause) {
    throw new InvalidParamsError('The params are nested too deeply.', { cause });
  }
}

type Holder = Record<string, unknown>;

type Value = { holder: Holder; key: string; value: unknown };

// Iterative: a site's values may be deeply nested.
function listValues(request: object): Value[] {
  const values: Value[] = [];
  const holders = [request as Holder];
  for (const holder of holders) {
    for (const [key, value] of Object.entries(holder)) {
      if (!isHolder(value)) values.push({ holder, key, value });
      else if (!isKeptUnchanged(key, value)) holders.push(value);
      // Typed data stays unchanged, but its domain can name the chain.
      else if (isHolder(value.domain)) {
        const { chainId } = value.domain;
        values.push({ holder: {}, key: 'chainId', value: chainId });
      }
    }
  }
  return values;
}

// Matches typed data of any version, and a paymaster's context.
function isKeptUnchanged(key: string, value: Holder): boolean {
  const isEntry = ['type', 'name', 'value'].every((name) => name in value);
  return key === 'context' || 'primaryType' in value || isEntry;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function findForeign({ value }: Value, chains: readonly ChainId[]): Hex | undefined {
  const address = findAddress(value);
  if (!address || !isMixedCase(address) || isValidChecksumAddress(address)) {
    return undefined;
  }
  return chains.some((each) => hasChecksumOf(each, address)) ? address : undefined;
}

/** The chain in typed data as JSON, or in a sign-in (EIP-4361). */
const IN_TEXT = /(?:"chainId"\s*:\s*"?|^Chain ID: )(?<chain>0x[\da-f]+|\d+)/imu;

function listChains(values: readonly Value[]): ChainId[] {
  const lists = new Set(values.map(({ holder }) => holder));
  const inLists = [...lists].flatMap((holder) => {
    const found = Array.isArray(holder) ? holder.map(toChains) : [];
    return found.every(({ length }) => length === 1) ? found.flat() : [];
  });
  const named = values.flatMap(({ key, value }) => {
    if (/^(?:chainI[dD]|scope)$/u.test(key)) return toChains(value);
    return typeof value === 'string'
      ? toChains(IN_TEXT.exec(value)?.groups?.chain)
      : [];
  });
  return [...inLists, ...named];
}

function toChains(value: unknown): ChainId[] {
  const read = validate(value, ChainIdStruct);
  return 'value' in read ? [read.value] : [];
}
