// How much gas a transaction may use: estimated by the node, with a margin where the estimate is
// not exact; and why it fails, told from what a node or a bundler answers when it tries it.
import { BundlerError, isRollup, RpcError } from '../client';
import type { CallOptions, EstimateParams, NodeClient, RpcCallObject } from '../client';
import { TollkeeperError } from '../errors';
import { toAuthorizationJson } from '../eth/authorization';
import type { ChainId } from '../eth/chain';
import { findOwnDelegate, toDelegatedCode } from '../eth/delegation';
import { byteLength, NodeBytesStruct, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findRevertReason } from '../eth/revert';
import type { TransactionRequest } from '../eth/transaction';
import { matches } from '../schema/parse';
import { warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { assertPlausible } from './level';

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

/** A call that reverts, as nodes code it. */
const REVERTED = 3;

/** A call that reverts, as bundlers code it (ERC-7769). */
export const CALL_REVERTED = -32521;

/** Codes of a node that did not try (JSON-RPC, EIP-1474): the request or the method is none that
 * it takes, something is not there, or it wants to be asked later. */
const NOT_TRIED: readonly number[] = [
  -32700, -32600, -32601, -32602, -32001, -32002, -32004, -32005, -32006,
];

/** What nodes say of what fails, where their code does not tell. */
const FAILS =
  /revert|insufficient|out of gas|gas required|exceeds|invalid opcode|invalid jump|stack (?:over|under)flow|intrinsic/iu;

/** Hex digits, with `0x`, of a custom error's selector. */
const SELECTOR_END = 10;

/** What a node estimates. */
export type GasEstimate = {
  gasLimit: bigint;
  /** On rollups: what its calldata has to pay beside the base fee, in wei for a unit. */
  priorityFeePerGas?: bigint;
};

/**
 * Estimates a transaction's gas.
 *
 * @returns The node's estimate and 20 % more; exactly 21,000 for a plain transfer. On a rollup
 * what its own estimate recommends, where the node has that method.
 * @throws What the node says, such as why the transaction would revert.
 * @throws {UnavailableError} If a rollup's node asks for a fee that is not plausible.
 */
export async function estimateGas(
  request: TransactionRequest,
  { chainId, node }: { chainId: ChainId; node: NodeClient },
): Promise<GasEstimate> {
  const call = toCallObject(request);
  const params = withDelegate(request, call);
  // A rollup's own method takes no overrides.
  if (!isRollup(chainId) || params.length > 1) return estimatePlainly(params, node);
  try {
    const estimate = await node.request('rollup_estimateGas', [call]);
    const priorityFeePerGas = BigInt(estimate.priorityFeePerGas);
    assertPlausible('rollup-estimate', [priorityFeePerGas]);
    return { gasLimit: BigInt(estimate.gasLimit), priorityFeePerGas };
  } catch (error) {
    // The wallet's own node lets the method through no more than a plain one has it.
    if (error instanceof RpcError && error.code !== REVERTED) {
      return estimatePlainly(params, node);
    }
    throw error;
  }
}

// The sender's own authorization is not signed yet: the node is told what code the account will
// have.
function withDelegate(
  request: TransactionRequest,
  call: RpcCallObject,
): EstimateParams {
  const delegate = findOwnDelegate(request);
  if (delegate === undefined) return [call];
  return [call, 'latest', { [request.from]: { code: toDelegatedCode(delegate) } }];
}

async function estimatePlainly(
  params: EstimateParams,
  node: NodeClient,
): Promise<GasEstimate> {
  const estimate = BigInt(await node.request('eth_estimateGas', params));
  if (estimate === TRANSFER_GAS) return { gasLimit: estimate };
  return { gasLimit: (estimate * GAS_MARGIN_PERCENT) / 100n };
}

/** Writes a transaction as a node is to try it. Without fees: with them it fails for reasons
 * that have nothing to do with what it does. */
export function toCallObject(request: TransactionRequest): RpcCallObject {
  const { from, to, value, data, accessList = [] } = request;
  const { blobVersionedHashes, authorizationList } = request;
  return {
    from,
    ...(to !== null && { to }),
    value: toQuantity(value),
    data,
    ...(accessList.length > 0 && { accessList }),
    ...(blobVersionedHashes && { blobVersionedHashes }),
    ...(authorizationList && {
      authorizationList: authorizationList.map(toAuthorizationJson),
    }),
  };
}

/**
 * Assumes a gas limit for a transaction or call that cannot be estimated: enough for most calls,
 * and for all bytes, and far below what a block takes.
 */
export function assumeGasLimit({ to, data }: { to: Hex | null; data: Hex }): bigint {
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
  return node.request('eth_estimateGas', [call], options).then(
    () => undefined,
    (error: unknown) => findFailure(error),
  );
}

/**
 * Finds why a transaction or call fails that a node was to estimate.
 *
 * @returns Undefined if the error tells nothing of it, as where the node was not reached.
 */
export function findFailure(error: unknown): Warning | undefined {
  if (!(error instanceof RpcError) || NOT_TRIED.includes(error.code)) return undefined;
  const isSure =
    error.code === REVERTED ||
    error.revertReason !== undefined ||
    FAILS.test(error.said);
  return warning(isSure ? 'alert.willFail' : 'alert.mayFail', {
    reason: { text: toReason(error) },
  });
}

/**
 * Finds why the calls of an operation fail that was to be estimated as a whole.
 *
 * @returns Undefined if the error tells nothing of the calls: the operation may not even be
 * valid.
 */
export function findCallFailure(error: unknown): Warning | undefined {
  if (!(error instanceof TollkeeperError) || error.code !== CALL_REVERTED) {
    return undefined;
  }
  return warning('alert.willFail', { reason: { text: toReason(error) } });
}

// In the words of the contract, else of the server.
function toReason(error: TollkeeperError): string {
  const { data } = error.context;
  const reason = findRevertReason(data) ?? '';
  if (reason !== '') return reason;
  const hasWords = error instanceof RpcError || error instanceof BundlerError;
  const said = hasWords && error.said !== '' ? error.said : 'execution reverted';
  const isCustom = matches(data, NodeBytesStruct) && data.length >= SELECTOR_END;
  return isCustom ? `${said} (custom error ${data.slice(0, SELECTOR_END)})` : said;
}
