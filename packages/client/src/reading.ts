// Classifies failed answers. Servers differ in statuses, codes, messages and where they put revert
// data; one function maps each answer to a kind.
import { isObject } from '@metamask/utils';

import { findRevert, isHexText, listTexts } from '../../../src/eth/abi';
import type { Revert } from '../../../src/eth/abi';

/**
 * How a call ended without a result.
 *
 * - `absent`: the server lacks the method.
 * - `refused`: the server declined this call.
 * - `reverted`: the call ran, and a contract reverted.
 * - `busy`: temporarily unavailable, such as a rate limit or a node that is starting, indexing or
 *   behind.
 * - `broken`: the answer is malformed or too long, or the server is faulty.
 * - `unknown outcome`: no answer, or none that tells the outcome.
 */
export type FailureKind =
  'absent' | 'refused' | 'reverted' | 'busy' | 'broken' | 'unknown outcome';

/** `isRepeated` only applies to calls that may be repeated. */
type Consequence = { isRepeated: boolean; mayBeDone: boolean; advice?: string };

export const consequences: Record<FailureKind, Consequence> = {
  absent: { isRepeated: false, mayBeDone: false },
  refused: { isRepeated: false, mayBeDone: false },
  reverted: { isRepeated: false, mayBeDone: false },
  busy: { isRepeated: true, mayBeDone: false, advice: 'Try again later.' },
  broken: {
    isRepeated: false,
    mayBeDone: true,
    advice: 'Check that it is the right server.',
  },
  'unknown outcome': { isRepeated: true, mayBeDone: true, advice: 'Try again later.' },
};

/** The subject of an error, if its kind is not specific enough: a transaction that the node already
 * has, that was sent but has no receipt yet, or that the node refuses; a missing block, transaction
 * or receipt; the call rate; the size of a request or answer; a call that ran out of gas. */
export type Topic =
  'known' | 'late' | 'transaction' | 'missing' | 'rate' | 'size' | 'gas';

type Meaning = { kind: FailureKind; topic?: Topic };

export type Reading = Meaning & {
  code: number | undefined;
  /** The server's message; may be empty. */
  said: string;
  revert: Revert | undefined;
};

const REVERTED: Meaning = { kind: 'reverted' };
const REFUSED: Meaning = { kind: 'refused' };
const UNKNOWN: Meaning = { kind: 'unknown outcome' };
const ABSENT: Meaning = { kind: 'absent' };
const RATE: Meaning = { kind: 'busy', topic: 'rate' };
// The transaction was sent, but its receipt did not arrive in time (EIP-7966).
const LATE: Meaning = { kind: 'unknown outcome', topic: 'late' };
const TRANSACTION: Meaning = { kind: 'refused', topic: 'transaction' };

/** Codes whose meaning does not depend on the message: a revert (geth), a throttled entity
 * (ERC-7769), and too many requests (HTTP). */
const SURE: ReadonlyMap<unknown, Meaning> = new Map([
  [3, REVERTED],
  [-32504, REFUSED],
  [429, RATE],
]);

