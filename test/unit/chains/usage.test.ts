import { fetchUsage } from '../../../src/chains/usage';
import type { Usage } from '../../../src/chains/usage';
import { createChainBench, urlOf } from '../../support/chain-bench';
import type { ChainBench } from '../../support/chain-bench';
import { createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';

const ONE = '0x00000000000000000000000000000000000000a1';
const TWO = '0x00000000000000000000000000000000000000a2';

const UNUSED = {
  eth_getTransactionCount: '0x0',
  eth_getBalance: '0x0',
  eth_getCode: '0x',
};

const refusal = refuses({ code: -32000, message: 'header not found' });

/** Answers what it is told for one address, and for any other that it is not used. */
function createNode(address: string, answers: NodeAnswers): FakeNode {
  const methods = Object.entries(UNUSED).map(([method, none]) => [
    method,
    ([asked]: unknown[]) => {
      const answer = asked === address ? (answers[method] ?? none) : none;
      return typeof answer === 'function' ? answer([]) : answer;
    },
  ]);
  return createFakeNode(Object.fromEntries(methods) as NodeAnswers);
}

type Bench = ChainBench & { ask: (...addresses: `0x${string}`[]) => Promise<Usage> };

async function setup(
  nodes: Record<number, FakeNode | undefined>,
  wallet?: FakeNode,
): Promise<Bench> {
  const bench = await createChainBench(nodes, wallet);
  return { ...bench, ask: (...addresses) => fetchUsage(bench.chains, addresses) };
}

describe('an address', () => {
  it.each([
    ['a nonce', { eth_getTransactionCount: '0x1' }],
    ['coins', { eth_getBalance: '0x1' }],
    ['code', { eth_getCode: '0x00' }],
  ])('is used where it has %s', async (_what, answers) => {
    const { ask } = await setup({ 1: createNode(ONE, answers) });
    expect(await ask(ONE, TWO)).toStrictEqual({
      used: new Map([[ONE, [1n]]]),
      unreachable: [],
    });
  });

  it.each([['0x0'], ['0x00'], ['0x0000000000000000']])(
    'is not used where it has nothing, though a node writes %s',
    async (zero) => {
      const answers = { eth_getTransactionCount: zero, eth_getBalance: zero };
      const { ask } = await setup({ 1: createNode(ONE, answers) });
      expect(await ask(ONE)).toStrictEqual({ used: new Map(), unreachable: [] });
    },
  );

  it("is told with every chain where it is used, the wallet's first", async () => {
    const coins = { eth_getBalance: '0x1' };
    const wallet = createNode(ONE, coins);
    wallet.answers.eth_chainId = '0x7';
    const nodes = {
      1: createNode(ONE, coins),
      2: createNode(ONE, {}),
      3: createNode(TWO, coins),
      4: createNode(ONE, coins),
    };
    const { ask } = await setup(nodes, wallet);
    expect(await ask(TWO, ONE)).toStrictEqual({
      used: new Map([
        [TWO, [3n]],
        [ONE, [7n, 1n, 4n]],
      ]),
      unreachable: [],
    });
  });

  it('is told once and in lower case', async () => {
    const node = createNode(ONE, { eth_getBalance: '0x1' });
    const { ask } = await setup({ 1: node });
    const capitals = `0x${ONE.slice(2).toUpperCase()}` as const;
    expect(await ask(capitals, ONE)).toStrictEqual({
      used: new Map([[ONE, [1n]]]),
      unreachable: [],
    });
    expect(node.calls).toHaveLength(3);
  });
});

describe('the chains', () => {
  it('are asked at the latest block, in one batch each', async () => {
    const { ask, network } = await setup({
      1: createNode(ONE, {}),
      2: createNode(ONE, {}),
    });
    await ask(ONE, TWO);
    const sent = network.sent.map(({ url, body = '' }) => ({
      url,
      calls: (JSON.parse(body) as { method: string; params: unknown }[]).map(
        ({ method, params }) => ({ method, params }),
      ),
    }));
    const calls = [ONE, TWO].flatMap((address) =>
      Object.keys(UNUSED).map((method) => ({ method, params: [address, 'latest'] })),
    );
    expect(sent).toStrictEqual([
      { url: urlOf(1), calls },
      { url: urlOf(2), calls },
    ]);
  });

  it('that cannot be asked are named', async () => {
    const { ask } = await setup({
      1: undefined,
      2: createNode(ONE, { eth_getBalance: '0x1' }),
    });
    expect(await ask(ONE)).toStrictEqual({
      used: new Map([[ONE, [2n]]]),
      unreachable: [1n],
    });
  });

  it('that shall not be asked are not', async () => {
    const node = createNode(ONE, { eth_getBalance: '0x1' });
    const { chains } = await createChainBench({ 1: node, 2: node });
    expect(await fetchUsage(chains, [ONE], new Set([1n]))).toStrictEqual({
      used: new Map([[ONE, [2n]]]),
      unreachable: [],
    });
  });

  it('that the wallet leaves meanwhile are named', async () => {
    const wallet = createNode(ONE, { eth_getBalance: '0x1' });
    const ids = ['0x7', '0x8'];
    wallet.answers.eth_chainId = () => ids.shift() ?? '0x8';
    const { ask } = await setup({}, wallet);
    expect(await ask(ONE)).toStrictEqual({ used: new Map(), unreachable: [7n] });
  });

  it.each(Object.keys(UNUSED))(
    'that refuse %s are named, and what else they tell counts',
    async (method) => {
      const told = { eth_getTransactionCount: '0x1', eth_getBalance: '0x1' };
      const node = createNode(ONE, { ...told, [method]: refusal });
      const { ask } = await setup({ 1: node });
      expect(await ask(ONE, TWO)).toStrictEqual({
        used: new Map([[ONE, [1n]]]),
        unreachable: [1n],
      });
    },
  );

  it('are none where nothing is configured and the wallet fails', async () => {
    const { ask } = await setup({});
    expect(await ask(ONE)).toStrictEqual({ used: new Map(), unreachable: [] });
  });
});
