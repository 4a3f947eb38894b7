// User operations by MetaMask's route, for EntryPoint 0.6, which is all that the
// account-abstraction keyring knows: how long MetaMask waits, and what servers are asked.
// That keyring estimates no gas: MetaMask's UserOperationController asks the bundler after
// it, so that request is counted, and waited for, on its side.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, http, type Abi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { entryPoints } from '../../../src/eth/user-operation';
import { startDevStack, type DevStack } from '../../stack/stack';
import { countTrips, startCountingProxy } from '../servers';
import { signOperation } from '../signing-plain';
import { compareTimes, type Figure } from './figure';
import {
  openOwn,
  openPeer,
  OPERATION,
  type OperationSide,
  type Servers,
  type Setting,
} from './operation-side';
import type { Snap } from './side';

/** What compiling the other keyring's contracts writes. */
const FACTORY =
  'artifacts/contracts/samples/SimpleAccountFactory.sol/SimpleAccountFactory.json';

type OperationSides = { ours: OperationSide; theirs: OperationSide };

/** What stands before a node and a bundler. */
type Addresses = { ours: Servers; theirs: Servers };

/** A machine that is busy starts servers slowly. */
const START_MS = 120_000;

/** Far longer than what is asked at once takes to be asked. */
const HOLD_MS = 100;

/** Measure both sides. */
export async function measureUserOperations(peer: Snap): Promise<Figure[]> {
  const stack = await startDevStack({ timeout: START_MS });
  try {
    return [
      ...(await withSides(peer, { stack, addresses: listAddresses(stack) }, takeTimes)),
      ...(await countRequests(peer, stack)),
    ];
  } finally {
    await stack.stop();
  }
}

function listAddresses({ chain, service, bundler }: DevStack): Addresses {
  return {
    ours: { node: service.url, bundler: bundler.url },
    theirs: { node: chain.url, bundler: bundler.url },
  };
}

async function withSides(
  peer: Snap,
  { stack, addresses }: { stack: DevStack; addresses: Addresses },
  work: (sides: OperationSides) => Promise<Figure[]>,
): Promise<Figure[]> {
  const { chainId, contracts, service, fund } = stack;
  const { entryPoint } = contracts['0.6'];
  const factory = await deployFactory(stack, join(peer.folder, FACTORY));
  const setting: Setting = {
    chainId,
    apiKey: service.apiKey,
    entryPoint,
    factory,
    fund: async (address) => fund(address as `0x${string}`, '1'),
  };
  const ours = await openOwn(addresses.ours, setting);
  try {
    const theirs = await openPeer(peer, addresses.theirs, setting);
    try {
      return await work({ ours, theirs });
    } finally {
      await theirs.stop();
    }
  } finally {
    await ours.stop();
  }
}

async function deployFactory(
  { chain, contracts, funded }: DevStack,
  path: string,
): Promise<string> {
  const artifact = JSON.parse(await readFile(path, 'utf8')) as {
    abi: Abi;
    bytecode: Hex;
  };
  const setting = { chain: foundry, transport: http(chain.url) };
  const account = privateKeyToAccount(funded.privateKey);
  const hash = await createWalletClient({ ...setting, account }).deployContract({
    ...artifact,
    args: [contracts['0.6'].entryPoint],
  });
  const client = createPublicClient(setting);
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The factory was not deployed.');
  return contractAddress;
}

const KEY = secp256k1.utils.randomSecretKey();

function signPlain(): string {
  const { nonce, callGasLimit, verificationGasLimit, preVerificationGas } = OPERATION;
  const { maxFeePerGas, maxPriorityFeePerGas, initCode, callData } = OPERATION;
  const gas = [callGasLimit, verificationGasLimit, preVerificationGas];
  const words = ['0x1', nonce, ...gas, maxFeePerGas, maxPriorityFeePerGas];
  const bytes = [initCode, callData, OPERATION.paymasterAndData];
  return signOperation({ words, bytes }, entryPoints['0.6'].entryPoint, KEY);
}

async function takeTimes({ ours, theirs }: OperationSides): Promise<Figure[]> {
  const signing = { ours: ours.sign, theirs: theirs.sign, floor: signPlain };
  const preparing = { ours: ours.prepare, theirs: theirs.prepare };
  const signed = await compareTimes(signing, { rounds: 15, repeats: 5 });
  const prepared = await compareTimes(preparing, { rounds: 9 });
  return [
    { what: 'eth_signUserOperation', unit: 'ms', ...signed },
    { what: 'eth_prepareUserOperation, to gas limits', unit: 'ms', ...prepared },
  ];
}

async function countRequests(peer: Snap, stack: DevStack): Promise<Figure[]> {
  const { ours, theirs } = listAddresses(stack);
  const { origin, pathname } = new URL(stack.bundler.url);
  const own = await startCountingProxy(ours.node, { holdMs: HOLD_MS });
  const other = await startCountingProxy(theirs.node, { holdMs: HOLD_MS });
  const bundler = await startCountingProxy(origin, { holdMs: HOLD_MS });
  const proxies = [own, other, bundler];
  const address = `${bundler.url}${pathname}`;
  const addresses = {
    ours: { node: own.url, bundler: address },
    theirs: { node: other.url, bundler: address },
  };
  const count = async (
    prepare: () => Promise<unknown>,
  ): Promise<{ requests: number; trips: number }> => {
    for (const { exchanges } of proxies) exchanges.length = 0;
    await prepare();
    const exchanges = proxies.flatMap((proxy) => proxy.exchanges);
    return { requests: exchanges.length, trips: countTrips(exchanges) };
  };
  try {
    return await withSides(peer, { stack, addresses }, async (sides) => {
      const [ourCount, theirCount] = [
        await count(sides.ours.prepare),
        await count(sides.theirs.prepare),
      ];
      const what = 'eth_prepareUserOperation';
      return (['requests', 'trips'] as const).map((name) => ({
        what: `${what}: ${name === 'trips' ? 'round trips' : name}`,
        unit: '',
        ours: ourCount[name],
        theirs: theirCount[name],
      }));
    });
  } finally {
    await Promise.all(proxies.map(async (proxy) => proxy.stop()));
  }
}
