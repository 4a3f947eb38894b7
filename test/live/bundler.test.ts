// What the stack's bundler refuses, with which code and words, and what becomes of what it takes. It is
// used as a wallet would: estimate, sign, send, look up. With viem alone: nothing of the snap may take
// part in the proof that its test bed works.
import {
  concat,
  encodeFunctionData,
  numberToHex,
  parseAbi,
  parseEther,
  type Address,
  type Hex,
} from 'viem';
import { formatUserOperation, getUserOperationHash } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { callRpc, type RpcAnswer } from '../../dev/stack/server';
import { startDevStack, type DevStack } from '../../dev/stack/stack';
import { requestBundler, waitFor } from '../fixtures/stack/requests';
import { createNode } from '../support/smart-world';
import { without } from '../support/without';

const ours = ['0.7', '0.8', '0.9'] as const;

type Version = (typeof ours)[number];

/** An operation as JSON: numbers are hex. */
type WireOperation = Record<string, Hex>;

let stack: DevStack;
let node: ReturnType<typeof createNode>;

beforeAll(async () => {
  stack = await startDevStack();
  node = createNode(stack.chain.url);
});
afterAll(async () => {
  await stack?.stop();
});

const abi = parseAbi([
  'function getAddress(address owner, uint256 salt) view returns (address)',
  'function createAccount(address owner, uint256 salt)',
  'function execute(address dest, uint256 value, bytes func)',
  'function getNonce(address sender, uint192 key) view returns (uint256)',
  'function addStake(uint32 unstakeDelaySec) payable',
  'function depositTo(address account) payable',
]);

const unused: Address = '0x000000000000000000000000000000000000dEaD';

/** 65 bytes that recover to an unused address. */
const stubSignature: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

type SimpleAccount = Awaited<ReturnType<typeof createAccount>>;

/** Creates an account, not deployed, with an unused owner. */
async function createAccount(version: Version) {
  const owner = privateKeyToAccount(generatePrivateKey());
  const factory = stack.contracts[version].accountFactory;
  const call = { abi, args: [owner.address, 0n] } as const;
  const address = await node.readContract({
    ...call,
    address: factory,
    functionName: 'getAddress',
  });
  const factoryData = encodeFunctionData({ ...call, functionName: 'createAccount' });
  return { version, address, owner, deployment: { factory, factoryData } };
}

/** Creates an account with an ether, not deployed. */
async function createFunded(version: Version): Promise<SimpleAccount> {
  const account = await createAccount(version);
  await node.setBalance({ address: account.address, value: parseEther('1') });
  return account;
}

/** Begins an operation: no gas limits, a stub for a signature. It deploys the account where that is
 * needed. */
async function draftOperation(
  { version, address, deployment }: SimpleAccount,
  { to, value, data }: { to: Address; value: bigint; data: Hex } = {
    to: unused,
    value: 1n,
    data: '0x',
  },
): Promise<WireOperation> {
  const nonce = await node.readContract({
    address: stack.contracts[version].entryPoint,
    abi,
    functionName: 'getNonce',
    args: [address, 0n],
  });
  return {
    sender: address,
    nonce: numberToHex(nonce),
    callData: encodeFunctionData({
      abi,
      functionName: 'execute',
      args: [to, value, data],
    }),
    maxFeePerGas: '0x12a05f200',
    maxPriorityFeePerGas: '0x3b9aca00',
    ...((await node.getCode({ address })) ? {} : deployment),
    signature: stubSignature,
  };
}

/** Makes an operation with gas limits that suffice for all that these tests do, and signature. */
async function prepare(account: SimpleAccount, changes: WireOperation = {}) {
  const { version, owner } = account;
  const operation = {
    ...(await draftOperation(account)),
    callGasLimit: '0x186a0',
    verificationGasLimit: '0xf4240',
    preVerificationGas: '0x11170',
    ...changes,
  } as const;
  const hash = getUserOperationHash({
    chainId: stack.chainId,
    entryPointAddress: stack.contracts[version].entryPoint,
    entryPointVersion: version,
    userOperation: formatUserOperation(operation as never),
  });
  const signature = await (version === '0.7'
    ? owner.signMessage({ message: { raw: hash } })
    : owner.sign({ hash }));
  return { operation: { ...operation, signature } as WireOperation, hash };
}

const ask =
  (method: string) =>
  async (version: Version, operation: object): Promise<RpcAnswer> => {
    const { entryPoint } = stack.contracts[version];
    return callRpc(stack.bundler.url, method, [operation, entryPoint]);
  };

