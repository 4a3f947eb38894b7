// What a server's answer means where it has no result. Servers differ in statuses, codes, words and
// in where they put bytes: all of that is read here into one kind, and one table has what follows.
import { isObject } from '@metamask/utils';

import { findRevert, isHexText, listTexts } from '../../../src/eth/abi';
import type { Revert } from '../../../src/eth/abi';

/**
 * How a call ended without a result.
 *
 * - `absent`: the server lacks the method.
 * - `refused`: the server does not carry out this call.
 * - `reverted`: the call was tried, and a contract failed.
 * - `busy`: not now: a rate limit, or a node that is starting, indexing or behind.
 * - `broken`: the answer makes no sense.
 * - `unknown outcome`: there is no answer, or one that does not say what became of the call.
 */
export type FailureKind =
  'absent' | 'refused' | 'reverted' | 'busy' | 'broken' | 'unknown outcome';

/** What follows from each kind, for whoever made the call. */
export const consequences: Record<
  FailureKind,
  {
    /** Whether a call is tried again that may be repeated. */
    isRepeated: boolean;
    /** Whether the call may have been carried out. */
    mayBeDone: boolean;
    advice: string;
  }
> = {
  absent: { isRepeated: false, mayBeDone: false, advice: '' },
  refused: { isRepeated: false, mayBeDone: false, advice: '' },
  reverted: { isRepeated: false, mayBeDone: false, advice: '' },
  busy: { isRepeated: true, mayBeDone: false, advice: 'Try again later.' },
  broken: {
    isRepeated: false,
    mayBeDone: true,
    advice: 'Check that it is the right server.',
  },
  'unknown outcome': {
    isRepeated: true,
    mayBeDone: true,
    advice: 'Try again later.',
  },
};

/** What an error is about, where that matters beside its kind: a block, transaction or receipt that
 * the server does not have (yet), the rate of calls, the size of a request or answer, a transaction
 * that the node refuses or has already, or one that was sent and has no receipt yet. */
export type Topic = 'known' | 'late' | 'missing' | 'rate' | 'size' | 'transaction';

export type Reading = {
  kind: FailureKind;
  topic: Topic | undefined;
  /** The server's own code, as a number. */
  code: number | undefined;
  /** The server's own message; may be empty. */
  said: string;
  revert: Revert | undefined;
};

type Row = {
  kind: FailureKind;
  topic?: Topic;
  /** Words of servers. The first row with words that fit counts, before any code. */
  words?: RegExp;
  codes?: readonly number[];
};

/** Codes that mean the same everywhere: a revert (geth), an entity that a bundler throttles (ERC-7769),
 * and too many requests (HTTP). */
const SURE: ReadonlyMap<unknown, Row> = new Map<unknown, Row>([
  [3, { kind: 'reverted' }],
  [-32504, { kind: 'refused' }],
  [429, { kind: 'busy', topic: 'rate' }],
]);

