// A user operation in the form that bundlers take: for EntryPoint 0.6 the eleven fields,
// from 0.7 on with factory and paymaster unpacked (the packed form is for the chain).
import { InvalidParamsError } from '../../errors';
import type { EntryPointVersion } from '../../eth/entry-point';
import { byteLength, toQuantity } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { toUserOperationJson } from '../../eth/user-operation';
import type { UserOperation } from '../../eth/user-operation';

const ADDRESS_END = 42;
const GAS_LENGTH = 32;

// An address; an address and two gas limits of 16 bytes.
const FACTORY_BYTES = 20;
const PAYMASTER_BYTES = 52;

/**
 * Write an operation in the bundler's form for an EntryPoint version.
 *
 * @throws {InvalidParamsError} If a packed field is too short to be unpacked.
 */
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
  if (initCode === '0x') return {};
  assertLength('initCode', initCode, FACTORY_BYTES);
  return {
    factory: initCode.slice(0, ADDRESS_END),
    factoryData: `0x${initCode.slice(ADDRESS_END)}`,
  };
}

function unpackPaymaster(packed: Hex): Record<string, unknown> {
  if (packed === '0x') return {};
  assertLength('paymasterAndData', packed, PAYMASTER_BYTES);
  const verificationEnd = ADDRESS_END + GAS_LENGTH;
  const postOpEnd = verificationEnd + GAS_LENGTH;
  return {
    paymaster: packed.slice(0, ADDRESS_END),
    paymasterVerificationGasLimit: toGas(packed.slice(ADDRESS_END, verificationEnd)),
    paymasterPostOpGasLimit: toGas(packed.slice(verificationEnd, postOpEnd)),
    paymasterData: `0x${packed.slice(postOpEnd)}`,
  };
}

// Left out, the bundler would be told of another operation than the one that is signed.
function assertLength(field: string, packed: Hex, atLeast: number): void {
  if (byteLength(packed) >= atLeast) return;
  throw new InvalidParamsError(
    `${field} must be empty or at least ${atLeast} bytes long for this EntryPoint.`,
  );
}

function toGas(digits: string): Hex {
  return toQuantity(BigInt(`0x${digits}`));
}
