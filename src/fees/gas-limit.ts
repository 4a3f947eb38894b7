// How much gas a transaction may use: estimated by the node, with a margin where the
// estimate is not exact.
import { isRollup, RpcError } from '../client';
import type { CallOptions, NodeClient, RpcCallObject } from '../client';
import { toAuthorizationJson } from '../eth/authorization';
import type { ChainId } from '../eth/chain';
import { byteLength, toQuantity } from '../eth/hex';
import type { TransactionRequest } from '../eth/transaction';
import type { Warning } from '../ui/warnings';
import { assertPlausible } from './level';
import { findFailure } from './failures';

/** Gas of a plain transfer, which is exact and needs no margin. */
const TRANSFER_GAS = 21_000n;

/** An estimate holds for the present state; 20 % more covers what changes until then. */
const GAS_MARGIN_PERCENT = 120n;

/** Gas for a call that cannot be estimated. */
export const UNKNOWN_CALL_GAS = 500_000n;

/** Gas of a byte of calldata at most (EIP-7623). */
const BYTE_GAS = 40n;

/** Gas of a byte of a new contract's code. */
const CODE_BYTE_GAS = 200n;

/** JSON-RPC code of a node that says why a transaction would revert. */
const REVERTED = 3;

/** What a node estimates. */
export type GasEstimate = {
  gasLimit: bigint;
  /** On rollups: what its calldata has to pay beside the base fee, in wei for a unit. */
  priorityFeePerGas?: bigint;
};

/**
 * Estimate a transaction's gas.
 *
 * @returns The node's estimate and 20 % more; exactly 21,000 for a plain transfer. On a
 * rollup what its own estimate recommends, where the node has that method.
 * @throws What the node says, such as why the transaction would revert.
 * @throws {UnavailableError} If a rollup's node asks for a fee that is not plausible.
 */
export async function estimateGas(
  request: TransactionRequest,
  { chainId, node }: { chainId: ChainId; node: NodeClient },
): Promise<GasEstimate> {
  const call = toCallObject(request);
  if (!isRollup(chainId)) return estimatePlainly(call, node);
  try {
    const estimate = await node.request('rollup_estimateGas', [call]);
    const priorityFeePerGas = BigInt(estimate.priorityFeePerGas);
    assertPlausible('rollup-estimate', [priorityFeePerGas]);
    return { gasLimit: BigInt(estimate.gasLimit), priorityFeePerGas };
  } catch (error) {
    // The wallet's own node lets the method through no more than a plain one has it.
    if (error instanceof RpcError && error.code !== REVERTED) {
      return estimatePlainly(call, node);
    }
    throw error;
  }
}

/**
 * Assumes a gas limit for a transaction that cannot be estimated: enough for most calls, and for
 * all bytes, and far below what a block takes.
 */
export function assumeGasLimit({
  to,
  data,
}: Pick<TransactionRequest, 'to' | 'data'>): bigint {
  const gasOfByte = to === null ? BYTE_GAS + CODE_BYTE_GAS : BYTE_GAS;
  return UNKNOWN_CALL_GAS + BigInt(byteLength(data)) * gasOfByte;
}

/**
 * Finds out whether a transaction with a given gas limit fails. Asks in the tick of the call.
 *
 * @returns Why it fails; undefined if it does not, or the node does not tell.
 */
export async function findGivenFailure(
  request: TransactionRequest & { gasLimit: bigint },
  node: NodeClient,
  options: CallOptions,
): Promise<Warning | undefined> {
  const call = { ...toCallObject(request), gas: toQuantity(request.gasLimit) };
  try {
    await node.request('eth_estimateGas', [call], options);
    return undefined;
  } catch (error) {
    return findFailure(error);
  }
}

async function estimatePlainly(
  call: RpcCallObject,
  node: NodeClient,
): Promise<GasEstimate> {
  const estimate = BigInt(await node.request('eth_estimateGas', [call]));
  if (estimate === TRANSFER_GAS) return { gasLimit: estimate };
  return { gasLimit: (estimate * GAS_MARGIN_PERCENT) / 100n };
}

// Without fees: an estimate with them fails for reasons that have nothing to do with gas.
function toCallObject(request: TransactionRequest): RpcCallObject {
  const { from, to, value, data, accessList = [] } = request;
  const { blobVersionedHashes, authorizationList } = request;
  return {
    from,
    ...(to === null ? {} : { to }),
    value: toQuantity(value),
    data,
    ...(accessList.length === 0 ? {} : { accessList }),
    ...(blobVersionedHashes === undefined ? {} : { blobVersionedHashes }),
    ...(authorizationList === undefined
      ? {}
      : { authorizationList: authorizationList.map(toAuthorizationJson) }),
  };
}
