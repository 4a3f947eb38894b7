// Decoding calls to well-known functions never fails, whatever their arguments, so a signing
// request always gets a dialog. Calls and operations of smart accounts match viem's.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { decodeFunctionData, encodeFunctionData } from 'viem';
import { formatUserOperationRequest } from 'viem/account-abstraction';

import { toBundlerForm } from '../../packages/client/src/bundler-schema';
import { entryPointVersions } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { abi } from '../../src/eth/abi';
import type { AbiSignature } from '../../src/eth/abi';
import { encodeIntents, readCallData, toCall } from '../../src/eth/account-calls';
import type { Call, Intent } from '../../src/eth/account-calls';
import { concatHex, toPaddedHex, withQuantities } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import {
  parseOperationRequest,
  toPackedRequest,
} from '../../src/eth/operation-request';
import { UserOperationStruct } from '../../src/eth/user-operation';
import { functions } from '../../src/review/functions';
import { readCall } from '../../src/review/read';
import { parse } from '../../src/schema/parse';
import { toInternal, toViem } from '../fixtures/eth/user-operation';
import {
  address,
  bytes,
  operationParts,
  paymasterSignedParts,
  uint,
} from '../support/arbitraries';
import { runs } from '../support/runs';
import { toViemAbi } from '../support/viem-abi';

const from: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const to: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

const selector = fc.constantFrom(...(Object.keys(functions) as Hex[]));

/** Words that act as pointers and lengths, most of them small. */
const word = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 10n }).map((count) => count * 32n),
    fc.bigInt({ min: 0n, max: 200n }),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  )
  .map((number) => toPaddedHex(number, 32));

it('decodes a call to a known function with any arguments', () => {
  fc.assert(
    fc.property(selector, fc.array(word, { maxLength: 12 }), (start, words) => {
      const data = concatHex(start, ...words);
      expect(readCall({ from, to, value: 0n, data })).toMatchObject({ data });
    }),
    { numRuns: 3_000 },
  );
});

it.each([0, 1, 84, 85, 86])(
  'reads either all or nothing of a MultiSend with %i bytes',
  (length) => {
    const packed = `${'00'.repeat(length)}${'00'.repeat((32 - (length % 32)) % 32)}`;
    const data = concatHex(
      '0x8d80ff0a',
      toPaddedHex(32n, 32),
      toPaddedHex(BigInt(length), 32),
      `0x${packed}`,
    );
    const { inside } = readCall({ from, to, value: 0n, data });
    expect(inside.filter(({ kind }) => kind === 'call')).toHaveLength(
      length === 85 ? 1 : 0,
    );
  },
);

const EXECUTE = 'execute(address,uint256,bytes)';

const batches: Record<EntryPointVersion, AbiSignature> = {
  '0.6': 'executeBatch(address[],bytes[])',
  '0.7': 'executeBatch(address[],uint256[],bytes[])',
  '0.8': 'executeBatch((address,uint256,bytes)[])',
  '0.9': 'executeBatch((address,uint256,bytes)[])',
};

const intent: Arbitrary<Intent> = fc.record({
  to: fc.option(address, { nil: null }),
  value: uint(256),
  data: bytes(),
});

const intents = fc.array(intent, { minLength: 1, maxLength: 5 });

/** Zeroes the values that a batch of this version cannot carry. */
function toEncodable(version: EntryPointVersion, each: Intent[]): Intent[] {
  const hasValues = version !== '0.6' || each.length === 1;
  return hasValues ? each : each.map((one) => ({ ...one, value: 0n }));
}

const lower = ({ to, ...call }: Call): Call => ({
  ...call,
  to: to.toLowerCase() as Hex,
});

/** Decodes arguments with viem and encodes them again; undefined if viem cannot decode them. */
function encodeAgain(signature: AbiSignature, data: Hex): Hex | undefined {
  const known = toViemAbi(signature);
  try {
    const { args = [] } = decodeFunctionData({ abi: known, data });
    return encodeFunctionData({ abi: known, args });
  } catch {
    return undefined;
  }
}

