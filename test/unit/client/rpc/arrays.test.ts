// Servers that know single calls alone (spec 4.2), and refuse an array of calls in whatever way.
import { createHttpTransport, createRpcEndpoint } from '../../../../src/client';
import { answering, breaking, createFakeNetwork } from '../../../support/fake-fetch';
import type { Server } from '../../../support/fake-fetch';
import { createFakeTime } from '../../../support/fake-time';
import { echo, toRequests } from '../../../support/json-rpc';
import {
  createRpcBench,
  making,
  readsOf,
  right,
  rightly,
  sendsOf,
} from '../../../support/rpc-bench';

/** A server that answers single calls, and refuses arrays. */
const refusing =
  (refusal: Server, single: Server = right): Server =>
  (request) => {
    const isArray = request.body?.startsWith('[');
    if (!isArray) return answerAlone(single)(request);
    return refusal(request);
  };

// Not in an array, which such a server would not know.
const answerAlone =
  (server: Server): Server =>
  async (request) => {
    const [answer] = [await (await server(request)).json()].flat() as unknown[];
    return new Response(JSON.stringify(answer));
  };

const error = (code: number, message = 'No'): object => ({
  jsonrpc: '2.0',
  error: { code, message },
});

const html = new Blob(['<html>Bad Request</html>']);

/** Refusals that have no other cause. */
const sure: [string, Server][] = [
  ['an error without an id', making(() => ({ ...error(-32600), id: null }))],
  ['an error that has no id at all', making(() => error(-32700))],
  ['such an error in an array', making(() => [{ ...error(-32600), id: null }])],
  ['an error about a method', making(() => ({ ...error(-32601), id: null }))],
  ['an error with status 400', making(() => error(-32600), 400)],
  ['status 400', answering(null, 400)],
  ['status 405', answering(null, 405)],
  ['status 415', answering(null, 415)],
  ['status 422', answering(null, 422)],
  ['status 501', answering(null, 501)],
  ['an empty array', making(() => [])],
  ['an empty object', making(() => ({}))],
  ['null', making(() => null)],
  ['the first answer alone', making(([first]) => first && echo(first))],
  [
    'an error for each call',
    making((all) => all.map(({ id }) => ({ ...error(-32600), id }))),
  ],
];

/** Failures that can pass by themselves. */
const unsure: [string, Server, number][] = [
  ['status 500', answering(null, 500), 3],
  ['a connection that breaks', breaking, 3],
  ['no text', () => new Response(''), 1],
  ['a page', () => new Response(html), 1],
  ['status 204', () => new Response(null, { status: 204 }), 1],
];

describe.each(sure)('a server that answers arrays with %s', (_what, refusal) => {
  it('is sent each call alone, and no other array', async () => {
    const { askAll, sent, transport, time } = createRpcBench([refusing(refusal)]);
    const methods = ['a', 'b', 'c'];
    expect(await askAll(readsOf(...methods))).toStrictEqual(methods.map(rightly));
    expect(await askAll(readsOf('d', 'e'))).toStrictEqual(['d', 'e'].map(rightly));
    expect(sent()).toStrictEqual([methods, ['a'], ['b'], ['c'], ['d'], ['e']]);
    expect(time.waits).toStrictEqual([]);
    expect(transport.takesArrays()).toBe(false);
  });
});

describe.each(unsure)(
  'a server that answers arrays with %s',
  (_what, refusal, tries) => {
    it('is sent each call alone once nothing else helps', async () => {
      const { askAll, sent, transport } = createRpcBench([refusing(refusal)]);
      const methods = ['a', 'b', 'c'];
      expect(await askAll(readsOf(...methods))).toStrictEqual(methods.map(rightly));
      expect(sent()).toStrictEqual([
        ...Array<string[]>(tries).fill(methods),
        ['a'],
        ['b'],
        ['c'],
      ]);
      expect(transport.takesArrays()).toBe(false);
    });

    it('is sent no array after the second that fails', async () => {
      const { askAll, sent } = createRpcBench([refusing(refusal)]);
      await askAll(readsOf('a', 'b'));
      await askAll(readsOf('a', 'b'));
      const before = sent().length;
      expect(await askAll(readsOf('c', 'd'))).toStrictEqual(['c', 'd'].map(rightly));
      expect(sent().slice(before)).toStrictEqual([['c'], ['d']]);
    });
  },
);

