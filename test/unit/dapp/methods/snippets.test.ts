import type { Given, Params } from '../../../../dev/dapp/methods/given';
import { tongues, writeSnippet } from '../../../../dev/dapp/methods/snippets';
import type { Tongue } from '../../../../dev/dapp/methods/snippets';
import { written } from '../../../fixtures/dapp-snippets';
import { given, rowOf, rows } from '../../../support/dapp-given';
import { findTypeErrors } from '../../../support/type-check';

const write = (tongue: Tongue, name: string, own: Given = given): string => {
  const row = rowOf(name);
  return writeSnippet(tongue, { row, params: row.example(own), given: own });
};

const writeWith = (tongue: Tongue, name: string, params: Params): string =>
  writeSnippet(tongue, { row: rowOf(name), params, given });

// What a page of MetaMask has.
const globals =
  'export {}; declare global { interface Window {' +
  ' ethereum: import("tollkeeper-snap/provider").Eip1193 } }';

it('passes TypeScript: each example in viem, in ethers, and without a library', () => {
  const programs = Object.fromEntries(
    rows.flatMap(({ name }) =>
      (['viem', 'ethers', 'raw'] as const).map((tongue) => [
        `${name}.${tongue}`,
        `${write(tongue, name)}export {};`,
      ]),
    ),
  );
  const wrong = { 'wrong.viem': write('viem', 'personal_sign').replace('0x', '') };
  expect(findTypeErrors({ ...programs, ...wrong, globals })).toStrictEqual([
    expect.stringMatching(/^wrong\.viem\.ts:\d+: .*is not assignable to/u),
  ]);
});

describe('viem', () => {
  it('is asked by its own action', () => {
    expect(write('viem', 'personal_sign')).toBe(written['viem personal_sign']);
    expect(write('viem', 'eth_signTypedData_v4')).toBe(
      written['viem eth_signTypedData_v4'],
    );
    expect(write('viem', 'wallet_sendCalls')).toBe(written['viem wallet_sendCalls']);
  });

  it('is asked by a request where it has none', () => {
    expect(write('viem', 'eth_prepareUserOperation')).toBe(
      written['viem eth_prepareUserOperation'],
    );
  });

  it.each([
    ['personal_sign', ['one']],
    ['eth_sendTransaction', [{ from: given.ordinary, type: '0x1' }]],
    ['eth_sendTransaction', [{ from: given.ordinary, chainId: '0x1' }]],
    ['eth_signTypedData_v4', [given.ordinary, '{}']],
    ['wallet_getCapabilities', [given.ordinary, ['0x1', '0x2']]],
    ['wallet_getCapabilities', []],
    ['wallet_sendCalls', [{ id: 'mine' }]],
    ['eth_requestAccounts', ['what']],
  ])('is asked by a request where params have another shape: %s', (name, params) => {
    expect(writeWith('viem', name, params)).toContain('client.request<');
  });
});

describe('ethers', () => {
  it('is asked by its signer or provider', () => {
    expect(write('ethers', 'personal_sign')).toBe(written['ethers personal_sign']);
    expect(write('ethers', 'eth_sendTransaction')).toBe(
      written['ethers eth_sendTransaction'],
    );
  });

  it('is given bytes where the message is hex', () => {
    const code = writeWith('ethers', 'personal_sign', ['0x0102', given.ordinary]);
    expect(code).toContain("import { BrowserProvider, getBytes } from 'ethers';");
    expect(code).toContain("signer.signMessage(getBytes('0x0102'))");
  });
});

describe('the request without a library', () => {
  it('says the chain that the provider would say', () => {
    expect(write('raw', 'eth_supportedEntryPoints')).toBe(
      written['raw eth_supportedEntryPoints'],
    );
    expect(write('raw', 'eth_sendTransaction')).not.toContain('scope');
    const [payment] = rowOf('eth_sendTransaction').example(given) as [object];
    const open = [{ ...payment, chainId: undefined }];
    const code = writeWith(
      'raw',
      'eth_sendTransaction',
      JSON.parse(JSON.stringify(open)) as Params,
    );
    expect(code).toContain("scope: 'eip155:31337'");
  });
});

it('names the snap where it is not the published one', () => {
  const local = { ...given, snapId: 'local:http://localhost:8080' };
  expect(write('viem', 'eth_accounts', local)).toContain(
    "createProvider({ snapId: 'local:http://localhost:8080' })",
  );
});

it('asks the snap outright for what the wallet has as well', () => {
  const request = {
    method: 'wallet_invokeSnap',
    params: { snapId: given.snapId, request: { method: 'eth_chainId', params: [] } },
  };
  expect(JSON.parse(write('json', 'eth_chainId'))).toStrictEqual(request);
  expect(write('ethers', 'eth_chainId')).toContain("send('wallet_invokeSnap'");
});

it('has a title for every form of a request', () => {
  expect(tongues.map(({ title }) => title)).toStrictEqual([
    'Request (JSON)',
    'viem',
    'ethers',
    'raw',
  ]);
});
