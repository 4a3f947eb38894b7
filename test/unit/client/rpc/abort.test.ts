// A call that is given up rejects at once, and harms no other; an exchange ends when
// nobody waits for it any more.
import { createHttpTransport, createRpcEndpoint } from '../../../../src/client';
import type { HttpOptions, Transport } from '../../../../src/client';
import { errorOf } from '../../../support/error-of';
import { breaking } from '../../../support/fake-fetch';
import { createGate, settle } from '../../../support/gate';
import type { Gate } from '../../../support/gate';
import { useHttpServers } from '../../../support/http-server';
import type { HttpServer } from '../../../support/http-server';
import { answerEach, bodiesOf } from '../../../support/json-rpc';
import { createRpcBench, readsOf, rightly } from '../../../support/rpc-bench';

const reason = new Error('Enough.');

const serve = useHttpServers();

type Bench = {
  transport: Transport;
  server: HttpServer;
  /** Opened when a request has arrived. */
  arrived: Gate;
  /** Open it to let the server answer. */
  answer: Gate;
  /** Opened when the client closed the connection. */
  closed: Gate;
};

async function setup(options: Partial<HttpOptions> = {}): Promise<Bench> {
  const [arrived, answer, closed] = [createGate(), createGate(), createGate()];
  const server = await serve((response, request) => {
    response.on('close', closed.open);
    arrived.open();
    void answer.opened.then(() => answerEach(response, request));
  });
  const endpoint = createRpcEndpoint(server.url);
  const transport = createHttpTransport(endpoint, { fetch, ...options });
  return { transport, server, arrived, answer, closed };
}

const call = { method: 'a', params: [], idempotent: true };

describe('a call that is given up', () => {
  it('before it is asked for is never sent', async () => {
    const { transport, server } = await setup();
    const signal = AbortSignal.abort(reason);
    expect(await errorOf(() => transport.request({ ...call, signal }))).toBe(reason);
    await settle();
    expect(server.arrived).toStrictEqual([]);
  });

  it('in the tick it is asked for is not sent, and the others are', async () => {
    const { transport, server, answer } = await setup();
    answer.open();
    const abort = new AbortController();
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    const other = transport.request({ ...call, method: 'b' });
    abort.abort(reason);
    expect(await given).toBe(reason);
    expect(await other).toStrictEqual(rightly('b'));
    expect(bodiesOf(server)).toMatchObject([{ method: 'b' }]);
  });

  it('while it is under way ends the exchange', async () => {
    const { transport, arrived, closed } = await setup();
    const abort = new AbortController();
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    await arrived.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    await closed.opened;
  });

  it('leaves the others of its batch alone', async () => {
    const { transport, server, arrived, answer } = await setup();
    const abort = new AbortController();
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    const other = transport.request({ ...call, method: 'b' });
    await arrived.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    answer.open();
    expect(await other).toStrictEqual(rightly('b'));
    expect(bodiesOf(server)).toHaveLength(1);
  });

  it('as the last of its batch ends the exchange', async () => {
    const { transport, arrived, closed } = await setup();
    const [one, two] = [new AbortController(), new AbortController()];
    const given = [one, two].map(({ signal }) =>
      errorOf(() => transport.request({ ...call, signal })),
    );
    await arrived.opened;
    one.abort(reason);
    two.abort(reason);
    expect(await Promise.all(given)).toStrictEqual([reason, reason]);
    await closed.opened;
  });

  it('after its answer is answered', async () => {
    const { transport, answer } = await setup();
    answer.open();
    const abort = new AbortController();
    const result = transport.request({ ...call, signal: abort.signal });
    expect(await result).toStrictEqual(rightly('a'));
    abort.abort(reason);
    expect(await result).toStrictEqual(rightly('a'));
  });

  it('between two attempts rejects at once, and is not sent again', async () => {
    const { time } = createRpcBench([]);
    const [waiting, over] = [createGate(), createGate()];
    const sleep = (): Promise<void> => {
      waiting.open();
      return over.opened;
    };
    const services = { ...time, sleep };
    const { transport, askAll, sent } = createRpcBench([breaking], { services });
    const abort = new AbortController();
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    const others = askAll(readsOf('b'));
    await waiting.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    over.open();
    await others;
    expect(sent()).toStrictEqual([['a', 'b'], ['b'], ['b']]);
  });

  it('while nobody else waits ends the attempts', async () => {
    const abort = new AbortController();
    const sleep = async (): Promise<void> => Promise.resolve(abort.abort(reason));
    const services = { now: () => 0, random: () => 0, sleep };
    const { transport, sent } = createRpcBench([breaking], { services });
    const given = errorOf(() => transport.request({ ...call, signal: abort.signal }));
    expect(await given).toBe(reason);
    await settle();
    expect(sent()).toStrictEqual([['a']]);
  });
});
