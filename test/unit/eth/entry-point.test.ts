import { getAddress } from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';

import {
  DETERMINISTIC_DEPLOYER,
  entryPoints,
  entryPointVersions,
} from '../../../src/eth/user-operation';

describe('the EntryPoints', () => {
  it('are where viem knows them', () => {
    const ours = entryPointVersions.map((version) => entryPoints[version].entryPoint);
    expect(ours).toStrictEqual([
      entryPoint06Address,
      entryPoint07Address,
      entryPoint08Address,
      entryPoint09Address,
    ]);
  });

  it('and all other addresses have their checksum', () => {
    const rows = Object.values(entryPoints);
    const all = [
      DETERMINISTIC_DEPLOYER,
      ...rows.flatMap(({ entryPoint, factory }) => [entryPoint, factory]),
    ];
    expect(all.map((address) => getAddress(address.toLowerCase()))).toStrictEqual(all);
  });
});
