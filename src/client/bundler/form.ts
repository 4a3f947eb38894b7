// A user operation in the form that bundlers take: for EntryPoint 0.6 the eleven fields,
// from 0.7 on with factory and paymaster unpacked (the packed form is for the chain).
import type { Json } from '@metamask/utils';

import type { EntryPointVersion } from '../../eth/entry-point';
import { toQuantity } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { unpackFactory, unpackPaymaster } from '../../eth/packed-fields';
import { toUserOperationJson } from '../../eth/user-operation';
import type { UserOperation } from '../../eth/user-operation';

/**
 * Write an operation in the bundler's form for an EntryPoint version.
 *
 * @throws {InvalidParamsError} If a packed field is too short to be unpacked.
 */
export function toBundlerForm(
  operation: UserOperation,
  version: EntryPointVersion,
): Record<string, Json> {
  const fields = toUserOperationJson(operation);
  if (version === '0.6') return fields;
  const { initCode, paymasterAndData, ...others } = fields;
  return {
    ...others,
    ...toFactoryForm(initCode as Hex),
    ...toPaymasterForm(paymasterAndData as Hex),
  };
}

function toFactoryForm(initCode: Hex): Record<string, Json> {
  const fields = unpackFactory(initCode);
  return fields ? { factory: fields.factory, factoryData: fields.data } : {};
}

function toPaymasterForm(paymasterAndData: Hex): Record<string, Json> {
  const fields = unpackPaymaster(paymasterAndData);
  if (!fields) return {};
  return {
    paymaster: fields.paymaster,
    paymasterVerificationGasLimit: toQuantity(fields.verificationGasLimit),
    paymasterPostOpGasLimit: toQuantity(fields.postOpGasLimit),
    paymasterData: fields.data,
  };
}
