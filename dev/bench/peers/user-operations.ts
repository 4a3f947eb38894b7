// User operations by MetaMask's route, for EntryPoint 0.6, which is all that the
// account-abstraction keyring knows: how long MetaMask waits, and what servers are asked.
// That keyring estimates no gas: MetaMask's UserOperationController asks the bundler after
// it, so that request is counted, and waited for, on its side.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bytesToHex } from '@metamask/utils';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createPublicClient, createWalletClient, http, type Abi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { entryPoints } from '../../../src/eth/user-operation';
import { callRpc, withStopped } from '../../stack/server';
import { startDevStack, type DevStack } from '../../stack/stack';
import { compare, inTurns } from '../measure';
import { startCountingProxy } from '../servers';
import { signOperation } from '../signing-plain';
import { countWhile, HOLD_MS, toRows } from '../trips';
import { openSide, OWN, type Figure, type Side, type Snap } from './simple';

/** What compiling the other keyring's contracts writes. */
const FACTORY =
  'artifacts/contracts/samples/SimpleAccountFactory.sol/SimpleAccountFactory.json';

/** A machine that is busy starts servers slowly. */
const START_MS = 120_000;
const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** What is signed; nobody asks a server for it. */
const OPERATION = {
  nonce: '0x7',
  initCode: '0x',
  callData: `0xb61d27f6${'00'.repeat(12)}${'12'.repeat(20)}${'00'.repeat(160)}`,
  callGasLimit: '0x186a0',
  verificationGasLimit: '0x30d40',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
  paymasterAndData: '0x',
  signature: '0x',
};

/** What MetaMask asks an estimate with. */
const UNKNOWN_GAS = {
  callGasLimit: '0x1',
  verificationGasLimit: '0xf4240',
  preVerificationGas: '0x1',
  maxFeePerGas: '0x0',
  maxPriorityFeePerGas: '0x0',
};

/** A smart account of EntryPoint 0.6, and what MetaMask asks of it. */
type OperationSide = {
  /** Prepare an operation until its gas limits are known. */
  prepare: () => Promise<unknown>;
  sign: () => Promise<string>;
  stop: () => Promise<void>;
};

type OperationSides = { ours: OperationSide; theirs: OperationSide };

/** Servers as the sides reach them: ours the service, the other one the node. */
type Urls = { service: string; node: string; bundler: string };

type WithSides = (
  urls: Urls,
  work: (sides: OperationSides) => Promise<Figure[]>,
) => Promise<Figure[]>;

/** Measures both sides. */
export async function measureUserOperations(peer: Snap): Promise<Figure[]> {
  return withStopped(startDevStack({ timeout: START_MS }), async (stack) => {
    const { service, chain, bundler } = stack;
    // A factory of the other side's own: its functions have other names.
    const factory = await deployFactory(stack, join(peer.folder, FACTORY));
    const withSides: WithSides = async (reached, work) =>
      withStopped(openOwn(stack, reached), async (ours) =>
        withStopped(openPeer(stack, reached, { peer, factory }), async (theirs) =>
          work({ ours, theirs }),
        ),
      );
    const urls = { service: service.url, node: chain.url, bundler: bundler.url };
    return [
      ...(await withSides(urls, takeTimes)),
      ...(await countRequests(urls, withSides)),
    ];
  });
}

async function openOwn(stack: DevStack, urls: Urls): Promise<OperationSide> {
  const side = await openSide(OWN);
  const { chainId, service, fund } = stack;
  const row = { chainId, rpcUrl: urls.service, apiKey: service.apiKey };
  await side.site.snap('tollkeeper_setChain', [{ ...row, bundlerUrl: urls.bundler }]);
  const { address } = await side.createAccount({
    type: 'eip155:erc4337',
    entryPoint: '0.6',
    scopes: [`eip155:${chainId}`],
  });
  await fund(address as Hex, '1');
  return createOperations(side, address, chainId);
}

async function openPeer(
  { chainId, contracts, fund }: DevStack,
  { node, bundler: bundlerUrl }: Urls,
  { peer, factory }: { peer: Snap; factory: string },
): Promise<OperationSide> {
  // It reaches the node through the wallet.
  const side = await openSide(peer, node);
  const { entryPoint } = contracts['0.6'];
  const config = { simpleAccountFactory: factory, entryPoint, bundlerUrl };
  await side.site.snap('snap.internal.setConfig', config);
  const privateKey = bytesToHex(randomBytes(32));
  const { address } = await side.createAccount({ privateKey });
  await fund(address as Hex, '1');
  const own = createOperations(side, address, chainId);
  return {
    ...own,
    // As MetaMask's UserOperationController does.
    prepare: async () => {
      const base = (await own.prepare()) as Record<string, string>;
      const operation = {
        sender: address,
        nonce: base.nonce,
        initCode: base.initCode,
        callData: base.callData,
        ...UNKNOWN_GAS,
        signature: base.dummySignature,
        paymasterAndData: base.dummyPaymasterAndData,
      };
      const method = 'eth_estimateUserOperationGas';
      const { error } = await callRpc(bundlerUrl, method, [operation, entryPoint]);
      if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    },
  };
}

function createOperations(
  { wallet: { keyring }, stop }: Side,
  address: string,
  chainId: number,
): OperationSide {
  const context = { chainId: String(chainId) };
  const intent = { to: RECIPIENT, value: '0x1', data: '0x' };
  const operation = { ...OPERATION, sender: address };
  return {
    prepare: async () => keyring.prepareUserOperation(address, [intent], context),
    sign: async () => keyring.signUserOperation(address, operation, context),
    stop,
  };
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
  const signed = await compare(inTurns(signing, 5), { rounds: 15 });
  const prepared = await compare(inTurns(preparing), { rounds: 9 });
  return [
    { what: 'eth_signUserOperation', unit: 'ms', ...signed },
    { what: 'eth_prepareUserOperation, to gas limits', unit: 'ms', ...prepared },
  ];
}

async function countRequests(urls: Urls, withSides: WithSides): Promise<Figure[]> {
  const { origin, pathname } = new URL(urls.bundler);
  const service = await startCountingProxy(urls.service, { holdMs: HOLD_MS });
  const node = await startCountingProxy(urls.node, { holdMs: HOLD_MS });
  const bundler = await startCountingProxy(origin, { holdMs: HOLD_MS });
  const proxies = [service, node, bundler];
  const counted = {
    service: service.url,
    node: node.url,
    bundler: `${bundler.url}${pathname}`,
  };
  try {
    return await withSides(counted, async (sides) => {
      const ours = await countWhile(proxies, sides.ours.prepare);
      const theirs = await countWhile(proxies, sides.theirs.prepare);
      return toRows('eth_prepareUserOperation', ours, theirs);
    });
  } finally {
    await Promise.all(proxies.map(async (proxy) => proxy.stop()));
  }
}
