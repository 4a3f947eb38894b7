// Batches of the calls of one tick: how calls are grouped, what follows a failed batch, and servers
// without batch support (docs/reference/service.md#json-rpc).
import { createHttpTransport, createRpcEndpoint } from '../../../packages/client/src';
import { errorOf } from '../../support/error-of';
import { answering, unreachableServer } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { createFakeTime } from '../../support/fake-time';
import { createGate, settle } from '../../support/gate';
import { useHttpServers } from '../../support/http-server';
import { echo, toRequests } from '../../support/json-rpc';
import type { WireRequest } from '../../support/json-rpc';
import {
  createRpcBench,
  answeringWith,
  repeatableCalls,
  correctResult,
  answerCorrectly,
  unrepeatableCalls,
} from '../../support/rpc-bench';

const serve = useHttpServers();

const many = Array.from({ length: 2_001 }, (_each, index) => `m${index}`);

const error = (code: number, message = 'No'): object => ({
  jsonrpc: '2.0',
  error: { code, message },
});

const limitedBy = (id: number, seconds: number): object => {
  const data = { rate: { backoff_seconds: seconds } };
  return { id, error: { code: -32005, message: 'Slow', data } };
};

const page: Server = () => new Response('<html>Bad Request</html>');

const countOf = ({ body = '' }: { body?: string | undefined }): number =>
  toRequests({ body }).length;

describe('calls of one tick', () => {
  it('are sent in batches of at most a thousand, each with its own id', async () => {
    const ids: number[] = [];
    const server = answeringWith((all) => {
      ids.push(...all.map(({ id }) => id));
      return all.map(echo);
    });
    const { askAll, sent } = createRpcBench([server]);
    expect(await askAll(repeatableCalls(...many))).toStrictEqual(
      many.map(answerCorrectly),
    );
    await askAll(repeatableCalls('next'));
    expect(sent().map(({ length }) => length)).toStrictEqual([1_000, 1_000, 1, 1]);
    expect(ids).toStrictEqual(
      Array.from({ length: 2_002 }, (_each, index) => index + 1),
    );
  });

  it('are sent in batches of at most the configured size', async () => {
    const { askAll, sent } = createRpcBench([correctResult], { batchLimit: 2 });
    await askAll(repeatableCalls('a', 'b', 'c'));
    expect(sent()).toStrictEqual([['a', 'b'], ['c']]);
  });

  it('are sent separately from calls of the next tick and from non-idempotent calls', async () => {
    const { askAll, sent } = createRpcBench([unreachableServer, correctResult]);
    const calls = [
      ...repeatableCalls('a'),
      unrepeatableCalls('send'),
      ...repeatableCalls('b'),
    ];
    expect(await askAll(calls)).toStrictEqual([
      answerCorrectly('a'),
      'send at It could not be reached. It may have been carried out: check before you ' +
        'send it again.',
      answerCorrectly('b'),
    ]);
    await askAll(repeatableCalls('c'));
    expect(sent()).toStrictEqual([['send'], ['a', 'b'], ['c']]);
  });

  it('are unaffected by a call whose params cannot be serialized', async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const { transport, askAll, sent } = createRpcBench([correctResult]);
    const refused = [[1n], circular].map(async (params) =>
      errorOf(() => transport.request({ method: 'bad', params: params as never })),
    );
    expect(await askAll(repeatableCalls('a'))).toStrictEqual([answerCorrectly('a')]);
    expect(await Promise.all(refused)).toMatchObject(
      Array(2).fill({
        code: -32602,
        message: 'bad: params cannot be written as JSON.',
      }),
    );
    expect(sent()).toStrictEqual([['a']]);
  });

  it('get their own answers, even null or empty ones', async () => {
    const results = [null, false, 0, '', [], {}];
    const { askAll } = createRpcBench([
      answeringWith((all) =>
        all.map(({ id }, index) => ({ id, result: results[index] })).reverse(),
      ),
    ]);
    expect(await askAll(repeatableCalls(...many.slice(0, 6)))).toStrictEqual(results);
  });

  it('are retried only if their failure is temporary, after the longest backoff', async () => {
    const some = answeringWith((all) =>
      all.map((request) =>
        request.method === 'a' ? echo(request) : limitedBy(request.id, 4 - request.id),
      ),
    );
    const { askAll, sent, time } = createRpcBench([some, correctResult]);
    expect(await askAll(repeatableCalls('a', 'b', 'c'))).toStrictEqual(
      ['a', 'b', 'c'].map(answerCorrectly),
    );
    expect(sent()).toStrictEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
    expect(time.waits).toStrictEqual([2_125]);
  });
});