const readByViem = (version: EntryPointVersion, data: Hex): Call[] | undefined => {
  const signature = data.startsWith(abi[EXECUTE].selector) ? EXECUTE : batches[version];
  const again = encodeAgain(signature, data);
  return again && readCallData(version, again).calls;
};

/** Bytes to change, and the share of the data to keep. */
const spoil = fc.record({
  places: fc.array(fc.tuple(fc.nat(2_000), fc.constantFrom(0, 1, 0x20, 0x40, 0xff)), {
    minLength: 1,
    maxLength: 3,
  }),
  keep: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function spoilt(
  data: Hex,
  { places, keep }: { places: [number, number][]; keep: number },
): Hex {
  const all = Buffer.from(data.slice(2), 'hex');
  const body = all.subarray(4, 4 + Math.round((all.length - 4) * keep));
  for (const [at, value] of places) {
    if (body.length > 0) body[at % body.length] = value;
  }
  return `0x${all.subarray(0, 4).toString('hex')}${body.toString('hex')}`;
}

describe.each(entryPointVersions)(
  'the calls of an EntryPoint %s account',
  (version) => {
    it('equal the encoded intents', () => {
      const property = fc.property(intents, (any) => {
        const each = toEncodable(version, any);
        const calls = readCallData(version, encodeIntents(version, each)).calls;
        expect(calls?.map(lower)).toStrictEqual(each.map(toCall).map(lower));
      });
      fc.assert(property, runs(200));
    });

    it('match viem for any offsets and trailing bytes', () => {
      const property = fc.property(intents, spoil, bytes(40), (any, how, more) => {
        const own = encodeIntents(version, toEncodable(version, any));
        const longer: Hex = `${own}${more.slice(2)}`;
        expect(readCallData(version, longer).calls).toStrictEqual(
          readCallData(version, own).calls,
        );
        expect(readCallData(version, longer).isCanonical).toBe(more === '0x');
        const data = spoilt(longer, how);
        const calls = readCallData(version, data).calls;
        if (calls) expect(calls).toStrictEqual(readByViem(version, data));
        if (readCallData(version, data).isCanonical) expect(calls).toBeDefined();
      });
      fc.assert(property, runs(500));
    });
  },
);

describe.each(entryPointVersions)('a user operation for EntryPoint %s', (version) => {
  it('has the same bundler form as in viem, and can be parsed from it', () => {
    const lowered = (form: object): unknown =>
      JSON.parse(JSON.stringify(form).toLowerCase());
    const property = fc.property(operationParts, (each) => {
      const operation = toInternal(each, version);
      const form = toBundlerForm(operation, version);
      const expected = formatUserOperationRequest(toViem(each, version));
      expect(lowered(form)).toStrictEqual(lowered(expected));
      const request = parseOperationRequest(form, 'op');
      const empty = { initCode: '0x', paymasterAndData: '0x' };
      const packed = { ...empty, ...toPackedRequest(request, version) };
      expect(packed).toStrictEqual(operation);
    });
    fc.assert(property, runs(150));
  });

  it('survives a round trip through JSON', () => {
    const property = fc.property(operationParts, (each) => {
      const operation = toInternal(each, version);
      const json: unknown = JSON.parse(JSON.stringify(withQuantities(operation)));
      expect(parse(json, UserOperationStruct, 'op')).toStrictEqual(operation);
    });
    fc.assert(property, runs(100));
  });
});

it("separates a 0.9 paymaster's signature for bundlers as viem does", () => {
  const property = fc.property(paymasterSignedParts, (parts) => {
    const operation = toInternal(parts, '0.9');
    const form = toBundlerForm(operation, '0.9');
    expect(form).toStrictEqual(formatUserOperationRequest(toViem(parts, '0.9')));
    const request = parseOperationRequest(form, 'op');
    const { paymasterAndData } = operation;
    expect(toPackedRequest(request, '0.9')).toMatchObject({ paymasterAndData });
  });
  fc.assert(property, runs(150));
});
