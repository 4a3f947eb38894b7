// A node that leaves keys out (docs/reference/service.md#blocks, #receipts, #transactions), asked by
// our client, itself and through the service: a real chain, keys of whose answers are taken out.
import fc from 'fast-check';
import { createTestClient, createWalletClient, http, parseGwei, type Hex } from 'viem';

import { startService, type Service } from '../../dev/service/service';
import { KEY } from '../../dev/service/service-bench';
import { startAnvil, type Anvil } from '../../dev/stack/processes';
import {
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
  nodeSchema,
  type NodeClient,
} from '../../packages/client/src';
import { TollkeeperError } from '../../src/errors';
import { type StructOf, validate } from '../../src/schema/parse';
import { includingBlock, parentOfUncle, uncle } from '../fixtures/client/real-uncle';
import { OTHER, owner } from '../fixtures/eth/owner';
import { answerJson, startHttpServer, type HttpServer } from '../support/http-server';
import { toRequests } from '../support/json-rpc';
import { runs } from '../support/runs';

type Row = Record<string, unknown>;

const CHAIN = 31_337;

// Emits a log with one topic and one with two: MSTORE, LOG1, LOG2, STOP.
const EMITTER =
  '0x601680600b6000396000f3' +
  '60aa600052' +
  '600160206000a1' +
  '6002600160206000a2' +
  '00';

let chain: Anvil;
let nodeUrl: string;
let between: HttpServer;
let service: Service;
/** The client at the service, and at the node itself. */
let clients: NodeClient[];
let included: Hex[];
let waiting: Hex[];

/** What is taken out of answers, by method. */
let missing: Record<string, readonly string[]> = {};

const askChain = async (method: string, params: unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(nodeUrl, { method: 'POST', headers, body });
  return ((await response.json()) as { result?: unknown }).result;
};

/** Whether they are null in place of being left out. */
let isNull = false;

/** Where null says something: a contract's creation, a transaction that waits. */
const SAYING = ['to', 'blockHash', 'blockNumber', 'transactionIndex'];

/** Blocks and uncles of another chain, which has some. */
const ofUncles: Record<string, (params: unknown[]) => unknown> = {
  eth_getUncleByBlockHashAndIndex: ([hash]) =>
    hash === includingBlock.hash ? uncle : undefined,
  eth_getUncleByBlockNumberAndIndex: ([number]) =>
    number === includingBlock.number ? uncle : undefined,
  eth_getBlockByHash: ([hash]) =>
    [includingBlock, parentOfUncle].find((block) => block.hash === hash),
  eth_getBlockByNumber: ([number]) =>
    [includingBlock, parentOfUncle].find((block) => block.number === number),
};

async function answerOne(method: string, params: unknown[]): Promise<unknown> {
  const result = ofUncles[method]?.(params) ?? (await askChain(method, params)) ?? null;
  if (method !== 'eth_getBlockReceipts') return strip(result, missing[method]);
  const rows = (result ?? []) as unknown[];
  return rows.map((row) => strip(row, missing['eth_getTransactionReceipt']));
}

function strip(value: unknown, names: readonly string[] = []): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const without = (row: object, gone: readonly string[]): Row =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, each]) => {
        if (!gone.includes(name)) return [[name, each]];
        return isNull && !SAYING.includes(name) ? [[name, null]] : [];
      }),
    );
  const row = without(value, names);
  const ofLogs = names.flatMap((name) =>
    name.startsWith('logs.') ? [name.slice('logs.'.length)] : [],
  );
  return Array.isArray(row['logs'])
    ? { ...row, logs: (row['logs'] as Row[]).map((log) => without(log, ofLogs)) }
    : row;
}

beforeAll(async () => {
  chain = startAnvil();
  nodeUrl = `http://127.0.0.1:${await chain.port}`;
  ({ included, waiting } = await makeTransactions());
  between = await startHttpServer((response, arrived) => {
    void Promise.all(
      toRequests(arrived).map(async ({ id, method, params }) => ({
        jsonrpc: '2.0',
        id,
        result: await answerOne(method, params),
      })),
    ).then((answers) => {
      const isArray = arrived.body.startsWith('[');
      answerJson(isArray ? answers : answers[0])(response, arrived);
    });
  });
  service = await startService({ nodeUrl: between.url, chainId: CHAIN, apiKey: KEY });
  clients = [createRpcEndpoint(service.url, KEY), createRpcEndpoint(between.url)].map(
    (endpoint) => createNodeClient(createHttpTransport(endpoint, { fetch })),
  );
});