const request =
  (method: string) =>
  async (...params: unknown[]): Promise<unknown> =>
    requestBundler(stack, method, params);

const findReceipt = request('eth_getUserOperationReceipt');

const bundler = {
  estimate: ask('eth_estimateUserOperationGas'),
  send: ask('eth_sendUserOperation'),
  find: request('eth_getUserOperationByHash'),
  waitForReceipt: async (hash: Hex) => waitFor(async () => findReceipt(hash)),
  setMode: request('debug_bundler_setBundlingMode'),
  bundleNow: request('debug_bundler_sendBundleNow'),
};

/** A call that reverts with a reason. */
const reverting = () => ({
  to: stack.contracts['0.7'].entryPoint,
  value: 0n,
  data: encodeFunctionData({ abi, functionName: 'addStake', args: [0] }),
});

describe.each(ours)('a refusal of %s', (version) => {
  it('names the least preVerificationGas, and takes that', async () => {
    const account = await createFunded(version);
    const { operation } = await prepare(account, { preVerificationGas: '0x1' });
    const { error } = await bundler.send(version, operation);
    expect(error?.message).toMatch(
      /^preVerificationGas is 1 and must be at least \d+\.$/u,
    );
    // Its own bytes count.
    const least = BigInt(/(\d+)\.$/u.exec(error?.message ?? '')?.[1] ?? 0) + 100n;
    const preVerificationGas = numberToHex(least);
    const { operation: enough } = await prepare(account, { preVerificationGas });
    expect(await bundler.send(version, enough)).toHaveProperty('result');
  });

  it('names the least maxFeePerGas', async () => {
    const account = await createFunded(version);
    const { operation } = await prepare(account, { maxFeePerGas: '0x3b9aca00' });
    expect(await bundler.send(version, operation)).toStrictEqual({
      error: {
        code: -32602,
        message: expect.stringMatching(
          /^maxFeePerGas is 1000000000 wei and must be at least \d+ wei now\.$/u,
        ) as string,
      },
    });
  });

  it('has -32500 for an account that does not take the operation', async () => {
    const account = await createFunded(version);
    const poor = await createAccount(version);
    const { operation } = await prepare(account);
    const undeployed = without(operation, 'factory', 'factoryData');
    const rows: [object, string][] = [
      [undeployed, 'AA20 account not deployed'],
      [{ ...operation, nonce: '0x7' }, 'AA25 invalid account nonce'],
      [{ ...operation, signature: '0x' }, 'AA23 reverted'],
      [(await prepare(poor)).operation, "AA21 didn't pay prefund"],
    ];
    for (const [wrong, message] of rows) {
      expect(await bundler.send(version, wrong)).toMatchObject({
        error: { code: -32500, message },
      });
    }
    const { operation: first, hash } = await prepare(account);
    expect(await bundler.send(version, first)).toStrictEqual({ result: hash });
    await bundler.waitForReceipt(hash);
    // Another nonce than that of the one that was included, which the bundler may still hold.
    // EntryPoint 0.9 passes over what would deploy the account.
    const again = { ...operation, nonce: '0x7' };
    expect(await bundler.send(version, again)).toMatchObject({
      error: {
        code: -32500,
        message:
          version === '0.9'
            ? 'AA25 invalid account nonce'
            : 'AA10 sender already constructed',
      },
    });
  });

  it('has -32507 and -32501 for signatures and paymasters', async () => {
    const account = await createFunded(version);
    const { verifyingPaymaster } = stack.contracts[version];
    const ofPaymaster = (paymaster: Address, paymasterData: Hex): WireOperation => ({
      paymaster,
      paymasterData,
      paymasterVerificationGasLimit: '0x186a0',
      paymasterPostOpGasLimit: '0x0',
    });
    const times: Hex = `0x${'00'.repeat(64)}`;
    const signed = ofPaymaster(verifyingPaymaster, concat([times, stubSignature]));
    const rows: [object, number, string][] = [
      [{ signature: stubSignature }, -32507, 'AA24 signature error'],
      [signed, -32507, 'AA34 signature error'],
      [ofPaymaster(unused, '0x'), -32501, 'AA30 paymaster not deployed'],
      [ofPaymaster(verifyingPaymaster, times), -32501, 'AA33 reverted'],
    ];
    for (const [change, code, message] of rows) {
      const { operation } = await prepare(account, change as WireOperation);
      expect(await bundler.send(version, { ...operation, ...change })).toMatchObject({
        error: { code, message },
      });
    }
  });

  it('has -32503 for an account that is not valid any more', async () => {
    const { entryPoint } = stack.contracts[version];
    const sender: Address = `0x${version.replace('.', '').repeat(20)}`;
    // Answers every call with validUntil = 1.
    const word = `${'00'.repeat(6)}${'00'.repeat(5)}01${'00'.repeat(20)}`;
    await node.setCode({ address: sender, bytecode: `0x7f${word}5f5260205ff3` });
    const [account = unused] = await node.getAddresses();
    await node.writeContractSync({
      account,
      address: entryPoint,
      abi,
      functionName: 'depositTo',
      args: [sender],
      value: parseEther('1'),
    });
    const { operation } = await prepare({
      ...(await createAccount(version)),
      address: sender,
    });
    expect(await bundler.send(version, operation)).toStrictEqual({
      error: { code: -32503, message: 'AA22 expired or not due' },
    });
  });

  it('has -32521 and the data for a call that reverts, at the estimate', async () => {
    const account = await createAccount(version);
    const draft = await draftOperation(account, reverting());
    const { error } = await bundler.estimate(version, draft);
    expect(error).toStrictEqual({
      code: -32521,
      message: 'The call of the user operation reverts.',
      data: expect.stringMatching(/^0x08c379a0/u) as string,
    });
    expect(
      await bundler.estimate(version, { ...draft, signature: '0x' }),
    ).toMatchObject({
      error: { code: -32500, message: 'AA23 reverted' },
    });
  });
});

