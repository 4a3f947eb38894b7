// The snap signs any valid document byte for byte like viem, however its numbers are written. It
// refuses a changed document or signs it like viem.
import {
  signTypedData as signEip712,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';
import fc from 'fast-check';
import type { TypedDataDefinition } from 'viem';

import { signTypedData, signTypedEntries } from '../../dev/signing';
import {
  parseTypedData,
  parseTypedDataV3,
  parseTypedEntries,
} from '../../src/eth/typed-data';
import { owner, privateKey } from '../fixtures/eth/owner';
import type { Document } from '../fixtures/eth/typed-data';
import { runs } from '../support/runs';
import {
  brokenDocuments,
  flatCases,
  forViem,
  typedDataCases,
  typedLists,
} from '../support/typed-data-arbitraries';

const ROOT = 'params[1]';

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, ROOT), privateKey);

// viem's types need literal types, which these documents lack.
const signByViem = async (document: Document): Promise<string> =>
  owner.signTypedData(document as unknown as TypedDataDefinition);

// These tests make thousands of signatures, each of them twice.
jest.setTimeout(180_000);

describe('any document', () => {
  it('is signed as in viem', async () => {
    const property = fc.asyncProperty(
      typedDataCases,
      fc.boolean(),
      async ({ document, plain }, isText) => {
        const given = isText ? JSON.stringify(document) : document;
        expect(sign(given)).toBe(await signByViem(plain));
      },
    );
    await fc.assert(property, runs(700));
  });

  it('has the same signature in versions 3 and 4 if it has no arrays', async () => {
    const property = fc.asyncProperty(flatCases, async ({ document, plain }) => {
      const data = parseTypedDataV3(document, ROOT);
      const signature = signTypedData(data, privateKey);
      const key = Buffer.from(privateKey);
      const version = SignTypedDataVersion.V3;
      expect(signature).toBe(signEip712({ privateKey: key, data, version }));
      expect(signature).toBe(await signByViem(plain));
    });
    await fc.assert(property, runs(300));
  });
});

describe('a document with one change', () => {
  it('is refused with the path, or signed as in viem', async () => {
    const counts = { signed: 0, refused: 0 };
    const property = fc.asyncProperty(brokenDocuments, async (document) => {
      const failure = failureOf(() => sign(document));
      if (failure) {
        counts.refused += 1;
        expect(failure).toMatchObject({ name: 'InvalidParamsError', code: -32602 });
        expect(failure.message).toMatch(/^params\[1\].*\.$/su);
        return;
      }
      counts.signed += 1;
      expect(sign(document)).toBe(await signByViem(forViem(document)));
    });
    await fc.assert(property, runs(500));
    expect(Math.min(counts.signed, counts.refused)).toBeGreaterThan(10);
  });
});

describe('any version 1 list', () => {
  it("is signed with Solidity's packing", async () => {
    const property = fc.asyncProperty(typedLists, async ({ entries, hash }) => {
      const read = parseTypedEntries(entries, ROOT);
      expect(signTypedEntries(read, privateKey)).toBe(await owner.sign({ hash }));
    });
    await fc.assert(property, runs(200));
  });
});

function failureOf(run: () => unknown): (Error & { code?: unknown }) | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