describe('an unusable answer', () => {
  const invalid = (reason: string): string =>
    `bad at It gave an invalid answer: ${reason} Check that it is the right server.`;
  const NONE = invalid('it has no answer for this call.');
  const TWICE = invalid('it answered this call more than once.');
  const NO = 'bad at It failed: No.';
  const FAILED = 'bad at It failed.';
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const failed = (id: number, more: string): string =>
    `{"id":${id},"error":{"code":-32000,"message":"No"${more}}}`;

  it.each<[string, (id: number) => string, string]>([
    ['missing', () => 'null', NONE],
    ['a string', () => '"bad"', NONE],
    ['for a different id', () => '{"id":99,"result":1}', NONE],
    ['for its id as a string', (id) => `{"id":"${id}","result":1}`, NONE],
    ['for a fractional id', () => '{"id":2.5,"result":1}', NONE],
    ['without an id', () => '{"result":1}', NONE],
    [
      'for an id that cannot become a string',
      () => '{"id":{"toString":1},"result":1}',
      NONE,
    ],
    ['for an id nested deeper than the stack', () => `{"id":${deep},"result":1}`, NONE],
    [
      'an error with the id null',
      () => '{"id":null,"error":{"code":-32600,"message":"No"}}',
      NONE,
    ],
    ['an error that is a string', (id) => `{"id":${id},"error":"No"}`, NO],
    ['an error without a message', (id) => `{"id":${id},"error":{"code":7}}`, FAILED],
    ['an error that is empty', (id) => `{"id":${id},"error":{}}`, FAILED],
    [
      'an error whose message is an empty object',
      (id) => `{"id":${id},"error":{"message":{}}}`,
      FAILED,
    ],
    [
      'an error whose message is an object',
      (id) => `{"id":${id},"error":{"message":{"code":7,"text":"No"}}}`,
      NO,
    ],
    [
      'an error with its message in details',
      (id) => `{"id":${id},"error":{"message":null,"details":"No"}}`,
      NO,
    ],
    ['a very deep error', (id) => `{"id":${id},"error":${deep}}`, FAILED],
    [
      'repeated 10,000 times',
      (id) => Array(10_000).fill(`{"id":${id},"result":1}`).join(','),
      TWICE,
    ],
    ['empty', (id) => `{"id":${id}}`, invalid('it has neither a result nor an error.')],
    ['an error', (id) => failed(id, ''), NO],
    ['an error and a result', (id) => failed(id, '').replace('{', '{"result":1,'), NO],
    ['an error with very deep data', (id) => failed(id, `,"data":${deep}`), NO],
    [
      'an error with long data',
      (id) => failed(id, `,"data":"${'x'.repeat(20_000)}"`),
      NO,
    ],
  ])('fails only its own call if it is %s', async (_what, make, message) => {
    const write = (request: WireRequest): string =>
      request.method === 'bad' ? make(request.id) : JSON.stringify(echo(request));
    const server: Server = ({ body = '' }) =>
      new Response(
        `[{"id":-1,"result":1},${toRequests({ body }).map(write).join(',')}]`,
      );
    const { askAll } = createRpcBench([server]);
    expect(await askAll(repeatableCalls('a', 'bad', 'b'))).toStrictEqual([
      answerCorrectly('a'),
      message,
      answerCorrectly('b'),
    ]);
  });

  it('is rejected as a whole if it has more than 20,000 entries', async () => {
    const body = (count: number) => () =>
      new Response(`[${'{"id":1,"result":1},'.repeat(count - 1)}{"id":1,"result":1}]`);
    const { askAll } = createRpcBench([body(20_000), body(20_001)]);
    const ends = [
      ...(await askAll(repeatableCalls('a'))),
      ...(await askAll(repeatableCalls('a'))),
    ];
    expect(ends).toStrictEqual([
      expect.stringContaining('it answered this call more than once.'),
      expect.stringContaining('it has too many answers.'),
    ]);
  });
});

