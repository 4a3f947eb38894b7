// A node that fills nonce and gas with one call is asked for everything else as usual.
import { createNodeClient } from '../../../packages/client/src';
import { withFilling } from '../../../src/fees/fill-transaction';

it('asks for other counts and methods as usual', async () => {
  const asked: string[] = [];
  const request = async ({ method }: { method: string }): Promise<unknown> => {
    asked.push(method);
    return Promise.resolve('0x1');
  };
  const from = `0x${'11'.repeat(20)}` as const;
  const transaction = { from, to: null, value: 0n, data: '0x' } as const;
  const node = withFilling(createNodeClient({ label: 'It', request }), transaction);
  await node.request('eth_getTransactionCount', [from, 'latest']);
  await node.request('eth_chainId', []);
  expect(asked).toStrictEqual(['eth_getTransactionCount', 'eth_chainId']);
});