describe('a server that takes arrays', () => {
  it.each<[string, Server]>([
    ['breaks once', breaking],
    ['fails once', answering(null, 500)],
    ['is busy once', answering(null, 503)],
    ['limits once', answering(null, 429)],
  ])('and %s is sent arrays again', async (_what, failing) => {
    const { askAll, sent, transport } = createRpcBench([failing, right]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(['a', 'b'].map(rightly));
    expect(await askAll(readsOf('c', 'd'))).toStrictEqual(['c', 'd'].map(rightly));
    expect(sent().slice(-1)).toStrictEqual([['c', 'd']]);
    expect(transport.takesArrays()).toBe(true);
  });

  it('and gives one answer that makes no sense is sent arrays again', async () => {
    const page: Server = () => new Response(html);
    const { askAll, sent, transport } = createRpcBench([page, right]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(['a', 'b'].map(rightly));
    expect(sent()).toStrictEqual([['a', 'b'], ['a'], ['b']]);
    expect(transport.takesArrays()).toBe(false);
    await askAll(readsOf('c', 'd'));
    expect(sent().slice(-1)).toStrictEqual([['c', 'd']]);
    expect(transport.takesArrays()).toBe(true);
  });

  it('is not sent a call alone while it is down', async () => {
    const { askAll, sent } = createRpcBench([right, breaking]);
    await askAll(readsOf('a', 'b'));
    await askAll(readsOf('c', 'd'));
    expect(sent().every(({ length }) => length === 2)).toBe(true);
  });

  it('but none of that many is sent each alone', async () => {
    const few: Server = (request) =>
      toRequests({ body: request.body ?? '' }).length > 2
        ? making(() => ({ ...error(-32600, 'Too many calls'), id: null }))(request)
        : right(request);
    const { askAll } = createRpcBench([few]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(['a', 'b'].map(rightly));
    const methods = ['c', 'd', 'e', 'f'];
    expect(await askAll(readsOf(...methods))).toStrictEqual(methods.map(rightly));
  });
});

describe('a server that is down', () => {
  it.each<[string, Server, string]>([
    [
      'and refuses all that comes',
      making(() => ({ ...error(-32600), id: null })),
      'at It failed: No.',
    ],
    [
      'and cannot be reached',
      breaking,
      'at It could not be reached. It was tried 3 times. Check the address and the connection.',
    ],
    [
      'and answers with status 405',
      answering(null, 405),
      'at It answered with HTTP status 405.',
    ],
  ])(
    '%s is asked once more, and taken for no other',
    async (_what, server, message) => {
      const { askAll, sent, transport } = createRpcBench([server]);
      expect(await askAll(readsOf('a', 'b'))).toStrictEqual([
        `a ${message}`,
        `b ${message}`,
      ]);
      expect(sent().filter(({ length }) => length === 1)).toStrictEqual([['a']]);
      expect(transport.takesArrays()).toBe(true);
    },
  );

  it('when the time is over is not asked once more', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.pass(60_000);
      return answering(null, 405)(request);
    };
    const { askAll, sent } = createRpcBench([slow], { services: time });
    await askAll(readsOf('a', 'b'));
    expect(sent()).toStrictEqual([['a', 'b']]);
  });
});

describe('calls that go alone', () => {
  const many = Array.from({ length: 50 }, (_each, index) => `m${index}`);

  it('go eight at a time', async () => {
    let [open, most] = [0, 0];
    const slow: Server = async (request) => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      open -= 1;
      return right(request);
    };
    const { askAll, sent } = createRpcBench([slow], { batchLimit: 1 });
    expect(await askAll(readsOf(...many))).toStrictEqual(many.map(rightly));
    expect(sent()).toStrictEqual(many.map((each) => [each]));
    expect(most).toBe(8);
  });

  it('are tried again where they fail in passing', async () => {
    const { askAll, sent, time } = createRpcBench([breaking, right], { batchLimit: 1 });
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(['a', 'b'].map(rightly));
    expect(sent()).toStrictEqual([['a'], ['b'], ['a']]);
    expect(time.waits).toStrictEqual([125]);
  });

  it('share the time of all', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.pass(5_000);
      return right(request);
    };
    const options = { services: time, batchLimit: 1 };
    const { askAll, sent } = createRpcBench([slow], options);
    const outcomes = await askAll(readsOf(...many));
    expect(outcomes[0]).toStrictEqual(rightly('m0'));
    expect(outcomes.at(-1)).toBe(
      'm49 at It did not answer within 30000 ms. Try again later.',
    );
    expect(sent().length).toBeLessThan(20);
  });

  it('are left out once nobody waits for them', async () => {
    const { transport, sent } = createRpcBench([refusing(answering(null, 405))]);
    const abort = new AbortController();
    const { signal } = abort;
    const [first, second] = ['a', 'b'].map(async (method) =>
      transport.request({ method, params: [], idempotent: true, signal }),
    );
    abort.abort(new Error('Enough.'));
    await expect(first).rejects.toThrow('Enough.');
    await expect(second).rejects.toThrow('Enough.');
    expect(sent().length).toBeLessThanOrEqual(1);
  });
});

describe('a call that must not be repeated', () => {
  it.each([...sure, ...unsure].map(([what, server]) => [what, server] as const))(
    'is sent once, though arrays are answered with %s',
    async (_what, refusal) => {
      const { askAll, sent } = createRpcBench([refusing(refusal)]);
      const calls = [...readsOf('a', 'b'), sendsOf('one'), sendsOf('two')];
      expect(await askAll(calls)).toStrictEqual(['a', 'b', 'one', 'two'].map(rightly));
      const all = sent().flat();
      expect(all.filter((method) => method === 'one')).toHaveLength(1);
      expect(all.filter((method) => method === 'two')).toHaveLength(1);
      expect(sent()).toContainEqual(['one']);
    },
  );

  it('is sent once, though its own answer is lost', async () => {
    const { askAll, sent } = createRpcBench([breaking]);
    await askAll([sendsOf('one')]);
    expect(sent()).toStrictEqual([['one']]);
  });
});

it('is remembered for each server', async () => {
  const network = createFakeNetwork();
  network.serve('https://old.example', refusing(answering(null, 405)));
  network.serve('https://new.example', right);
  const [old, fresh] = ['https://old.example', 'https://new.example'].map((url) =>
    createHttpTransport(createRpcEndpoint(url), { fetch: network.fetch }),
  );
  for (const transport of [old, fresh]) {
    await Promise.all(
      ['a', 'b'].map(async (method) =>
        transport?.request({ method, params: [], idempotent: true }),
      ),
    );
  }
  expect([old?.takesArrays(), fresh?.takesArrays()]).toStrictEqual([false, true]);
});
