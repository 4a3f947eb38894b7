// The snap signs any transaction byte for byte like viem, however its fields are written, and reads
// it back from the signed bytes. It signs any request or refuses it with a reason. EthereumJS
// judges the intrinsic gas for Prague and Amsterdam.
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx, getMinimumGasLimit } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import fc from 'fast-check';
import { keccak256 } from 'viem';

import { signTransaction } from '../../dev/signing';
import { toAuthorizationJson } from '../../src/core/authorization';
import { TollkeeperError } from '../../src/core/errors';
import type { Transaction } from '../../src/core/payload';
import { toTransactionJson } from '../../src/core/transaction';
import type { Hex } from '../../src/eth/hex';
import { computeIntrinsicGas } from '../../src/eth/intrinsic-gas';
import { parseRawTransaction } from '../../src/eth/raw-transaction';
import { parseTransactionRequest } from '../../src/eth/transaction';
import type { TransactionRequest } from '../../src/eth/transaction';
import { owner, privateKey } from '../fixtures/eth/owner';
import { address, bytes, fixedBytes, uint } from '../support/arbitraries';
import { runs } from '../support/runs';
import {
  accessList,
  signByViem,
  spelling,
  toRequest,
  transactionsOf,
} from '../support/transaction-arbitraries';
import type { ViemType } from '../support/transaction-arbitraries';

const types = Object.keys(transactionsOf) as ViemType[];

// These requests have all fields.
const complete = (request: TransactionRequest): Transaction => request as Transaction;

const toComparable = (transaction: Transaction): unknown =>
  JSON.parse(JSON.stringify(toTransactionJson(transaction)).toLowerCase());

describe.each(types)('any transaction of type %s', (type) => {
  it('is signed as in viem, however it is written, and read back', async () => {
    const property = fc.asyncProperty(
      transactionsOf[type],
      spelling,
      async (each, written) => {
        const request = toRequest(each, written, owner.address);
        const signed = complete(parseTransactionRequest(request, 'tx'));
        const raw = await signByViem(owner, each);
        expect(signTransaction(signed, privateKey).raw).toBe(raw);
        const { hash, chainId, transaction } = parseRawTransaction(raw, 'raw');
        const read = { ...transaction, chainId } as Transaction;
        expect(hash).toBe(keccak256(raw));
        expect(toComparable(read)).toStrictEqual(toComparable(signed));
        expect(parseTransactionRequest(toTransactionJson(signed), 'tx')).toStrictEqual(
          signed,
        );
      },
    );
    await fc.assert(property, runs(300));
  });
});

describe('any request', () => {
  it('can be signed or is refused as invalid', () => {
    const quantity = uint(256).map((value) => value.toString());
    const toBlobHash = (hex: string): string => `0x01${hex.slice(4)}`;
    const authorization = fc.record({
      chainId: quantity,
      address,
      nonce: quantity,
      yParity: fc.nat(2),
      r: quantity,
      s: quantity,
    });
    const requests = fc.record({
      from: fc.constant(owner.address),
      to: fc.oneof(address, fc.constantFrom(null, '')),
      type: fc.constantFrom('0x0', '0x1', '0x2', 2, '0x3', 4, '0x5'),
      chainId: fc.oneof(quantity, fc.constant('eip155:1')),
      nonce: quantity,
      gasLimit: quantity,
      value: quantity,
      data: bytes(4),
      gasPrice: quantity,
      maxFeePerGas: quantity,
      maxPriorityFeePerGas: quantity,
      accessList,
      maxFeePerBlobGas: quantity,
      blobVersionedHashes: fc.array(fixedBytes(32).map(toBlobHash), { maxLength: 10 }),
      authorizationList: fc.array(authorization, { maxLength: 2 }),
    });
    const omitted = fc.subarray([
      'gasPrice',
      'accessList',
      'maxFeePerGas',
      'maxPriorityFeePerGas',
      'maxFeePerBlobGas',
      'blobVersionedHashes',
      'authorizationList',
    ]);
    const property = fc.property(requests, omitted, (fields, names) => {
      const kept = Object.entries(fields).filter(([name]) => !names.includes(name));
      try {
        const request = parseTransactionRequest(Object.fromEntries(kept), 'tx');
        const { maxPriorityFeePerGas = 0n } = request;
        const defaults = {
          gasPrice: 1n,
          maxFeePerGas: maxPriorityFeePerGas,
          maxFeePerBlobGas: 0n,
          accessList: [],
        };
        const whole = { ...defaults, maxPriorityFeePerGas, ...request } as Transaction;
        signTransaction(whole, privateKey);
      } catch (error) {
        if (!(error instanceof TollkeeperError)) throw error;
        expect(error.code).toBe(-32602);
      }
    });
    fc.assert(property, runs(300));
  });
});

const body = {
  value: fc.constantFrom(0n, 1n),
  data: fc.oneof(
    bytes(3_000),
    fc.nat(3_000).map((length): Hex => `0x${'00'.repeat(length)}`),
  ),
};

const plain = fc.record({
  ...body,
  type: fc.constant(2),
  to: fc.option(address),
  accessList,
  authorizationList: fc.constant([]),
});

const authorizing = fc.record({
  ...body,
  type: fc.constant(4),
  to: address,
  accessList,
  authorizationList: fc.array(
    address.map((delegate) => {
      const terms = { chainId: 1n, nonce: 0n, yParity: 0n, r: 1n, s: 1n };
      return { address: delegate, ...terms };
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const SENDER = createAddressFromString(`0x${'51'.repeat(20)}`);

it.each([
  ['prague', Hardfork.Prague],
  ['amsterdam', Hardfork.Amsterdam],
] as const)('computes the same intrinsic gas as EthereumJS in %s', (fork, hardfork) => {
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork });
  fc.assert(
    fc.property(fc.oneof(plain, authorizing), (fields) => {
      const { type, to, authorizationList, ...others } = fields;
      const judged = createTx(
        {
          ...others,
          type,
          gasLimit: 10_000_000n,
          maxFeePerGas: 1n,
          maxPriorityFeePerGas: 1n,
          ...(to !== null && { to }),
          ...(type === 4 && {
            authorizationList: authorizationList.map(toAuthorizationJson),
          }),
        },
        { common },
      );
      const least = getMinimumGasLimit(judged, SENDER);
      const recipient = 'unknown';
      const priced = { ...fields, authorizationList: [...authorizationList] };
      expect(computeIntrinsicGas(priced, fork, { recipient })).toBe(least);
    }),
    runs(300),
  );
});
