// Why a transaction, or what the calls of an operation do, fails: told from what a node or a
// bundler answers when it tries them.
import { BundlerError, RpcError } from '../client';
import { TollkeeperError } from '../errors';
import { NodeBytesStruct } from '../eth/hex';
import { findRevertReason } from '../eth/revert';
import { matches } from '../schema/parse';
import { warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';

/** A call that reverts, as bundlers code it (ERC-7769). */
export const CALL_REVERTED = -32521;

/** A call that reverts, as nodes code it. */
const REVERTED = 3;

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
