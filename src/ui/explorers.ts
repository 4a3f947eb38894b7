// Pages of transactions at block explorers.
import type { Hex } from '../eth/hex';

/** Explorers of known chains, by CAIP-2. */
const explorers = new Map([
  ['eip155:1', 'etherscan.io'],
  ['eip155:10', 'optimistic.etherscan.io'],
  ['eip155:56', 'bscscan.com'],
  ['eip155:97', 'testnet.bscscan.com'],
  ['eip155:137', 'polygonscan.com'],
  ['eip155:8453', 'basescan.org'],
  ['eip155:42161', 'arbiscan.io'],
  ['eip155:43113', 'testnet.snowtrace.io'],
  ['eip155:43114', 'snowtrace.io'],
  ['eip155:59141', 'sepolia.lineascan.build'],
  ['eip155:59144', 'lineascan.build'],
  ['eip155:80002', 'amoy.polygonscan.com'],
  ['eip155:84532', 'sepolia.basescan.org'],
  ['eip155:421614', 'sepolia.arbiscan.io'],
  ['eip155:560048', 'hoodi.etherscan.io'],
  ['eip155:11155111', 'sepolia.etherscan.io'],
  ['eip155:11155420', 'sepolia-optimism.etherscan.io'],
]);

/** Returns the URL of a transaction's page; undefined if no explorer of the chain (CAIP-2) is
 * known. */
export function findExplorerPage(chain: string, hash: Hex): string | undefined {
  const host = explorers.get(chain);
  return host && `https://${host}/tx/${hash}`;
}
