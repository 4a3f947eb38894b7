// A smart account of EntryPoint 0.6 on each side, and what MetaMask asks of it: to prepare
// an operation and to sign one.
import { randomBytes } from 'node:crypto';

import { bytesToHex } from '@metamask/utils';

import { OWN, openSide } from './side';
import type { Side, Snap } from './side';

/** Servers as a side reaches them. */
export type Servers = { node: string; bundler: string };

/** A smart account and what is asked of it. */
export type OperationSide = {
  /** Prepare an operation until its gas limits are known. */
  prepare: () => Promise<unknown>;
  sign: () => Promise<string>;
  stop: () => Promise<void>;
};

/** What both sides are configured with. */
export type Setting = {
  chainId: number;
  /** The service's key, in the path of the node's address. */
  apiKey: string;
  entryPoint: string;
  /** A factory of the other side's own: its functions have other names. */
  factory: string;
  fund: (address: string) => Promise<void>;
};

const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** What is signed; nobody asks a server for it. */
export const OPERATION = {
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

/** Start our side. */
export async function openOwn(
  { node, bundler }: Servers,
  { chainId, apiKey, fund }: Setting,
): Promise<OperationSide> {
  const side = await openSide(OWN);
  const row = { chainId, rpcUrl: node, apiKey, bundlerUrl: bundler };
  await side.site.snap('tollkeeper_setChain', [row]);
  const { address } = await side.createAccount({
    type: 'eip155:erc4337',
    entryPoint: '0.6',
    scopes: [`eip155:${chainId}`],
  });
  await fund(address);
  return createOperations(side, { address, chainId });
}

/** Start the other side: it reaches the node through the wallet. */
export async function openPeer(
  snap: Snap,
  { node, bundler }: Servers,
  { chainId, entryPoint, factory, fund }: Setting,
): Promise<OperationSide> {
  const side = await openSide(snap, node);
  const config = { simpleAccountFactory: factory, entryPoint, bundlerUrl: bundler };
  await side.site.snap('snap.internal.setConfig', config);
  const privateKey = bytesToHex(randomBytes(32));
  const { address } = await side.createAccount({ privateKey });
  await fund(address);
  const own = createOperations(side, { address, chainId });
  return {
    ...own,
    prepare: async () => {
      const base = (await own.prepare()) as Record<string, string>;
      const { nonce, callData, dummySignature, dummyPaymasterAndData } = base;
      await askBundler(bundler, [
        {
          sender: address,
          nonce,
          initCode: base.initCode,
          callData,
          ...UNKNOWN_GAS,
          signature: dummySignature,
          paymasterAndData: dummyPaymasterAndData,
        },
        entryPoint,
      ]);
    },
  };
}

function createOperations(
  { wallet }: Side,
  { address, chainId }: { address: string; chainId: number },
): OperationSide {
  const { keyring } = wallet;
  const context = { chainId: String(chainId) };
  const intent = { to: RECIPIENT, value: '0x1', data: '0x' };
  const operation = { ...OPERATION, sender: address };
  return {
    prepare: async () => keyring.prepareUserOperation(address, [intent], context),
    sign: async () => keyring.signUserOperation(address, operation, context),
    stop: async () => wallet.stop(),
  };
}

// As MetaMask's UserOperationController does.
async function askBundler(url: string, params: unknown[]): Promise<void> {
  const method = 'eth_estimateUserOperationGas';
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { error } = (await response.json()) as { error?: unknown };
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
}
