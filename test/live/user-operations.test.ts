// User operations from a site's request to their receipts, for every EntryPoint.
import type { Json } from '@metamask/utils';
import {
  concat,
  encodeFunctionData,
  getContractAddress,
  pad,
  parseAbi,
  parseEther,
  size,
  slice,
  stringToHex,
  toHex,
} from 'viem';
import type { Hex } from 'viem';

import { startBundlerRelay } from '../../dev/stack/bundler-relay';
import type { BundlerRelay } from '../../dev/stack/bundler-relay';
import { callRpc } from '../../dev/stack/server';
import { requestBundler } from '../fixtures/stack/requests';
import { setupLiveOperationBench } from '../support/live-operation-bench';
import type { SmartAccount, WireReceipt } from '../support/live-operation-bench';
import { createRecipient } from '../support/smart-world';

const live = setupLiveOperationBench();

let relay: BundlerRelay;

beforeAll(async () => {
  relay = await startBundlerRelay(live.stack.bundler.url);
  await live.configure({ bundlerUrl: relay.url, bundlerApiKey: 'bundler-key-5a1f' });
});

afterEach(async () => {
  await live.configure({ paymasterUrl: null });
  await callBundler('setBundlingMode', 'auto');
});

afterAll(async () => relay?.stop());

const callBundler = async (method: string, ...params: unknown[]): Promise<unknown> =>
  requestBundler(live.stack, `debug_bundler_${method}`, params);

const lastDialog = (): string => live.wallet.user.dialogs.at(-1)?.text ?? '';

/** Creates the init code of a contract with fewer than 256 bytes of code. */
function toInitCode(code: Hex): Hex {
  return concat(['0x60', toHex(size(code), { size: 1 }), '0x5f8160095f39f3', code]);
}

type FoundOperation = { userOperation: { sender: Hex }; transactionHash: Hex };

type PaymasterFields = Record<
  | 'paymaster'
  | 'paymasterData'
  | 'paymasterVerificationGasLimit'
  | 'paymasterPostOpGasLimit',
  Hex
>;

const pay = (to: Hex, wei: number): { to: Hex; value: Hex; data: Hex } => ({
  to,
  value: toHex(wei),
  data: '0x',
});

async function balanceOf(address: Hex): Promise<bigint> {
  return live.node.getBalance({ address });
}

/** Sums an account's balance and its deposit at the EntryPoint. */
async function wealthOf({ address, entryPoint }: SmartAccount): Promise<bigint> {
  const deposit = await live.node.readContract({
    address: live.stack.contracts[entryPoint].entryPoint,
    abi: parseAbi(['function balanceOf(address account) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [address],
  });
  return (await balanceOf(address)) + deposit;
}

/**
 * Returns for each operation that reached the bundler whether it deploys the account. The snap may
 * send an operation twice, because the bundler briefly does not know it between pool and block.
 */
function listDeploying(account: SmartAccount): boolean[] {
  const sent = relay.sentBy(account.address);
  const distinct = new Map(sent.map((each) => [JSON.stringify(each), each]));
  return [...distinct.values()].map(
    ({ initCode, factory }) => (initCode ?? factory ?? '0x') !== '0x',
  );
}

/** Waits for inclusion, and checks every source of the receipt. */
async function expectIncluded(account: SmartAccount, hashes: Hex[]) {
  const receipts: WireReceipt[] = [];
  for (const hash of hashes) {
    const receipt = await live.include(hash);
    expect(receipt).toMatchObject({ userOpHash: hash, success: true });
    const found = await live.dapp.snap('eth_getUserOperationByHash', [hash]);
    const { userOperation, transactionHash } = found as never as FoundOperation;
    expect(userOperation.sender.toLowerCase()).toBe(account.address);
    expect(transactionHash).toBe(receipt.receipt.transactionHash);
    receipts.push(receipt);
  }
  const known = await live.pollActivity(account);
  for (const hash of hashes) {
    expect(known.find((each) => each.hash === hash)).toMatchObject({
      status: 'included',
      inclusion: { success: true },
    });
  }
  return receipts;
}

async function sendIncluded(
  account: SmartAccount,
  calls: Json[],
): Promise<WireReceipt> {
  const hash = await live.send(account, calls);
  const [receipt] = await expectIncluded(account, [hash]);
  return receipt as WireReceipt;
}

describe.each(['0.6', '0.7', '0.8', '0.9'] as const)('EntryPoint %s', (version) => {
  it('deploys the account with the first operation only', async () => {
    const account = await live.open(version, '1');
    const recipient = createRecipient();
    const first = await sendIncluded(account, [pay(recipient, 5)]);
    const second = await sendIncluded(account, [pay(recipient, 7)]);
    expect(listDeploying(account)).toStrictEqual([true, false]);
    expect(await live.countNonce(account)).toBe(2n);
    expect(await balanceOf(recipient)).toBe(12n);
    const costs = BigInt(first.actualGasCost) + BigInt(second.actualGasCost);
    expect(await wealthOf(account)).toBe(parseEther('1') - 12n - costs);
  });

  it('makes three calls in one operation, from a new account and from a deployed one', async () => {
    const account = await live.open(version, '1');
    const to = [createRecipient(), createRecipient(), createRecipient()];
    const hasValues = version !== '0.6';
    const calls = to.map((each, index) => pay(each, hasValues ? index + 1 : 0));
    await sendIncluded(account, calls);
    await sendIncluded(account, calls);
    const balances = await Promise.all(to.map(balanceOf));
    expect(balances).toStrictEqual(hasValues ? [2n, 4n, 6n] : [0n, 0n, 0n]);
    expect(listDeploying(account)).toStrictEqual([true, false]);
  });

  it('creates a contract at the address in the dialog', async () => {
    const account = await live.open(version, '1');
    // STOP, with a unique suffix, because the same contract cannot be created twice.
    const code = concat(['0x00', stringToHex(version)]);
    const bytecode = toInitCode(code);
    await sendIncluded(account, [{ to: null, value: '0x0', data: bytecode }]);
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: live.stack.contracts.deterministicDeployer,
      salt: toHex(0, { size: 32 }),
      bytecode,
    });
    expect(lastDialog().toLowerCase()).toContain(address.toLowerCase());
    expect(await live.node.getCode({ address })).toBe(code);
  });

  it('has a paymaster pay for an account without funds, or the account on request', async () => {
    const { stack } = live;
    await live.configure({ paymasterUrl: stack.paymaster.url });
    const account = await live.open(version);
    const paymaster = {
      ...account,
      address: stack.contracts[version].verifyingPaymaster,
    };
    const before = await wealthOf(paymaster);
    const sponsored = await sendIncluded(account, [pay(createRecipient(), 0)]);
    expect(lastDialog()).toContain('Tollkeeper development paymaster');
    const after = before - BigInt(sponsored.actualGasCost);
    expect(await wealthOf(paymaster)).toBe(after);
    expect(await wealthOf(account)).toBe(0n);

    await stack.fund(account.address, '1');
    const recipient = createRecipient();
    const callData = encodeFunctionData({
      abi: parseAbi(['function execute(address,uint256,bytes)']),
      args: [recipient, 3n, '0x'],
    });
    const own = await sendIncluded(account, [{ callData, paymasterAndData: '0x' }]);
    expect(await balanceOf(recipient)).toBe(3n);
    const cost = BigInt(own.actualGasCost);
    expect(await wealthOf(account)).toBe(parseEther('1') - 3n - cost);
    expect(await wealthOf(paymaster)).toBe(after);
  });

  it('sends operations with two nonce keys independently', async () => {
    const account = await live.open(version, '1');
    await sendIncluded(account, [pay(createRecipient(), 1)]);
    const recipient = createRecipient();
    await callBundler('setBundlingMode', 'manual');
    const hashes = await Promise.all([
      live.send(account, [pay(recipient, 1)], { nonceKey: '0x1' }),
      live.send(account, [pay(recipient, 2)], { nonceKey: '0x2' }),
    ]);
    expect(await balanceOf(recipient)).toBe(0n);
    await callBundler('sendBundleNow');
    await callBundler('setBundlingMode', 'auto');
    await expectIncluded(account, hashes);
    expect(await balanceOf(recipient)).toBe(3n);
    const keys = [1n, 2n].map(async (key) => live.countNonce(account, key));
    expect(await Promise.all(keys)).toStrictEqual([1n, 1n]);
  });
});

