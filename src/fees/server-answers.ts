// How the servers that tell fees last answered, kept in the public document, so that people
// see why a source is not in use: never what was said, which could name a key.
import { HttpStatusError, NetworkError, RateLimitError, TimeoutError } from '../client';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { PublicState, ServerAnswer, ServerAnswers } from '../state/public-state';

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
