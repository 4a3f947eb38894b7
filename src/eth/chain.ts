// Chain ids, and the names, currencies and data fees of well-known chains.
import { parse } from '../schema/parse';
import { converted } from '../schema/structs';
import { findQuantity } from './hex';

/** An EIP-155 chain id. Zero is not a chain: `eip155:0` means all chains. */
export type ChainId = bigint;

/** Maximum chain id of EIP-2294: `v` = 36 + 2 × chain id fits in 64 bits. */
const MAX_CHAIN_ID = (2n ** 64n - 1n) / 2n - 36n;

export const ChainIdStruct = converted<ChainId>(
  'a chain id (hex, decimal or CAIP-2 such as "eip155:1")',
  isChainId,
  readChainId,
);

export function toCaip2(chainId: ChainId): `eip155:${string}` {
  return `eip155:${chainId}`;
}

/** Parses a CAIP-2 chain id. Throws `InvalidParamsError` if it is malformed. */
export function toChainId(chain: string): ChainId {
  return parse(chain, ChainIdStruct, 'chain');
}

export type KnownChain = {
  name: string;
  /** Symbol of the native currency, which has 18 decimals. */
  unit: string;
  /** The currency's coin type in SLIP-44; a test network uses its main network's. */
  coinType: number;
  /** How the chain charges for its base layer: through the oracle of the OP stack, Mantle or
   * Scroll, in addition to the gas; `inGas`; or `none` if it has no base layer. Undefined for a
   * local node, which may be a fork of any chain. */
  dataFee?: 'opStack' | 'mantle' | 'scroll' | 'inGas' | 'none';
};

const ether = (name: string, dataFee?: KnownChain['dataFee']): KnownChain => ({
  name,
  unit: 'ETH',
  coinType: 60,
  ...(dataFee && { dataFee }),
});

const other = (name: string, unit: string, coinType: number): KnownChain => ({
  name,
  unit,
  coinType,
  dataFee: 'none',
});

/** Coin types and symbols as in MetaMask, which uses them to look up names and prices. */
const knownChains: ReadonlyMap<ChainId, KnownChain> = new Map<ChainId, KnownChain>([
  [1n, ether('Ethereum', 'none')],
  [10n, ether('OP Mainnet', 'opStack')],
  [56n, other('BNB Smart Chain', 'BNB', 714)],
  [97n, other('BNB Smart Chain Testnet', 'tBNB', 714)],
  [130n, ether('Unichain', 'opStack')],
  [137n, other('Polygon', 'POL', 966)],
  [480n, ether('World Chain', 'opStack')],
  [1868n, ether('Soneium', 'opStack')],
  // SLIP-44 has no number for MNT.
  [5000n, { ...ether('Mantle', 'mantle'), unit: 'MNT' }],
  [5003n, { ...ether('Mantle Sepolia', 'mantle'), unit: 'MNT' }],
  [8453n, ether('Base', 'opStack')],
  [17_000n, ether('Holesky', 'none')],
  [31_337n, ether('Anvil')],
  [34_443n, ether('Mode', 'opStack')],
  [42_161n, ether('Arbitrum One', 'inGas')],
  [43_113n, other('Avalanche Fuji', 'AVAX', 9005)],
  [43_114n, other('Avalanche', 'AVAX', 9005)],
  [57_073n, ether('Ink', 'opStack')],
  [59_141n, ether('Linea Sepolia', 'inGas')],
  [59_144n, ether('Linea', 'inGas')],
  [80_002n, other('Polygon Amoy', 'POL', 966)],
  [84_532n, ether('Base Sepolia', 'opStack')],
  [421_614n, ether('Arbitrum Sepolia', 'inGas')],
  [534_351n, ether('Scroll Sepolia', 'scroll')],
  [534_352n, ether('Scroll', 'scroll')],
  [560_048n, ether('Hoodi', 'none')],
  [7_777_777n, ether('Zora', 'opStack')],
  [11_155_111n, ether('Sepolia', 'none')],
  [11_155_420n, ether('OP Sepolia', 'opStack')],
]);

export function listCoins(): string[] {
  return [...knownChains.values()].map(({ unit }) => unit);
}

export function findKnownChain(chain: ChainId | string): KnownChain | undefined {
  const id = findChainId(chain);
  return id === undefined ? undefined : knownChains.get(id);
}

/** Parses a chain id in any form; undefined if it is invalid. */
export function findChainId(value: unknown): ChainId | undefined {
  const id = readChainId(value);
  return isChainId(id) ? id : undefined;
}

function isChainId(value: unknown): value is ChainId {
  return typeof value === 'bigint' && value > 0n && value <= MAX_CHAIN_ID;
}

function readChainId(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return findQuantity(
    typeof value === 'string' ? value.replace(/^eip155:/u, '') : value,
  );
}
