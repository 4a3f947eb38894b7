// Faults on demand, only for requests that ask for them: test/live/client-faults says what a client
// learns of each.
import type { FaultName } from '../../dev/service/faults';
import { KEY } from '../../dev/service/service-bench';
import { answerBy, useNodeBench } from '../support/service-node';
import { connectSocket } from '../support/service-socket';

const start = useNodeBench();

const DELAY_MS = 150;

const open = async () =>
  start(answerBy({ eth_chainId: '0x1' }), { faults: { delayMs: DELAY_MS } });

const batch = JSON.stringify(
  [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })),
);

const ask = async (base: string) => {
  const signal = AbortSignal.timeout(10 * DELAY_MS);
  const init = { method: 'POST', body: batch, signal };
  const response = await fetch(`${base}/v3/${KEY}`, init);
  return { status: response.status, text: await response.text() };
};

const fine = [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: '0x1' }));
const [first, second] = fine;

it.each<[FaultName, unknown]>([
  ['reordered-answers', [second, first]],
  ['slow-headers', fine],
  ['slow-body', fine],
])('%s changes the answer, or its time', async (name, expected) => {
  const { service } = await open();
  const begin = performance.now();
  expect(JSON.parse((await ask(service.faults.url(name))).text)).toEqual(expected);
  const least = expected === fine ? DELAY_MS / 2 : 0;
  expect(performance.now() - begin).toBeGreaterThan(least);
  expect(JSON.parse((await ask(service.url)).text)).toEqual(fine);
});

describe('asking', () => {
  it('goes by address and program', async () => {
    const { service } = await open();
    expect((await ask(service.faults.url('http-503'))).status).toBe(503);
    service.faults.next('http-500', 2);
    service.faults.next('http-502');
    const statuses = [];
    for (let each = 0; each < 4; each += 1) {
      statuses.push((await ask(service.url)).status);
    }
    expect(statuses).toStrictEqual([500, 500, 502, 200]);
  });

  it('answers 400 for an unknown fault', async () => {
    const { service } = await open();
    expect((await ask(`${service.url}/fault/toString`)).status).toBe(400);
  });

  it('does nothing in a service without faults', async () => {
    const { service } = await start(answerBy({ eth_chainId: '0x1' }));
    expect((await ask(`${service.url}/fault/http-502`)).status).toBe(404);
  });
});

describe('over a WebSocket', () => {
  it.each<FaultName>(['dropped-socket', 'dropped-body'])(
    '%s ends the connection',
    async (name) => {
      const { service } = await open();
      const client = await connectSocket(service.url, `/v3/${KEY}`);
      service.faults.next(name);
      client.send(batch);
      expect(await client.closed).toBe(1006);
    },
  );
});
