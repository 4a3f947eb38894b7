import { signTypedData, SignTypedDataVersion } from '@metamask/eth-sig-util';
import { hexToBytes } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { entryPoints } from '../../../../dev/dapp/methods/given';
import type { Finding, Given, Params, Smart } from '../../../../dev/dapp/methods/given';
import { hashOperation } from '../../../../dev/dapp/methods/verify';
import { ChainIdStruct } from '../../../../src/eth/chain';
import { signUserOperation } from '../../../../src/eth/sign-user-operation';
import { UserOperationStruct } from '../../../../src/eth/user-operation';
import { parse } from '../../../../src/schema/parse';
import { given as common, operation, rowOf } from '../../../support/dapp-given';

const key = generatePrivateKey();
const account = privateKeyToAccount(key);
const versions = Object.keys(entryPoints) as Smart['entryPoint'][];

const given: Given = { ...common, ordinary: account.address };

type Case = { params: Params; result: unknown; own?: Given };

async function check(
  name: string,
  { params, result, own = given }: Case,
): Promise<Finding | undefined> {
  const tools = {
    request: () => Promise.reject(new Error('Nothing is asked.')),
    signal: new AbortController().signal,
  };
  return rowOf(name).verify?.({ params, result, given: own }, tools);
}

const right = {
  isRight: true,
  text: `Recovered address: ${account.address}, the account's own.`,
};

const stranger = privateKeyToAccount(generatePrivateKey());

const wrong = (expected: Hex): Finding => ({
  isRight: false,
  text: `Recovered address: ${stranger.address}, but the account is ${expected}.`,
});

describe('personal_sign', () => {
  it.each([
    ['a text', 'The toll is paid.', 'The toll is paid.'],
    ['bytes', '0x0102', { raw: '0x0102' }],
  ] as const)('is verified: %s', async (_name, written, message) => {
    const result = await account.signMessage({ message });
    const { address } = account;
    expect(
      await check('personal_sign', { params: [written, address], result }),
    ).toStrictEqual(right);
    expect(
      await check('personal_sign', { params: [address, written], result }),
    ).toStrictEqual(right);
    expect(
      await check('personal_sign', {
        params: [written, address],
        result: await stranger.signMessage({ message }),
      }),
    ).toStrictEqual(wrong(address));
  });
});

describe('typed data', () => {
  it.each([
    ['eth_signTypedData_v4', SignTypedDataVersion.V4],
    ['eth_signTypedData_v3', SignTypedDataVersion.V3],
    ['eth_signTypedData_v1', SignTypedDataVersion.V1],
  ])('are verified: %s', async (name, version) => {
    const params = rowOf(name).example(given) as [string, never];
    const sign = (privateKey: Hex): string =>
      signTypedData({
        privateKey: Buffer.from(hexToBytes(privateKey)),
        data: params[1],
        version,
      });
    expect(await check(name, { params, result: sign(key) })).toStrictEqual(right);
    expect(
      await check(name, { params, result: sign(generatePrivateKey()) }),
    ).toMatchObject({ isRight: false });
  });
});

describe('eth_signTransaction', () => {
  const params = rowOf('eth_signTransaction').example(given);
  const transaction = {
    chainId: 31337,
    to: given.recipient,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    nonce: 0,
  };

  it('is verified by its raw transaction', async () => {
    const raw = await account.signTransaction(transaction);
    expect(
      await check('eth_signTransaction', { params, result: { raw } }),
    ).toStrictEqual(right);
    const other = await stranger.signTransaction(transaction);
    expect(
      await check('eth_signTransaction', { params, result: { raw: other } }),
    ).toStrictEqual(wrong(account.address));
  });

  it('is not verified where there is none', async () => {
    const result = { v: '0x0', r: '0x1', s: '0x2' };
    expect(await check('eth_signTransaction', { params, result })).toStrictEqual({
      text: 'Nothing was filled in, so there is no raw transaction to look at.',
    });
  });
});

describe.each(versions)('eth_signUserOperation, EntryPoint %s', (entryPoint) => {
  const smart = { address: operation.sender, owner: account.address, entryPoint };
  const sponsored = {
    ...operation,
    initCode: `${stranger.address.toLowerCase()}0102` as Hex,
    paymasterAndData:
      `${stranger.address.toLowerCase()}${'00'.repeat(15)}01${'00'.repeat(15)}020304` as Hex,
  };

  it.each([
    ['plain', operation],
    ['sponsored, with a factory', sponsored],
  ])('is verified: %s', async (_name, own) => {
    const parsed = parse(own, UserOperationStruct, 'operation');
    const domain = { chainId: parse('0x7a69', ChainIdStruct, 'chainId'), entryPoint };
    const result = signUserOperation(parsed, domain, hexToBytes(key));
    const params = [own, entryPoints[entryPoint]];
    const asked = { params, result, own: { ...given, smart } };
    expect(await check('eth_signUserOperation', asked)).toStrictEqual(right);
    const changed = { ...own, nonce: '0x1' as const };
    const different = { ...asked, params: [changed] };
    expect(await check('eth_signUserOperation', different)).toMatchObject({
      isRight: false,
    });
    expect(hashOperation(changed, entryPoint, 31_337)).toMatch(/^0x[\da-f]{64}$/u);
  });
});
