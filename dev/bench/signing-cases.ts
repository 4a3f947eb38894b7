// Content that the benchmarks sign.
import type { Json } from '@metamask/utils';
import { getAddress, pad, stringToHex, toHex, type Hex } from 'viem';

import { documentOf, permitSingleOf, seaportOrderOf } from '../demo/documents';

export const TEXT = stringToHex('The toll is paid.');

/** The mail of EIP-712's example. */
export const MAIL = documentOf(
  {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  {
    Mail: 'Person from, Person to, string contents',
    Person: 'string name, address wallet',
  },
  {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
);

const addressOf = (number: number): Hex =>
  getAddress(pad(toHex(0xa0ce_0000 + number), { size: 20, dir: 'right' }));

const wordOf = (number: number): Hex => pad(toHex(number), { size: 32 });

const itemOf = (number: number): Record<string, Json> => ({
  itemType: 2,
  token: addressOf(number),
  identifierOrCriteria: String(10_000 + number),
  startAmount: '1000000000000000000',
  endAmount: '1000000000000000000',
});

export const PERMIT2 = permitSingleOf(
  {
    token: addressOf(300),
    amount: String(2n ** 160n - 1n),
    expiration: '1800000000',
    nonce: '0',
  },
  { spender: addressOf(301), sigDeadline: '1700001800' },
);

const OFFERED = 4;
const CONSIDERED = 8;

/** A Seaport order (OrderComponents) that offers 4 items for 8. */
export const SEAPORT = seaportOrderOf(
  'address offerer, address zone, OfferItem[] offer, ConsiderationItem[] consideration, ' +
    'uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, ' +
    'uint256 salt, bytes32 conduitKey, uint256 counter',
  {
    offerer: addressOf(100),
    zone: addressOf(101),
    offer: Array.from({ length: OFFERED }, (_each, index) => itemOf(index)),
    consideration: Array.from({ length: CONSIDERED }, (_each, index) => ({
      ...itemOf(OFFERED + index),
      recipient: addressOf(200 + index),
    })),
    orderType: 0,
    startTime: '1700000000',
    endTime: '1800000000',
    zoneHash: wordOf(0),
    salt: '24446860302761739304752683030156737591518664810215442929816345931',
    conduitKey: wordOf(7),
    counter: '0',
  },
);

export const TRANSACTION = {
  type: '0x2',
  chainId: '0x1',
  nonce: '0x7',
  to: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  value: '0xde0b6b3a7640000',
  data: `0xa9059cbb${wordOf(1).slice(2)}${wordOf(2).slice(2)}`,
  gasLimit: '0x186a0',
  maxFeePerGas: '0x4a817c800',
  maxPriorityFeePerGas: '0x3b9aca00',
  accessList: [],
} as const;