describe('a batch that is too large', () => {
  const methods = ['a', 'b', 'c', 'd', 'e'];
  const accepting =
    (limit: number): Server =>
    (request) =>
      (countOf(request) > limit ? answering(null, 413) : correctResult)(request);

  it.each([
    [4, [3, 2]],
    [2, [3, 2, 2, 1]],
    [1, [3, 2, 2, 1, 1, 1, 1, 1]],
  ])('is halved until it fits the limit of the server: %i', async (limit, sizes) => {
    const { askAll, sent, time } = createRpcBench([accepting(limit)]);
    expect(await askAll(repeatableCalls(...methods))).toStrictEqual(
      methods.map(answerCorrectly),
    );
    const seen = sent().map(({ length }) => length);
    expect(seen.sort()).toStrictEqual([5, ...sizes].sort());
    expect(time.waits).toStrictEqual([]);
  });

  it('is reported for each single call if single calls are too large as well', async () => {
    const { askAll, sent } = createRpcBench([accepting(0)]);
    const explanation =
      'at It answered with HTTP status 413. Send less in one request.';
    expect(await askAll(repeatableCalls('a', 'b'))).toStrictEqual([
      `a ${explanation}`,
      `b ${explanation}`,
    ]);
    expect(sent()).toStrictEqual([['a', 'b'], ['a'], ['b']]);
  });

  it('is halved if an error says so, and the server still gets batches', async () => {
    const few: Server = (request) =>
      (countOf(request) > 2
        ? answeringWith(() => ({
            id: null,
            error: { message: 'batch limit 2 exceeded' },
          }))
        : correctResult)(request);
    const { askAll, sent, transport } = createRpcBench([few]);
    expect(await askAll(repeatableCalls(...methods))).toStrictEqual(
      methods.map(answerCorrectly),
    );
    expect(sent().map(({ length }) => length)).toStrictEqual([5, 3, 2, 2, 1]);
    expect(transport.supportsBatches()).toBe(true);
  });

  it('is not halved once the time limit has passed', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(30_000);
      return accepting(1)(request);
    };
    const { askAll, sent } = createRpcBench([slow], { services: time });
    await askAll(repeatableCalls('a', 'b'));
    expect(sent()).toHaveLength(1);
  });

  it('is halved if its answer is too large, and only the call with the long answer fails', async () => {
    const long = 'x'.repeat(100);
    const { askAll, sent } = createRpcBench([correctResult], { maxBytes: 100 });
    expect(await askAll(repeatableCalls('a', 'b', long))).toStrictEqual([
      answerCorrectly('a'),
      answerCorrectly('b'),
      `${long} at It answered with more than 100 bytes. Ask for less in one request.`,
    ]);
    expect(sent()).toStrictEqual([['a', 'b', long], ['a', 'b'], [long]]);
  });
});

const refusing =
  (refusal: Server): Server =>
  (request) =>
    request.body?.startsWith('[')
      ? refusal(request)
      : answeringWith(([each]) => each && echo(each))(request);

/** How a server refuses a batch, how often the batch is sent, and how often the client waits. */
type Refusal = [what: string, server: Server, tries: number, waits?: number];

const temporaryRefusals: Refusal[] = [
  ['status 502', answering(null, 502), 3],
  ['-32005', answeringWith(() => ({ ...error(-32005), id: null })), 3, 3],
  [
    '-32005 for each call',
    answeringWith((all) => all.map(({ id }) => limitedBy(id, 0))),
    3,
    3,
  ],
];

