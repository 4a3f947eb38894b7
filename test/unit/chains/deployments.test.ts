import { fetchDeployments } from '../../../src/chains/deployments';
import { createChainBench } from '../../support/chain-bench';
import { createFakeNode, refuses } from '../../support/fake-node';

const ACCOUNT = '0x00000000000000000000000000000000005a57a1';

describe('fetchDeployments', () => {
  it('tells of every chain whether there is code at the address', async () => {
    const refusal = refuses({ code: -32000, message: 'busy' });
    const { chains } = await createChainBench(
      {
        1: createFakeNode({ eth_getCode: '0x6080' }),
        2: createFakeNode({ eth_getCode: '0x' }),
        3: createFakeNode({ eth_getCode: refusal }),
        4: undefined,
        5: createFakeNode({ eth_getCode: 'code' }),
      },
      createFakeNode({ eth_chainId: '0x7', eth_getCode: '0x6080' }),
    );
    const chainIds = [1n, 2n, 3n, 4n, 5n, 6n, 7n];
    expect(await fetchDeployments(chains, ACCOUNT, chainIds)).toStrictEqual({
      'eip155:1': 'deployed',
      'eip155:2': 'absent',
      'eip155:3': 'unknown',
      'eip155:4': 'unknown',
      'eip155:5': 'unknown',
      'eip155:6': 'unknown',
      'eip155:7': 'deployed',
    });
  });

  it('asks at the latest block, once a chain', async () => {
    const node = createFakeNode({ eth_getCode: '0x' });
    const { chains } = await createChainBench({ 1: node });
    await fetchDeployments(chains, ACCOUNT, [1n, 1n]);
    expect(node.calls).toMatchObject([
      { method: 'eth_getCode', params: [ACCOUNT, 'latest'] },
    ]);
    expect(node.calls).toHaveLength(1);
  });

  it('tells nothing of no chains', async () => {
    const { chains } = await createChainBench({});
    expect(await fetchDeployments(chains, ACCOUNT, [])).toStrictEqual({});
  });
});
