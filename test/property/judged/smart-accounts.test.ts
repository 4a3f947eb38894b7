// SimpleAccounts and delegated accounts, judged by permissionless and viem, which have their own
// code for them. Hashes and authorizations have tests of their own.test.ts.
import { hexToBytes } from '@metamask/utils';
import fc from 'fast-check';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import {
  concat,
  createPublicClient,
  custom,
  encodeAbiParameters,
  getContractAddress,
  numberToHex,
} from 'viem';
import type { Hex, PublicClient } from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { proxies } from '../../../dev/stack/proxies';
import { encodeIntents } from '../../../src/eth/account-calls';
import { signUserOperation } from '../../../src/eth/sign-user-operation';
import { computeAccountAddress } from '../../../src/eth/smart-account';
import { entryPoints, entryPointVersions } from '../../../src/eth/user-operation';
import { toOurs, toViem } from '../../fixtures/eth/user-operation';
import { dataOf } from '../../fixtures/trust/call';
import {
  address,
  bytes,
  chainId,
  fixedBytes,
  operationParts,
  uint,
} from '../../support/arbitraries';
import { runs } from '../../support/runs';

const INPUTS = 1_000;

const key = fixedBytes(32).filter(
  (hex) => BigInt(hex) > 0n && BigInt(hex) < 2n ** 255n,
);

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const calls = fc.array(fc.record({ to: address, value: uint(256), data: bytes() }), {
  minLength: 1,
  maxLength: 5,
});

// A chain that says nothing but its id.
function connect(id: number): PublicClient {
  const request = async (): Promise<Hex> => Promise.resolve(numberToHex(id));
  return createPublicClient({ transport: custom({ request }) });
}

describe.each(entryPointVersions)('a SimpleAccount of %s', (version) => {
  it('is where viem computes that its factory creates it', () => {
    const { factory } = entryPoints[version];
    const implementation = getContractAddress({ from: factory, nonce: 1n });
    const property = fc.property(address, uint(256), (owner, salt) => {
      const initialize = dataOf('initialize(address)', owner);
      const theirs = getContractAddress({
        opcode: 'CREATE2',
        from: factory,
        salt: numberToHex(salt, { size: 32 }),
        bytecode: concat([
          proxies[version],
          encodeAbiParameters(
            [{ type: 'address' }, { type: 'bytes' }],
            [implementation, initialize],
          ),
        ]),
      });
      const origin = { entryPoint: version, factory, owner, salt };
      expect(computeAccountAddress(origin, proxies)).toBe(theirs.toLowerCase());
    });
    fc.assert(property, runs(INPUTS));
  });
});

const addresses = {
  '0.6': entryPoint06Address,
  '0.7': entryPoint07Address,
  '0.8': entryPoint08Address,
} as const;

describe.each(['0.6', '0.7', '0.8'] as const)('a SimpleAccount of %s', (version) => {
  const toTheirs = async (privateKey: Hex, id: number, sender: Hex) =>
    toSimpleSmartAccount({
      client: connect(id),
      owner: privateKeyToAccount(privateKey),
      entryPoint: { address: addresses[version], version },
      address: sender,
    });

  it('makes calls as permissionless encodes them', async () => {
    const theirs = await toTheirs(numberToHex(1, { size: 32 }), 1, SENDER);
    const property = fc.asyncProperty(calls, async (each) => {
      const isLossy = version === '0.6' && each.length > 1;
      const wanted = isLossy ? each.map((call) => ({ ...call, value: 0n })) : each;
      expect(encodeIntents(version, wanted)).toBe(await theirs.encodeCalls(wanted));
    });
    await fc.assert(property, runs(INPUTS));
  });

  it('signs user operations as permissionless does', async () => {
    const property = fc.asyncProperty(
      key,
      operationParts,
      chainId,
      async (privateKey, parts, id) => {
        const theirs = await toTheirs(privateKey, id, parts.sender);
        const signature = await theirs.signUserOperation({
          ...toViem(parts, version),
          chainId: id,
        });
        const domain = { chainId: BigInt(id), entryPoint: version };
        const operation = toOurs(parts, version);
        const own = signUserOperation(operation, domain, hexToBytes(privateKey));
        expect(own).toBe(signature);
      },
    );
    await fc.assert(property, runs(INPUTS));
  });
});

// A SimpleAccount of EntryPoint 0.9, which permissionless does not know, signs like this, too.
describe.each(['0.8', '0.9'] as const)('a delegated account of %s', (version) => {
  const toTheirs = async (privateKey: Hex, id: number) =>
    toSimple7702SmartAccount({
      client: connect(id),
      owner: privateKeyToAccount(privateKey),
      entryPoint: version,
    });

  it('makes calls as viem encodes them', async () => {
    const theirs = await toTheirs(numberToHex(1, { size: 32 }), 1);
    const property = fc.asyncProperty(calls, async (each) => {
      expect(encodeIntents(version, each)).toBe(await theirs.encodeCalls(each));
    });
    await fc.assert(property, runs(INPUTS));
  });

  it('signs user operations as viem does', async () => {
    const property = fc.asyncProperty(
      key,
      operationParts,
      chainId,
      async (privateKey, parts, id) => {
        const theirs = await toTheirs(privateKey, id);
        const own = { ...parts, sender: theirs.address };
        const signature = await theirs.signUserOperation({
          ...toViem(own, version),
          chainId: id,
        });
        const domain = { chainId: BigInt(id), entryPoint: version };
        const operation = toOurs(own, version);
        expect(signUserOperation(operation, domain, hexToBytes(privateKey))).toBe(
          signature,
        );
      },
    );
    await fc.assert(property, runs(INPUTS));
  });
});
