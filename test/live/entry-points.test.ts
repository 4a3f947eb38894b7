// Smart accounts of every EntryPoint version: what the snap signs, the real contracts
// accept. The operations go to handleOps, so that no bundler has a say.
import {
  createPublicClient,
  createWalletClient,
  http,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem';
import type { Abi, Hex } from 'viem';
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  entryPoint09Abi,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import {
  configureChain,
  connect,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { encodeIntents } from '../../src/eth/account-calls';
import { toPaddedHex } from '../../src/eth/hex';
import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { encodeInitCode } from '../../src/eth/smart-account';
import { toUserOperationJson } from '../../src/eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../src/eth/user-operation';

const ABIS: Record<EntryPointVersion, Abi> = {
  '0.6': entryPoint06Abi,
  '0.7': entryPoint07Abi,
  '0.8': entryPoint08Abi,
  '0.9': entryPoint09Abi,
};

const CHAIN_ID = 31337n;

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await configureChain(world);
});

afterAll(async () => {
  await world?.stop();
});

type Options = { owner: Hex; factory: Hex; salt: Hex };

function createOperation(
  { address, options }: DemoAccount & { options: Options },
  entryPoint: EntryPointVersion,
): UserOperation {
  const { owner, factory, salt } = options;
  const origin = { entryPoint, owner, factory, salt: BigInt(salt) };
  return {
    sender: address,
    nonce: 0n,
    initCode: encodeInitCode(origin),
    callData: encodeIntents(entryPoint, [{ to: zeroAddress, value: 1n, data: '0x' }]),
    callGasLimit: 100_000n,
    verificationGasLimit: 500_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    paymasterAndData: '0x',
    signature: '0x',
  };
}

// The form that goes on chain: from 0.7 on two numbers share a word.
function toChainForm(operation: UserOperation, version: EntryPointVersion): unknown {
  if (version === '0.6') return operation;
  const pack = (high: bigint, low: bigint): Hex =>
    `0x${toPaddedHex(high, 16).slice(2)}${toPaddedHex(low, 16).slice(2)}`;
  return {
    ...operation,
    accountGasLimits: pack(operation.verificationGasLimit, operation.callGasLimit),
    gasFees: pack(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
  };
}

it.each(['0.6', '0.7', '0.8', '0.9'] as const)(
  'has an operation of EntryPoint %s accepted by the contract',
  async (version) => {
    const { stack, dapp } = world;
    const account = (await createAccount(world, {
      type: 'eip155:erc4337',
      entryPoint: version,
      scopes: ['eip155:31337'],
      salt: '0x5',
    })) as DemoAccount & { options: Options };
    await stack.fund(account.address, '1');
    await connect(world, dapp, [account]);
    const operation = createOperation(account, version);
    const { entryPoint } = stack.contracts[version];

    const signature = (await dapp.snap('eth_signUserOperation', {
      account: account.id,
      params: [toUserOperationJson(operation), entryPoint],
    })) as Hex;

    const transport = http(stack.chain.url);
    const client = createPublicClient({ transport });
    const contract = { address: entryPoint, abi: ABIS[version] };
    const chainForm = toChainForm({ ...operation, signature }, version);
    const hash = await client.readContract({
      ...contract,
      functionName: 'getUserOpHash',
      args: [chainForm],
    });
    expect(hash).toBe(
      hashUserOperation(operation, { chainId: CHAIN_ID, entryPoint: version }),
    );

    const bundler = createWalletClient({
      account: privateKeyToAccount(stack.paymasterSigner.privateKey),
      chain: foundry,
      transport,
    });
    const transactionHash = await bundler.writeContract({
      ...contract,
      functionName: 'handleOps',
      args: [[chainForm], bundler.account.address],
    });
    const { logs } = await client.waitForTransactionReceipt({ hash: transactionHash });
    const [event] = parseEventLogs({
      abi: parseAbi([
        'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
      ]),
      logs,
    });
    expect(event?.args).toMatchObject({ userOpHash: hash, success: true });
    expect(await client.getCode({ address: account.address })).toBeDefined();
  },
);
