// Why an EntryPoint refuses an operation, and the error code that bundlers have for it.
import { decodeErrorResult } from 'viem';
import type { Hex } from 'viem';

import { RpcFailure } from '../stack/json-rpc';
import { entryPointAbi } from './abi';

/** What `FailedOp` and `FailedOpWithRevert` say. */
export type FailedOp = {
  /** Which operation of the bundle. */
  index: number;
  /** Begins with a code: `AA21 didn't pay prefund`. */
  reason: string;
  /** What the account, factory or paymaster reverted with. */
  inner?: Hex;
};

/** First match wins. */
const codesByReason: [RegExp, number][] = [
  [/^AA[23]4/u, -32507],
  [/^AA[23]2/u, -32503],
  [/^AA3/u, -32501],
];

const REJECTED = -32500;

/** Read what the EntryPoint reverted with; undefined if that is something else. */
export function readFailedOp(data: Hex): FailedOp | undefined {
  try {
    const { args } = decodeErrorResult({ abi: entryPointAbi, data });
    const [index, reason, inner] = args;
    return { index: Number(index), reason, ...(inner && { inner }) };
  } catch {
    return undefined;
  }
}

/** Write the error for an operation that the EntryPoint refuses. */
export function toRefusal({ reason, inner }: Omit<FailedOp, 'index'>): RpcFailure {
  const [, code = REJECTED] =
    codesByReason.find(([pattern]) => pattern.test(reason)) ?? [];
  return new RpcFailure({ code, message: reason, ...(inner && { data: inner }) });
}
