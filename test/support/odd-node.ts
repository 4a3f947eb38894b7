// An HTTP node that answers correctly until a row of the odd-servers table makes it answer oddly.
import { FROM, HASH, receipt, TO } from '../fixtures/odd-servers/row';
import type { OddAnswer, OddServer } from '../fixtures/odd-servers/row';
import { startHttpServer } from './http-server';
import { toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';
import { createMemoryNode } from './memory-node';

export type OddNode = Awaited<ReturnType<typeof createOddNode>>;

/** Placeholder for a signed transaction. */
const RAW = `0x02${'ab'.repeat(100)}`;

const params: Record<string, unknown[]> = {
  eth_call: [{ to: TO, data: '0x12345678' }, 'latest'],
  eth_estimateGas: [{ from: FROM, to: TO, value: '0x1' }],
  eth_getBalance: [FROM, 'latest'],
  eth_getCode: [TO, 'latest'],
  eth_getTransactionCount: [FROM, 'pending'],
  eth_getTransactionByHash: [HASH],
  eth_getTransactionReceipt: [HASH],
  eth_getUncleByBlockNumberAndIndex: ['0x10', '0x0'],
  eth_sendRawTransaction: [RAW],
};

/** The transaction in the rows' receipts. */
const TRANSACTION = {
  blockHash: receipt.blockHash,
  blockNumber: receipt.blockNumber,
  chainId: '0x7a69',
  from: FROM,
  gas: '0x5208',
  gasPrice: '0x1',
  input: '0x',
  nonce: '0x0',
  r: '0x1',
  s: '0x1',
  to: TO,
  transactionIndex: '0x0',
  type: '0x0',
  v: '0x1b',
  value: '0x0',
};

export const paramsOf = ({ method, params: own }: OddServer): unknown[] => [
  ...(own ?? params[method] ?? []),
];

const isFunction = (body: unknown): body is (ids: readonly number[]) => unknown =>
  typeof body === 'function';

/** Creates a node for a chain with a block every second. */
export async function createOddNode() {
  let row: OddServer | undefined;
  let asked: string[] = [];
  let remaining: readonly OddAnswer[] = [];
  const good = createMemoryNode({
    eth_chainId: () => '0x7a69',
    eth_blockNumber: () => '0x64',
    eth_getLogs: () => [],
    eth_feeHistory: () => ({
      oldestBlock: '0x0',
      baseFeePerGas: ['0x3b9aca00', '0x3b9aca00'],
      gasUsedRatio: [0.5],
      reward: [['0x1', '0x1', '0x1', '0x1', '0x1', '0x1']],
    }),
  });
  // The newest 20 blocks are not final.
  const toBlock = (tag: unknown): object => {
    const number = tag === 'finalized' ? '0x50' : '0x64';
    return { number, hash: HASH, timestamp: number, baseFeePerGas: '0x3b9aca00' };
  };
  const next = (): OddAnswer => {
    const [first = { body: '' }, ...others] = remaining;
    if (others.length > 0) remaining = others;
    return first;
  };
  const answerOne = async (request: WireRequest): Promise<object> => {
    const { id, method, params: sent } = request;
    if (row && row.kind !== 'array' && method === row.method) {
      const { body } = next();
      return typeof body === 'object' ? { jsonrpc: '2.0', id, ...body } : { id };
    }
    const [hash] = sent;
    if (method === 'eth_getTransactionByHash' && hash === row?.params?.[0]) {
      return { jsonrpc: '2.0', id, result: { ...TRANSACTION, hash } };
    }
    if (method === 'eth_getBlockByNumber') {
      return { jsonrpc: '2.0', id, result: toBlock(sent[0]) };
    }
    return good({ method, params: sent }).then(
      (result) => ({ jsonrpc: '2.0', id, result }),
      ({ code, message }: { code: number; message: string }) => ({
        jsonrpc: '2.0',
        id,
        error: { code, message },
      }),
    );
  };
  const server = await startHttpServer((response, arrived) => {
    const requests = toRequests(arrived);
    asked.push(...requests.map(({ method }) => method));
    const isArray = arrived.body.startsWith('[');
    const send = (status: number, body: unknown, headers = {}): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (row?.kind === 'array' && isArray) {
      const { status = 200, body } = next();
      const ids = requests.map(({ id }) => id);
      return send(status, isFunction(body) ? body(ids) : body);
    }
    const isOdd = requests.some(({ method }) => method === row?.method);
    const [answer] = remaining;
    const isWhole =
      answer && (answer.status !== undefined || typeof answer.body === 'string');
    if (row && row.kind !== 'array' && isOdd && isWhole) {
      // The calls of a batch share one HTTP status, so the node refuses the batch.
      if (isArray) return send(400, 'One at a time.');
      const { status = 200, body, headers } = next();
      const [{ id } = { id: 0 }] = requests;
      return send(
        status,
        typeof body === 'object' ? { jsonrpc: '2.0', id, ...body } : body,
        headers,
      );
    }
    void Promise.all(requests.map(answerOne)).then((all) =>
      send(200, isArray ? all : all[0]),
    );
  });
  return {
    url: server.url,
    stop: server.stop,
    /** Makes the node answer according to a row, or correctly again. */
    turn: (next: OddServer | undefined) => {
      row = next;
      remaining = next?.answers ?? [];
      if (next) asked = [];
    },
    /** Counts the calls to a method since a row was last set. */
    countOf: (method: string) => asked.filter((each) => each === method).length,
  };
}
