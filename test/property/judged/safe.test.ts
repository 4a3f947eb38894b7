// A Safe, judged by permissionless, which sets it up in the same way.
import { hexToBytes } from '@metamask/utils';
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { toSafeSmartAccount } from 'permissionless/accounts';
import {
  createPublicClient,
  custom,
  encodeAbiParameters,
  hashTypedData,
  numberToHex,
} from 'viem';
import type { Hex } from 'viem';
import { entryPoint07Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { proxies } from '../../../dev/stack/proxies';
import { encodeIntents, readCallData } from '../../../src/eth/account-calls';
import type { Call } from '../../../src/eth/account-calls';
import { isSignedBy, signUserOperation } from '../../../src/eth/sign-user-operation';
import type { SigningDomain } from '../../../src/eth/sign-user-operation';
import {
  computeAccountAddress,
  encodeCreation,
  SAFE_ENTRY_POINT,
  SAFE_FACTORY,
  toSafeMessage,
  wrapUndeployed,
} from '../../../src/eth/smart-account';
import type { SmartAccountOrigin } from '../../../src/eth/smart-account';
import { signTypedData } from '../../../src/eth/typed-data';
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

/** A Safe as permissionless has it: one without code, at a chain that says nothing else. */
async function toTheirs(
  { privateKey, salt }: { privateKey: Hex; salt: bigint },
  id = 1,
): ReturnType<typeof toSafeSmartAccount<'0.7', undefined>> {
  const answers: Record<string, Hex> = {
    eth_chainId: numberToHex(id),
    eth_getCode: '0x',
    // Of the proxy's code.
    eth_call: encodeAbiParameters([{ type: 'bytes' }], [proxies.safe]),
  };
  const request = async ({ method }: { method: string }): Promise<unknown> =>
    Promise.resolve(answers[method]);
  return toSafeSmartAccount({
    client: createPublicClient({ transport: custom({ request }) }),
    owners: [privateKeyToAccount(privateKey)],
    version: '1.4.1',
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    saltNonce: salt,
    useMultiSendForSetup: false,
  });
}

const owned = fc.record({ privateKey: key, salt: uint(256) });

const toOrigin = ({
  privateKey,
  salt,
}: {
  privateKey: Hex;
  salt: bigint;
}): SmartAccountOrigin => ({
  implementation: 'safe',
  entryPoint: SAFE_ENTRY_POINT,
  factory: SAFE_FACTORY,
  owner: privateKeyToAccount(privateKey).address,
  salt,
});

const call: Arbitrary<Call> = fc.record({
  to: address,
  value: uint(256),
  data: bytes(),
});

const lower = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? `${each}` : each,
    ).toLowerCase(),
  ) as Value;

describe('a Safe', () => {
  it('has the address and the deployment that permissionless computes', async () => {
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

  it('makes calls as permissionless encodes them, and reads them again', async () => {
    const theirs = await toTheirs({
      privateKey: numberToHex(1, { size: 32 }),
      salt: 0n,
    });
    const calls = fc.array(call, { minLength: 1, maxLength: 5 });
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

  it('never throws on call data, and says what it cannot read', () => {
    const property = fc.property(bytes(400), address, (data, to) => {
      const signature = 'executeUserOp(address,uint256,bytes,uint8)';
      const delegating = dataOf(signature, to, 0n, data, 1);
      expect(readCallData('safe', delegating).calls).toBeUndefined();
      expect(readCallData('safe', data).calls).toBeUndefined();
    });
    fc.assert(property, runs(INPUTS));
  });

  it('signs user operations as permissionless does', async () => {
    const property = fc.asyncProperty(
      owned,
      operationParts,
      chainId,
      async (each, parts, id) => {
        const theirs = await toTheirs(each, id);
        const signature = await theirs.signUserOperation({
          // Without these keys they leave the paymaster out.
          ...{ factory: undefined, factoryData: undefined },
          ...toViem(parts, '0.7'),
          chainId: id,
        });
        const operation = toOurs(parts, '0.7');
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

  it('signs typed data before it is deployed as permissionless does', async () => {
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
        const place = { address: theirs.address, chainId: BigInt(id) };
        const message = toSafeMessage(hashTypedData(document), place);
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