const refusals: Refusal[] = [
  [
    'an error with the id null',
    answeringWith(() => ({ ...error(-32600), id: null })),
    1,
  ],
  ['an error without an id', answeringWith(() => error(-32700)), 1],
  ['an error in an array', answeringWith(() => [{ ...error(-32600), id: null }]), 1],
  [
    'an error for each call',
    answeringWith((all) => all.map(({ id }) => ({ ...error(-32600), id }))),
    1,
  ],
  ...[400, 403, 404, 405, 406, 411, 415, 422, 501].map((status): Refusal => [
    `status ${status}`,
    answering(null, status),
    1,
  ]),
  ['an empty array', answeringWith(() => []), 1],
  ['an empty object', answeringWith(() => ({})), 1],
  ['null', answeringWith(() => null), 1],
  ['only the first answer', answeringWith(([first]) => first && echo(first)), 1],
  ...temporaryRefusals,
  ['a broken connection', unreachableServer, 3],
  ['an empty body', () => new Response(''), 1],
  ['an HTML page', page, 1],
];

it.each(refusals)(
  'sends calls singly to a server that refuses batches with %s, and soon stops sending batches',
  async (_what, ...[refusal, tries, waits = tries - 1]) => {
    const methods = ['a', 'b', 'c'];
    const { askAll, sent, transport, time } = createRpcBench([refusing(refusal)]);
    const calls = [...repeatableCalls(...methods), unrepeatableCalls('once')];
    expect(await askAll(calls)).toStrictEqual(
      [...methods, 'once'].map(answerCorrectly),
    );
    expect(sent()).toStrictEqual([
      ['once'],
      ...Array<string[]>(tries).fill(methods),
      ...methods.map((method) => [method]),
    ]);
    expect(time.waits).toHaveLength(waits);
    expect(transport.supportsBatches()).toBe(false);
    await askAll(repeatableCalls('d', 'e'));
    const before = sent().length;
    expect(await askAll(repeatableCalls('f', 'g'))).toStrictEqual(
      ['f', 'g'].map(answerCorrectly),
    );
    expect(sent().slice(before)).toStrictEqual([['f'], ['g']]);
  },
);

const tooLarge = (id: number, message: string): object => ({
  id,
  error: { code: -32600, message },
});

it.each<[string, Server]>([
  ['the first answer', answeringWith(([first]) => [first && echo(first)])],
  [
    'a refusal and the last answer',
    answeringWith((all) => [
      { ...error(-32600), id: null },
      ...all.slice(-1).map(echo),
    ]),
  ],
  [
    'a size error',
    answeringWith(([first]) => [tooLarge(first?.id ?? 0, 'batch too large')]),
  ],
  [
    'the first answer, and errors about the size of the others',
    answeringWith(([first, ...others]) => [
      first && echo(first),
      ...others.map(({ id }) => tooLarge(id, 'response too large')),
    ]),
  ],
])('sends calls singly if the answer to a batch is only %s', async (_what, refusal) => {
  const { askAll, sent } = createRpcBench([refusing(refusal)]);
  const methods = ['a', 'b', 'c'];
  const calls = [...repeatableCalls(...methods), unrepeatableCalls('once')];
  expect(await askAll(calls)).toStrictEqual([...methods, 'once'].map(answerCorrectly));
  expect(sent().filter(({ length }) => length > 1)).toStrictEqual([methods]);
  expect(sent().filter(([first]) => first === 'once')).toHaveLength(1);
});

it.each([
  ['lacking', 'a', 'b'],
  ['a', 'lacking', 'b'],
  ['a', 'b', 'lacking'],
])('answers the other calls if one fails: %s, %s, %s', async (...methods) => {
  const lacking: Server = (request) =>
    request.body?.includes('lacking')
      ? answering(null, 404)(request)
      : answeringWith(([each]) => each && echo(each))(request);
  const refuse: Server = (request) =>
    (request.body?.startsWith('[') ? answering(null, 400) : lacking)(request);
  const { askAll, transport } = createRpcBench([refuse]);
  expect(await askAll(repeatableCalls(...methods))).toStrictEqual(
    methods.map((method) =>
      method === 'lacking'
        ? 'lacking at It answered with HTTP status 404. Check the address and the chain id.'
        : answerCorrectly(method),
    ),
  );
  expect(transport.supportsBatches()).toBe(false);
});

