// Simulates a chain with nothing but tokens and Multicall3.
import {
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  multicall3Abi,
  type Hex,
} from 'viem';

/** Answers a call of Multicall3; `call` returns undefined to revert. */
export function callAll(
  data: Hex,
  call: (target: Hex, data: Hex) => Hex | undefined,
): Hex {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data });
  if (functionName !== 'aggregate3') throw new Error(`${functionName} is unknown.`);
  const result = args[0].map(({ target, callData }) => {
    const returnData = call(target, callData);
    return { success: returnData !== undefined, returnData: returnData ?? '0x' };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName, result });
}

/** Answers a call of a token with values by function name; returns undefined if it reverts. */
export function callToken(data: Hex, values: Record<string, unknown>): Hex | undefined {
  try {
    const { functionName } = decodeFunctionData({ abi: erc20Abi, data });
    const result = values[functionName] as never;
    return result === undefined
      ? undefined
      : encodeFunctionResult({ abi: erc20Abi, functionName, result });
  } catch {
    return undefined;
  }
}
