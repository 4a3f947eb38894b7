// SimpleAccounts, delegated accounts, Safes, and the hashes that they sign, judged by
// permissionless and viem. A signature of a wrong hash is useless or authorizes something else.
import { hexToBytes } from '@metamask/utils';
import fc from 'fast-check';
import { toSafeSmartAccount, toSimpleSmartAccount } from 'permissionless/accounts';
import {
  concat,
  createPublicClient,
  custom,
  encodeAbiParameters,
  getContractAddress,
  hashTypedData,
  numberToHex,
} from 'viem';
import type { Hex, PublicClient } from 'viem';
import { toSimple7702SmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { signUserOperation, signTypedData } from '../../../dev/signing';
import { proxies } from '../../../dev/stack/proxies';
import { entryPoints, entryPointVersions } from '../../../src/core/entry-points';
import { hashUserOperation } from '../../../src/core/operation';
import type { SigningDomain } from '../../../src/core/payload';
import { SAFE_ENTRY_POINT, toSafeMessage } from '../../../src/core/safe';
import { encodeIntents, readCallData } from '../../../src/eth/account-calls';
import { isSignedBy } from '../../../src/eth/operation-signature';
import {
  computeAccountAddress,
  encodeCreation,
  SAFE_FACTORY,
  wrapUndeployed,
} from '../../../src/eth/smart-account';
import type { SmartAccountOrigin } from '../../../src/eth/smart-account';
import { hashWithViem, toInternal, toViem } from '../../fixtures/eth/user-operation';
import { dataOf } from '../../fixtures/trust/call';
import {
  address,
  bytes,
  chainId,
  fixedBytes,
  operationParts,
  paymasterSignedParts,
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

function connect(id: number, more: Record<string, Hex> = {}): PublicClient {
  const answers: Record<string, Hex> = { eth_chainId: numberToHex(id), ...more };
  const request = async ({ method }: { method: string }): Promise<unknown> =>
    Promise.resolve(answers[method]);
  return createPublicClient({ transport: custom({ request }) });
}

describe.each(entryPointVersions)('a SimpleAccount for EntryPoint %s', (version) => {
  it('has the address that viem computes for its factory', () => {
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

describe.each(['0.6', '0.7', '0.8'] as const)(
  'a SimpleAccount for EntryPoint %s',
  (version) => {
    const toTheirs = async (privateKey: Hex, id: number, sender: Hex) =>
      toSimpleSmartAccount({
        client: connect(id),
        owner: privateKeyToAccount(privateKey),
        entryPoint: { address: entryPoints[version].entryPoint, version },
        address: sender,
      });

    it('encodes calls like permissionless', async () => {
      const theirs = await toTheirs(numberToHex(1, { size: 32 }), 1, SENDER);
      const property = fc.asyncProperty(calls, async (each) => {
        const isLossy = version === '0.6' && each.length > 1;
        const encodable = isLossy ? each.map((call) => ({ ...call, value: 0n })) : each;
        expect(encodeIntents(version, encodable)).toBe(
          await theirs.encodeCalls(encodable),
        );
      });
      await fc.assert(property, runs(INPUTS));
    });

    it('signs user operations like permissionless', async () => {
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
          const operation = toInternal(parts, version);
          const own = signUserOperation(operation, domain, hexToBytes(privateKey));
          expect(own).toBe(signature);
        },
      );
      await fc.assert(property, runs(INPUTS));
    });
  },
);

// A SimpleAccount for EntryPoint 0.9, which permissionless does not support, signs the same way.
describe.each(['0.8', '0.9'] as const)(
  'a delegated account for EntryPoint %s',
  (version) => {
    const toTheirs = async (privateKey: Hex, id: number) =>
      toSimple7702SmartAccount({
        client: connect(id),
        owner: privateKeyToAccount(privateKey),
        entryPoint: version,
      });

    it('encodes calls like viem', async () => {
      const theirs = await toTheirs(numberToHex(1, { size: 32 }), 1);
      const property = fc.asyncProperty(calls, async (each) => {
        expect(encodeIntents(version, each)).toBe(await theirs.encodeCalls(each));
      });
      await fc.assert(property, runs(INPUTS));
    });

    it('signs user operations like viem', async () => {
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
          const operation = toInternal(own, version);
          expect(signUserOperation(operation, domain, hexToBytes(privateKey))).toBe(
            signature,
          );
        },
      );
      await fc.assert(property, runs(INPUTS));
    });
  },
);

type Owned = { privateKey: Hex; salt: bigint };

const owned = fc.record({ privateKey: key, salt: uint(256) });

/** Creates an undeployed Safe with permissionless. */
async function toTheirs({ privateKey, salt }: Owned, id = 1) {
  // The answer to the request for the proxy's code.
  const eth_call = encodeAbiParameters([{ type: 'bytes' }], [proxies.safe]);
  return toSafeSmartAccount({
    client: connect(id, { eth_getCode: '0x', eth_call }),
    owners: [privateKeyToAccount(privateKey)],
    version: '1.4.1',
    entryPoint: { address: entryPoints['0.7'].entryPoint, version: '0.7' },
    saltNonce: salt,
    useMultiSendForSetup: false,
  });
}

const toOrigin = ({ privateKey, salt }: Owned): SmartAccountOrigin => ({
  implementation: 'safe',
  entryPoint: SAFE_ENTRY_POINT,
  factory: SAFE_FACTORY,
  owner: privateKeyToAccount(privateKey).address,
  salt,
});

const lower = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? `${each}` : each,
    ).toLowerCase(),
  ) as Value;

