// viem's EIP-5792 actions, unmodified, with the snap as the wallet.
import { createWalletClient, parseEther } from 'viem';
import type {
  Account,
  Address,
  Chain,
  CustomTransport,
  SendCallsErrorType,
  WalletClient,
} from 'viem';
import { foundry } from 'viem/chains';

import type { DemoAccount } from '../../dev/demo/world';
import { errorOf } from '../support/error-of';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapTransport } from '../support/snap-transport';

type Client = WalletClient<CustomTransport, Chain, Account>;

const world = setupSmartWorld();

async function setup(account: DemoAccount): Promise<Client> {
  const site = await world.visit(account);
  return createWalletClient({
    account: account.address,
    chain: foundry,
    transport: createSnapTransport(site),
    pollingInterval: 300,
  });
}

async function createPlain(ether: string): Promise<DemoAccount> {
  return world.createAccount({ type: 'eip155:eoa' }, ether);
}

const createCalls = (): { to: Address; value: bigint }[] =>
  [1n, 2n, 3n].map((value) => ({ to: createRecipient(), value }));

async function received(calls: readonly { to: Address }[]): Promise<bigint[]> {
  return Promise.all(
    calls.map(async ({ to }) => world.node.getBalance({ address: to })),
  );
}

// viem puts what it recognises by the code below what it says.
async function codesOf(run: () => Promise<unknown>): Promise<unknown[]> {
  const codes: unknown[] = [];
  let error: unknown = await errorOf(run);
  for (; error instanceof Error; { cause: error } = error) {
    codes.push((error as SendCallsErrorType & { code?: number }).code);
  }
  return codes;
}

describe('a smart account', () => {
  it.each(['0.7', '0.8', '0.9'] as const)(
    'carries out calls with values all at once: EntryPoint %s',
    async (version) => {
      const client = await setup(await world.createSmart(version, '1'));
      const calls = createCalls();
      const { id } = await client.sendCalls({ calls, forceAtomic: true });
      const status = await client.waitForCallsStatus({ id });
      expect(status).toMatchObject({
        id,
        version: '2.0.0',
        chainId: 31337,
        atomic: true,
        statusCode: 200,
        status: 'success',
      });
      expect(status.receipts).toMatchObject([{ status: 'success' }]);
      expect(await received(calls)).toStrictEqual([1n, 2n, 3n]);
      expect(await client.getCallsStatus({ id })).toStrictEqual(status);
    },
  );

  it("has the dapp's paymaster pay", async () => {
    const client = await setup(await world.createSmart('0.7'));
    const { paymaster } = world.stack;
    const { id } = await client.sendCalls({
      calls: [{ to: createRecipient() }],
      capabilities: { paymasterService: { url: paymaster.url } },
    });
    expect(await client.waitForCallsStatus({ id })).toMatchObject({
      status: 'success',
    });
    const { address } = client.account;
    expect(await world.node.getBalance({ address })).toBe(0n);
  });

  it('tells what it can do', async () => {
    const client = await setup(await world.createSmart('0.7'));
    const capabilities = {
      atomic: { status: 'supported' },
      paymasterService: { supported: true },
    };
    expect(await client.getCapabilities()).toMatchObject({ 31337: capabilities });
    expect(await client.getCapabilities({ chainId: 31337 })).toMatchObject(
      capabilities,
    );
  });

  it('shows what became of calls', async () => {
    const client = await setup(await world.createSmart('0.7', '1'));
    const { id } = await client.sendCalls({ calls: createCalls() });
    await client.waitForCallsStatus({ id });
    const { reviews } = world.tollkeeper;
    const before = reviews.length;
    await client.showCallsStatus({ id });
    expect(reviews).toHaveLength(before + 1);
  });
});

describe('an account of a key', () => {
  it('carries out calls one after another', async () => {
    const client = await setup(await createPlain('1'));
    const calls = createCalls();
    const { id } = await client.sendCalls({ calls });
    const status = await client.waitForCallsStatus({ id });
    expect(status).toMatchObject({ id, atomic: false, statusCode: 200 });
    expect(status.receipts).toMatchObject(calls.map(() => ({ status: 'success' })));
    expect(await received(calls)).toStrictEqual([1n, 2n, 3n]);
  });

  it('refuses calls that must be atomic, and sends nothing', async () => {
    const account = await createPlain('1');
    const client = await setup(account);
    const calls = createCalls();
    const send = async (): Promise<unknown> =>
      client.sendCalls({ calls, forceAtomic: true });
    expect(await codesOf(send)).toContain(5760);
    expect(await received(calls)).toStrictEqual([0n, 0n, 0n]);
    expect(await world.node.getBalance(account)).toBe(parseEther('1'));
  });

  it('tells that nothing of it is atomic', async () => {
    const client = await setup(await createPlain('1'));
    const { atomic } = await client.getCapabilities({ chainId: 31337 });
    expect(atomic).toStrictEqual({ status: 'unsupported' });
  });
});

it('knows no calls that were not sent', async () => {
  const client = await setup(await createPlain('1'));
  const id = `0x${'12'.repeat(32)}`;
  expect(await codesOf(async () => client.getCallsStatus({ id }))).toContain(5730);
  expect(await codesOf(async () => client.showCallsStatus({ id }))).toContain(5730);
});
