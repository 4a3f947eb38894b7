// The conformance kit finds defects: the wallet for tests passes, and each defect fails the
// cases that are about it.
import { formatTable, runConformance } from '../../packages/conformance/src';
import type { ConformanceProvider, Result } from '../../packages/conformance/src';
import { createTollkeeper } from '../../packages/testing/src';
import { createMemoryNode } from '../support/memory-node';

type Request = ConformanceProvider['request'];

/** Changes the provider, or what it announces. */
type Defect = {
  request?: (args: { method: string; params?: unknown }, next: Request) => unknown;
  info?: Record<string, unknown>;
  /** Events that never come. */
  silent?: boolean;
};

const ICON = 'data:image/svg+xml,%3Csvg/%3E';

async function run({ request, info, silent }: Defect = {}): Promise<Result[]> {
  const wallet = await createTollkeeper({
    chains: [{ id: 31_337, rpcUrl: createMemoryNode() }, { id: 4242 }],
  });
  const tested = wallet.provider;
  const next: Request = async (args) => tested.request(args);
  const provider: ConformanceProvider = {
    request: request ? (args) => request(args, next) as Promise<unknown> : next,
    on: (event, listener) => (silent ? undefined : tested.on(event, listener as never)),
    removeListener: (event, listener) =>
      tested.removeListener(event, listener as never),
  };
  const page = new EventTarget();
  const own = { uuid: crypto.randomUUID(), name: 'Mock', icon: ICON, rdns: 'io.mock' };
  const detail = Object.freeze({ info: { ...own, ...info }, provider });
  page.addEventListener('eip6963:requestProvider', () => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  });
  return runConformance(provider, {
    announce: page,
    chainId: 31_337,
    otherChainId: 4242,
    user: {
      approve: () => (wallet.decide = 'approve'),
      reject: () => (wallet.decide = 'reject'),
    },
    timeoutMs: 100,
  });
}

const idsOf = (results: readonly Result[], outcome: Result['outcome']): string[] =>
  results.filter((each) => each.outcome === outcome).map(({ id }) => id);

const answering =
  (
    method: string,
    change: (answer: never) => unknown,
  ): NonNullable<Defect['request']> =>
  async (args, next) => {
    const answer = await next(args);
    return args.method === method ? change(answer as never) : answer;
  };

const failing =
  (code: number, other: unknown): NonNullable<Defect['request']> =>
  async (args, next) =>
    next(args).catch((error: Error & { code: number }) => {
      throw error.code === code
        ? Object.assign(new Error('No.'), { code: other })
        : error;
    });

/** Changes the receipts of every batch. */
const withReceipts = (change: (receipts: object[]) => object[]) =>
  answering('wallet_getCallsStatus', (status: { receipts?: object[] }) => ({
    ...status,
    receipts: status.receipts && change(status.receipts),
  }));

/** Sends every batch atomically, as it says; of its receipts there are so many. */
const atomic =
  (count: number): NonNullable<Defect['request']> =>
  async ({ method, params }, next) => {
    if (method === 'wallet_sendCalls') {
      const [batch] = params as [{ atomicRequired?: boolean }];
      // One that is missing stays so.
      const atomicRequired = batch.atomicRequired && false;
      return next({ method, params: [{ ...batch, atomicRequired }] });
    }
    const answer = (await next({ method, params })) as { receipts?: object[] };
    if (method === 'wallet_getCapabilities') {
      const status = { atomic: { status: 'supported' } };
      return Object.fromEntries(Object.keys(answer).map((id) => [id, status]));
    }
    if (method !== 'wallet_getCallsStatus') return answer;
    return { ...answer, atomic: true, receipts: answer.receipts?.slice(0, count) };
  };

it('passes the wallet for tests', async () => {
  const results = await run();
  expect(idsOf(results, 'fail')).toStrictEqual([]);
  // What this run cannot do.
  expect(idsOf(results, 'not applicable')).toStrictEqual([
    '1193-4900',
    '1193-disconnect',
    '5792-logs',
    '5792-reopened',
  ]);
  const table = formatTable({ Mock: results });
  expect(table).toMatch(/^\| Case +\| Section +\| Checks +\| Mock \|\n/u);
  expect(table).toContain('not applicable. The run has no call that emits a log.');
});

it('passes a wallet whose batches are atomic', async () => {
  expect(idsOf(await run({ request: atomic(1) }), 'fail')).toStrictEqual([]);
});

