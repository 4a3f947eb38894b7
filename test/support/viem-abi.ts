// A function's signature as an ABI that viem takes.
import { parseAbiItem } from 'viem';
import type { AbiFunction } from 'viem';

/** Makes a viem ABI of one signature, such as `initialize(address)`. */
export function toViemAbi(signature: string): [AbiFunction] {
  return [parseAbiItem(`function ${signature}`) as AbiFunction];
}
