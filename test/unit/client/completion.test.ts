// The client and the gas service complete fields that nodes omit (docs/reference/service.md#blocks,
// #receipts, #transactions), both in the same way. The node has one block, which contains a
// transaction of each type, signed with viem.
import { isDeepStrictEqual } from 'node:util';

import { getContractAddress, keccak256, parseTransaction, toHex, type Hex } from 'viem';

import { KEY } from '../../../dev/stack/service-bench';
import {
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
  type NodeClient,
} from '../../../packages/client/src';
import { includingBlock, parentOfUncle, uncle } from '../../fixtures/client/real-uncle';
import { OTHER, owner } from '../../fixtures/eth/owner';
import { errorOf } from '../../support/error-of';
import { createFakeNetwork, silent } from '../../support/fake-fetch';
import { toRequests } from '../../support/json-rpc';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, useNodeBench } from '../../support/service-node';
import { without } from '../../support/without';

const start = useNodeBench();

afterEach(() => jest.useRealTimers());

const URL = 'https://node.example';

type Row = Record<string, unknown>;
type Answers = Record<string, (params: unknown[]) => unknown>;

const TRANSACTION = 'eth_getTransactionByHash';
const BY_INDEX = 'eth_getTransactionByBlockHashAndIndex';
const RECEIPT = 'eth_getTransactionReceipt';
const SENT = 'eth_sendRawTransactionSync';
const UNCLE = 'eth_getUncleByBlockHashAndIndex';

const GWEI = 1_000_000_000n;
const BLOCK_HASH = keccak256('0x01');
const TOPIC = keccak256('0x02');
const EMITTER: Hex = `0x${'e1'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(32)}`;
const POSITION = ['blockHash', 'blockNumber', 'transactionIndex'];
const NO_POSITION = { blockHash: null, blockNumber: null, transactionIndex: null };

const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
const legacy = { type: 'legacy', gasPrice: 49n * GWEI, chainId: 1 };
const accessList = [{ address: EMITTER, storageKeys: [TOPIC] }];

const kinds: Record<string, object> = {
  legacy,
  'without a chain id': { ...legacy, chainId: undefined },
  'with an access list': { ...legacy, type: 'eip2930', accessList },
  dynamic: { type: 'eip1559', ...fees },
  'a creation': { type: 'eip1559', ...fees, to: undefined, data: '0x60fe' },
  'at its maximum': { type: 'eip1559', ...fees, maxFeePerGas: 8n * GWEI },
  'with blobs': {
    type: 'eip4844',
    ...fees,
    maxFeePerBlobGas: 3n,
    blobVersionedHashes: [`0x01${'cd'.repeat(31)}`],
    accessList,
  },
  'with an authorization': { type: 'eip7702', ...fees },
  'with an access list without keys': {
    type: 'eip1559',
    ...fees,
    accessList: [{ address: EMITTER, storageKeys: [] }],
  },
};
const names = Object.keys(kinds);

const types = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702'];

async function sign(kind: object, nonce: number): Promise<Row> {
  const terms = { contractAddress: EMITTER, chainId: 0, nonce: 1 };
  const authorization = await owner.signAuthorization(terms);
  const raw = await owner.signTransaction({
    chainId: 1,
    nonce,
    to: OTHER,
    value: 5n,
    gas: 90_000n,
    ...kind,
    ...('type' in kind &&
      kind.type === 'eip7702' && { authorizationList: [authorization] }),
  } as never);
  const { v, yParity, type, ...parsed } = parseTransaction(raw);
  const quantities = Object.entries<unknown>({ value: 0n, ...parsed, nonce }).map(
    ([name, value]): [string, unknown] => [
      name,
      ['bigint', 'number'].includes(typeof value) ? toHex(value as bigint) : value,
    ],
  );
  const { chainId, data, ...row }: Row = Object.fromEntries(quantities);
  const { r, s } = authorization;
  const written = { address: EMITTER, chainId: '0x0', nonce: '0x1', r, s };
  return {
    ...without(row, 'authorizationList'),
    ...(type === 'eip7702' && {
      authorizationList: [{ ...written, yParity: toHex(authorization.yParity ?? 0) }],
    }),
    hash: keccak256(raw),
    type: toHex(types.indexOf(String(type))),
    from: owner.address.toLowerCase(),
    to: row['to'] ?? null,
    input: data ?? '0x',
    v: toHex(type === 'legacy' ? (v ?? 0n) : (yParity ?? 0)),
    ...(type === 'legacy' ? {} : { chainId }),
  };
}

