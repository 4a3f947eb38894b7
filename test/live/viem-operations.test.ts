// viem's unmodified bundler client with the snap as its bundler: for every kind of smart account,
// it calls a bundler's methods through wallet_invokeSnap.
import { getAddress, http, parseEther } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { foundry } from 'viem/chains';

import { deployVerifiers } from '../../dev/stack/verifiers';
import { toTollkeeperSmartAccount } from '../../packages/viem/src';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapProvider, createSnapTransport } from '../support/snap-transport';

const versions = ['0.6', '0.7', '0.8', '0.9'] as const;

const world = setupSmartWorld();

beforeAll(async () => deployVerifiers(world.stack));

afterEach(async () => {
  await world.setPaymaster(null);
});

type Kind = (typeof versions)[number] | 'Safe';

const createSafe = async (ether: string) =>
  world.createAccount(
    { type: 'eip155:erc4337', implementation: 'safe', scopes: ['eip155:31337'] },
    ether,
  );

async function setup(kind: Kind, ether = '1') {
  const { stack, node } = world;
  const version = kind === 'Safe' ? '0.7' : kind;
  const created = await (kind === 'Safe'
    ? createSafe(ether)
    : world.createSmart(kind, ether));
  const site = await world.visit(created);
  const { entryPoint } = stack.contracts[version];
  const account = await toTollkeeperSmartAccount({
    client: node,
    provider: createSnapProvider(site),
    address: created.address,
  });
  const transport = createSnapTransport(site);
  const client = createBundlerClient({
    account,
    client: node,
    chain: foundry,
    transport,
    pollingInterval: 300,
  });
  const withoutAccount = createBundlerClient({ transport });
  return { account, client, withoutAccount, entryPoint };
}

describe.each<Kind>([...versions, 'Safe'])(
  'the client of a smart account (%s)',
  (kind) => {
    it('gets the chain and the EntryPoints', async () => {
      const { client } = await setup(kind);
      expect(await client.getChainId()).toBe(31337);
      const { contracts } = world.stack;
      expect(await client.getSupportedEntryPoints()).toStrictEqual(
        versions.map((each) => contracts[each].entryPoint),
      );
    });

    it('sends and finds operations of a new account and of a deployed one', async () => {
      const { account, client, entryPoint } = await setup(kind);
      for (const isNew of [true, false]) {
        const to = createRecipient();
        const hash = await client.sendUserOperation({
          account,
          calls: [{ to, value: 5n }],
        });
        const receipt = await client.waitForUserOperationReceipt({ hash });
        expect(receipt).toMatchObject({
          userOpHash: hash,
          success: true,
          receipt: { status: 'success' },
        });
        expect(await client.getUserOperationReceipt({ hash })).toStrictEqual(receipt);
        const found = await client.getUserOperation({ hash });
        expect(found).toMatchObject({
          entryPoint,
          transactionHash: receipt.receipt.transactionHash,
        });
        const { initCode, factory } = found.userOperation;
        expect((initCode ?? factory ?? '0x') !== '0x').toBe(isNew);
        expect(await world.node.getBalance({ address: to })).toBe(5n);
      }
    });

    it('estimates, prepares and sends several calls', async () => {
      const { account, client } = await setup(kind);
      // The executeBatch of EntryPoint 0.6 accounts carries no values.
      const value = kind === '0.6' ? 0n : 3n;
      const calls = [1, 2].map(() => ({ to: createRecipient(), value }));
      expect(
        await account.decodeCalls?.(await account.encodeCalls(calls)),
      ).toMatchObject(calls.map(({ to }) => ({ to: getAddress(to), value })));
      const estimate = await client.estimateUserOperationGas({ account, calls });
      const prepared = await client.prepareUserOperation({ account, calls });
      const { callGasLimit, verificationGasLimit } = estimate;
      expect(prepared).toMatchObject({ callGasLimit, verificationGasLimit });

      const hash = await client.sendUserOperation(prepared as never);
      const { nonce, success } = await client.waitForUserOperationReceipt({ hash });
      expect(success).toBe(true);
      // Before 2.57.15, viem returns hex, although the type is bigint.
      expect(BigInt(nonce)).toBe(prepared.nonce);
      for (const { to } of calls) {
        expect(await world.node.getBalance({ address: to })).toBe(value);
      }
    });

    it('sends operations that the snap fills in and signs', async () => {
      const { account, client, withoutAccount, entryPoint } = await setup(kind);
      const to = createRecipient();
      const callData = await account.encodeCalls([{ to, value: 7n }]);
      expect(await account.decodeCalls?.(callData)).toMatchObject([{ value: 7n }]);
      // viem's types require all fields; its code does not.
      const partial = {
        sender: account.address,
        callData,
        entryPointAddress: entryPoint,
      };
      const hash = await withoutAccount.sendUserOperation(partial);
      const { success } = await client.waitForUserOperationReceipt({ hash });
      expect(success).toBe(true);
      expect(await world.node.getBalance({ address: to })).toBe(7n);
    });

    it("uses the dapp's own paymaster", async () => {
      const { account, client } = await setup(kind, '0');
      const hash = await client.sendUserOperation({
        account,
        calls: [{ to: createRecipient() }],
        paymaster: createPaymasterClient({
          transport: http(world.stack.paymaster.url),
        }),
      });
      const { success } = await client.waitForUserOperationReceipt({ hash });
      expect(success).toBe(true);
    });

    it("omits the chain's paymaster from an operation that viem completes", async () => {
      const { account, client } = await setup(kind);
      await world.setPaymaster({});
      const hash = await client.sendUserOperation({
        account,
        calls: [{ to: createRecipient(), value: parseEther('0.1') }],
      });
      const { success } = await client.waitForUserOperationReceipt({ hash });
      expect(success).toBe(true);
    });
  },
);
