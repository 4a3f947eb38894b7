// A dapp's view of the snap with viem: a transport that calls wallet_invokeSnap, and a
// smart account of which the dapp knows nothing but its address and EntryPoint.
import type { Json } from '@metamask/utils';
import { custom, numberToHex } from 'viem';
import type { Address, CustomTransport, Hex, PublicClient } from 'viem';
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  toPackedUserOperation,
  toSmartAccount,
} from 'viem/account-abstraction';
import type { SmartAccount, UserOperation } from 'viem/account-abstraction';

import type { SnapSite } from '../../dev/demo/world';
import type { EntryPointVersion } from '../../src/eth/user-operation';
import { toFactory } from './unpacked-operation';

const abis = {
  '0.6': entryPoint06Abi,
  '0.7': entryPoint07Abi,
  '0.8': entryPoint08Abi,
} as const;

type Call = { to: Hex; value?: bigint | undefined; data?: Hex | undefined };

type Prepared = { callData: Hex; initCode: Hex; dummySignature: Hex };

/** A transport of viem that has the snap answer. Nothing is changed on the way. */
export function createSnapTransport(site: SnapSite): CustomTransport {
  return custom({
    request: async ({ method, params }: { method: string; params?: Json }) =>
      site.snap(method, params),
  });
}

/** What a dapp's account is made from. */
export type SnapSmartAccountOptions = {
  /** Asks the snap. */
  ask: SnapSite['snap'] | ((method: string, params: Json) => Promise<unknown>);
  /** Where the dapp asks for nonce and code. */
  node: PublicClient;
  address: Address;
  entryPoint: { address: Address; version: EntryPointVersion };
};

/** Make viem's smart account of one of the snap's: whatever it must know, the snap tells. */
export async function toSnapSmartAccount({
  ask,
  node,
  address,
  entryPoint,
}: SnapSmartAccountOptions): Promise<SmartAccount> {
  const { version } = entryPoint;
  const prepare = async (calls: readonly Call[]): Promise<Prepared> =>
    (await ask('eth_prepareUserOperation', {
      account: address,
      params: calls.map(({ to, value = 0n, data = '0x' }) => ({
        to,
        value: numberToHex(value),
        data,
      })),
    })) as Prepared;
  // What does not change with the calls. viem asks the chain whether it is deployed.
  const { initCode, dummySignature } = await prepare([{ to: address }]);
  const unsupported = async (): Promise<Hex> =>
    Promise.reject(new Error('SimpleAccount has no ERC-1271.'));
  return toSmartAccount({
    client: node,
    entryPoint: { ...entryPoint, abi: abis[version] },
    getAddress: async () => Promise.resolve(address),
    encodeCalls: async (calls) => (await prepare(calls)).callData,
    getFactoryArgs: async () => Promise.resolve(toFactory(initCode)),
    getStubSignature: async () => Promise.resolve(dummySignature),
    signMessage: unsupported,
    signTypedData: unsupported,
    signUserOperation: async (operation) =>
      (await ask('eth_signUserOperation', [
        toElevenFields({ sender: address, ...operation } as UserOperation, version),
        entryPoint.address,
      ])) as Hex,
  });
}

/** Write viem's operation in the form that eth_signUserOperation takes. */
function toElevenFields(
  operation: UserOperation,
  version: EntryPointVersion,
): Record<string, Hex> {
  const { initCode = '0x', paymasterAndData = '0x' } =
    version === '0.6'
      ? (operation as UserOperation<'0.6'>)
      : toPackedUserOperation(operation);
  return {
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    initCode,
    callData: operation.callData,
    callGasLimit: numberToHex(operation.callGasLimit),
    verificationGasLimit: numberToHex(operation.verificationGasLimit),
    preVerificationGas: numberToHex(operation.preVerificationGas),
    maxFeePerGas: numberToHex(operation.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
    paymasterAndData,
    signature: operation.signature,
  };
}