describe('a Safe', () => {
  it('has the address and deployment that permissionless computes', async () => {
    const property = fc.asyncProperty(owned, async (each) => {
      const theirs = await toTheirs(each);
      const { factory, factoryData } = await theirs.getFactoryArgs();
      const origin = toOrigin(each);
      expect(
        lower([computeAccountAddress(origin, proxies), SAFE_FACTORY]),
      ).toStrictEqual(lower([theirs.address, factory]));
      expect(encodeCreation(origin)).toBe(factoryData);
    });
    await fc.assert(property, runs(INPUTS));
  });

  it('encodes calls like permissionless, and decodes them again', async () => {
    const theirs = await toTheirs({
      privateKey: numberToHex(1, { size: 32 }),
      salt: 0n,
    });
    const property = fc.asyncProperty(calls, async (each) => {
      const callData = encodeIntents('safe', each);
      expect(callData).toBe(await theirs.encodeCalls(each));
      expect(lower(readCallData('safe', callData))).toStrictEqual(
        lower({ calls: each, isCanonical: true }),
      );
      const longer = readCallData('safe', `${callData}00`);
      expect(longer.isCanonical).toBe(false);
    });
    await fc.assert(property, runs(INPUTS));
  });

  it('reports no calls for unreadable or delegating call data', () => {
    const property = fc.property(bytes(400), address, (data, to) => {
      const signature = 'executeUserOp(address,uint256,bytes,uint8)';
      const delegating = dataOf(signature, to, 0n, data, 1);
      expect(readCallData('safe', delegating).calls).toBeUndefined();
      expect(readCallData('safe', data).calls).toBeUndefined();
    });
    fc.assert(property, runs(INPUTS));
  });

  it('signs user operations like permissionless', async () => {
    const property = fc.asyncProperty(
      owned,
      operationParts,
      chainId,
      async (each, parts, id) => {
        const theirs = await toTheirs(each, id);
        const signature = await theirs.signUserOperation({
          // Without these fields, permissionless omits the paymaster.
          ...{ factory: undefined, factoryData: undefined },
          ...toViem(parts, '0.7'),
          chainId: id,
        });
        const operation = toInternal(parts, '0.7');
        const domain: SigningDomain = {
          chainId: BigInt(id),
          entryPoint: '0.7',
          implementation: 'safe',
        };
        const own = signUserOperation(operation, domain, hexToBytes(each.privateKey));
        expect(own).toBe(signature);
        const { owner } = toOrigin(each);
        const signed = { ...operation, signature: own };
        expect(isSignedBy(signed, domain, owner)).toBe(true);
        expect(isSignedBy(signed, { ...domain, chainId: 2n ** 60n }, owner)).toBe(
          false,
        );
      },
    );
    await fc.assert(property, runs(INPUTS));
  });

  it('signs typed data like permissionless before its deployment', async () => {
    const property = fc.asyncProperty(
      owned,
      bytes(),
      chainId,
      async (each, data, id) => {
        const theirs = await toTheirs(each, id);
        const document = {
          domain: { chainId: id },
          types: { Data: [{ name: 'data', type: 'bytes' }] },
          primaryType: 'Data',
          message: { data },
        } as const;
        const safe = { address: theirs.address, chainId: BigInt(id) };
        const message = toSafeMessage(hashTypedData(document), safe);
        const signature = signTypedData(message, hexToBytes(each.privateKey));
        const origin = toOrigin(each);
        expect(wrapUndeployed(signature, origin)).toBe(
          (await theirs.signTypedData(document)).toLowerCase(),
        );
      },
    );
    await fc.assert(property, runs(INPUTS));
  });
});

const chainIds = fc.oneof(chainId, fc.constantFrom(2 ** 53 - 1, 2 ** 52 + 1));

describe.each(entryPointVersions)(
  'the hash of an operation for EntryPoint %s',
  (version) => {
    it("equals viem's", () => {
      const property = fc.property(operationParts, chainIds, (parts, id) => {
        const operation = toInternal(parts, version);
        const domain = { chainId: BigInt(id), entryPoint: version };
        expect(hashUserOperation(operation, domain)).toBe(
          hashWithViem(parts, version, id),
        );
      });
      fc.assert(property, runs(INPUTS));
    });

    it('changes with every signed field, but not with the signature', () => {
      const property = fc.property(operationParts, (parts) => {
        const operation = toInternal(parts, version);
        const domain = { chainId: 1n, entryPoint: version };
        const hashed = Object.keys(operation).filter((name) => {
          const other = { ...operation, [name]: differ(operation[name as never]) };
          return (
            hashUserOperation(other, domain) !== hashUserOperation(operation, domain)
          );
        });
        const signed = Object.keys(operation).filter((name) => name !== 'signature');
        expect(hashed).toStrictEqual(signed);
      });
      fc.assert(property, runs(100));
    });
  },
);

it("hashes the presence of a 0.9 paymaster's signature, but not its bytes", () => {
  const property = fc.property(paymasterSignedParts, chainIds, (parts, id) => {
    const { paymasterSignature, ...unsigned } = parts.paymaster;
    const hashOf = (paymaster: typeof unsigned): string =>
      hashUserOperation(toInternal({ ...parts, paymaster }, '0.9'), {
        chainId: BigInt(id),
        entryPoint: '0.9',
      });
    const hash = hashOf(parts.paymaster);
    expect(hash).toBe(hashWithViem(parts, '0.9', id));
    const other = { ...unsigned, paymasterSignature: `${paymasterSignature}00` };
    expect(hashOf(other)).toBe(hash);
    expect(hashOf(unsigned)).not.toBe(hash);
  });
  fc.assert(property, runs(INPUTS));
});

/** Returns another value of the same kind. */
function differ(value: bigint | string): bigint | string {
  if (typeof value === 'bigint') return value ^ 1n;
  // An address keeps its length.
  if (value.length === 42) {
    return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
  }
  return `${value}00`;
}
