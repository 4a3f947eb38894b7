import {
  createHttpTransport,
  createRpcClient,
  createRpcEndpoint,
  nodeSchema,
} from '../../../../src/client';
import type { NodeClient } from '../../../../src/client';
import { errorOf, failureOf, toWholeText } from '../../../support/error-of';
import { useHttpServers } from '../../../support/http-server';
import type { HttpServer } from '../../../support/http-server';
import { answerRequests, bodiesOf } from '../../../support/json-rpc';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const HASH = `0x${'ab'.repeat(32)}` as const;
const AT = /http:\/\/127\.0\.0\.1:\d+/gu;

const serve = useHttpServers();

/** A client of a node that answers each method as given. */
async function setup(
  results: Record<string, unknown> = {},
): Promise<{ node: NodeClient; server: HttpServer }> {
  const server = await serve(
    answerRequests((requests) => {
      const answers = requests.map(({ id, method }) => ({
        id,
        result: results[method],
      }));
      return answers.length === 1 ? answers[0] : answers;
    }),
  );
  const transport = createHttpTransport(createRpcEndpoint(server.url), { fetch });
  return { node: createRpcClient(nodeSchema, transport), server };
}

describe('params', () => {
  it.each<[string, (node: NodeClient) => Promise<unknown>, string]>([
    [
      'a short address',
      (node) => node.request('eth_getCode', [ADDRESS.slice(0, -2) as never, 'latest']),
      'eth_getCode: params[0] must be a 20-byte address in hex.',
    ],
    [
      'a short hash',
      (node) => node.request('eth_getTransactionReceipt', ['0x12']),
      'eth_getTransactionReceipt: params[0] must be a 32-byte value in hex (0x and 64 digits).',
    ],
    [
      'one param too many',
      (node) => node.request('eth_chainId', [1] as never),
      'eth_chainId: params must be an empty array.',
    ],
    [
      'a decimal quantity in a call',
      (node) => node.request('eth_estimateGas', [{ value: '1' as never }]),
      'eth_estimateGas: params[0].value must be a hex quantity.',
    ],
    [
      'a percentile that is no number',
      (node) => node.request('eth_feeHistory', ['0x1', 'latest', [NaN]]),
      'eth_feeHistory: params[2][0] must be a number.',
    ],
  ])('with %s are refused before anything is sent', async (_what, ask, message) => {
    const { node, server } = await setup();
    expect(await failureOf(() => ask(node))).toMatchObject({
      name: 'InvalidParamsError',
      code: -32602,
      message,
    });
    expect(server.arrived).toStrictEqual([]);
  });

  it('with a tag that is not served name those that are', async () => {
    const { node } = await setup();
    const ask = (): unknown => node.request('eth_getCode', [ADDRESS, 'safe' as never]);
    const { message } = await failureOf(ask);
    expect(message).toMatch(/^eth_getCode: params\[1\] must be .*latest.*\.$/u);
  });

  it('that are refused harm no other call of the tick', async () => {
    const { node, server } = await setup({ eth_chainId: '0x1', eth_gasPrice: '0x2' });
    const settled = await Promise.allSettled([
      node.request('eth_chainId', []),
      node.request('eth_getCode', ['0x', 'latest']),
      node.request('eth_gasPrice', []),
    ]);
    expect(settled.map((each) => each.status)).toStrictEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(bodiesOf(server)).toMatchObject([
      [{ method: 'eth_chainId' }, { method: 'eth_gasPrice' }],
    ]);
  });
});

describe('a result', () => {
  it('comes typed to its own caller', async () => {
    const { node } = await setup({ eth_chainId: '0x7a69', eth_getCode: '0x' });
    expect(
      await Promise.all([
        node.request('eth_getCode', [ADDRESS, 'latest']),
        node.request('eth_chainId', []),
      ]),
    ).toStrictEqual(['0x', '0x7a69']);
  });

  it.each<[string, (node: NodeClient) => Promise<unknown>, unknown, string]>([
    [
      'eth_chainId',
      (node) => node.request('eth_chainId', []),
      31337,
      'result must be a hex quantity.',
    ],
    [
      'eth_getCode',
      (node) => node.request('eth_getCode', [ADDRESS, 'latest']),
      'tell-nobody',
      'result must be bytes in hex (0x and an even number of digits).',
    ],
    [
      'eth_getTransactionReceipt',
      (node) => node.request('eth_getTransactionReceipt', [HASH]),
      { blockHash: 'tell-nobody' },
      'result.blockHash must be a 32-byte value in hex (0x and 64 digits).',
    ],
    [
      'eth_feeHistory',
      (node) => node.request('eth_feeHistory', ['0x1', 'latest', []]),
      { oldestBlock: '0x1', baseFeePerGas: ['0x1', 'tell-nobody'], gasUsedRatio: [] },
      'result.baseFeePerGas[1] must be a hex quantity.',
    ],
    [
      'rollup_estimateGas',
      (node) => node.request('rollup_estimateGas', [{}]),
      { baseFeePerGas: '0x7', gasLimit: '0x5208' },
      'result.priorityFeePerGas is missing: it must be a hex quantity.',
    ],
  ])('of %s is refused by its path', async (...row) => {
    const [method, ask, result, reason] = row;
    const { node } = await setup({ [method]: result });
    const error = await errorOf(() => ask(node));
    expect(error.message.replace(AT, 'AT')).toBe(
      `${method} at AT gave an invalid answer: ${reason} Check that it is the right server.`,
    );
    expect(error).toMatchObject({ name: 'InvalidResponseError', code: -32002 });
    expect(toWholeText(error)).not.toContain('tell-nobody');
  });

  it.each(['eth_getTransactionReceipt', 'eth_getTransactionByHash'] as const)(
    'of %s is null if there is none',
    async (method) => {
      const { node } = await setup({ [method]: null });
      expect(await node.request(method, [HASH])).toBeNull();
    },
  );
});