// Each address and topic sets three bits (Yellow Paper, 4.3.1).
function bloomOf(words: Hex[]): Hex {
  const bits = words.flatMap((word) =>
    (keccak256(word).slice(2, 14).match(/.{4}/gu) ?? []).map(
      (pair) => Number(`0x${pair}`) & 2_047,
    ),
  );
  const bloom = [...new Set(bits)].reduce((sum, bit) => sum + 2n ** BigInt(bit), 0n);
  return toHex(bloom, { size: 256 });
}

type Chain = { answers: Answers; transactions: Row[]; receipts: Row[]; pending: Row[] };

async function makeChain(): Promise<Chain> {
  const signed = await Promise.all(Object.values(kinds).map(sign));
  const positionOf = (index: number) => ({
    blockHash: BLOCK_HASH,
    blockNumber: '0x10',
    transactionIndex: toHex(index),
  });
  const transactions = signed.map((row, index): Row => ({
    // Nodes report the price paid, which is at most maxFeePerGas.
    gasPrice: toHex((names[index] === 'at its maximum' ? 8n : 9n) * GWEI),
    ...row,
    ...positionOf(index),
  }));
  let [cumulative, logIndex] = [0, 0];
  const receipts = transactions.map((row, index): Row => {
    const position = { ...positionOf(index), transactionHash: row['hash'] };
    const gasUsed = 21_000 + 1_000 * index;
    cumulative += gasUsed;
    const from = row['from'] as Hex;
    const isCreation = row['to'] === null;
    const logs = (index % 3 === 0 ? [[TOPIC], []] : []).map((topics) => ({
      address: EMITTER,
      data: '0x',
      removed: false,
      topics,
      ...position,
      logIndex: toHex(logIndex++),
    }));
    return {
      ...position,
      contractAddress: isCreation
        ? getContractAddress({ from, nonce: BigInt(index) }).toLowerCase()
        : null,
      cumulativeGasUsed: toHex(cumulative),
      effectiveGasPrice: row['gasPrice'],
      from,
      gasUsed: toHex(gasUsed),
      logs,
      logsBloom: logs.length > 0 ? bloomOf([EMITTER, TOPIC]) : bloomOf([]),
      status: '0x1',
      to: row['to'],
      type: row['type'],
    };
  });
  const signedPending = await Promise.all(
    ['legacy', 'dynamic', 'a creation'].map(async (name, index) =>
      sign(kinds[name] ?? {}, 50 + index),
    ),
  );
  const pending = signedPending.map((row): Row => ({
    gasPrice: row['maxFeePerGas'],
    ...row,
    ...NO_POSITION,
  }));
  const block = { number: '0x10', hash: BLOCK_HASH, gasUsed: toHex(cumulative) };
  const fetchBlock = ([which, isFull]: unknown[]): unknown =>
    which === BLOCK_HASH || which === '0x10'
      ? {
          ...block,
          baseFeePerGas: toHex(7n * GWEI),
          transactions: isFull ? transactions : transactions.map(({ hash }) => hash),
        }
      : [includingBlock, parentOfUncle].find(({ hash, number }) =>
          [hash, number].includes(which as string),
        );
  const answers: Answers = {
    eth_chainId: () => '0x1',
    [TRANSACTION]: ([hash]) =>
      [...transactions, ...pending].find((row) => row['hash'] === hash),
    [RECEIPT]: ([hash]) => receipts.find((row) => row['transactionHash'] === hash),
    [BY_INDEX]: ([, index]) => transactions[Number(index)],
    eth_getBlockByHash: fetchBlock,
    eth_getBlockByNumber: fetchBlock,
    eth_getBlockReceipts: () => receipts,
    eth_getLogs: () => receipts.flatMap(({ logs }) => logs),
    [UNCLE]: () => uncle,
    [SENT]: () => receipts[3],
  };
  return { answers, transactions, receipts, pending };
}

let chain: Chain;

beforeAll(async () => {
  chain = await makeChain();
});

