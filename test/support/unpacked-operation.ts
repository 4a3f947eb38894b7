// An operation in the form that bundlers take it from EntryPoint 0.7 on, written with viem.
import { hexToBigInt, numberToHex, slice } from 'viem';
import type { Hex } from 'viem';

/** The two fields that are packed on chain. */
export type PackedFields = { initCode: Hex; paymasterAndData: Hex };

/** Unpacks factory and paymaster of an operation in the eleven-field form. */
export function toUnpacked<Operation extends PackedFields>({
  initCode,
  paymasterAndData,
  ...others
}: Operation): Omit<Operation, keyof PackedFields> & Record<string, unknown> {
  return { ...others, ...toFactory(initCode), ...toPaymaster(paymasterAndData) };
}

function toFactory(initCode: Hex): { factory?: Hex; factoryData?: Hex } {
  if (initCode === '0x') return {};
  return { factory: slice(initCode, 0, 20), factoryData: slice(initCode, 20) };
}

function toPaymaster(paymasterAndData: Hex): Record<string, Hex> {
  if (paymasterAndData === '0x') return {};
  const number = (start: number): Hex =>
    numberToHex(hexToBigInt(slice(paymasterAndData, start, start + 16)));
  return {
    paymaster: slice(paymasterAndData, 0, 20),
    paymasterVerificationGasLimit: number(20),
    paymasterPostOpGasLimit: number(36),
    paymasterData: slice(paymasterAndData, 52),
  };
}
