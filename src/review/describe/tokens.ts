// Symbols and decimals of tokens: of those that people know from a table, of others as their
// contracts state them, which can be anything.
import { hexToBytes, bytesToBigInt } from '@metamask/utils';

import type { NodeClient } from '../../../packages/client/src';
import { encodeFunction, readArguments } from '../../eth/abi';
import type { AbiFunction, AbiValue } from '../../eth/abi';
import type { ChainId } from '../../eth/chain';
import type { Hex } from '../../eth/hex';
import type { TokenUnit } from '../../ui/tokens';

/** @see https://www.multicall3.com */
const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

const aggregate: AbiFunction = {
  selector: '0x82ad56cb',
  types: ['(address,bool,bytes)[]'],
};

const SYMBOL: Hex = '0x95d89b41';
const DECIMALS: Hex = '0x313ce567';
const NAME: Hex = '0x06fdde03';

const WORD = 32;

/** Letters that no other letter looks like, and no blanks: a symbol is no sentence. */
const SYMBOL_FORM = /^[\w$₮][\w.$₮+-]{0,15}$/u;

/** Names of collections have blanks, too. */
const NAME_FORM = /^[\w$][\w .$+-]{0,31}$/u;

/** No token that people use has more decimals. */
const MAX_DECIMALS = 36n;

/** Most tokens that are asked about at once, and that are remembered. */
const MAX = { asked: 50, kept: 500 };

/** Undefined where it does not fit beside an amount or a number. */
type Stated = { unit: TokenUnit | undefined; name: string | undefined };

export type StatedUnits = {
  /** Finds a token's unit; undefined if it was not fetched or is none. */
  find: (chainId: ChainId, token: Hex) => TokenUnit | undefined;
  /** Finds the name of a collection of NFTs, likewise. */
  findName: (chainId: ChainId, token: Hex) => string | undefined;
  /** Asks a node about those of some tokens that it was not asked about before, in one
   * request. */
  fetch: (
    tokens: Iterable<Hex>,
    chain: { id: ChainId; node: NodeClient; signal: AbortSignal },
  ) => Promise<void>;
};

export function createStatedUnits(): StatedUnits {
  const stated = new Map<string, Stated>();
  const toKey = (chainId: ChainId, token: Hex): string =>
    `${chainId}:${token.toLowerCase()}`;
  return {
    find: (chainId, token) => stated.get(toKey(chainId, token))?.unit,
    findName: (chainId, token) => stated.get(toKey(chainId, token))?.name,
    fetch: async (tokens, { id, node, signal }) => {
      const asked = [...tokens]
        .filter((each) => !stated.has(toKey(id, each)))
        .slice(0, MAX.asked);
      if (asked.length === 0) return;
      const calls = asked.flatMap((token) => [
        [token, true, hexToBytes(SYMBOL)],
        [token, true, hexToBytes(DECIMALS)],
        [token, true, hexToBytes(NAME)],
      ]);
      const data = encodeFunction(aggregate, [calls]);
      const call = { to: MULTICALL, data };
      const answer = await node.request('eth_call', [call, 'latest'], { signal });
      const [answers = []] = (readArguments(['(bool,bytes)[]'], hexToBytes(answer)) ??
        []) as [[boolean, Uint8Array][]?];
      if (stated.size > MAX.kept) stated.clear();
      for (const [index, token] of asked.entries()) {
        const [symbol, decimals, named] = answers
          .slice(3 * index, 3 * index + 3)
          .map(([isDone, bytes]) => (isDone ? bytes : undefined));
        const unit = readUnit(symbol, decimals);
        stated.set(toKey(id, token), { unit, name: readName(named) });
      }
    },
  };
}

/** Reads a token's unit; undefined if its symbol does not fit beside an amount. */
function readUnit(
  symbolBytes: Uint8Array | undefined,
  decimalBytes: Uint8Array | undefined,
): TokenUnit | undefined {
  if (!symbolBytes || decimalBytes?.length !== WORD) return undefined;
  const decimals = bytesToBigInt(decimalBytes);
  const symbol = readText(symbolBytes);
  const isUnit = decimals <= MAX_DECIMALS && SYMBOL_FORM.test(symbol);
  return isUnit ? { symbol, decimals: Number(decimals) } : undefined;
}

function readName(bytes: Uint8Array | undefined): string | undefined {
  const name = bytes && readText(bytes);
  return name !== undefined && NAME_FORM.test(name) ? name : undefined;
}

// Tokens of old have a symbol of 32 bytes.
function readText(bytes: Uint8Array): string {
  if (bytes.length === WORD) {
    return new TextDecoder().decode(bytes).replace(/\0+$/u, '');
  }
  const [text = ''] = readArguments(['string'], bytes) ?? ([] as AbiValue[]);
  return text as string;
}
