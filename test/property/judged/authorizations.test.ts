// EIP-7702 authorizations that are signed with a transaction, against viem's for the same account.
import { hexToBytes } from '@metamask/utils';
import fc from 'fast-check';
import { numberToHex, zeroAddress } from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { implementations, toOwnAuthorization } from '../../../src/eth/delegation';
import { signTransaction } from '../../../src/eth/sign-transaction';
import { runs } from '../../support/runs';

const INPUTS = 1_000;

const cases = fc.record({
  key: fc.bigInt(1n, 2n ** 252n),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  nonce: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 }),
  delegate: fc.constantFrom(
    zeroAddress,
    ...implementations.map((each) => each.address),
  ),
});

it("are viem's, and so is the transaction that carries them", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ key, chainId, nonce, delegate }) => {
      const privateKey = numberToHex(key, { size: 32 });
      const account = privateKeyToAccount(privateKey);
      const from = account.address.toLowerCase() as Hex;
      const { raw } = signTransaction(
        {
          ...{ type: '0x4', from, to: from, value: 0n, data: '0x', accessList: [] },
          ...{ chainId: BigInt(chainId), nonce: BigInt(nonce), gasLimit: 60_000n },
          ...{ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
          authorizationList: [toOwnAuthorization(BigInt(chainId), delegate)],
        },
        hexToBytes(privateKey),
      );
      const authorization = await account.signAuthorization({
        ...{ address: delegate, chainId, nonce: nonce + 1 },
      });
      const expected: TransactionSerializableEIP7702 = {
        ...{ type: 'eip7702', to: from, chainId, nonce, gas: 60_000n },
        ...{ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
        authorizationList: [authorization],
      };
      expect(raw).toBe(await account.signTransaction(expected));
    }),
    runs(INPUTS),
  );
});
