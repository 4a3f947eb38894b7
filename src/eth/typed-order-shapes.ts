// Orders of markets and exchanges: what is signed is an offer that others take up.
import type { Shape } from './typed-shape';

const ORDER = /Order$/u;

/** Orders, told by their names and fields. */
export const orderShapes: readonly Shape[] = [
  {
    name: 'sale',
    primaryType: /^OrderComponents$/u,
    fields: ['offerer', 'offer', 'consideration'],
    deadlines: ['endTime'],
    owners: ['offerer'],
  },
  {
    name: 'sale',
    primaryType: /^(?:Bulk|Batch)Order$/u,
    fields: ['tree'],
    deadlines: ['tree.endTime'],
    owners: ['tree.offerer', 'tree.signer'],
  },
  {
    name: 'order',
    primaryType: ORDER,
    fields: ['sellToken', 'buyToken', 'sellAmount', 'buyAmount'],
    amounts: ['sellAmount'],
    deadlines: ['validTo'],
  },
  {
    name: 'order',
    primaryType: ORDER,
    fields: ['makerAsset', 'takerAsset', 'makingAmount', 'takingAmount'],
    amounts: ['makingAmount'],
    owners: ['maker'],
  },
  {
    name: 'order',
    primaryType: ORDER,
    fields: ['makerToken', 'takerToken', 'makerAmount', 'takerAmount'],
    amounts: ['makerAmount'],
    deadlines: ['expiry'],
    owners: ['maker'],
  },
  {
    name: 'order',
    primaryType: ORDER,
    fields: ['makerAddress', 'makerAssetAmount', 'takerAssetAmount'],
    amounts: ['makerAssetAmount'],
    deadlines: ['expirationTimeSeconds'],
    owners: ['makerAddress'],
  },
  {
    name: 'sale',
    primaryType: /^(?:Order|Maker|MakerOrder)$/u,
    fields: ['price', 'collection'],
    deadlines: ['endTime', 'expirationTime'],
    owners: ['signer', 'trader'],
  },
  {
    name: 'sale',
    primaryType: ORDER,
    fields: ['direction', 'maker', 'erc20TokenAmount'],
    deadlines: ['expiry'],
    owners: ['maker'],
  },
  {
    name: 'sale',
    primaryType: ORDER,
    fields: ['trader', 'listingsRoot'],
    deadlines: ['expirationTime'],
    owners: ['trader'],
  },
  { name: 'sale', primaryType: /^Root$/u, fields: ['root'] },
];
