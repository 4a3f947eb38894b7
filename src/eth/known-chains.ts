// Names and coins of chains that people know. What is not here is shown by its number.
import { validate } from '../parse';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';

/** What is known of a chain. */
export type KnownChain = {
  name: string;
  /** Symbol of the whole native coin, which has 18 decimals. */
  unit: string;
  /** The coin's type in SLIP-44; a test network has that of what it stands for. */
  coinType: number;
};

const ether = (name: string): KnownChain => ({ name, unit: 'ETH', coinType: 60 });

/** Coin types and units are MetaMask's, which looks for names and prices under them. */
const knownChains: ReadonlyMap<ChainId, KnownChain> = new Map<ChainId, KnownChain>([
  [1n, ether('Ethereum')],
  [10n, ether('OP Mainnet')],
  [56n, { name: 'BNB Smart Chain', unit: 'BNB', coinType: 714 }],
  [97n, { name: 'BNB Smart Chain Testnet', unit: 'tBNB', coinType: 714 }],
  [137n, { name: 'Polygon', unit: 'POL', coinType: 966 }],
  [8453n, ether('Base')],
  [17_000n, ether('Holesky')],
  [31_337n, ether('Anvil')],
  [42_161n, ether('Arbitrum One')],
  [43_113n, { name: 'Avalanche Fuji', unit: 'AVAX', coinType: 9005 }],
  [43_114n, { name: 'Avalanche', unit: 'AVAX', coinType: 9005 }],
  [59_141n, ether('Linea Sepolia')],
  [59_144n, ether('Linea')],
  [80_002n, { name: 'Polygon Amoy', unit: 'POL', coinType: 966 }],
  [84_532n, ether('Base Sepolia')],
  [421_614n, ether('Arbitrum Sepolia')],
  [560_048n, ether('Hoodi')],
  [11_155_111n, ether('Sepolia')],
  [11_155_420n, ether('OP Sepolia')],
]);

/** Find what is known of a chain, by its id or by what CAIP-2 makes of that. */
export function findKnownChain(chain: ChainId | string): KnownChain | undefined {
  const read = validate(chain, ChainIdStruct);
  return 'value' in read ? knownChains.get(read.value) : undefined;
}
