// How the gas API is asked: for which chain, how often, how long, and until when.
import { createGasApi, createGasEndpoint } from '../../../../src/client';
import type { GasApi, HttpOptions } from '../../../../src/client';
import { gasAnswer, gasAnswerInWei } from '../../../fixtures/client/gas-answer';
import { errorOf, failureOf } from '../../../support/error-of';
import {
  answering,
  breaking,
  createFakeNetwork,
  inTurn,
} from '../../../support/fake-fetch';
import type { FakeNetwork, Server } from '../../../support/fake-fetch';
import { createFakeTime } from '../../../support/fake-time';
import type { FakeTime } from '../../../support/fake-time';
import { createGate } from '../../../support/gate';
import { useHttpServers } from '../../../support/http-server';

const BASE = 'https://gas.example';

const serve = useHttpServers();

type Bench = { api: GasApi; network: FakeNetwork; time: FakeTime };

function setup(servers: Server[], options: Partial<HttpOptions> = {}): Bench {
  const network = createFakeNetwork();
  network.serve(BASE, inTurn(...servers));
  const time = createFakeTime();
  const { fetch } = network;
  const http = { fetch, services: time, ...options };
  const api = createGasApi(createGasEndpoint({ gasBaseUrl: BASE }), http);
  return { api, network, time };
}

const well = answering(gasAnswer);

const calls: [string, (api: GasApi, chainId: never) => Promise<unknown>][] = [
  ['suggestedGasFees', (api, chainId) => api.suggestedGasFees(chainId)],
  ['baseFeePercentile', (api, chainId) => api.baseFeePercentile(chainId)],
];

describe.each(calls)('the chain id of %s', (name, ask) => {
  it.each<unknown>([59_144n, 59_144, '0xe708', '0xE708', '59144', 'eip155:59144'])(
    'may be %p',
    async (chainId) => {
      const { api, network } = setup([
        answering({ ...gasAnswer, baseFeePercentile: '1' }),
      ]);
      await ask(api, chainId as never);
      expect(network.sent.map(({ url }) => url)).toStrictEqual([
        `${BASE}/networks/59144/${name}`,
      ]);
    },
  );

  it.each<unknown>([
    0n,
    -1n,
    2n ** 64n,
    0,
    -1,
    1.5,
    NaN,
    2 ** 53,
    '',
    '0',
    '0x',
    '-1',
    '1.5',
    'one',
    '1/../2',
    'eip155:',
    'eip155:0',
    'eip155:eip155:1',
    'solana:1',
    null,
    [1n],
    {},
  ])('is not %p', async (chainId) => {
    const { api, network } = setup([well]);
    expect(await failureOf(() => ask(api, chainId as never))).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message:
        'chainId must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
      context: { path: 'chainId' },
    });
    expect(network.sent).toStrictEqual([]);
  });
});

describe('a failure that passes', () => {
  it('is not seen by who asks', async () => {
    const { api, time } = setup([breaking, answering(null, 503), well]);
    expect(await api.suggestedGasFees(1n)).toStrictEqual(gasAnswerInWei);
    expect(time.waits).toStrictEqual([125, 250]);
  });

  it('that does not pass is told with the number of attempts', async () => {
    const { api, network } = setup([breaking]);
    const { message, context } = await failureOf(() => api.baseFeePercentile(1n));
    expect(message).toBe(
      `baseFeePercentile at ${BASE} could not be reached. It was tried 3 times. ` +
        'Check the address and the connection.',
    );
    expect(context).toStrictEqual({ attempts: 3 });
    expect(network.sent).toHaveLength(3);
  });

  it.each([
    [401, 'Check the API key and its secret.'],
    [402, 'The quota of the API key is used up.'],
    [403, 'The API key is not allowed to do this, or not from this origin.'],
    [404, 'Check the address and the chain id.'],
  ])('is not %i', async (status, advice) => {
    const { api, network } = setup([answering(null, status), well]);
    const { message } = await failureOf(() => api.suggestedGasFees(1n));
    expect(message).toBe(
      `suggestedGasFees at ${BASE} answered with HTTP status ${status}. ${advice}`,
    );
    expect(network.sent).toHaveLength(1);
  });

  it('is not an invalid answer', async () => {
    const { api, network } = setup([answering({}), well]);
    await failureOf(() => api.suggestedGasFees(1n));
    expect(network.sent).toHaveLength(1);
  });

  it('leaves less time for the next attempt', async () => {
    const { url } = await serve(() => undefined);
    const time = createFakeTime();
    const endpoint = createGasEndpoint({ gasBaseUrl: url });
    let asked = 0;
    const slowOnce: typeof fetch = (...request) => {
      asked += 1;
      if (asked > 1) return fetch(...request);
      time.pass(900);
      return Promise.reject(new TypeError('fetch failed'));
    };
    const retry = { budgetMs: 1_060 };
    const api = createGasApi(endpoint, { fetch: slowOnce, services: time, retry });
    const { message } = await failureOf(() => api.suggestedGasFees(1n));
    expect(message).toContain('did not answer within 35 ms. It was tried 2 times.');
  });
});

describe('a signal', () => {
  const reason = new Error('Enough.');
  it('that was given before keeps the request back', async () => {
    const { api, network } = setup([well]);
    const signal = AbortSignal.abort(reason);
    expect(await errorOf(() => api.suggestedGasFees(1n, { signal }))).toBe(reason);
    expect(network.sent).toStrictEqual([]);
  });

  it('ends the exchange', async () => {
    const [arrived, closed] = [createGate(), createGate()];
    const { url } = await serve((response) => {
      response.on('close', closed.open);
      arrived.open();
    });
    const api = createGasApi(createGasEndpoint({ gasBaseUrl: url }), { fetch });
    const abort = new AbortController();
    const { signal } = abort;
    const given = errorOf(() => api.baseFeePercentile(1n, { signal }));
    await arrived.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    await closed.opened;
  });

  it('ends the wait for another attempt', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const sleep = (): Promise<void> => {
      setImmediate(() => abort.abort(reason));
      return new Promise(() => undefined);
    };
    const services = { ...createFakeTime(), sleep };
    const { api, network } = setup([breaking], { services });
    expect(await errorOf(() => api.suggestedGasFees(1n, { signal }))).toBe(reason);
    expect(network.sent).toHaveLength(1);
  });
});