it('sends an operation whose paymaster signs after its owner, for EntryPoint 0.9', async () => {
  const { stack, dapp } = live;
  const account = await live.open('0.9');
  const { entryPoint } = stack.contracts['0.9'];
  const prepared = await dapp.snap('eth_prepareUserOperation', {
    account: account.id,
    params: [pay(createRecipient(), 0)],
  });
  const { callData, initCode } = prepared as { callData: Hex; initCode: Hex };
  const operation = {
    sender: account.address,
    nonce: '0x0',
    callData,
    callGasLimit: '0x30d40',
    verificationGasLimit: '0x7a120',
    preVerificationGas: '0x186a0',
    maxFeePerGas: toHex(3_000_000_000),
    maxPriorityFeePerGas: toHex(1_000_000_000),
  } as const;
  const deployment = {
    factory: slice(initCode, 0, 20),
    factoryData: slice(initCode, 20),
  };
  const { result } = await callRpc(stack.paymaster.url, 'pm_getPaymasterData', [
    { ...operation, ...deployment },
    entryPoint,
    toHex(stack.chainId),
    {},
  ]);
  const { paymasterData, ...payer } = result as PaymasterFields;
  const validity = slice(paymasterData, 0, 64);
  const paymasterAndData = concat([
    payer.paymaster,
    pad(payer.paymasterVerificationGasLimit, { size: 16 }),
    pad(payer.paymasterPostOpGasLimit, { size: 16 }),
    validity,
    // A placeholder for the paymaster's signature, its length, and the magic suffix.
    `0x${'11'.repeat(65)}004122e325a297439656`,
  ]);
  const signature = await dapp.snap('eth_signUserOperation', {
    account: account.id,
    params: [{ ...operation, initCode, paymasterAndData, signature: '0x' }, entryPoint],
  });
  const paymasterSignature = slice(paymasterData, 64);
  const whole = { ...operation, ...deployment, ...payer, paymasterData: validity };
  const hash = await live.send(account, [
    { ...whole, paymasterSignature, signature },
    entryPoint,
  ]);
  await expectIncluded(account, [hash]);
  const [sent] = relay.sentBy(account.address);
  expect(sent).toMatchObject({ paymasterData: validity, paymasterSignature });
});

it('rejects a batch with values for EntryPoint 0.6, and says why', async () => {
  const account = await live.open('0.6');
  const calls = [pay(createRecipient(), 1), pay(createRecipient(), 1)];
  await expect(live.send(account, calls)).rejects.toMatchObject({
    code: -32602,
    message:
      'Several intents with a value do not fit in one user operation of EntryPoint 0.6, ' +
      'whose executeBatch carries no values; send them one by one.',
  });
  expect(listDeploying(account)).toStrictEqual([]);
});
