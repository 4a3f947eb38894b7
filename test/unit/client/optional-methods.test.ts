// Methods that servers may lack: asked once a day where they are absent.
import { createNodeClient, RpcError } from '../../../packages/client/src';
import type { AbsentMethods, NodeClient } from '../../../packages/client/src';
import {
  ABSENT_MS,
  createAbsentMethods,
} from '../../../packages/client/src/rpc/rpc-client';
import { fork } from '../../fixtures/client/method-parts';

const answer = { current: fork, next: null, last: null };

function setup(
  result: unknown,
  { chainId, absent }: { chainId?: bigint; absent?: AbsentMethods } = {},
): { node: NodeClient; asked: string[] } {
  const asked: string[] = [];
  const request = async ({ method }: { method: string }): Promise<unknown> => {
    asked.push(method);
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  };
  return { asked, node: createNodeClient({ label: 'It', request }, chainId, absent) };
}

it('gives the result of a method that is there', async () => {
  const { node, asked } = setup(answer);
  expect(await node.tryRequest('eth_config', [])).toStrictEqual(answer);
  expect(await node.tryRequest('eth_config', [])).toStrictEqual(answer);
  expect(node.lacks('eth_config')).toBe(false);
  expect(asked).toHaveLength(2);
});

it.each<[number, string]>([
  [-32601, 'the method eth_config does not exist/is not available'],
  [-32601, ''],
  [-32604, 'Method not enabled'],
  [-32600, 'Unsupported method: eth_config on ETH_MAINNET'],
  [-32000, "Can't find method eth_config"],
  [4200, 'The method "eth_config" is not supported.'],
])('asks a server once that says %i %s', async (code, message) => {
  const error = new RpcError({}, { code, message });
  const { node, asked } = setup(error);
  expect(await node.tryRequest('eth_config', [])).toBeUndefined();
  expect(node.lacks('eth_config')).toBe(true);
  expect(node.lacks('eth_chainId')).toBe(false);
  expect(await node.tryRequest('eth_config', [])).toBeUndefined();
  expect(asked).toHaveLength(1);
  // Who must know asks all the same.
  await expect(node.request('eth_config', [])).rejects.toBe(error);
});

it.each([
  new RpcError({}, { code: 3, message: 'execution reverted: method not found' }),
  new RpcError({}, { code: -32000, message: 'execution reverted: unknown method' }),
  new RpcError({}, { code: -32005, message: 'Method rate exceeded' }),
  new RpcError({}, { code: -32000, message: 'header not found' }),
  new TypeError('the method is not available'),
])('throws what else goes wrong, and asks again: %s', async (error) => {
  const { node, asked } = setup(error);
  await expect(node.tryRequest('eth_config', [])).rejects.toBe(error);
  await expect(node.tryRequest('eth_config', [])).rejects.toBe(error);
  expect(asked).toHaveLength(2);
});

it('does not believe an answer that is none', async () => {
  const { node } = setup({ current: {} });
  await expect(node.tryRequest('eth_config', [])).rejects.toThrow(
    'eth_config at It gave an invalid answer: result.current',
  );
});

it('remembers the name that the server knows', async () => {
  const absent = createAbsentMethods();
  const error = new RpcError({}, { code: -32601, message: '' });
  const { node } = setup(error, { chainId: 59144n, absent });
  expect(await node.tryRequest('rollup_estimateGas', [{}])).toBeUndefined();
  expect(absent.has('linea_estimateGas')).toBe(true);
  expect(node.lacks('rollup_estimateGas')).toBe(true);
});

it('asks again after a day', () => {
  let now = 5;
  const absent = createAbsentMethods(() => now);
  absent.add('eth_config');
  now += ABSENT_MS - 1;
  expect(absent.has('eth_config')).toBe(true);
  now += 1;
  expect(absent.has('eth_config')).toBe(false);
});