it('fails no events, for which it waits as long as the run says', async () => {
  const results = await run({ silent: true });
  const failures = results.filter(({ outcome }) => outcome === 'fail');
  expect(failures.map(({ id, reason }) => [id, reason])).toStrictEqual([
    ['1193-accountsChanged', 'accountsChanged did not come within 0.1 s.'],
    ['1193-chainChanged', 'chainChanged did not come within 0.1 s.'],
    ['1193-removeListener', 'chainChanged did not come within 0.1 s.'],
    ['2255-revoke', 'accountsChanged did not come within 0.1 s.'],
  ]);
});

it.each<[string, Defect, string[]]>([
  [
    'a decimal chain id',
    { request: answering('eth_chainId', () => 31_337) },
    ['1193-request', '1193-chainChanged'],
  ],
  [
    'a wallet that stays on its chain after a switch',
    { request: answering('eth_chainId', () => '0x7a69') },
    ['1193-chainChanged'],
  ],
  [
    'errors without codes',
    { request: failing(4001, undefined) },
    ['1193-4001-connect', '1193-4001-sign', '2255-refused', '5792-4001'],
  ],
  [
    'a wrong code',
    { request: failing(4100, 4001) },
    ['1193-4100', '5792-capabilities-4100'],
  ],
  [
    'plain objects for errors',
    {
      request: async (args, next) =>
        next(args).catch(({ code, message }: Error & { code: number }) => {
          throw { code, message } as unknown as Error;
        }),
    },
    ['1193-error-shape'],
  ],
  [
    'a throw at once',
    {
      request: (args, next) => {
        if (args.method === undefined) throw new Error('No.');
        return next(args);
      },
    },
    ['1193-malformed'],
  ],
  ['a UUID of version 1', { info: { uuid: 'a-b' } }, ['6963-uuid']],
  ['an icon elsewhere', { info: { icon: 'https://icon.example' } }, ['6963-icon']],
  ['no domain', { info: { rdns: 'Mock' } }, ['6963-rdns']],
  ['no name', { info: { name: ' ' } }, ['6963-name']],
  [
    'permissions without caveats',
    {
      request: answering('wallet_getPermissions', (all: object[]) =>
        all.map((each) => ({ ...each, caveats: undefined })),
      ),
    },
    ['2255-get', '2255-refused'],
  ],
  [
    'a batch that stays pending',
    {
      request: answering('wallet_getCallsStatus', (status: object) => ({
        ...status,
        status: 100,
      })),
    },
    [
      '5792-send',
      '5792-receipts',
      '5792-id',
      '5792-5720',
      '5792-optional',
      '5792-parallel',
    ],
  ],
  ['no receipts', { request: withReceipts(() => []) }, ['5792-receipts']],
  ...['blockNumber', 'gasUsed'].map((field): [string, Defect, string[]] => [
    `0x01 as ${field} of a receipt`,
    {
      request: withReceipts((all) => all.map((each) => ({ ...each, [field]: '0x01' }))),
    },
    ['5792-receipts'],
  ]),
  [
    'several receipts of an atomic batch',
    { request: atomic(2) },
    ['5792-atomicRequired'],
  ],
  ['the wrong error of a known id', { request: failing(5720, -32602) }, ['5792-5720']],
  [
    'the wrong error of an unknown id',
    { request: failing(5730, -32602) },
    ['5792-5730', '5792-4001', '5792-show'],
  ],
  [
    'the wrong error of capabilities',
    { request: failing(5700, -32602) },
    ['5792-5700', '5792-5700-call'],
  ],
  [
    'the wrong error of an atomic batch',
    { request: failing(5760, -32602) },
    ['5792-atomicRequired'],
  ],
  [
    'another id',
    { request: answering('wallet_sendCalls', () => ({ id: '' })) },
    [
      '5792-send',
      '5792-receipts',
      '5792-id',
      '5792-5720',
      '5792-optional',
      '5792-parallel',
      '5792-show',
    ],
  ],
  ...['31337', '0x07a69'].map((id): [string, Defect, string[]] => [
    `capabilities by the chain id ${id}`,
    { request: answering('wallet_getCapabilities', () => ({ '0x0': {}, [id]: {} })) },
    ['5792-capabilities', '5792-capabilities-chains'],
  ]),
])('fails %s', async (_what, defect, expected) => {
  const results = await run(defect);
  expect(idsOf(results, 'fail').sort()).toStrictEqual(expected.toSorted());
});
