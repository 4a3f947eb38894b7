// A user operation in the form that bundlers take: for EntryPoint 0.6 the eleven fields,
// from 0.7 on with factory and paymaster unpacked (the packed form is for the chain).
import type { EntryPointVersion } from '../../eth/entry-point';
import { byteLength, toQuantity } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { toUserOperationJson } from '../../eth/user-operation';
import type { UserOperation } from '../../eth/user-operation';

const ADDRESS_END = 42;
const GAS_LENGTH = 32;

/** Write an operation in the bundler's form for an EntryPoint version. */
export function toBundlerForm(
  operation: UserOperation,
  version: EntryPointVersion,
): Record<string, unknown> {
  const fields = toUserOperationJson(operation);
  if (version === '0.6') return fields;
  const { initCode, paymasterAndData, ...others } = fields;
  return {
    ...others,
    ...unpackFactory(initCode as Hex),
    ...unpackPaymaster(paymasterAndData as Hex),
  };
}

function unpackFactory(initCode: Hex): Record<string, unknown> {
  if (byteLength(initCode) < 20) return {};
  return {
    factory: initCode.slice(0, ADDRESS_END),
    factoryData: `0x${initCode.slice(ADDRESS_END)}`,
  };
}

function unpackPaymaster(packed: Hex): Record<string, unknown> {
  if (byteLength(packed) < 52) return {};
  const verificationEnd = ADDRESS_END + GAS_LENGTH;
  const postOpEnd = verificationEnd + GAS_LENGTH;
  return {
    paymaster: packed.slice(0, ADDRESS_END),
    paymasterVerificationGasLimit: toGas(packed.slice(ADDRESS_END, verificationEnd)),
    paymasterPostOpGasLimit: toGas(packed.slice(verificationEnd, postOpEnd)),
    paymasterData: `0x${packed.slice(postOpEnd)}`,
  };
}

function toGas(digits: string): Hex {
  return toQuantity(BigInt(`0x${digits}`));
}