/** A request, its correct answer, and a change that spoils the node's answers. */
type Spoiled = {
  name: string;
  method: string;
  params: unknown[];
  truth: Row;
  spoil: (answers: Answers) => Answers;
};

type Change = (row: Row) => Row;

const omit =
  (...gone: string[]): Change =>
  (row) =>
    without(row, ...gone);

const nullify =
  (...gone: string[]): Change =>
  (row) => ({
    ...row,
    ...Object.fromEntries(
      gone.filter((name) => name in row).map((name) => [name, null]),
    ),
  });

const changeLogs =
  (change: Change): Change =>
  (row) => ({ ...row, logs: (row['logs'] as Row[]).map(change) });

const changeAll = (value: unknown, change: Change): unknown =>
  Array.isArray(value)
    ? value.map((row: Row) => change(row))
    : value && change(value as Row);

const except = (all: string[], ...gone: string[]): string[] =>
  all.filter((name) => !gone.includes(name));

/** Spoils the answers to a method. A change to receipts also applies to eth_getBlockReceipts. */
const spoiling =
  (method: string, change: Change, unanswered: string[] = []): Spoiled['spoil'] =>
  (answers) => ({
    ...answers,
    [method]: (params) => changeAll(answers[method]?.(params), change),
    ...(method === RECEIPT && {
      eth_getBlockReceipts: (params) =>
        changeAll(answers['eth_getBlockReceipts']?.(params), change),
    }),
    ...Object.fromEntries(unanswered.map((name) => [name, () => null])),
  });

const byHash =
  (method: string, truth: Row = {}) =>
  (name: string, change: Change, ...unanswered: string[]): Spoiled => ({
    name,
    method,
    params: [truth['hash'] ?? truth['transactionHash']],
    truth,
    spoil: spoiling(method, change, unanswered),
  });

function listTransactions({ transactions, pending }: Chain): Spoiled[] {
  const [first, unbound, , dynamic] = transactions;
  const signed = ['hash', 'from', 'to', 'type', 'v'];
  const priceOf = (kind: string): string[] =>
    'gasPrice' in (kinds[kind] ?? {}) ? [] : ['gasPrice'];
  const spoiled = byHash(TRANSACTION, dynamic);
  return [
    ...names.flatMap((kind, index) => {
      const spoiledKind = byHash(TRANSACTION, transactions[index]);
      const gone = [...signed, ...priceOf(kind)];
      return [
        spoiledKind(`${kind}, without most fields`, omit(...POSITION, ...gone)),
        spoiledKind(
          `${kind}, with null for most fields`,
          nullify(...except(gone, 'to')),
        ),
      ];
    }),
    ...[...POSITION, ...signed, 'gasPrice', 'chainId'].map((name) =>
      spoiled(`without ${name}`, omit(name)),
    ),
    spoiled('with data', ({ input, ...row }) => ({ ...row, data: input })),
    spoiled('with yParity', ({ v, ...row }) => ({ ...row, yParity: v })),
    spoiled('with chainID', ({ chainId, ...row }) => ({ ...row, chainID: chainId })),
    byHash(TRANSACTION, first)('legacy, without type and v', omit('type', 'v')),
    byHash(TRANSACTION, unbound)('without a chain id, type and v', omit('type', 'v')),
    ...pending.map((row, index) =>
      byHash(TRANSACTION, row)(
        `pending ${index}, without most fields`,
        omit(...POSITION, 'from', 'type'),
      ),
    ),
    ...pending.map((row, index) =>
      byHash(TRANSACTION, row)(`pending ${index}, in block zero`, (given) => ({
        ...given,
        blockHash: ZERO,
        blockNumber: '0x0',
        transactionIndex: '0x0',
      })),
    ),
    byHash(TRANSACTION, pending[1])('pending, without a price', omit('gasPrice')),
    byHash(TRANSACTION, transactions.at(-1))('with null for storage keys', (row) => ({
      ...omit('from', 'v')(row),
      accessList: [{ address: EMITTER, storageKeys: null }],
    })),
    spoiled(
      'without block and receipt',
      omit('blockHash', 'transactionIndex'),
      RECEIPT,
    ),
    spoiled(
      'without a price, of an unknown block',
      omit('gasPrice'),
      'eth_getBlockByHash',
    ),
  ];
}

