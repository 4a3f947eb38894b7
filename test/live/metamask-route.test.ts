// Transactions, messages and all versions of typed data through MetaMask. Its SnapKeyring, called
// the bridge here, sends the snap every field of a transaction and adds the snap's signature to its
// own copy. It cannot rebuild some transactions, whatever a snap answers.
import { Common, Hardfork } from '@ethereumjs/common-4';
import { TransactionFactory } from '@ethereumjs/tx-5';
import type { TypedTransaction, TypedTxData } from '@ethereumjs/tx-5';
import {
  recoverPersonalSignature,
  recoverTypedSignature,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';
import { bytesToHex, stringToHex } from 'viem';

import type { DemoAccount } from '../../dev/demo/world';
import { mail } from '../fixtures/eth/typed-data';
import { wallets } from '../support/account-bench';
import { setupWalletWorld } from '../support/smart-world';
import { AUTHORIZATION, BLOB_HASH } from '../support/transactions';

// MetaMask's bridge defaults to the Istanbul rules, which have no access lists, unless it gets a
// Common.
const common = Common.custom({ chainId: 31337 }, { hardfork: Hardfork.London });

const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

const entries = [
  { type: 'string', name: 'message', value: 'Hi, Alice!' },
  { type: 'uint32', name: 'value', value: 10 },
];

const { V1, V3, V4 } = SignTypedDataVersion;

describe.each(wallets)('%s', (_name, options) => {
  const world = setupWalletWorld(options);
  let account: DemoAccount;

  beforeAll(async () => {
    account = await world.createAccount({ type: 'eip155:eoa' }, '1');
  });

  async function sign(data: TypedTxData): Promise<TypedTransaction> {
    const transaction = TransactionFactory.fromTxData(data, { common });
    const signed = await world.wallet.keyring.signTransaction(
      account.address,
      transaction,
    );
    return signed as TypedTransaction;
  }

  const body = { value: 1n, gasLimit: 100_000n, data: '0x' } as const;
  const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

  it.each<[string, TypedTxData]>([
    [
      'a legacy transaction',
      { ...body, type: 0, nonce: 0, to: RECIPIENT, gasPrice: 5_000_000_000n },
    ],
    [
      'an EIP-2930 transaction',
      {
        ...body,
        type: 1,
        nonce: 1,
        to: RECIPIENT,
        gasPrice: 5_000_000_000n,
        chainId: 31337,
      },
    ],
    [
      'an EIP-1559 transaction',
      { ...body, type: 2, nonce: 2, to: RECIPIENT, ...fees, chainId: 31337 },
    ],
    [
      'a contract creation',
      {
        ...body,
        type: 2,
        nonce: 3,
        value: 0n,
        data: '0x600a600c',
        ...fees,
        chainId: 31337,
      },
    ],
  ])('signs %s for MetaMask, and the chain accepts it', async (_name, data) => {
    const signed = await sign(data);
    expect(signed.getSenderAddress().toString()).toBe(account.address);

    const receipt = await world.node.sendRawTransactionSync({
      serializedTransaction: bytesToHex(signed.serialize()),
    });
    expect(receipt.from).toBe(account.address);
  });

  it('makes no calls and shows no dialog when a worker signs for an account again', async () => {
    await sign({ ...body, type: 2, nonce: 9, to: RECIPIENT, ...fees, chainId: 31337 });
    world.wallet.calls.length = 0;
    world.wallet.user.dialogs.length = 0;
    await sign({ ...body, type: 2, nonce: 10, to: RECIPIENT, ...fees, chainId: 31337 });
    expect(world.wallet.calls).toStrictEqual([]);
    expect(world.wallet.user.dialogs).toHaveLength(0);
  });

  describe('typed data', () => {
    it.each([
      ['version 1', V1, entries],
      ['version 3', V3, mail],
      ['version 4', V4, mail],
      [
        'version 4 with a hex chain id',
        V4,
        { ...mail, domain: { ...mail.domain, chainId: '0x1' } },
      ],
    ])('is signed in %s', async (_name, version, data) => {
      const signature = await world.wallet.keyring.signTypedData(
        account.address,
        data as never,
        { version },
      );
      const signer = recoverTypedSignature({ data: data as never, signature, version });
      expect(signer).toBe(account.address);
      expect(signature).toMatch(/(?:1b|1c)$/u);
    });
  });

  describe('personal_sign', () => {
    it.each(['', 'Hello, Bob!', '0x12', '\u{1f600}'])('signs %j', async (message) => {
      const data = stringToHex(message);
      const signature = await world.wallet.keyring.signPersonalMessage(
        account.address,
        data,
      );
      expect(recoverPersonalSignature({ data, signature })).toBe(account.address);
      expect(signature).toMatch(/(?:1b|1c)$/u);
    });
  });

  describe('a transaction', () => {
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
    ])('of type %s is rejected by the bridge itself', async (_type, data, reason) => {
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
      // Only this version of EthereumJS writes an authorization's nonce as a list.
      const list = authorizationList && { authorizationList: [AUTHORIZATION] };
      transaction.toJSON = () => ({ ...fields, ...list }) as never;
      const signing = world.wallet.keyring.signTransaction(
        account.address,
        transaction,
      );
      await expect(signing).rejects.toThrow(reason);
    });
  });
});