/** Known messages, checked before other codes. The first match wins. */
const MESSAGES: readonly (readonly [Meaning, RegExp])[] = [
  [{ kind: 'reverted', topic: 'gas' }, /out ?of ?gas/iu],
  [
    REVERTED,
    /revert|\bVM\b.*\b(?:exception|error)|execution (?:failed|error)|invalid ?opcode|\bEVM error|bad instruction|invalid jump|stack (?:over|under)flow/iu,
  ],
  [
    LATE,
    /confirmation time|added to the mempool|(?:n't|not) (?:yet )?(?:confirmed|processed|included|mined)|in time\b/iu,
  ],
  // The node has a different transaction with this nonce.
  [
    TRANSACTION,
    /(?:nonce|replac)[^]*\b(?:already|exists?)\b|\b(?:already|exists?)\b[^]*(?:nonce|replac)/iu,
  ],
  [
    { kind: 'refused', topic: 'known' },
    /already[ _]?(?:known|exist|imported|submitted|in (?:the )?(?:mem|tx)?pool|received)|known ?transaction|same hash|duplicate transaction/iu,
  ],
  // Earlier transactions must be included first; the same bytes become valid a moment later.
  [UNKNOWN, /future transaction tries|nonce retries/iu],
  [
    TRANSACTION,
    /nonce (?:is )?too|(?:invalid|incorrect|wrong|bad|old)[ _](?:transaction |account )?(?:nonce|sequence)|nonce\b.*\b(?:expected|used|mismatch|lower|higher)|underpriced|(?:price|fee|fees|tip|tip cap|FeePerGas)\b.*\b(?:low|less|below|minimum|lower|higher|exceeds?)\b|minimal gas price|FeeTooLow|replac|insufficient|overdraft|intrinsic|gas limit|gas required exceeds|exceeds (?:the )?block|unit price|invalid (?:sender|signature|chain ?id|transaction|tx)|invalidtransaction|transaction type|tx ?type|type not supported|oversized|(?:tx)?pool is full|in-flight|delegated account|replay-protect|not an eoa|not authorized to send|init ?code/iu,
  ],
  // A gateway got no response from its nodes, but one of them may have executed the call.
  [UNKNOWN, /exhausted|upstream|no (?:available|healthy|nodes? available)/iu],
  [
    { kind: 'refused', topic: 'size' },
    /(?:batch|range|response|results?|payload)\b.*(?:too (?:large|big|long|many)|exceed|limit|max)|(?:limited|up) to\b.*\b(?:range|blocks)|more than \d+ (?:results|blocks|logs)|body (?:is )?too large/iu,
  ],
  [
    RATE,
    /rate.{0,3}(?:limit|exceed)|too many|throttl|(?:compute units|capacity|quota|credits?|request|requests|daily|monthly|usage)\b.*\b(?:limit|exceed|reached|exceeded)|limit exceeded|exceeded (?:its|your)\b.*\b(?:capacity|quota|units)|slow down/iu,
  ],
  [
    ABSENT,
    /\bmethod\b.{0,60}(?:\bnot\b|n't\b|unsupported|unknown|unavailable|disabled)|(?:\bnot\b|n't\b|unsupported|unknown|unavailable|disabled|no such).{0,60}\bmethod\b|\bnot (?:been )?(?:whitelisted|implemented)|(?<!block )\bnot supported\b|^unsupported\b|\b[a-z]{2,12}_[a-z]\w+\W{1,3}(?:\w+ ){0,2}?(?:is|are|was|does|has)?(?: been| currently)? ?(?:not (?:available|found|exist|allowed|enabled|permitted)|n't (?:exist|available)|unsupported|unknown|unavailable|disabled)/iu,
  ],
  [
    { kind: 'busy', topic: 'missing' },
    /BlockOutOfRange|null round|index(?:ing|ed)\b|(?:block|header|transaction|tx|operation|receipt|object|resource|results|state|trie node)\b.*\b(?:not (?:be )?(?:found|available)|missing|pruned|pruning)|(?:\bnot|n't) find|missing trie node|\b(?:unknown|no such) (?:block|header|transaction)|\b(?:block|header|transaction) (?:does not|doesn't) exist|invalid block tag\b.*\blatest block|unfinalized|fewer receipts|less receipts/iu,
  ],
  [
    { kind: 'busy' },
    /\b(?:sync|start|initiali[sz]|catch|load|bootstrapp?)ing\b|not (?:yet )?(?:ready|synced|done)/iu,
  ],
  [
    UNKNOWN,
    /time[d -]*out|deadline exceeded|try (?:it )?again|temporar|overload|\bbusy\b|unhealthy|cannot fulfill|bad gateway|dial tcp|connection (?:refused|reset|closed)|\bEOF\b|socket hang up|internal ?(?:server )?error|crashed|panic/iu,
  ],
];

/** Codes of nodes and bundlers: from EIP-1474, EIP-7966, ERC-7769, execution-apis, and vendors. */
const CODES: readonly (readonly [Meaning, ...codes: number[]])[] = [
  [REVERTED, -32015, -32521],
  [LATE, 4],
  [{ kind: 'refused', topic: 'known' }, 1000],
  [TRANSACTION, 1, 800, 801, 802, 803, 804, 805, 806, 807, 808, 809, -32003, -32010],
  [RATE, -32005, -32007, -32016, -32029, -32097],
  [ABSENT, -32601, -32004, -32604],
  [UNKNOWN, -32603],
  [{ kind: 'refused', topic: 'missing' }, -32001],
];

const MAX_MESSAGE_LENGTH = 2_000;

/** Classifies a failed answer by its HTTP status and its JSON-RPC error, if any. The error may be
 * an object, a string or a number. */
export function readFailure(status = 200, error?: unknown): Reading {
  const texts = listTexts(error);
  const words = texts.filter((text) => !isHexText(text)).join('\n');
  const { code: given = '', message = error } = isObject(error) ? error : {};
  const isText = typeof given === 'string' && /^-?\d+$/u.test(given);
  const code = isText || Number.isInteger(given) ? Number(given) : undefined;
  const revert = findRevert(error);
  const isReadable = (text: string): boolean =>
    /[a-z]{2}/iu.test(text) && !isHexText(text);
  const isByStatus = error === undefined || DENIALS.includes(status);
  const meaning =
    SURE.get(status) ??
    SURE.get(code) ??
    (revert?.reason === undefined ? undefined : REVERTED) ??
    MESSAGES.find(([, form]) => form.test(words.slice(0, MAX_MESSAGE_LENGTH)))?.[0] ??
    (isByStatus ? readStatus(status) : undefined) ??
    CODES.find(([, ...codes]) => code !== undefined && codes.includes(code))?.[0] ??
    REFUSED;
  const said = typeof message === 'string' ? message : (texts.find(isReadable) ?? '');
  return { ...meaning, code, said, revert };
}

/** Statuses that refuse the caller, whatever the request. */
const DENIALS = [401, 402, 403];

/** Statuses of servers that lack the path or the method. */
const ABSENCES = [404, 405, 501];

/** Statuses of temporary server and gateway failures; 520 and above are Cloudflare's. */
const TEMPORARY = [408, 425, 500, 502, 503, 504];

function readStatus(status: number): Meaning {
  if (TEMPORARY.includes(status) || (status >= 520 && status <= 530)) return UNKNOWN;
  if (ABSENCES.includes(status)) return ABSENT;
  return status >= 500 ? { kind: 'broken' } : REFUSED;
}

/** Finds the error in a JSON-RPC answer. Some servers add an empty error to a result. */
export function findError(answer: Record<PropertyKey, unknown>): unknown {
  const error = answer['error'] ?? undefined;
  const isEmpty = !error || (isObject(error) && Object.keys(error).length === 0);
  return isEmpty && 'result' in answer ? undefined : error;
}
