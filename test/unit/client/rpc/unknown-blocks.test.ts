// An uncle of a block that the node does not know is null, whatever the node says of it.
import { createNodeClient, RpcError } from '../../../../src/client';
import type { NodeClient } from '../../../../src/client';
import { failureOf } from '../../../support/error-of';

const HASH = `0x${'ab'.repeat(32)}` as const;

function createNode(error: Error): NodeClient {
  const request = async (): Promise<unknown> => Promise.reject(error);
  return createNodeClient({ label: 'It', request });
}

const told = (code: number, message: string): RpcError =>
  new RpcError({ label: 'It' }, { code, message });

const ask = {
  number: async (node: NodeClient) =>
    node.request('eth_getUncleByBlockNumberAndIndex', ['0x3e8', '0x0']),
  hash: async (node: NodeClient) =>
    node.request('eth_getUncleByBlockHashAndIndex', [HASH, '0x0']),
};

describe.each(Object.entries(ask))('an uncle by %s', (_name, look) => {
  it.each([
    [-32602, 'BlockOutOfRangeError: block height is 1 but requested was 1000'],
    [-32602, 'BlockOutOfRange'],
    [-32000, 'header not found'],
    [-32000, 'Header Not Found'],
    [-32000, 'block not found'],
    [-32000, 'block not found: 1000'],
    [-32000, 'header for hash not found'],
    [-32000, 'finalized block not found'],
    [-32000, 'unknown block'],
    [-39001, 'Unknown block'],
    [-32001, 'block not found'],
    [-32001, 'Resource not found'],
    [-32001, `${HASH} could not be found`],
    [-32602, 'Block does not exist'],
    [-32000, 'could not find block'],
    [-32000, 'Received invalid block tag 1000. Latest block number is 5'],
  ])('is null where the node says %d %s', async (code, message) => {
    expect(await look(createNode(told(code, message)))).toBeNull();
  });

  it.each([
    [-32601, 'the method eth_getUncleByBlockNumberAndIndex does not exist'],
    [-32601, 'method not found: block not found'],
    [-32601, 'Method eth_getUncleByBlockHashAndIndex not found'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
    [-32602, 'invalid block number'],
    [-32000, 'required historical state unavailable'],
    [-32000, 'pruned history unavailable'],
    [-32603, 'Internal error'],
    [-32000, ''],
  ])('is an error where it says %d %s', async (code, message) => {
    const failure = await failureOf(async () => look(createNode(told(code, message))));
    expect(failure).toMatchObject({ name: 'RpcError' });
  });

  it('is an error where the node cannot be reached', async () => {
    const failure = await failureOf(async () => look(createNode(new Error('down'))));
    expect(failure.message).toBe('down');
  });
});

it('counts for nothing where another method is asked', async () => {
  const node = createNode(told(-32000, 'header not found'));
  const balance = async (): Promise<unknown> =>
    node.request('eth_getBalance', [`0x${'12'.repeat(20)}`, '0x3e8']);
  expect(await failureOf(balance)).toMatchObject({ name: 'RpcError', code: -32000 });
});