function listReceipts({ receipts }: Chain): Spoiled[] {
  const [first, , , dynamic, creation] = receipts;
  const spoiled = byHash(RECEIPT, dynamic);
  const all = Object.keys(dynamic ?? {}).filter((name) => name !== 'status');
  const inLogs = ['removed', 'logIndex', 'transactionHash', ...POSITION];
  const noPrice = omit('effectiveGasPrice');
  const failed = { ...creation, status: '0x0', contractAddress: null };
  const inCapitals = spoiled(
    'for a hash in capitals, without hash and logs',
    omit('transactionHash', 'logs'),
  );
  const toSmall =
    (answer: Answers[string] = () => null): Answers[string] =>
    ([hash]) =>
      answer([String(hash).toLowerCase()]);
  const sent = (name: string, change: Change): Spoiled => ({
    ...spoiled(name, change),
    method: SENT,
    params: ['0x02'],
    spoil: spoiling(SENT, change),
  });
  const placed = except(all, 'transactionHash', 'cumulativeGasUsed');
  return [
    sent('from eth_sendRawTransactionSync, without its price', noPrice),
    sent('from eth_sendRawTransactionSync, without most fields', omit(...placed)),
    ...all.map((name) => spoiled(`without ${name}`, omit(name))),
    ...inLogs.map((name) => spoiled(`without logs.${name}`, changeLogs(omit(name)))),
    spoiled('without most fields of logs', changeLogs(omit(...inLogs))),
    spoiled('with null', nullify(...except(all, 'to', 'gasUsed'))),
    byHash(RECEIPT, first)('the first, without gasUsed', omit('gasUsed')),
    byHash(RECEIPT, first)(
      'the first, without cumulativeGasUsed',
      omit('cumulativeGasUsed'),
      'eth_getBlockReceipts',
    ),
    ...receipts.map((row, index) =>
      byHash(RECEIPT, row)(
        `${names[index]}, without most fields`,
        omit(...except(all, 'cumulativeGasUsed')),
      ),
    ),
    byHash(RECEIPT, creation)('a creation', omit('contractAddress', 'to')),
    byHash(RECEIPT, failed)('a failed creation', () => omit('contractAddress')(failed)),
    {
      ...inCapitals,
      params: inCapitals.params.map(
        (hash) => `0x${String(hash).slice(2).toUpperCase()}`,
      ),
      spoil: (answers) =>
        inCapitals.spoil({ ...answers, [RECEIPT]: toSmall(answers[RECEIPT]) }),
    },
    spoiled('of a transaction found by its index', noPrice, TRANSACTION),
    spoiled('of a transaction found in its block', noPrice, TRANSACTION, BY_INDEX),
  ];
}

function listUncles(): Spoiled[] {
  const spoiled = (name: string, change: Change, truth: Row = uncle): Spoiled => ({
    name,
    method: UNCLE,
    params: [includingBlock.hash, '0x0'],
    truth,
    spoil: spoiling(UNCLE, change),
  });
  const known = spoiled('without mixHash, but known as a block', omit('mixHash'));
  const knowable = ['hash', 'number', 'size', 'totalDifficulty', 'uncles'];
  const ofUncle = { eth_getBlockByHash: () => ({ ...uncle, size: '0x999' }) };
  const unset = { number: null, hash: null, nonce: null, logsBloom: null };
  return [
    ...[...knowable, 'parentHash'].map((name) =>
      spoiled(`without ${name}`, omit(name)),
    ),
    spoiled('without most fields', omit(...knowable)),
    spoiled('with null', nullify(...knowable)),
    spoiled('without its parent', omit('parentHash', ...except(knowable, 'number'))),
    spoiled('with a zero hash', (row) => ({ ...row, hash: ZERO })),
    spoiled('with transactions', (row) => ({ ...row, transactions: [] })),
    { ...known, spoil: (answers) => ({ ...known.spoil(answers), ...ofUncle }) },
    spoiled('with null for mixHash', nullify('mixHash'), without(uncle, 'mixHash')),
    spoiled('of a pending block', (row) => ({ ...row, ...unset }), {
      ...uncle,
      ...unset,
    }),
    spoiled(
      'with a base fee',
      (row) => ({ ...omit('size')(row), baseFeePerGas: '0x7' }),
      {
        ...uncle,
        size: toHex(BigInt(uncle.size) + 1n),
      },
    ),
  ];
}

