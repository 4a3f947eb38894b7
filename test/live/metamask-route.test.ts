// Transactions on MetaMask's own route: its SnapKeyring hands over every field, rebuilds
// the transaction from its own copy, and takes nothing from the snap but the signature.
import { Common, Hardfork } from '@ethereumjs/common-4';
import { TransactionFactory } from '@ethereumjs/tx-5';
import type { TypedTransaction, TypedTxData } from '@ethereumjs/tx-5';
import { bytesToHex, createPublicClient, http } from 'viem';

import {
  configureChain,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { wallets } from '../support/account-bench';

// EIP-2930's signature goes by the bridge's own rules: Istanbul, where it comes without a
// Common, has no access lists.
const common = Common.custom({ chainId: 31337 }, { hardfork: Hardfork.London });

const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

describe.each(wallets)('%s', (_name, options) => {
  let world: World;
  let account: DemoAccount;

  beforeAll(async () => {
    world = await startWorld(options);
    await configureChain(world);
    account = await createAccount(world, { type: 'eip155:eoa' });
    await world.stack.fund(account.address, '1');
  });

  afterAll(async () => {
    await world?.stop();
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
    ['legacy', { ...body, type: 0, nonce: 0, to: RECIPIENT, gasPrice: 5_000_000_000n }],
    [
      'EIP-2930',
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
      'EIP-1559',
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
  ])('signs what MetaMask sends, and the chain takes it: %s', async (_name, data) => {
    const signed = await sign(data);
    expect(signed.getSenderAddress().toString()).toBe(account.address);

    const client = createPublicClient({ transport: http(world.stack.chain.url) });
    const hash = await client.sendRawTransaction({
      serializedTransaction: bytesToHex(signed.serialize()),
    });
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.from).toBe(account.address);
  });

  it('asks neither servers nor the platform once a worker has signed for an account', async () => {
    await sign({ ...body, type: 2, nonce: 9, to: RECIPIENT, ...fees, chainId: 31337 });
    world.wallet.calls.length = 0;
    world.wallet.user.dialogs.length = 0;
    await sign({ ...body, type: 2, nonce: 10, to: RECIPIENT, ...fees, chainId: 31337 });
    expect(world.wallet.calls).toStrictEqual([]);
    expect(world.wallet.user.dialogs).toHaveLength(0);
  });
});