it('sends no single calls to a server that asks to wait', async () => {
  const headers = { 'Retry-After': '31' };
  const limited: Server = () => new Response('', { status: 429, headers });
  const { askAll, sent, time } = createRpcBench([refusing(limited)]);
  const explanation = 'at It is rate limited. Try again in 31 s.';
  expect(await askAll(repeatableCalls('a', 'b'))).toStrictEqual([
    `a ${explanation}`,
    `b ${explanation}`,
  ]);
  expect([sent(), time.waits]).toStrictEqual([[['a', 'b']], []]);
});

describe('a server that accepts batches', () => {
  it.each<[string, Server]>([
    ['breaks the connection', unreachableServer],
    ['answers with status 500', answering(null, 500)],
    ['answers with status 503', answering(null, 503)],
    ['answers with status 429', answering(null, 429)],
    ['returns an HTML page', page],
  ])('is still sent batches after it %s once', async (_what, failing) => {
    const { askAll, sent, transport } = createRpcBench([failing, correctResult]);
    expect(await askAll(repeatableCalls('a', 'b'))).toStrictEqual(
      ['a', 'b'].map(answerCorrectly),
    );
    expect(transport.supportsBatches()).toBe(failing !== page);
    expect(await askAll(repeatableCalls('c', 'd'))).toStrictEqual(
      ['c', 'd'].map(answerCorrectly),
    );
    expect(sent().slice(-1)).toStrictEqual([['c', 'd']]);
    expect(transport.supportsBatches()).toBe(true);
  });

  it('is not sent single calls while it is down', async () => {
    const { askAll, sent } = createRpcBench([correctResult, unreachableServer]);
    await askAll(repeatableCalls('a', 'b'));
    await askAll(repeatableCalls('c', 'd'));
    expect(sent().every(({ length }) => length === 2)).toBe(true);
  });

  it.each<[string, Server, ...unknown[]]>([
    ...temporaryRefusals,
    ['-32600', answeringWith(() => ({ ...error(-32600), id: null }))],
    ['-32005 in an array', answeringWith(() => [{ ...error(-32005), id: null }])],
    ['cut JSON', () => new Response('[{"jsonrpc":"2.0",')],
  ])(
    'is sent single calls if it answers larger batches with %s',
    async (_what, refusal) => {
      const few: Server = (request) =>
        (countOf(request) > 2 ? refusal : correctResult)(request);
      const { askAll, sent } = createRpcBench([few]);
      await askAll(repeatableCalls('a', 'b'));
      const methods = ['c', 'd', 'e', 'f'];
      const calls = [...repeatableCalls(...methods), unrepeatableCalls('once')];
      expect(await askAll(calls)).toStrictEqual(
        [...methods, 'once'].map(answerCorrectly),
      );
      expect(sent().filter(([first]) => first === 'once')).toHaveLength(1);
    },
  );
});

describe('a server that is down', () => {
  it.each<[string, Server, string]>([
    [
      'refuses every call',
      answeringWith(() => ({ ...error(-32600), id: null })),
      'failed: No.',
    ],
    [
      'cannot be reached',
      unreachableServer,
      'could not be reached. It was tried 3 times. Check the address and the connection.',
    ],
    ['answers with status 405', answering(null, 405), 'answered with HTTP status 405.'],
    [
      'limits the rate',
      answeringWith((all) => all.map(({ id }) => limitedBy(id, 0))),
      'is rate limited. It was tried 3 times. Try again in 0 s.',
    ],
  ])(
    'is tried with single calls, and still counts as accepting batches, if it %s',
    async (what, server, explanation) => {
      const endsAfterFirst = ['limits the rate', 'cannot be reached'].includes(what);
      const { askAll, sent, transport } = createRpcBench([server]);
      const failures = ['a', 'b'].map((method) => `${method} at It ${explanation}`);
      expect(await askAll(repeatableCalls('a', 'b'))).toStrictEqual(failures);
      expect(sent().filter(({ length }) => length === 1)).toStrictEqual(
        endsAfterFirst ? [['a']] : [['a'], ['b']],
      );
      expect(transport.supportsBatches()).toBe(true);
    },
  );

  it('is not tried with single calls after the time limit', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(30_000);
      return answering(null, 405)(request);
    };
    const { askAll, sent } = createRpcBench([slow], { services: time });
    await askAll(repeatableCalls('a', 'b'));
    expect(sent()).toStrictEqual([['a', 'b']]);
  });
});

