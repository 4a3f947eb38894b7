// Simulates a chain that has only tokens and Multicall3.
import {
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  multicall3Abi,
  type Hex,
} from 'viem';

/** Answers a call to Multicall3. `call` returns undefined for a call that reverts. */
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

/** Answers a call to a token with a value by function name; undefined for a call that reverts. */
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
