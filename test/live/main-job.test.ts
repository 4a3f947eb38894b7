// The demo's main job, with MetaMask's packages as the wallet and a real chain, service and
// bundler.
import {
  refuseMessage,
  sendNonsense,
  sendTransaction,
  sendUserOperation,
  signMessage,
  signTypedData,
} from '../../dev/demo/main-job';
import {
  configureChain,
  connect,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';

let world: World;
let account: DemoAccount;
let smart: DemoAccount;

beforeAll(async () => {
  world = await startWorld();
  await configureChain(world);
  account = await createAccount(world, { type: 'eip155:eoa' });
  smart = await createAccount(world, {
    type: 'eip155:erc4337',
    entryPoint: '0.6',
    scopes: ['eip155:31337'],
  });
  await Promise.all(
    [account, smart].map(async ({ address }) => world.stack.fund(address, '1')),
  );
  await connect(world, world.dapp, [account, smart]);
  // Chain, bundler and wallet start slowly on a busy machine.
}, 120_000);

afterAll(async () => {
  await world?.stop();
});

it('signs messages that recover to the account', async () => {
  const [message, document] = [
    await signMessage(world, account),
    await signTypedData(world, account),
  ];
  expect(message.toLowerCase()).toBe(account.address);
  expect(document.toLowerCase()).toBe(account.address);
});

it.each([
  ['legacy', { type: '0x0' }],
  ['EIP-2930', { type: '0x1', accessList: [] }],
  ['EIP-1559', { type: '0x2' }],
] as const)(
  'fills in, signs, sends and finds transactions of type %s',
  async (_name, fields) => {
    const sent = await sendTransaction(world, account, fields);
    const { type, gasLimit, maxPrice, receipt } = sent;
    expect(receipt).toMatchObject({ status: 'success', gasUsed: 21_000n });
    expect([type, gasLimit]).toStrictEqual([fields.type, 21_000n]);
    expect(receipt.effectiveGasPrice).toBeGreaterThan(0n);
    expect(receipt.effectiveGasPrice).toBeLessThanOrEqual(maxPrice);
  },
);

it('deploys a smart account with its first user operation only', async () => {
  const first = await sendUserOperation(world, smart);
  expect(first).toMatchObject({ success: true, isDeployed: true, received: '0.01' });
  const second = await sendUserOperation(world, smart);
  expect(second).toMatchObject({ success: true, received: '0.02' });
  expect(second.actualGasUsed).toBeLessThan(first.actualGasUsed);
});

it("reports the user's refusal to a dapp", async () => {
  await expect(refuseMessage(world, account)).resolves.toEqual({
    code: 4001,
    message: 'The user refused the request.',
  });
});

it('tells a dapp which field is wrong', async () => {
  await expect(sendNonsense(world, account)).resolves.toEqual({
    code: -32602,
    message:
      'eth_signTransaction: params[0].to must be a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31), or null, "" or "0x" (contract creation).',
  });
});
