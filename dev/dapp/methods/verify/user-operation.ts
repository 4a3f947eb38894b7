// Who signed a user operation: the owner must have, by the rule of its EntryPoint.
import { recoverAddress, recoverMessageAddress, sliceHex } from 'viem';
import type { Hex } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import type { UserOperation } from 'viem/account-abstraction';

import { entryPoints } from '../given';
import type { Operation, Smart } from '../given';
import { compareSigner, listParams } from './check';
import type { Check } from './check';

/** Look who signed a user operation. */
export const checkUserOperation: Check = async ({ params, result, given }) => {
  const { smart, chainId } = given;
  const [operation] = listParams(params) as [Operation];
  if (!smart || chainId === undefined) return undefined;
  const signed = { ...operation, signature: result as Hex };
  const hash = hashOperation(signed, smart.entryPoint, Number(chainId));
  // 0.8 signs the hash as it is (EIP-712), those before as a message.
  const signature = signed.signature;
  const recovered =
    smart.entryPoint === '0.8'
      ? await recoverAddress({ hash, signature })
      : await recoverMessageAddress({ message: { raw: hash }, signature });
  return compareSigner(recovered, smart.owner);
};

/** Compute the hash that an operation is known by. */
export function hashOperation(
  operation: Operation,
  version: Smart['entryPoint'],
  chainId: number,
): Hex {
  return getUserOperationHash({
    chainId,
    entryPointAddress: entryPoints[version],
    entryPointVersion: version,
    userOperation: toViem(operation, version) as UserOperation,
  });
}

function toViem(operation: Operation, version: Smart['entryPoint']): object {
  const { initCode, paymasterAndData, ...others } = operation;
  const numbers = {
    ...others,
    nonce: BigInt(others.nonce),
    callGasLimit: BigInt(others.callGasLimit),
    verificationGasLimit: BigInt(others.verificationGasLimit),
    preVerificationGas: BigInt(others.preVerificationGas),
    maxFeePerGas: BigInt(others.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(others.maxPriorityFeePerGas),
  };
  return version === '0.6'
    ? { ...numbers, initCode, paymasterAndData }
    : { ...numbers, ...unpackFactory(initCode), ...unpackPaymaster(paymasterAndData) };
}

function unpackFactory(initCode: Hex): object {
  if (initCode === '0x') return {};
  return { factory: cut(initCode, 0, 20), factoryData: cut(initCode, 20) };
}

function unpackPaymaster(paymasterAndData: Hex): object {
  if (paymasterAndData === '0x') return {};
  return {
    paymaster: cut(paymasterAndData, 0, 20),
    paymasterVerificationGasLimit: BigInt(cut(paymasterAndData, 20, 36)),
    paymasterPostOpGasLimit: BigInt(cut(paymasterAndData, 36, 52)),
    paymasterData: cut(paymasterAndData, 52),
  };
}

// sliceHex throws where nothing is left.
function cut(bytes: Hex, from: number, to?: number): Hex {
  return bytes.length <= 2 + from * 2 ? '0x' : sliceHex(bytes, from, to);
}
