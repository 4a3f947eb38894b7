// Authorisations of EIP-7702, one by one wrong, and in every form that callers have.
import { SECP256K1_ORDER, SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';

import { toAuthorizationJson } from '../../../src/eth/authorization';
import type { Authorization } from '../../../src/eth/authorization';
import { parseTransactionRequest } from '../../../src/eth/transaction';
import { OTHER, owner } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';
import { AUTHORIZATION } from '../../support/transactions';
import { without } from '../../support/without';

const authorization: Authorization = {
  chainId: 0n,
  address: AUTHORIZATION.address,
  nonce: 1n,
  yParity: 1n,
  r: BigInt(AUTHORIZATION.r),
  s: BigInt(AUTHORIZATION.s),
};

function read(given: unknown): Authorization | undefined {
  const request = { from: owner.address, to: OTHER, authorizationList: [given] };
  return parseTransactionRequest(request, 'tx').authorizationList?.[0];
}

const NUMBER = '(hex with 0x, decimal string, or safe integer)';
const CHAIN = `chainId must be a chain id below 2^256, 0 for every chain ${NUMBER}`;
const NONCE = `nonce must be a quantity below 2^64 - 1 ${NUMBER}`;
const PARITY = `yParity must be 0 or 1 ${NUMBER}`;
const V = `v must be 0, 1, 27 or 28 ${NUMBER}`;
const R = `r must be a quantity from 1 to the order of secp256k1 ${NUMBER}`;
const S = `s must be a quantity from 1 to half the order of secp256k1 ${NUMBER}`;

describe('an authorisation', () => {
  it.each<[string, object, Partial<Authorization>]>([
    ['in hex', {}, {}],
    [
      'in numbers',
      { chainId: 1, nonce: 0, yParity: 0 },
      { chainId: 1n, nonce: 0n, yParity: 0n },
    ],
    ['in decimal strings', { chainId: '10', nonce: '7' }, { chainId: 10n, nonce: 7n }],
    [
      'with the zeros that @ethereumjs/tx writes',
      { chainId: '0x', nonce: '0x', yParity: '0x' },
      { nonce: 0n, yParity: 0n },
    ],
    [
      'with the largest numbers',
      {
        chainId: (2n ** 256n - 1n).toString(),
        nonce: (2n ** 64n - 2n).toString(),
        r: (SECP256K1_ORDER - 1n).toString(),
        s: SECP256K1_ORDER_DIV_2.toString(),
      },
      {
        chainId: 2n ** 256n - 1n,
        nonce: 2n ** 64n - 2n,
        r: SECP256K1_ORDER - 1n,
        s: SECP256K1_ORDER_DIV_2,
      },
    ],
    ['with the smallest signature', { r: 1, s: 1 }, { r: 1n, s: 1n }],
    [
      'of the zero address',
      { address: `0x${'0'.repeat(40)}` },
      { address: `0x${'0'.repeat(40)}` },
    ],
    ['with yParity and the v that viem adds', { v: '0x1c' }, {}],
  ])('is read %s', (_form, fields, expected) => {
    expect(read({ ...AUTHORIZATION, ...fields })).toStrictEqual({
      ...authorization,
      ...expected,
    });
  });

  it.each([
    [0, 0n],
    [1, 1n],
    ['27', 0n],
    ['0x1c', 1n],
  ])('is read with v %j and no yParity', (v, yParity) => {
    expect(read({ ...without(AUTHORIZATION, 'yParity'), v })).toStrictEqual({
      ...authorization,
      yParity,
    });
  });

  it.each<[object, string]>([
    [{ chainId: (2n ** 256n).toString() }, `${CHAIN}.`],
    [{ chainId: 'eip155:1' }, `${CHAIN}.`],
    [{ chainId: undefined }, `${CHAIN.replace('must be', 'is missing: it must be')}.`],
    [
      { address: OTHER.replace('C', 'c') },
      'address must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).',
    ],
    [{ nonce: (2n ** 64n - 1n).toString() }, `${NONCE}.`],
    [{ yParity: 2 }, `${PARITY}.`],
    [{ v: 2 }, `${V}.`],
    [{ v: 26 }, `${V}.`],
    [{ v: 29 }, `${V}.`],
    [{ r: 0 }, `${R}.`],
    [{ r: SECP256K1_ORDER.toString() }, `${R}.`],
    [{ s: 0 }, `${S}.`],
    [{ s: (SECP256K1_ORDER_DIV_2 + 1n).toString() }, `${S}.`],
    [{ signature: '0x' }, 'signature is not expected here.'],
  ])('with %j is refused by its path', async (fields, message) => {
    const failure = await failureOf(() => read({ ...AUTHORIZATION, ...fields }));
    expect(failure.name).toBe('InvalidParamsError');
    expect(failure.message).toBe(`tx.authorizationList[0].${message}`);
  });

  it('without a parity, or with two, is refused', async () => {
    const bare = without(AUTHORIZATION, 'yParity');
    expect((await failureOf(() => read(bare))).message).toBe(
      'tx.authorizationList[0].yParity is missing: it must be 0 or 1.',
    );
    const double = { ...AUTHORIZATION, v: 27 };
    expect((await failureOf(() => read(double))).message).toBe(
      'tx.authorizationList[0]: yParity and v differ; give one of them.',
    );
  });
});

it('writes an authorisation in minimal hex, which reads the same', () => {
  const json = toAuthorizationJson({ ...authorization, r: 10n });
  expect(json).toStrictEqual({ ...AUTHORIZATION, r: '0xa' });
  expect(read(json)).toStrictEqual({ ...authorization, r: 10n });
});
