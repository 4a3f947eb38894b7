import { EthBytesStruct } from '@metamask/keyring-api';
import { assert } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  getUserOperationHash,
  getUserOperationTypedData,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { entryPointVersions } from '../../../src/eth/entry-point';
import type { EntryPointVersion } from '../../../src/eth/entry-point';
import type { Hex } from '../../../src/eth/hex';
import { ownerKeyOfIndex } from '../../support/entropy';
import { operationOf, toViemOperation } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { TO } from '../../support/transactions';
import { writeView } from '../../support/view';

const METHOD = 'eth_signUserOperation';

const addresses = {
  '0.6': entryPoint06Address,
  '0.7': entryPoint07Address,
  '0.8': entryPoint08Address,
};

type Bench = SignBench & {
  address: string;
  signParams: (params: Json, scope?: bigint) => Promise<Json>;
  /** Sign with another implementation. */
  expected: (chainId: number) => Promise<Hex>;
};

async function setup(entryPoint: EntryPointVersion = '0.6'): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create({ type: 'eip155:erc4337', entryPoint });
  const owner = privateKeyToAccount(ownerKeyOfIndex(0, entryPoint));
  const expected: Bench['expected'] = async (chainId) => {
    const userOperation = toViemOperation(address);
    const at = { chainId, entryPointAddress: addresses[entryPoint] };
    if (entryPoint === '0.8') {
      const typed = getUserOperationTypedData({ ...at, userOperation });
      return owner.signTypedData(typed);
    }
    const hash = getUserOperationHash({
      ...at,
      entryPointVersion: entryPoint,
      userOperation,
    } as Parameters<typeof getUserOperationHash>[0]);
    return owner.signMessage({ message: { raw: hash } });
  };
  const signParams: Bench['signParams'] = (params, scope) => {
    const asked = { account: id, method: METHOD, params };
    return bench.sign(scope === undefined ? asked : { ...asked, scope });
  };
  return { ...bench, address, expected, signParams };
}

describe('eth_signUserOperation', () => {
  describe.each(entryPointVersions)('for EntryPoint %s', (version) => {
    it('signs as another implementation does, with and without the entry point', async () => {
      const { signParams, address, expected } = await setup(version);
      const operation = operationOf(address);
      const signature = await expected(1);
      expect(await signParams([operation])).toBe(signature);
      expect(await signParams([operation], 1n)).toBe(signature);
      expect(await signParams([operation, addresses[version]])).toBe(signature);
      expect(() => assert(signature, EthBytesStruct)).not.toThrow();
    });

    it('refuses the entry point of another version, and names both', async () => {
      const { signParams, address } = await setup(version);
      const other = version === '0.6' ? '0.7' : '0.6';
      const signing = signParams([operationOf(address), addresses[other]]);
      expect(await refusalOf(signing)).toStrictEqual({
        code: -32602,
        message:
          `The entry point is ${addresses[other]}, but the account ${address} is for ` +
          `${addresses[version]} (version ${version}).`,
      });
    });
  });

  it("signs for the account's only chain where none is named", async () => {
    const bench = createSignBench();
    const scopes = ['eip155:137'];
    const { id, address } = await bench.create({ type: 'eip155:erc4337', scopes });
    const asked = { account: id, method: METHOD, params: [operationOf(address)] };
    expect(await bench.sign(asked)).toBe(await bench.sign({ ...asked, scope: 137n }));
  });

  it('refuses a chain that the account does not serve', async () => {
    const { signParams, address } = await setup();
    expect(await refusalOf(signParams([operationOf(address)], 5n))).toStrictEqual({
      code: -32602,
      message: `The account ${address} serves eip155:1, not eip155:5.`,
    });
  });

  it('refuses an operation of another sender, and asks nobody', async () => {
    const { signParams, address, consents } = await setup();
    expect(await refusalOf(signParams([operationOf(TO)]))).toStrictEqual({
      code: -32602,
      message: `sender is ${TO}, but the request is for the account ${address}.`,
    });
    expect(consents.asked).toHaveLength(0);
  });

  it('asks the user, and shows who asks and what it costs at most', async () => {
    const { signParams, address, consents } = await setup();
    await signParams([operationOf(address)]);
    const view = writeView(consents.asked);
    for (const part of ['https://dapp.example', address, 'eip155:1', '0.0007 ETH']) {
      expect(view).toContain(part);
    }
  });

  it('signs nothing if the user refuses', async () => {
    const { signParams, address, consents } = await setup();
    consents.isGiven = false;
    expect(await refusalOf(signParams([operationOf(address)]))).toHaveProperty(
      'code',
      4001,
    );
  });

  const ROOT = 'eth_signUserOperation: params';
  const quantity =
    'a quantity below 2^256 (hex with 0x, decimal string, or safe integer).';
  const address = 'a 20-byte address in hex (in mixed case: with its EIP-55 checksum).';

  it.each<[Json, string]>([
    [[], `${ROOT}[0] is missing: it must be an object.`],
    [[operationOf(TO, { nonce: 'x' })], `${ROOT}[0].nonce must be ${quantity}`],
    [[operationOf('0x12')], `${ROOT}[0].sender must be ${address}`],
    [[operationOf(TO, { colour: 1 })], `${ROOT}[0].colour is not expected here.`],
    [[operationOf(TO), '0x12'], `${ROOT}[1] must be ${address}`],
    [[operationOf(TO), TO, 1], `${ROOT}[2] is not expected here.`],
    [operationOf(TO), `${ROOT} must be an array.`],
  ])('refuses malformed params by name (case %#)', async (params, message) => {
    const { signParams } = await setup();
    expect(await refusalOf(signParams(params))).toStrictEqual({
      code: -32602,
      message,
    });
  });

  it.each(Object.keys(operationOf(TO)))('requires %s', async (name) => {
    const { signParams, address: sender } = await setup();
    const operation = Object.entries(operationOf(sender)).filter(
      ([key]) => key !== name,
    );
    const { code, message } = await refusalOf(
      signParams([Object.fromEntries(operation)]),
    );
    expect(code).toBe(-32602);
    expect(message).toMatch(new RegExp(`^${ROOT}\\[0\\]\\.${name} is missing:`, 'u'));
  });
});
