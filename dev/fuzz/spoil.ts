// What can be wrong with an answer of a server: each way is a row. Some quote what they were
// sent, credentials and all, as servers do.
import type { Json } from '@metamask/utils';

import { makeJunk, makeText } from './junk';
import { mutate } from './mutate';
import type { Random } from './random';

/** An answer on its way. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** How it ends: whole, cut off in its body, or with no answer at all. */
  end: 'whole' | 'cut' | 'none';
  delayMs: number;
};

/** What an answer is made from: what is right, and what was asked, as it came. */
export type Asked = { right: Json; echo: string };

type Spoil = (asked: Asked, random: Random) => Partial<Reply>;

const LARGE = 11_000_000;

const STATUSES = [
  ...[201, 204, 301, 302, 400, 401, 402, 403, 404, 405, 408, 413, 418, 429, 451],
  ...[500, 502, 503, 504, 520],
];

const CODES = [
  -32700, -32600, -32601, -32602, -32603, -32000, -32002, -32005, 3, 4001, 0,
];

const toError = (right: Json, error: Json): Json => {
  const fail = (answer: Json): Json => {
    const { id = null } = answer as { id?: Json };
    return { jsonrpc: '2.0', id, error };
  };
  return Array.isArray(right) ? right.map(fail) : fail(right);
};

const wrong: Spoil = ({ right }, random) => ({
  body: JSON.stringify(mutate(right, random)),
});

const quoting: Spoil = ({ right, echo }, random) => {
  const message = random.chance(0.5) ? `refused: ${echo}` : makeText(random);
  const code = random.chance(0.8) ? random.pick(CODES) : makeJunk(random);
  const data = random.pick<Json>([
    echo,
    { request: echo },
    { rate: { backoff_seconds: 0 } },
    null,
  ]);
  return { body: JSON.stringify(toError(right, { code, message, data })) };
};

const refused: Spoil = ({ echo }, random) => ({
  status: random.pick(STATUSES),
  headers: random.chance(0.3)
    ? {
        'retry-after': random.pick([
          '0',
          '-1',
          '99999',
          'soon',
          'Fri, 31 Dec 1999 23:59:59 GMT',
        ]),
      }
    : {},
  body: random.chance(0.5)
    ? `<html><body>${echo}</body></html>`
    : JSON.stringify({ error: echo }),
});

const twice: Spoil = ({ right }, random) => {
  const list = [right].flat();
  const more = [...list, ...list, ...(random.chance(0.5) ? [makeJunk(random)] : [])];
  return { body: JSON.stringify(more) };
};

const foreign: Spoil = ({ right }, random) => {
  const list = [right].flat() as Record<string, Json>[];
  const ids = list.map((answer) => ({ ...answer, id: makeJunk(random) }));
  return { body: JSON.stringify(Array.isArray(right) ? ids : ids[0]) };
};

/** The ways, those that end at once more often than those that are tried again. */
const ways: readonly Spoil[] = [
  ...[wrong, wrong, wrong, wrong, wrong, wrong, quoting, quoting, foreign, twice],
  (_asked, random) => ({ body: JSON.stringify(makeJunk(random)) }),
  ({ right }) => ({ body: JSON.stringify(right).slice(0, -7) }),
  ({ echo }) => ({ body: `<!doctype html><title>${echo}</title>` }),
  () => ({ body: '' }),
  () => ({ body: '['.repeat(20_000) }),
  ({ right }) => ({ body: `${JSON.stringify(right)}\u0000` }),
  ({ right }) => ({ body: JSON.stringify(right), delayMs: 50 }),
  refused,
];

/** The ways that are rare: they take long, to send or because they are tried again. */
const slowWays: readonly Spoil[] = [
  ({ right }) => ({ body: JSON.stringify(right).padEnd(LARGE, ' ') }),
  ({ right }) => ({ body: JSON.stringify(right), end: 'cut' }),
  () => ({ end: 'none' }),
];

const SLOW_SHARE = 0.04;

/** Answer as is right. */
export function toReply(right: Json): Reply {
  const headers = { 'content-type': 'application/json' };
  return {
    status: 200,
    headers,
    body: JSON.stringify(right),
    end: 'whole',
    delayMs: 0,
  };
}

/** Answer with something wrong. */
export function spoil(asked: Asked, random: Random): Reply {
  const list = random.chance(SLOW_SHARE) ? slowWays : ways;
  return { ...toReply(asked.right), ...random.pick(list)(asked, random) };
}
