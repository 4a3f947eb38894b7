// The addresses of contracts to be, as viem computes them.
import { getContractAddress } from 'viem';

import { computeCreateAddress } from '../../../src/eth/smart-account';

const FROM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it.each([0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 2n ** 64n - 2n])(
  'computes the address of a contract that is created with the nonce %d',
  (nonce) => {
    const address = getContractAddress({ from: FROM, nonce });
    expect(computeCreateAddress(FROM, nonce)).toBe(address.toLowerCase());
  },
);