const lowered = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).toLowerCase());

/**
 * Makes a case's request. Returns the names of the wrong fields, "whole" if all are right, or the
 * error.
 */
async function judge(node: NodeClient, { method, params, truth }: Spoiled) {
  try {
    const found = (await node.request(method as never, params as never)) as Row;
    const wrong = Object.keys(truth).filter(
      (name) => !isDeepStrictEqual(lowered(found[name]), lowered(truth[name])),
    );
    return wrong.join() || 'whole';
  } catch (error) {
    return String(error);
  }
}

/** Creates clients of a node with replaceable answers, and of a service in front of it. */
async function startBoth() {
  const both = { answers: chain.answers, nodes: [] as NodeClient[] };
  const { service, node } = await start((response, arrived) => {
    const byMethod = Object.entries(both.answers).map(([method, answer]) => [
      method,
      ({ params }: WireRequest) => answer(params),
    ]);
    answerBy(Object.fromEntries(byMethod) as Row)(response, arrived);
  });
  both.nodes = [createRpcEndpoint(node.url), createRpcEndpoint(service.url, KEY)].map(
    (endpoint) => createNodeClient(createHttpTransport(endpoint, { fetch })),
  );
  return both;
}

it.each<[string, number, () => Spoiled[]]>([
  ['transactions', 43, () => listTransactions(chain)],
  ['receipts', 39, () => listReceipts(chain)],
  ['uncles', 15, listUncles],
])('completes %s from the node as the service does', async (_what, count, list) => {
  const both = await startBoth();
  const ends: [string, string[]][] = [];
  for (const spoiled of list()) {
    both.answers = spoiled.spoil(chain.answers);
    const judged = both.nodes.map(async (node) => judge(node, spoiled));
    ends.push([spoiled.name, await Promise.all(judged)]);
  }
  expect(ends).toStrictEqual(ends.map(([name]) => [name, ['whole', 'whole']]));
  expect(ends).toHaveLength(count);
});

it.each([
  ['without its hash', omit('hash'), {}],
  ['without its position', omit(...POSITION), {}],
  ['whole', (row: Row) => row, {}],
  ['of the pending block', omit('hash', ...POSITION), { hash: null }],
])(
  'completes a transaction that is requested by its index: %s',
  async (_what, change, block) => {
    const [, , , dynamic = {}] = chain.transactions;
    const { call } = await start(
      answerBy({
        [BY_INDEX]: change(dynamic),
        eth_getBlockByHash: {
          ...(chain.answers['eth_getBlockByHash']?.([BLOCK_HASH]) as Row),
          ...block,
        },
        eth_chainId: '0x1',
      }),
    );
    expect((await call(BY_INDEX, [BLOCK_HASH, '0x3'])).result).toMatchObject({
      ...dynamic,
      ...('hash' in block && NO_POSITION),
    });
  },
);

it.each([0, 10_000])(
  'applies one time limit to both a receipt that takes %i ms and its completion',
  async (delayMs) => {
    jest.useFakeTimers();
    const network = createFakeNetwork();
    const given = omit('effectiveGasPrice')(chain.receipts[3] ?? {});
    network.serve(URL, async (request) => {
      const [{ id, method }] = toRequests({ body: request.body ?? '' }) as [
        WireRequest,
      ];
      if (method !== RECEIPT) return silent(request);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, result: given }));
    });
    const transport = createHttpTransport(createRpcEndpoint(URL), network);
    const begun = Date.now();
    const ended = errorOf(async () =>
      createNodeClient(transport).request(RECEIPT, [given['transactionHash'] as Hex]),
    ).then(({ message }) => [message, Date.now() - begun]);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(await ended).toStrictEqual([
      expect.stringContaining('effectiveGasPrice'),
      30_000,
    ]);
  },
);

it.each([{ status: '0x1', contractAddress: null }, '0x02'])(
  'passes on the receipt %j from eth_sendRawTransactionSync',
  async (spoiled) => {
    const { call } = await start(answerBy({ [SENT]: spoiled }));
    expect(await call(SENT, ['0x02'])).toHaveProperty('result', spoiled);
  },
);
