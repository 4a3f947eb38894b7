// The client against every fault of a service over a real chain: the caller's error, and the
// outcome of the batch's other call and of another client.
import { KEY, SECRET, startServiceBench } from '../../dev/stack/service-bench';
import type { ServiceBench } from '../../dev/stack/service-bench';
import { createClient } from '../../packages/client/src';
import type { Client, ClientOptions } from '../../packages/client/src';
import { faultNames, startFaultyService } from '../support/faulty-service';
import type { FaultName, FaultyService } from '../support/faulty-service';

const FINE = 'fine';

/** The outcomes of the two calls of a batch. */
const outcomes: Record<FaultName, [string, string]> = {
  'slow-headers': [FINE, FINE],
  'slow-body': [FINE, FINE],
  'stalled-headers': ['TimeoutError', 'TimeoutError'],
  'stalled-body': ['TimeoutError', 'TimeoutError'],
  'dropped-body': ['NetworkError', 'NetworkError'],
  'dropped-socket': ['NetworkError', 'NetworkError'],
  'truncated-json': ['InvalidResponseError', 'InvalidResponseError'],
  'not-json': ['InvalidResponseError', 'InvalidResponseError'],
  // The body's JSON-RPC error says more than the status.
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
  // A receipt without a block counts as missing.
  'missing-fields': [FINE, 'InvalidResponseError'],
};

/** Temporary failures, which the client retries. */
const TRANSIENT = /^(?:TimeoutError|NetworkError|RateLimitError)$|^http-50/u;

/** Answers of servers without full support of batches: the client sends each call alone. */
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

  it('gets a second request if a retry may help', async () => {
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
