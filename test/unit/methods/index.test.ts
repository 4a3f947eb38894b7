import { EthMethod } from '@metamask/keyring-api';

import { findMethod, methods } from '../../../src/methods';

describe('the registry', () => {
  const ofMetaMask = methods.filter(({ isForDapps }) => !isForDapps);

  it('holds the six methods of the specification, and the older typed data', () => {
    const rows = ofMetaMask.map(({ name, accountTypes }) => [name, ...accountTypes]);
    expect(rows).toStrictEqual([
      ['personal_sign', 'eip155:eoa'],
      ['eth_signTransaction', 'eip155:eoa'],
      ['eth_signTypedData_v1', 'eip155:eoa'],
      ['eth_signTypedData_v3', 'eip155:eoa'],
      ['eth_signTypedData_v4', 'eip155:eoa'],
      ['eth_prepareUserOperation', 'eip155:erc4337'],
      ['eth_patchUserOperation', 'eip155:erc4337'],
      ['eth_signUserOperation', 'eip155:erc4337'],
    ]);
  });

  it('names them as MetaMask does', () => {
    const known: string[] = Object.values(EthMethod);
    expect(ofMetaMask.filter(({ name }) => !known.includes(name))).toStrictEqual([]);
  });

  it('holds what dapps alone are offered', () => {
    const rows = methods.filter(({ isForDapps }) => isForDapps);
    expect(rows.map(({ name, signs }) => [name, signs])).toStrictEqual([
      ['eth_signTypedData', true],
      ['eth_estimateUserOperationGas', false],
      ['eth_sendUserOperation', true],
      ['eth_fillTransaction', false],
      ['eth_sendTransaction', true],
      ['tollkeeper_replaceTransaction', true],
      ['wallet_sendCalls', true],
    ]);
  });

  it('finds each by its name, and nothing else', () => {
    expect(methods.map(({ name }) => findMethod(name))).toStrictEqual([...methods]);
    for (const name of ['eth_sign', 'toString', '__proto__', '']) {
      expect(findMethod(name)).toBeUndefined();
    }
  });
});