describe('a pending operation', () => {
  afterEach(async () => {
    await bundler.setMode('auto');
  });

  it('is known already when it comes again', async () => {
    const account = await createFunded('0.7');
    await bundler.setMode('manual');
    const { operation } = await prepare(account);
    await bundler.send('0.7', operation);
    expect(await bundler.send('0.7', operation)).toStrictEqual({
      error: { code: -32602, message: 'already known' },
    });
  });

  it('is replaced only by one that pays 10 % more of both fees', async () => {
    const account = await createFunded('0.8');
    await bundler.setMode('manual');
    const { operation, hash } = await prepare(account);
    await bundler.send('0.8', operation);
    const [more, tip] = ['0x147d35700', '0x4190ab00'] as const;
    for (const change of [{ maxFeePerGas: more }, { maxPriorityFeePerGas: tip }]) {
      const { operation: cheap } = await prepare(account, change);
      expect(await bundler.send('0.8', cheap)).toStrictEqual({
        error: {
          code: -32602,
          message:
            'replacement underpriced: both fees must be 10 % above those of the operation that waits',
        },
      });
    }
    const dear = { maxFeePerGas: more, maxPriorityFeePerGas: tip };
    const replacement = await prepare(account, dear);
    await bundler.send('0.8', replacement.operation);
    expect(await bundler.find(hash)).toBeNull();
    await bundler.bundleNow();
    expect(await bundler.waitForReceipt(replacement.hash)).toMatchObject({
      success: true,
    });
    expect(await bundler.find(hash)).toBeNull();
  });

  it('stays where it is while its block is not mined', async () => {
    const account = await createFunded('0.7');
    await bundler.setMode('manual');
    const { operation, hash } = await prepare(account);
    await bundler.send('0.7', operation);
    await node.setAutomine(false);
    try {
      await bundler.bundleNow();
      expect(await bundler.find(hash)).toMatchObject({ transactionHash: null });
      const dear = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x77359400' };
      const { operation: other } = await prepare(account, dear as WireOperation);
      expect(await bundler.send('0.7', other)).toMatchObject({
        error: { code: -32602 },
      });
      await node.mine({ blocks: 1 });
      expect(await bundler.waitForReceipt(hash)).toMatchObject({ success: true });
    } finally {
      await node.setAutomine(true);
    }
  });

  it('is given up if it became invalid', async () => {
    const account = await createFunded('0.8');
    await bundler.setMode('manual');
    const { operation, hash } = await prepare(account);
    await bundler.send('0.8', operation);
    await node.setBalance({ address: account.address, value: 0n });
    await bundler.bundleNow();
    expect(await bundler.find(hash)).toBeNull();
  });
});

it('includes operations that revert, with the reason and without success', async () => {
  const account = await createFunded('0.7');
  const { callData = '0x' } = await draftOperation(account, reverting());
  const { operation, hash } = await prepare(account, { callData });
  await bundler.send('0.7', operation);
  expect(await bundler.waitForReceipt(hash)).toMatchObject({
    success: false,
    reason: expect.stringMatching(/^0x08c379a0/u) as string,
  });
});