afterAll(async () => {
  await service?.stop();
  await between?.stop();
  await chain?.child.stop();
});

/** Of each kind in one block: payments of each type, a contract's creation, calls with logs. */
async function makeTransactions(): Promise<{ included: Hex[]; waiting: Hex[] }> {
  const transport = http(nodeUrl);
  const wallet = createWalletClient({ transport, account: owner });
  const miner = createTestClient({ transport, mode: 'anvil' });
  const fees = {
    maxFeePerGas: parseGwei('50'),
    maxPriorityFeePerGas: parseGwei('2'),
  };
  const pay = { chain: null, to: OTHER, value: 1n, gas: 50_000n } as const;
  const emitter = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const accessList = [{ address: OTHER, storageKeys: [] }];
  const send = [
    { chain: null, data: EMITTER as Hex, gas: 200_000n, ...fees },
    { ...pay, type: 'legacy', gasPrice: parseGwei('49') },
    { ...pay, type: 'eip2930', gasPrice: parseGwei('48'), accessList },
    { ...pay, to: emitter, value: 0n, gas: 100_000n, ...fees },
    { ...pay, to: emitter, value: 0n, gas: 100_000n, ...fees },
    { ...pay, ...fees },
  ];
  const hashes: Hex[] = [];
  for (const [nonce, each] of send.entries()) {
    hashes.push(await wallet.sendTransaction({ ...each, nonce } as never));
  }
  // Not bound to a chain (before EIP-155).
  const old = { ...pay, type: 'legacy', gasPrice: parseGwei('47'), nonce: 6 } as const;
  const signed = await owner.signTransaction({ ...old, chainId: undefined } as never);
  hashes.push((await askChain('eth_sendRawTransaction', [signed])) as Hex);
  await miner.mine({ blocks: 1 });
  const late: Hex[] = [];
  for (const [index, each] of [send[0], send[1], send[5]].entries()) {
    late.push(await wallet.sendTransaction({ ...each, nonce: 7 + index } as never));
  }
  return { included: hashes, waiting: late };
}

/** What a client gets of the chain where nothing is missing. */
async function fetchTruth(
  method: keyof typeof nodeSchema,
  params: unknown[],
): Promise<Row> {
  const result = ofUncles[method]?.(params) ?? (await askChain(method, params));
  const read = validate(result, nodeSchema[method].result as StructOf<unknown>);
  if ('value' in read) return read.value as Row;
  throw new Error('The chain itself is not as it should be.');
}

type Question = { method: keyof typeof nodeSchema; params: () => unknown[] };

const ofHashes = (method: Question['method'], hashes: () => Hex[], count: number) =>
  Array.from({ length: count }, (_each, index) => ({
    method,
    params: () => [hashes()[index]],
  }));

const ofReceipts = ofHashes('eth_getTransactionReceipt', () => included, 7);
const ofIncluded = ofHashes('eth_getTransactionByHash', () => included, 7);
const ofWaiting = ofHashes('eth_getTransactionByHash', () => waiting, 3);
const ofUncle: Question[] = [
  {
    method: 'eth_getUncleByBlockHashAndIndex',
    params: () => [includingBlock.hash, '0x0'],
  },
  {
    method: 'eth_getUncleByBlockNumberAndIndex',
    params: () => [includingBlock.number, '0x0'],
  },
];

const ofReceipt = [
  ...[
    'blockHash',
    'blockNumber',
    'contractAddress',
    'from',
    'effectiveGasPrice',
    'logs',
  ],
  ...['logsBloom', 'to', 'transactionHash', 'transactionIndex', 'type', 'logs.removed'],
  ...['logs.blockHash', 'logs.blockNumber', 'logs.logIndex', 'logs.transactionHash'],
  'logs.transactionIndex',
];

/** Keys of the specification that something else tells; all of them can be missing at once. */
const knowable: [string, Question[], string[]][] = [
  ['a receipt', ofReceipts, [...ofReceipt, 'gasUsed']],
  ['a receipt whose sum is missing', ofReceipts, [...ofReceipt, 'cumulativeGasUsed']],
  [
    'a transaction',
    ofIncluded,
    [
      ...['blockHash', 'blockNumber', 'from', 'gasPrice', 'hash', 'to', 'v', 'yParity'],
      ...['transactionIndex', 'type'],
    ],
  ],
  [
    'a transaction that waits',
    ofWaiting,
    ['blockHash', 'blockNumber', 'transactionIndex', 'hash', 'type', 'v', 'yParity'],
  ],
  [
    'a transaction that waits, whose sender is missing',
    ofWaiting,
    ['blockHash', 'blockNumber', 'transactionIndex', 'hash', 'type', 'from'],
  ],
  ['an uncle', ofUncle, ['hash', 'number', 'size', 'totalDifficulty', 'uncles']],
  [
    'an uncle whose parent is missing',
    ofUncle,
    ['hash', 'parentHash', 'size', 'totalDifficulty', 'uncles'],
  ],
];

