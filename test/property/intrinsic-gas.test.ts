// EthereumJS as the judge: it knows the rules of both forks.
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx, getMinimumGasLimit } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import fc from 'fast-check';

import type { Hex } from '../../src/eth/hex';
import { computeIntrinsicGas } from '../../src/eth/intrinsic-gas';
import { address as anyAddress, bytes, fixedBytes } from '../support/arbitraries';
import { runs } from '../support/runs';

const address = anyAddress.map((each) => each.toLowerCase() as Hex);

const accessList = fc.array(
  fc.record({ address, storageKeys: fc.array(fixedBytes(32), { maxLength: 3 }) }),
  { maxLength: 3 },
);

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
    address.map((delegate) => ({
      chainId: 1n,
      address: delegate,
      nonce: 0n,
      yParity: 0n,
      r: 1n,
      s: 1n,
    })),
    { minLength: 1, maxLength: 3 },
  ),
});

const SENDER = createAddressFromString(`0x${'51'.repeat(20)}`);

it.each([
  ['prague', Hardfork.Prague],
  ['amsterdam', Hardfork.Amsterdam],
] as const)('intrinsic gas in %s is what EthereumJS asks for', (fork, hardfork) => {
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
            authorizationList: authorizationList.map((each) => ({
              chainId: '0x1',
              nonce: '0x0',
              yParity: '0x0',
              r: '0x1',
              s: '0x1',
              address: each.address,
            })),
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
