// Our client against every fault that a service can have, over a real chain: what the
// caller learns, and that no other call of the batch, and no other client, is harmed.
import { KEY, SECRET, startServiceBench } from '../../dev/stack/service-bench';
import type { ServiceBench } from '../../dev/stack/service-bench';
import { createClient } from '../../packages/client/src';
import type { Client, ClientOptions } from '../../packages/client/src';
import { faultNames, startFaultyService } from '../support/faulty-service';
import type { FaultName, FaultyService } from '../support/faulty-service';

const FINE = 'fine';

/** What the callers of a batch of two learn: of the first call, and of the second. */
const outcomes: Record<FaultName, [string, string]> = {
  'slow-headers': [FINE, FINE],
  'slow-body': [FINE, FINE],
  'stalled-headers': ['TimeoutError', 'TimeoutError'],
  'stalled-body': ['TimeoutError', 'TimeoutError'],
  'dropped-body': ['NetworkError', 'NetworkError'],
  'dropped-socket': ['NetworkError', 'NetworkError'],
  'truncated-json': ['InvalidResponseError', 'InvalidResponseError'],
  'not-json': ['InvalidResponseError', 'InvalidResponseError'],
  // The body has an error of JSON-RPC, which says more than the status.
  'http-400': ['RpcError', 'RpcError'],
  'http-500': ['RpcError', 'RpcError'],
  'http-502': ['RpcError', 'RpcError'],
  'http-503': ['RpcError', 'RpcError'],
  'http-429': ['RateLimitError', 'RateLimitError'],
  'http-429-date': ['RateLimitError', 'RateLimitError'],
  'rpc-limited': ['RateLimitError', 'RateLimitError'],
  'wrong-id': ['InvalidResponseError', FINE],
  'reordered-answers': [FINE, FINE],
  'missing-answer': ['InvalidResponseError', FINE],
  'duplicated-answer': ['InvalidResponseError', FINE],
  'wrong-types': ['InvalidResponseError', 'InvalidResponseError'],
  // A receipt without a place in a block is none yet.
  'missing-fields': [FINE, 'InvalidResponseError'],
};

/** Failures that pass by themselves: the client asks again. */
const TRANSIENT = /^(?:TimeoutError|NetworkError|RateLimitError)$|^http-50/u;

/** What a server can answer that takes no arrays, or not all of one: the client asks for each call
 * alone. */
const NO_ARRAYS = /^(?:truncated-json|not-json|http-400|wrong-id|missing-answer)$/u;

let bench: ServiceBench;
let faulty: FaultyService;

beforeAll(async () => {
  bench = await startServiceBench();
  faulty = await startFaultyService(bench.service.url, 100);
});

afterAll(async () => {
  await faulty.stop();
  await bench.stop();
});

function connect(url: string, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    chainId: 31_337,
    rpcUrl: url,
    gasBaseUrl: url,
    apiKey: KEY,
    apiKeySecret: SECRET,
    timeoutMs: 1_000,
    retry: { maxAttempts: 1 },
    ...options,
  });
}

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => FINE,
    (error: Error) => error.name,
  );
}

async function askTwo(client: Client): Promise<string[]> {
  return Promise.all([
    outcomeOf(client.request('eth_getTransactionReceipt', [bench.hash])),
    outcomeOf(client.request('eth_getTransactionByHash', [bench.hash])),
  ]);
}

describe.each(faultNames)('a service with the fault %s', (name) => {
  it('answers each caller of a batch with the outcome of its own call', async () => {
    const [spoiled, other] = await Promise.all([
      askTwo(connect(faulty.urlOf(name))),
      askTwo(connect(bench.service.url)),
    ]);
    expect(spoiled).toStrictEqual(outcomes[name]);
    expect(other).toStrictEqual([FINE, FINE]);
  });

  it('is asked again if that may help', async () => {
    const [outcome] = outcomes[name];
    const mayHelp =
      TRANSIENT.test(outcome) || TRANSIENT.test(name) || NO_ARRAYS.test(name);
    const client = connect(faulty.url, {
      retry: { maxAttempts: 2 },
      services: { sleep: async () => Promise.resolve() },
    });
    faulty.next(name);
    const spoiled = await askTwo(client);
    expect(spoiled).toStrictEqual(mayHelp ? [FINE, FINE] : outcomes[name]);
    faulty.clear();
  });
});

describe('the gas API with a fault', () => {
  it.each<[FaultName, string]>([
    ['slow-body', FINE],
    ['stalled-body', 'TimeoutError'],
    ['dropped-socket', 'NetworkError'],
    ['truncated-json', 'InvalidResponseError'],
    ['http-503', 'HttpStatusError'],
    ['http-429-date', 'RateLimitError'],
    ['wrong-types', 'InvalidResponseError'],
    ['missing-fields', 'InvalidResponseError'],
  ])('is reported to the caller: %s', async (name, outcome) => {
    const client = connect(faulty.urlOf(name));
    expect(await outcomeOf(client.suggestedGasFees())).toBe(outcome);
    expect(await outcomeOf(connect(bench.service.url).suggestedGasFees())).toBe(FINE);
  });
});
