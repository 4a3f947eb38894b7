// How the servers that tell fees last answered, kept in the public document, so that people
// see why a source is not in use: never what was said, which could name a key.
import {
  BundlerError,
  HttpStatusError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from '../client';
import { TollkeeperError } from '../errors';
import type { FailureAlert } from '../eth/alerts';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { NodeBytesStruct } from '../eth/hex';
import { findRevertReason } from '../eth/revert';
import { matches } from '../schema/parse';
import type { PublicState, ServerAnswer, ServerAnswers } from '../state/public-state';

// Why a transaction, or what the calls of an operation do, fails: told from what a node or a
// bundler answers when it tries them.

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
export function findFailure(error: unknown): FailureAlert | undefined {
  if (!(error instanceof RpcError) || NOT_TRIED.includes(error.code)) return undefined;
  const isSure =
    error.code === REVERTED ||
    error.revertReason !== undefined ||
    FAILS.test(error.said);
  return { kind: isSure ? 'willFail' : 'mayFail', reason: toReason(error) };
}

/**
 * Finds why the calls of an operation fail that was to be estimated as a whole.
 *
 * @returns Undefined if the error tells nothing of the calls: the operation may not even be
 * valid.
 */
export function findCallFailure(error: unknown): FailureAlert | undefined {
  if (!(error instanceof TollkeeperError) || error.code !== CALL_REVERTED) {
    return undefined;
  }
  return { kind: 'willFail', reason: toReason(error) };
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

export type { ServerAnswers } from '../state/public-state';

/** A server that tells fees. */
export type FeeServer = 'gas' | 'node';

/** Takes note of how a server answered: with an error, or as it should. */
export type NoteAnswer = (server: FeeServer, error?: unknown) => void;

const statuses: Record<number, ServerAnswer['kind']> = {
  401: 'denied',
  402: 'quota',
  403: 'denied',
};

/** Collect answers; the last one of each server counts. */
export function collectAnswers(now: () => number): {
  note: NoteAnswer;
  answers: ServerAnswers;
} {
  const answers: ServerAnswers = {};
  return {
    answers,
    note: (server, error) => {
      answers[server] = toAnswer(error, now());
    },
  };
}

/** Put a chain's answers in the place of those that these servers gave before. */
export function withAnswers(
  state: PublicState,
  chainId: ChainId,
  answers: ServerAnswers,
): PublicState {
  const chain = toCaip2(chainId);
  const before = state.answers?.[chain];
  return {
    ...state,
    answers: { ...state.answers, [chain]: { ...before, ...answers } },
  };
}

function toAnswer(error: unknown, at: number): ServerAnswer {
  if (error === undefined) return { at, kind: 'ok' };
  if (error instanceof RateLimitError) {
    const retryAt = Math.min(at + error.backoffSeconds * 1000, Number.MAX_SAFE_INTEGER);
    return { at, kind: 'limited', retryAt: Math.ceil(retryAt) };
  }
  if (error instanceof HttpStatusError) {
    return { at, kind: statuses[error.status] ?? 'failed' };
  }
  const isAway = error instanceof NetworkError || error instanceof TimeoutError;
  return { at, kind: isAway ? 'unreachable' : 'failed' };
}
