import { is } from '@metamask/superstruct';
import { CaipAssetTypeStruct } from '@metamask/utils';

import { parseNativeAsset, toNativeAsset } from '../../../src/chains/native-asset';

const LAST_CHAIN = 2n ** 63n - 37n;

const known: [bigint, string, string][] = [
  [1n, 'eip155:1/slip44:60', 'ETH'],
  [10n, 'eip155:10/slip44:60', 'ETH'],
  [56n, 'eip155:56/slip44:714', 'BNB'],
  [97n, 'eip155:97/slip44:714', 'tBNB'],
  [137n, 'eip155:137/slip44:966', 'POL'],
  [80_002n, 'eip155:80002/slip44:966', 'POL'],
  [43_113n, 'eip155:43113/slip44:9005', 'AVAX'],
  [43_114n, 'eip155:43114/slip44:9005', 'AVAX'],
  [11_155_111n, 'eip155:11155111/slip44:60', 'ETH'],
  [31_337n, 'eip155:31337/slip44:60', 'ETH'],
  [LAST_CHAIN, `eip155:${LAST_CHAIN}/slip44:60`, 'ETH'],
];

describe('the native asset', () => {
  it.each(known)('of chain %s is %s, in %s', (chainId, type, unit) => {
    expect(toNativeAsset(chainId)).toStrictEqual({ type, unit });
    expect(is(type, CaipAssetTypeStruct)).toBe(true);
  });

  it.each(known)('tells chain %s: %s', (chainId, type) => {
    expect(parseNativeAsset(type)).toBe(chainId);
  });
});

describe('parseNativeAsset', () => {
  it.each([
    ['a token', 'eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f'],
    ['a token in the collection', 'eip155:1/slip44:60/1'],
    ["another chain's coin", 'eip155:1/slip44:966'],
    ['ether where the coin is another', 'eip155:137/slip44:60'],
    ["another namespace's coin", 'bip122:000000000019d6689c085ae165831e93/slip44:0'],
    ['a chain without a namespace', '1/slip44:60'],
    ['no chain', 'eip155:0/slip44:60'],
    ['a chain beyond the last', `eip155:${LAST_CHAIN + 1n}/slip44:60`],
    ['a chain in hex', 'eip155:0x1/slip44:60'],
    ['a chain with a leading zero', 'eip155:01/slip44:60'],
    ['a chain alone', 'eip155:1'],
    ['an asset alone', 'slip44:60'],
    ['white space', 'eip155:1/slip44:60 '],
    ['nothing', ''],
    ['a long text', '1'.repeat(1_000_000)],
  ])('finds no chain in %s', (_what, assetType) => {
    expect(parseNativeAsset(assetType)).toBeUndefined();
  });
});
