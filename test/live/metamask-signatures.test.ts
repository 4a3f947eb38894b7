// Messages and typed data on MetaMask's own route, of every version that it sends; and the
// transactions that its bridge cannot take back, whatever a snap answers.
import { Common, Hardfork } from '@ethereumjs/common-4';
import { TransactionFactory } from '@ethereumjs/tx-5';
import type { TypedTxData } from '@ethereumjs/tx-5';
import {
  recoverPersonalSignature,
  recoverTypedSignature,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';
import { stringToHex } from 'viem';

import { mail } from '../fixtures/eth/typed-data';
import { describeWallets } from '../support/account-bench';
import { AUTHORIZATION, BLOB_HASH } from '../support/transactions';

describeWallets((bench) => {
  const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

  const entries = [
    { type: 'string', name: 'message', value: 'Hi, Alice!' },
    { type: 'uint32', name: 'value', value: 10 },
  ];

  const { V1, V3, V4 } = SignTypedDataVersion;

  describe('typed data', () => {
    it.each([
      [V1, entries],
      [V3, mail],
      [V4, mail],
      [V4, { ...mail, domain: { ...mail.domain, chainId: '0x1' } }],
    ])('of version %s are signed for the account', async (version, data) => {
      const { address } = await bench.create();
      const signature = await bench.wallet.keyring.signTypedData(
        address,
        data as never,
        {
          version,
        },
      );
      const signer = recoverTypedSignature({ data: data as never, signature, version });
      expect(signer).toBe(address);
      expect(signature).toMatch(/(?:1b|1c)$/u);
    });
  });

  describe('personal_sign', () => {
    it.each(['', 'Hello, Bob!', '0x12', '\u{1f600}'])('signs %j', async (message) => {
      const { address } = await bench.create();
      const data = stringToHex(message);
      const signature = await bench.wallet.keyring.signPersonalMessage(address, data);
      expect(recoverPersonalSignature({ data, signature })).toBe(address);
      expect(signature).toMatch(/(?:1b|1c)$/u);
    });
  });

  describe('a transaction that the bridge cannot build again', () => {
    const body = {
      chainId: 31_337,
      nonce: 0,
      to: RECIPIENT,
      gasLimit: 100_000n,
      maxFeePerGas: 5n,
      maxPriorityFeePerGas: 1n,
    } as const;

    it.each<[string, TypedTxData, RegExp]>([
      [
        '0x3',
        { ...body, type: 3, maxFeePerBlobGas: 1n, blobVersionedHashes: [BLOB_HASH] },
        /kzg/u,
      ],
      [
        '0x4',
        {
          ...body,
          type: 4,
          authorizationList: [{ ...AUTHORIZATION, nonce: [AUTHORIZATION.nonce] }],
        },
        /EIP-7702 not enabled/u,
      ],
    ])('of type %s is refused in its own words', async (_type, data, words) => {
      const { address } = await bench.create();
      const common = Common.custom(
        { chainId: 31_337 },
        {
          hardfork: Hardfork.Cancun,
          eips: [7702],
          customCrypto: { kzg: {} as never },
        },
      );
      const options = { common, freeze: false };
      const transaction = TransactionFactory.fromTxData(data, options);
      const { authorizationList, ...fields } = transaction.toJSON();
      // This version writes an authorisation's nonce as the list that no other has.
      const list = authorizationList && { authorizationList: [AUTHORIZATION] };
      transaction.toJSON = () => ({ ...fields, ...list }) as never;
      const signing = bench.wallet.keyring.signTransaction(address, transaction);
      await expect(signing).rejects.toThrow(words);
    });
  });
});