const rows: readonly Row[] = [
  {
    kind: 'reverted',
    words:
      /revert|\bVM\b.*\b(?:exception|error)|execution (?:failed|error)|invalid ?opcode|\bEVM error|out of gas|bad instruction|invalid jump|stack (?:over|under)flow/iu,
    codes: [-32015, -32521],
  },
  // EIP-7966: sent, and without a receipt in time.
  {
    kind: 'unknown outcome',
    topic: 'late',
    words:
      /confirmation time|added to the mempool|(?:n't|not) (?:yet )?(?:confirmed|processed|included|mined)|in time\b/iu,
    codes: [4],
  },
  {
    kind: 'refused',
    topic: 'known',
    words:
      /already[ _]?(?:known|exist|imported|submitted|in (?:the )?(?:mem|tx)?pool|received)|known ?transaction|same hash|duplicate transaction/iu,
    codes: [1000],
  },
  // These come before they are included, so the same bytes are right a moment later.
  { kind: 'unknown outcome', words: /future transaction tries|nonce retries/iu },
  {
    kind: 'refused',
    topic: 'transaction',
    words:
      /nonce (?:is )?too|(?:invalid|incorrect|wrong|bad|old)[ _](?:transaction |account )?(?:nonce|sequence)|nonce\b.*\b(?:expected|used|mismatch|lower|higher)|underpriced|(?:price|fee|fees|tip|tip cap|FeePerGas)\b.*\b(?:low|less|below|minimum|lower|higher|exceeds?)\b|minimal gas price|FeeTooLow|replac|insufficient|overdraft|intrinsic|gas limit|gas required exceeds|exceeds (?:the )?block|unit price|invalid (?:sender|signature|chain ?id|transaction|tx)|invalidtransaction|transaction type|tx ?type|type not supported|oversized|(?:tx)?pool is full|in-flight|delegated account|replay-protect|not an eoa|not authorized to send|init ?code/iu,
    // Nonces, gas and fees (execution-apis), and codes of geth and Parity.
    codes: [1, 800, 801, 802, 803, 804, 805, 806, 807, 808, 809, -32003, -32010],
  },
  // Gateways without a node that answers: one of them may have done it.
  {
    kind: 'unknown outcome',
    words: /exhausted|upstream|no (?:available|healthy|nodes? available)/iu,
  },
  {
    kind: 'refused',
    topic: 'size',
    words:
      /(?:batch|range|response|results?|payload)\b.*(?:too (?:large|big|long|many)|exceed|limit|max)|limited to\b.*\b(?:range|blocks)|more than \d+ (?:results|blocks|logs)|body (?:is )?too large/iu,
  },
  {
    kind: 'busy',
    topic: 'rate',
    words:
      /rate.{0,3}(?:limit|exceed)|too many|throttl|(?:compute units|capacity|quota|credits?|request|requests|daily|monthly|usage)\b.*\b(?:limit|exceed|reached|exceeded)|limit exceeded|slow down/iu,
    codes: [-32005, -32007, -32016, -32029, -32097],
  },
  {
    kind: 'absent',
    words:
      /\bmethod\b.{0,60}(?:\bnot\b|n't\b|unsupported|unknown|unavailable|disabled)|(?:\bnot\b|n't\b|unsupported|unknown|unavailable|disabled|no such).{0,60}\bmethod\b|\bnot (?:been )?(?:whitelisted|implemented)|(?<!block )\bnot supported\b|^unsupported\b/iu,
    codes: [-32601, -32004, -32604],
  },
  {
    kind: 'absent',
    words:
      /\b[a-z]{2,12}_[a-z]\w+\W{1,3}(?:\w+ ){0,2}?(?:is|are|was|does|has)?(?: been| currently)? ?(?:not (?:available|found|exist|allowed|enabled|permitted)|n't (?:exist|available)|unsupported|unknown|unavailable|disabled)/iu,
  },
  {
    kind: 'busy',
    topic: 'missing',
    words:
      /BlockOutOfRange|null round|index(?:ing|ed)\b|(?:block|header|transaction|tx|receipt|object|resource|results|state|trie node)\b.*\b(?:not (?:be )?(?:found|available)|missing|pruned|pruning)|(?:\bnot|n't) find|missing trie node|\b(?:unknown|no such) (?:block|header|transaction)|\b(?:block|header|transaction) (?:does not|doesn't) exist|invalid block tag\b.*\blatest block|unfinalized|fewer receipts|less receipts/iu,
  },
  {
    kind: 'busy',
    words:
      /\b(?:sync|start|initiali[sz]|catch|load|bootstrapp?)ing\b|not (?:yet )?(?:ready|synced|done)/iu,
  },
  {
    kind: 'unknown outcome',
    words:
      /time[d -]*out|deadline exceeded|try (?:it )?again|temporar|overload|\bbusy\b|unhealthy|cannot fulfill|bad gateway|dial tcp|connection (?:refused|reset|closed)|\bEOF\b|socket hang up|internal ?(?:server )?error|crashed|panic/iu,
    codes: [-32603],
  },
  { kind: 'refused', topic: 'missing', codes: [-32001] },
];

/** Statuses with which a server refuses everybody without the right key. */
const DENIALS = [401, 402, 403];

/** Statuses of a server without the address or method, not those of one that is down. */
const ABSENCES = [404, 405, 501];

/** Statuses of servers and gateways that fail in passing; from 520 on they are Cloudflare's. */
const PASSING = [408, 425, 500, 502, 503, 504];

/** Longest words that are read. */
const MAX_WORDS = 2_000;

/** Reads a failed answer: the HTTP status, if it is not 200, and the JSON-RPC error, if there is one.
 * Errors come as objects, texts and numbers, in any form. */
export function readFailure({
  status = 200,
  error,
}: {
  status?: number | undefined;
  error?: unknown;
}): Reading {
  if (error === undefined) {
    const nothing = { topic: undefined, code: undefined, said: '', revert: undefined };
    return { ...nothing, kind: readStatus(status) };
  }
  const texts = listTexts(error);
  const words = texts
    .filter((text) => !isHexText(text))
    .join('\n')
    .slice(0, MAX_WORDS);
  const fields = isObject(error) ? error : {};
  const code = toCode(fields['code'] ?? error);
  const revert = findRevert(error);
  const row: Row = SURE.get(status) ??
    SURE.get(code) ??
    (revert?.reason === undefined ? undefined : { kind: 'reverted' }) ??
    rows.find((each) => each.words?.test(words)) ??
    (DENIALS.includes(status) ? { kind: 'refused' } : undefined) ??
    rows.find(({ codes }) => codes?.includes(code ?? NaN)) ?? { kind: 'refused' };
  const message = findMessage(error);
  return { kind: row.kind, topic: row.topic, code, said: message, revert };
}

function readStatus(status: number): FailureKind {
  if (status === 429) return 'busy';
  if (PASSING.includes(status) || (status >= 520 && status <= 530)) {
    return 'unknown outcome';
  }
  if (ABSENCES.includes(status)) return 'absent';
  return status >= 500 ? 'broken' : 'refused';
}

function toCode(code: unknown): number | undefined {
  const number = typeof code === 'string' && code !== '' ? Number(code) : code;
  return Number.isInteger(number) ? Number(number) : undefined;
}

// The message, else the first text that has words. Some servers write an object there.
function findMessage(error: unknown): string {
  const { message = error } = isObject(error) ? error : {};
  if (typeof message === 'string') return message;
  return (
    listTexts(message ?? error).find(
      (text) => /[a-z]{2}/iu.test(text) && !isHexText(text),
    ) ?? ''
  );
}

/** Finds the error in an answer of JSON-RPC. Some servers write an empty one beside a result. */
export function findError(answer: Record<PropertyKey, unknown>): unknown {
  const { error } = answer;
  if (error === null || error === undefined) return undefined;
  const isEmpty = isObject(error) && Object.keys(error).length === 0;
  return isEmpty && 'result' in answer ? undefined : error;
}