describe('calls that are sent singly', () => {
  const fifty = many.slice(0, 50);

  it('are sent eight at a time, and retried after temporary failures', async () => {
    let [open, most] = [0, 0];
    const slow: Server = async (request) => {
      most = Math.max(most, (open += 1));
      await settle();
      open -= 1;
      return correctResult(request);
    };
    const { askAll, sent, time } = createRpcBench([unreachableServer, slow], {
      batchLimit: 1,
    });
    expect(await askAll(repeatableCalls(...fifty))).toStrictEqual(
      fifty.map(answerCorrectly),
    );
    expect(sent().map(String).sort()).toStrictEqual([...fifty, 'm0'].sort());
    expect(most).toBe(8);
    expect(time.waits).toStrictEqual([125]);
  });

  it('share one time limit', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(5_000);
      return correctResult(request);
    };
    const { askAll, sent } = createRpcBench([slow], { services: time, batchLimit: 1 });
    const outcomes = await askAll(repeatableCalls(...fifty));
    expect(outcomes[0]).toStrictEqual(answerCorrectly('m0'));
    expect(outcomes.at(-1)).toBe(
      'm49 at It did not answer within 30000 ms. Try again later.',
    );
    expect(sent().length).toBeLessThan(20);
  });
});

describe('an aborted call', () => {
  const reason = new Error('Enough.');
  const call = { method: 'a', params: [], idempotent: true };

  it('is not sent if it is aborted in its own tick; other calls are', async () => {
    const { transport, askAll, sent } = createRpcBench([correctResult]);
    const abort = new AbortController();
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    const others = askAll(repeatableCalls('b'));
    abort.abort(reason);
    expect(await given).toBe(reason);
    expect(await others).toStrictEqual([answerCorrectly('b')]);
    expect(sent()).toStrictEqual([['b']]);
    const alone = new AbortController();
    const last = errorOf(() => transport.request({ ...call, signal: alone.signal }));
    alone.abort(reason);
    expect(await last).toBe(reason);
    await settle();
    expect(sent()).toStrictEqual([['b']]);
  });

  it('does not affect the rest of its batch, but the last abort closes the connection', async () => {
    const [arrived, closed] = [createGate(), createGate()];
    const server = await serve((response) => {
      response.on('close', closed.open);
      arrived.open();
    });
    const transport = createHttpTransport(createRpcEndpoint(server.url), { fetch });
    const aborts = [new AbortController(), new AbortController()];
    const [first, last] = aborts.map(async ({ signal }) =>
      errorOf(() => transport.request({ ...call, signal })),
    );
    await arrived.opened;
    aborts[0]?.abort(reason);
    expect(await first).toBe(reason);
    expect(await Promise.race([closed.opened, settle().then(() => 'open')])).toBe(
      'open',
    );
    aborts[1]?.abort(reason);
    expect(await last).toBe(reason);
    await closed.opened;
    expect(server.arrived).toHaveLength(1);
  });

  it('rejects immediately between two attempts, and is not sent again', async () => {
    const [waiting, over] = [createGate(), createGate()];
    const sleep = async (): Promise<void> => {
      waiting.open();
      return over.opened;
    };
    const services = { ...createFakeTime(), sleep };
    const { transport, askAll, sent } = createRpcBench([unreachableServer], {
      services,
    });
    const abort = new AbortController();
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    const others = askAll(repeatableCalls('b'));
    await waiting.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    over.open();
    await others;
    expect(sent()).toStrictEqual([['a', 'b'], ['b'], ['b']]);
  });

  it('does not make other calls wait for its backoff', async () => {
    const abort = new AbortController();
    const server = answeringWith((all) => {
      abort.abort(reason);
      return all.map(({ id, method }) => limitedBy(id, method === 'a' ? 7 : 1));
    });
    const { transport, askAll, time } = createRpcBench([server, correctResult]);
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    expect(await askAll(repeatableCalls('b'))).toStrictEqual([answerCorrectly('b')]);
    expect(await given).toBe(reason);
    expect(time.waits).toStrictEqual([1_125]);
  });
});
