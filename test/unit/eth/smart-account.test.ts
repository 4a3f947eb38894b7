import { getAddress, getContractAddress } from 'viem';

import { proxies } from '../../../dev/stack/proxies';
import {
  computeAccountAddress,
  computeCreateAddress,
  encodeInitCode,
} from '../../../src/eth/smart-account';
import type { SmartAccountOrigin } from '../../../src/eth/smart-account';
import { entryPoints, entryPointVersions } from '../../../src/eth/user-operation';
import { owner } from '../../fixtures/eth/owner';
import { dataOf } from '../../fixtures/trust/call';

// What getAddress(owner, 7) of the deployed factories answered.
const answered = {
  '0.6': '0xFC21E32c28C24409eA006Af2445d6D6A1A59655f',
  '0.7': '0xb3643b616a4a318aE56884B415eB35295aA32F2F',
  '0.8': '0x62E7043dd1F92546Df8F7f7a3CF608BC37916827',
  '0.9': '0xd8C5D9883548538C94F8128fAA080e6606cEe26C',
} as const;

const originOf = (
  entryPoint: keyof typeof answered,
  fields: Partial<SmartAccountOrigin> = {},
): SmartAccountOrigin => ({
  entryPoint,
  factory: entryPoints[entryPoint].factory,
  owner: owner.address,
  salt: 7n,
  ...fields,
});

describe.each(entryPointVersions)('an account of %s', (version) => {
  it('is where its factory says', () => {
    expect(getAddress(computeAccountAddress(originOf(version), proxies))).toBe(
      answered[version],
    );
  });

  it.each([0n, 7n, 2n ** 256n - 1n])(
    'is deployed with salt %s as viem says',
    (salt) => {
      const call = dataOf('createAccount(address,uint256)', owner.address, salt);
      const { factory } = entryPoints[version];
      const expected = `${factory}${call.slice(2)}`.toLowerCase();
      expect(encodeInitCode(originOf(version, { salt })).toLowerCase()).toBe(expected);
    },
  );
});

it.each([0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 2n ** 64n - 2n])(
  'computes the address of a contract that is created with the nonce %d',
  (nonce) => {
    const address = getContractAddress({ from: owner.address, nonce });
    expect(computeCreateAddress(owner.address, nonce)).toBe(address.toLowerCase());
  },
);
