import { parseAbiItem } from 'viem';
import type { AbiFunction } from 'viem';

/** Creates a viem ABI for one signature, such as `initialize(address)`. */
export function toViemAbi(signature: string): [AbiFunction] {
  return [parseAbiItem(`function ${signature}`) as AbiFunction];
}
