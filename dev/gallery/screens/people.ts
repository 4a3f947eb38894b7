// The accounts, contracts, sites and networks that appear on screens.
import type { Hex } from '../../../src/eth/hex';

export const OWN: Hex = '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063';

export const SMART: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

export const FRIEND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

export const TOKEN: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

export const SPENDER: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';

export const ROUTER: Hex = '0xe592427a0aece92de3edee1f18e0157c05861564';

export const PHISHER: Hex = '0xd41c7e95b0a83f264e19cb7d805ae2f36194b7ad';

export const COLLECTION: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';

export const SITE = 'https://app.swap.example';

/** The character U+202E reverses the text after it. */
export const LONG_SITE = `https://${'very-long-name-of-a-site.'.repeat(6)}\u202eexample`;

export const MAINNET = 'eip155:1';
export const BASE = 'eip155:8453';
export const OPTIMISM = 'eip155:10';
export const SEPOLIA = 'eip155:11155111';

export const NOW = Date.UTC(2025, 8, 22, 14, 5);

export const EMPTY_FORM = { typed: {}, hasFailed: false };
