// User operations by MetaMask's route, for EntryPoint 0.6, which is all that the
// account-abstraction keyring knows: how long MetaMask waits, and what servers are asked.
// That keyring estimates no gas: MetaMask's UserOperationController asks the bundler after
// it, so that request is counted, and waited for, on its side.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { bytesToHex } from '@metamask/utils';
import { concat, type Hex } from 'viem';

import { toUserOperationJson } from '../../../src/eth/user-operation';
import { deploymentPayer } from '../../stack/accounts';
import { encodeAddresses, readArtifact } from '../../stack/contracts';
import { createClient } from '../../stack/deploy';
import { callRpc, withStopped } from '../../stack/server';
import { startDevStack, type DevStack } from '../../stack/stack';
import { compare, inTurns } from '../measure';
import { startCountingProxy } from '../servers';
import { signText } from '../signing-cases';
import { countWhile, toRows } from '../trips';
import { hashByViem, OPERATION } from '../user-operations';
import { openSide, OWN, type Figure, type Side, type Snap } from './simple';

/** What compiling the other keyring's contracts writes. */
const FACTORY =
  'artifacts/contracts/samples/SimpleAccountFactory.sol/SimpleAccountFactory.json';

/** A machine that is busy starts servers slowly. */
const START_MS = 120_000;
const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** A smart account of EntryPoint 0.6, and what MetaMask asks of it. */
type OperationSide = {
  /** Prepares an operation until its gas limits are known. */
  prepare: () => Promise<unknown>;
  sign: () => Promise<string>;
  stop: () => Promise<void>;
};

type OperationSides = Record<'ours' | 'theirs', OperationSide>;

/** Servers as the sides reach them: ours the service, the other one the node. */
type Urls = { service: string; node: string; bundler: string };

export async function measureUserOperations(peer: Snap): Promise<Figure[]> {
  return withStopped(startDevStack({ timeout: START_MS }), async (stack) => {
    // A factory of the other side's own: its functions have other names.
    const factory = await deployFactory(stack, join(peer.folder, FACTORY));
    const withSides = async (
      urls: Urls,
      work: (sides: OperationSides) => Promise<Figure[]>,
    ): Promise<Figure[]> =>
      withStopped(openOwn(stack, urls), async (ours) =>
        withStopped(openPeer(stack, urls, { peer, factory }), async (theirs) =>
          work({ ours, theirs }),
        ),
      );
    const urls = {
      service: stack.service.url,
      node: stack.chain.url,
      bundler: stack.bundler.url,
    };
    const times = await withSides(urls, takeTimes);
    const proxies = await Promise.all(Object.values(urls).map(startCountingProxy));
    const [service = '', node = '', bundler = ''] = proxies.map(({ url }) => url);
    try {
      const counts = await withSides({ service, node, bundler }, async (sides) => {
        const ours = await countWhile(proxies, sides.ours.prepare);
        const theirs = await countWhile(proxies, sides.theirs.prepare);
        return toRows('eth_prepareUserOperation', ours, theirs);
      });
      return [...times, ...counts];
    } finally {
      await Promise.all(proxies.map(async (proxy) => proxy.stop()));
    }
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
  await fund(address, '1');
  return createOperations(side, address, chainId);
}

async function openPeer(
  { chainId, contracts, fund }: DevStack,
  { node, bundler: bundlerUrl }: Urls,
  { peer, factory }: { peer: Snap; factory: string },
): Promise<OperationSide> {
  // It reaches the node through the wallet.
  const side = await openSide(peer, { url: node });
  const { entryPoint } = contracts['0.6'];
  const config = { simpleAccountFactory: factory, entryPoint, bundlerUrl };
  await side.site.snap('snap.internal.setConfig', config);
  const privateKey = bytesToHex(randomBytes(32));
  const { address } = await side.createAccount({ privateKey });
  await fund(address, '1');
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
        callGasLimit: '0x1',
        verificationGasLimit: '0xf4240',
        preVerificationGas: '0x1',
        maxFeePerGas: '0x0',
        maxPriorityFeePerGas: '0x0',
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
  address: Hex,
  chainId: number,
): OperationSide {
  const context = { chainId: String(chainId) };
  const intent = { to: RECIPIENT, value: '0x1', data: '0x' };
  // Nothing of it is asked of a server.
  const operation = toUserOperationJson({ ...OPERATION, sender: address });
  return {
    prepare: async () => keyring.prepareUserOperation(address, [intent], context),
    sign: async () => keyring.signUserOperation(address, operation as never, context),
    stop,
  };
}

async function deployFactory(
  { chain, contracts }: DevStack,
  path: string,
): Promise<string> {
  const client = createClient(chain.url);
  const { bytecode } = await readArtifact(path);
  const { contractAddress } = await client.sendTransactionSync({
    account: deploymentPayer,
    data: concat([bytecode, encodeAddresses(contracts['0.6'].entryPoint)]),
    chain: null,
  });
  if (!contractAddress) throw new Error('The factory was not deployed.');
  return contractAddress;
}

const KEY = randomBytes(32);

async function takeTimes({ ours, theirs }: OperationSides): Promise<Figure[]> {
  const floor = (): string => signText(hashByViem('0.6'), KEY);
  const signing = inTurns({ ours: ours.sign, theirs: theirs.sign, floor }, 5);
  const preparing = inTurns({ ours: ours.prepare, theirs: theirs.prepare });
  const signed = await compare(signing, { rounds: 15 });
  const prepared = await compare(preparing, { rounds: 9 });
  return [
    { what: 'eth_signUserOperation', unit: 'ms', ...signed },
    { what: 'eth_prepareUserOperation, to gas limits', unit: 'ms', ...prepared },
  ];
}
