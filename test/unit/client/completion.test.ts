// What nodes leave out (docs/reference/service.md#blocks, #receipts, #transactions), asked by the
// client at the node itself and through the gas service, which complete it alike. The node has one
// block, with a transaction of each type that viem signed.
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
const BY_PLACE = 'eth_getTransactionByBlockHashAndIndex';
const RECEIPT = 'eth_getTransactionReceipt';
const SENT = 'eth_sendRawTransactionSync';
const UNCLE = 'eth_getUncleByBlockHashAndIndex';

const GWEI = 1_000_000_000n;
const BLOCK_HASH = keccak256('0x01');
const TOPIC = keccak256('0x02');
const EMITTER: Hex = `0x${'e1'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(32)}`;
const PLACE = ['blockHash', 'blockNumber', 'transactionIndex'];
const NOWHERE = { blockHash: null, blockNumber: null, transactionIndex: null };

const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
const legacy = { type: 'legacy', gasPrice: 49n * GWEI, chainId: 1 };
const accessList = [{ address: EMITTER, storageKeys: [TOPIC] }];

const kinds: Record<string, object> = {
  legacy,
  'not bound to a chain': { ...legacy, chainId: undefined },
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
  'with an address alone': {
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

// Addresses and topics set three bits each (Yellow Paper, 4.3.1).
function bloomOf(words: Hex[]): Hex {
  const bits = words.flatMap((word) =>
    (keccak256(word).slice(2, 14).match(/.{4}/gu) ?? []).map(
      (pair) => Number(`0x${pair}`) & 2_047,
    ),
  );
  const bloom = [...new Set(bits)].reduce((sum, bit) => sum + 2n ** BigInt(bit), 0n);
  return toHex(bloom, { size: 256 });
}

type Chain = { answers: Answers; transactions: Row[]; receipts: Row[]; waiting: Row[] };

async function makeChain(): Promise<Chain> {
  const signed = await Promise.all(Object.values(kinds).map(sign));
  const placeOf = (index: number) => ({
    blockHash: BLOCK_HASH,
    blockNumber: '0x10',
    transactionIndex: toHex(index),
  });
  const transactions = signed.map((row, index): Row => ({
    // As nodes write it: what was paid, at most the maximum.
    gasPrice: toHex((names[index] === 'at its maximum' ? 8n : 9n) * GWEI),
    ...row,
    ...placeOf(index),
  }));
  let [cumulative, logIndex] = [0, 0];
  const receipts = transactions.map((row, index): Row => {
    const place = { ...placeOf(index), transactionHash: row['hash'] };
    const gasUsed = 21_000 + 1_000 * index;
    cumulative += gasUsed;
    const from = row['from'] as Hex;
    const isCreation = row['to'] === null;
    const logs = (index % 3 === 0 ? [[TOPIC], []] : []).map((topics) => ({
      address: EMITTER,
      data: '0x',
      removed: false,
      topics,
      ...place,
      logIndex: toHex(logIndex++),
    }));
    return {
      ...place,
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
  const waits = await Promise.all(
    ['legacy', 'dynamic', 'a creation'].map(async (name, index) =>
      sign(kinds[name] ?? {}, 50 + index),
    ),
  );
  const waiting = waits.map((row): Row => ({
    gasPrice: row['maxFeePerGas'],
    ...row,
    ...NOWHERE,
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
      [...transactions, ...waiting].find((row) => row['hash'] === hash),
    [RECEIPT]: ([hash]) => receipts.find((row) => row['transactionHash'] === hash),
    [BY_PLACE]: ([, index]) => transactions[Number(index)],
    eth_getBlockByHash: fetchBlock,
    eth_getBlockByNumber: fetchBlock,
    eth_getBlockReceipts: () => receipts,
    eth_getLogs: () => receipts.flatMap(({ logs }) => logs),
    [UNCLE]: () => uncle,
    [SENT]: () => receipts[3],
  };
  return { answers, transactions, receipts, waiting };
}

let chain: Chain;

beforeAll(async () => {
  chain = await makeChain();
});

/** A question whose right answer is known, and what the node makes of its answers. */
type Odd = {
  name: string;
  method: string;
  params: unknown[];
  truth: Row;
  spoil: (answers: Answers) => Answers;
};

type Change = (row: Row) => Row;

const leave =
  (...gone: string[]): Change =>
  (row) =>
    without(row, ...gone);

const nulls =
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

/** Spoils the answers to a method; a block's receipts are those of its transactions. */
const spoiling =
  (method: string, change: Change, forgotten: string[] = []): Odd['spoil'] =>
  (answers) => ({
    ...answers,
    [method]: (params) => changeAll(answers[method]?.(params), change),
    ...(method === RECEIPT && {
      eth_getBlockReceipts: (params) =>
        changeAll(answers['eth_getBlockReceipts']?.(params), change),
    }),
    ...Object.fromEntries(forgotten.map((name) => [name, () => null])),
  });

/** A question about a transaction or a receipt. */
const about =
  (method: string, truth: Row = {}) =>
  (name: string, change: Change, ...forgotten: string[]): Odd => ({
    name,
    method,
    params: [truth['hash'] ?? truth['transactionHash']],
    truth,
    spoil: spoiling(method, change, forgotten),
  });

function listTransactions({ transactions, waiting }: Chain): Odd[] {
  const [first, unbound, , dynamic] = transactions;
  const signed = ['hash', 'from', 'to', 'type', 'v'];
  const priceOf = (kind: string): string[] =>
    'gasPrice' in (kinds[kind] ?? {}) ? [] : ['gasPrice'];
  const odd = about(TRANSACTION, dynamic);
  return [
    ...names.flatMap((kind, index) => {
      const oddKind = about(TRANSACTION, transactions[index]);
      const gone = [...signed, ...priceOf(kind)];
      return [
        oddKind(`${kind}, without much`, leave(...PLACE, ...gone)),
        oddKind(`${kind}, with null for much`, nulls(...except(gone, 'to'))),
      ];
    }),
    ...[...PLACE, ...signed, 'gasPrice', 'chainId'].map((name) =>
      odd(`without ${name}`, leave(name)),
    ),
    odd('with data', ({ input, ...row }) => ({ ...row, data: input })),
    odd('with yParity', ({ v, ...row }) => ({ ...row, yParity: v })),
    odd('with chainID', ({ chainId, ...row }) => ({ ...row, chainID: chainId })),
    about(TRANSACTION, first)('legacy, without type and v', leave('type', 'v')),
    about(TRANSACTION, unbound)('not bound, without type and v', leave('type', 'v')),
    ...waiting.map((row, index) =>
      about(TRANSACTION, row)(
        `waiting ${index}, without much`,
        leave(...PLACE, 'from', 'type'),
      ),
    ),
    ...waiting.map((row, index) =>
      about(TRANSACTION, row)(`waiting ${index}, in block zero`, (given) => ({
        ...given,
        blockHash: ZERO,
        blockNumber: '0x0',
        transactionIndex: '0x0',
      })),
    ),
    about(TRANSACTION, waiting[1])('waiting, without a price', leave('gasPrice')),
    about(TRANSACTION, transactions.at(-1))('with null for storage keys', (row) => ({
      ...leave('from', 'v')(row),
      accessList: [{ address: EMITTER, storageKeys: null }],
    })),
    odd('without block and receipt', leave('blockHash', 'transactionIndex'), RECEIPT),
    odd(
      'without a price, of an unknown block',
      leave('gasPrice'),
      'eth_getBlockByHash',
    ),
  ];
}

function listReceipts({ receipts }: Chain): Odd[] {
  const [first, , , dynamic, creation] = receipts;
  const odd = about(RECEIPT, dynamic);
  const all = Object.keys(dynamic ?? {}).filter((name) => name !== 'status');
  const inLogs = ['removed', 'logIndex', 'transactionHash', ...PLACE];
  const noPrice = leave('effectiveGasPrice');
  const failed = { ...creation, status: '0x0', contractAddress: null };
  const sent = (name: string, change: Change): Odd => ({
    ...odd(name, change),
    method: SENT,
    params: ['0x02'],
    spoil: spoiling(SENT, change),
  });
  const placed = except(all, 'transactionHash', 'cumulativeGasUsed');
  return [
    sent('of what was sent, without its price', noPrice),
    sent('of what was sent, without much', leave(...placed)),
    ...all.map((name) => odd(`without ${name}`, leave(name))),
    ...inLogs.map((name) => odd(`without logs.${name}`, changeLogs(leave(name)))),
    odd('without much in logs', changeLogs(leave(...inLogs))),
    odd('with null', nulls(...except(all, 'to', 'gasUsed'))),
    about(RECEIPT, first)('the first, without gasUsed', leave('gasUsed')),
    about(RECEIPT, first)(
      'the first, without cumulativeGasUsed',
      leave('cumulativeGasUsed'),
      'eth_getBlockReceipts',
    ),
    ...receipts.map((row, index) =>
      about(RECEIPT, row)(
        `${names[index]}, without much`,
        leave(...except(all, 'cumulativeGasUsed')),
      ),
    ),
    about(RECEIPT, creation)('a creation', leave('contractAddress', 'to')),
    about(RECEIPT, failed)('a failed creation', () => leave('contractAddress')(failed)),
    odd('of a transaction known by its place', noPrice, TRANSACTION),
    odd('of a transaction known by its block', noPrice, TRANSACTION, BY_PLACE),
  ];
}

function listUncles(): Odd[] {
  const odd = (name: string, change: Change, truth: Row = uncle): Odd => ({
    name,
    method: UNCLE,
    params: [includingBlock.hash, '0x0'],
    truth,
    spoil: spoiling(UNCLE, change),
  });
  const known = odd('without mixHash, known as a block', leave('mixHash'));
  const knowable = ['hash', 'number', 'size', 'totalDifficulty', 'uncles'];
  const ofUncle = { eth_getBlockByHash: () => ({ ...uncle, size: '0x999' }) };
  const unset = { number: null, hash: null, nonce: null, logsBloom: null };
  return [
    ...[...knowable, 'parentHash'].map((name) => odd(`without ${name}`, leave(name))),
    odd('without much', leave(...knowable)),
    odd('with null', nulls(...knowable)),
    odd('without its parent', leave('parentHash', ...except(knowable, 'number'))),
    odd('with the hash zero', (row) => ({ ...row, hash: ZERO })),
    odd('with transactions', (row) => ({ ...row, transactions: [] })),
    { ...known, spoil: (answers) => ({ ...known.spoil(answers), ...ofUncle }) },
    odd('with null for mixHash', nulls('mixHash'), without(uncle, 'mixHash')),
    odd('of a block to come', (row) => ({ ...row, ...unset }), { ...uncle, ...unset }),
    odd('with a base fee', (row) => ({ ...leave('size')(row), baseFeePerGas: '0x7' }), {
      ...uncle,
      size: toHex(BigInt(uncle.size) + 1n),
    }),
  ];
}

const lowered = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).toLowerCase());

/** Says what a client makes of a question: the fields that are wrong, or the error. */
async function judge(node: NodeClient, { method, params, truth }: Odd) {
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

/** Asks at a node whose answers can be changed, and through a service over it. */
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

it.each<[string, number, () => Odd[]]>([
  ['transactions', 43, () => listTransactions(chain)],
  ['receipts', 38, () => listReceipts(chain)],
  ['uncles', 15, listUncles],
])(
  'completes incomplete %s from the node as the service does',
  async (_what, count, list) => {
    const both = await startBoth();
    const ends: [string, string[]][] = [];
    for (const odd of list()) {
      both.answers = odd.spoil(chain.answers);
      const judged = both.nodes.map(async (node) => judge(node, odd));
      ends.push([odd.name, await Promise.all(judged)]);
    }
    expect(ends).toStrictEqual(ends.map(([name]) => [name, ['whole', 'whole']]));
    expect(ends).toHaveLength(count);
  },
);

it.each([
  ['without its hash', leave('hash'), {}],
  ['without its place', leave(...PLACE), {}],
  ['whole', (row: Row) => row, {}],
  ['of the block to come', leave('hash', ...PLACE), { hash: null }],
])(
  'completes a transaction that is requested by its index: %s',
  async (_what, change, block) => {
    const [, , , dynamic = {}] = chain.transactions;
    const { call } = await start(
      answerBy({
        [BY_PLACE]: change(dynamic),
        eth_getBlockByHash: {
          ...(chain.answers['eth_getBlockByHash']?.([BLOCK_HASH]) as Row),
          ...block,
        },
        eth_chainId: '0x1',
      }),
    );
    expect((await call(BY_PLACE, [BLOCK_HASH, '0x3'])).result).toMatchObject({
      ...dynamic,
      ...('hash' in block && NOWHERE),
    });
  },
);

it.each([0, 10_000])(
  'spends the time limit of one call on a receipt that takes %i ms and its completion',
  async (delayMs) => {
    jest.useFakeTimers();
    const network = createFakeNetwork();
    const given = leave('effectiveGasPrice')(chain.receipts[3] ?? {});
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
  'passes on the receipt %j of a sent transaction',
  async (odd) => {
    const { call } = await start(answerBy({ [SENT]: odd }));
    expect(await call(SENT, ['0x02'])).toHaveProperty('result', odd);
  },
);