// In lower case, as nodes write addresses with and without a checksum.
const lowered = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).toLowerCase().replaceAll('"nul"', 'null'));

/** The keys of the specification that are there in the truth. */
const keysOf: Record<string, readonly string[]> = {
  eth_getTransactionReceipt: [
    ...['blockHash', 'blockNumber', 'contractAddress', 'cumulativeGasUsed', 'from'],
    ...['effectiveGasPrice', 'gasUsed', 'logs', 'logsBloom', 'status', 'to', 'type'],
    ...['transactionHash', 'transactionIndex'],
  ],
  eth_getTransactionByHash: [
    ...[
      'blockHash',
      'blockNumber',
      'from',
      'gas',
      'gasPrice',
      'hash',
      'input',
      'nonce',
    ],
    ...['r', 's', 'to', 'transactionIndex', 'type', 'v', 'value'],
  ],
  eth_getUncleByBlockHashAndIndex: Object.keys(uncle),
  eth_getUncleByBlockNumberAndIndex: Object.keys(uncle),
};

const pick = (row: Row, names: readonly string[] = []): unknown =>
  lowered(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));

async function ask(node: NodeClient, { method, params }: Question): Promise<Row> {
  return (await node.request(method, params() as never)) as unknown as Row;
}

describe.each(knowable)('%s', (_what, questions, names) => {
  it('is whole, whichever keys the node leaves out or writes null for', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...questions),
      fc.subarray(names),
      fc.boolean(),
      async (...drawn) => {
        const [question, taken] = drawn;
        [missing, isNull] = [{}, drawn[2]];
        const truth = await fetchTruth(question.method, question.params());
        missing = { [question.method]: taken };
        const keys = keysOf[question.method];
        for (const client of clients) {
          const found = await ask(client, question);
          expect(pick(found, keys)).toStrictEqual(pick(truth, keys));
        }
      },
    );
    await fc.assert(property, runs(100));
  });
});

describe('whatever the node leaves out', () => {
  const any = [...new Set(Object.values(keysOf).flat()), 'maxFeePerGas', 'uncles'];

  it('nothing is made up, and what is missing is named', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...ofReceipts, ...ofIncluded, ...ofWaiting, ...ofUncle),
      fc.record({
        eth_getTransactionReceipt: fc.subarray(any),
        eth_getTransactionByHash: fc.subarray(any),
        eth_getUncleByBlockHashAndIndex: fc.subarray(any),
        eth_getUncleByBlockNumberAndIndex: fc.subarray(any),
        eth_getBlockByHash: fc.subarray(any),
        eth_getBlockByNumber: fc.subarray(any),
      }),
      async (question, taken) => {
        [missing, isNull] = [{}, false];
        const truth = await fetchTruth(question.method, question.params());
        missing = taken;
        for (const client of clients) {
          try {
            const found = await ask(client, question);
            // What a transaction that waits will pay is not known yet: nodes differ.
            const names = Object.keys(found).filter(
              (name) =>
                found[name] !== undefined &&
                (name !== 'gasPrice' || !(ofWaiting as Question[]).includes(question)),
            );
            expect(pick(found, names)).toStrictEqual(pick(truth, names));
          } catch (error) {
            if (!(error instanceof TollkeeperError)) throw error;
            expect(error.message).toMatch(
              /(?:makes no sense\.|an invalid answer:) result\.\w+(?:\[\d\]\.\w+)? /u,
            );
          }
        }
      },
    );
    // The node tells the number of the block, and its hash nowhere.
    const hashless = {
      eth_getTransactionReceipt: ['blockHash'],
      eth_getTransactionByHash: ['blockHash'],
      eth_getUncleByBlockHashAndIndex: [],
      eth_getUncleByBlockNumberAndIndex: [],
      eth_getBlockByHash: [],
      eth_getBlockByNumber: ['hash'],
    };
    const examples: [Question, typeof hashless][] = ofIncluded.map((question) => [
      question,
      hashless,
    ]);
    await fc.assert(property, { ...runs(200), examples });
  });
});
