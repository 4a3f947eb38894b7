// Which fees count where a gas API and a node both tell some: the snap over a chain with both.
import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';

import { gasAnswer } from '../fixtures/client/gas-answer';
import { callersOf } from '../support/callers';
import { answering, breaking, serving } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { askedOf, createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { NEAR_ANSWERS } from '../support/fees';
import { settle } from '../support/gate';
import { openHome } from '../support/home-bench';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import { TO } from '../support/transactions';
import { textOf, textsOf } from '../support/view';

const SCOPE = 'eip155:5';

const GWEI = 1_000_000_000n;

/** Sets up a granted account on a chain whose node tells a base fee of 16 gwei. */
async function setup(gas: Server, answers: NodeAnswers = {}) {
  const app = createTestApp();
  const { edges, services } = app;
  const { rpc } = callersOf(app);
  const { address } = await createAccount(app);
  await rpc(DAPP, 'eth_requestAccounts');
  const node = createFakeNode({
    eth_getTransactionCount: '0x5',
    eth_estimateGas: '0x5208',
    eth_getBalance: '0x8ac7230489e80000',
    eth_sendRawTransaction: `0x${'11'.repeat(32)}`,
    ...NEAR_ANSWERS,
    ...answers,
  });
  edges.network.serve('https://node.example', serving(node));
  edges.network.serve('https://gas.example', gas);
  const row = { rpcUrl: 'https://node.example', gasBaseUrl: 'https://gas.example' };
  await services.store.update((state) => ({ ...state, chains: { [SCOPE]: row } }));
  return {
    app,
    node,
    /** Look the levels up as a site does. */
    look: async () =>
      (await rpc(DAPP, 'tollkeeper_getFeeLevels', {
        scope: SCOPE,
        params: [],
      })) as Record<string, Json>,
    /** Call with a payment from the granted account. */
    pay: async (method: string) => {
      const params = [{ from: address, to: TO, value: '0x1' }];
      return rpc(DAPP, method, { scope: SCOPE, params });
    },
  };
}

/** The answer of a gas API whose high level is at so many gwei. */
function suggesting(gwei: string): Json {
  const high = { ...gasAnswer.high, suggestedMaxFeePerGas: gwei };
  return { ...gasAnswer, high };
}

const historyOf = (baseFee: bigint, reward: bigint): NodeAnswers => {
  const fee = `0x${baseFee.toString(16)}`;
  const paid = `0x${reward.toString(16)}`;
  return {
    eth_feeHistory: {
      oldestBlock: '0x10',
      baseFeePerGas: [fee, fee],
      gasUsedRatio: [0.5],
      reward: [[paid, paid, paid]],
    },
  };
};

/** The node's high level is its base fee of 16 gwei by 2, and a priority fee of 1 gwei. */
const TENFOLD = '330';

const ABOVE = '330.000000001';

const PASSED_OVER = textOf('source.passedOver', {
  source: textOf('source.feeHistory'),
});

describe('a gas API', () => {
  it('counts up to ten times what the node tells', async () => {
    const { look } = await setup(answering(suggesting(TENFOLD)));
    const levels = await look();
    expect(levels.source).toBe('gas-api');
    expect(levels).not.toHaveProperty('passedOver');
  });

  it('may answer long after the node has failed', async () => {
    const slow: Server = async (request) => {
      await settle();
      return answering(gasAnswer)(request);
    };
    const failed = refuses({ code: -32603, message: 'No.' });
    const { look } = await setup(slow, {
      eth_feeHistory: failed,
      eth_gasPrice: failed,
    });
    expect(await look()).toMatchObject({ source: 'gas-api' });
  });

  it('is passed over from there on: the source says so to sites', async () => {
    const { look } = await setup(answering(suggesting(ABOVE)));
    expect(await look()).toMatchObject({
      source: 'fee-history',
      passedOver: 'gas-api',
      high: { maxFeePerGas: '0x7aef40a00' },
    });
  });

  it('is passed over in a fill and its dialog, which says so', async () => {
    const { app, pay } = await setup(answering(suggesting(ABOVE)));
    const { tx } = (await pay('eth_fillTransaction')) as { tx: Record<string, string> };
    expect(tx.maxFeePerGas).toBe('0x65ec87800');
    await pay('eth_sendTransaction');
    const texts = textsOf(app.edges.dialogs.shown.at(-1)).join('\n');
    expect(texts).toContain(PASSED_OVER);
    // Not what a server might still say later: the levels as they were used are kept.
    const home = await openHome(app);
    await home.choose('home.gas.chain', SCOPE);
    expect(home.texts()).toContain(PASSED_OVER);
    const failed = textOf('server.failed', { age: '0 sec' });
    expect(home.texts()).toContain(failed);
  });

  it.each<[string, NodeAnswers]>([
    ['is far above it', historyOf(1_000n * GWEI, GWEI)],
    ['tells fees that are not plausible', historyOf(200_000n * GWEI, GWEI)],
    ['tells no fees', { eth_feeHistory: undefined, eth_gasPrice: undefined } as never],
    [
      'refuses',
      {
        eth_feeHistory: refuses({ code: -32005, message: 'slow down' }),
        eth_gasPrice: refuses({ code: -32005, message: 'slow down' }),
      },
    ],
  ])('counts where the node %s', async (_what, answers) => {
    const { look } = await setup(answering(gasAnswer), answers);
    expect((await look()).source).toBe('gas-api');
  });

  it('counts where the node is not there', async () => {
    const { app, look } = await setup(answering(gasAnswer));
    app.edges.network.serve('https://node.example', breaking);
    expect((await look()).source).toBe('gas-api');
  });

  it('counts where the node takes two seconds longer', async () => {
    const { app, look } = await setup(answering(gasAnswer));
    app.edges.network.serve('https://node.example', () => new Promise(() => undefined));
    expect((await look()).source).toBe('gas-api');
  });

  it('is compared with the gas price where the node has no fee history', async () => {
    const { look } = await setup(answering(suggesting('81')), {
      eth_feeHistory: undefined as never,
      eth_gasPrice: `0x${(8n * GWEI).toString(16)}`,
    });
    expect(await look()).toMatchObject({ source: 'gas-price', passedOver: 'gas-api' });
  });

  it('is compared with what is paid on a chain without base fees', async () => {
    const answers = { ...historyOf(0n, 3n * GWEI), eth_gasPrice: '0xb2d05e00' };
    const near = await setup(answering(gasAnswer), answers);
    expect((await near.look()).source).toBe('gas-api');
    // The comparison took no further question.
    expect(askedOf(near.node)).toStrictEqual(['eth_feeHistory']);
    const { look } = await setup(answering(suggesting('30.1')), answers);
    expect(await look()).toMatchObject({ source: 'gas-price', passedOver: 'gas-api' });
  });
});

describe('a gas API that fails', () => {
  it.each<[string, Server]>([
    ['refuses', answering({}, 403)],
    ['is not there', breaking],
    ['tells 100,000 gwei', answering(suggesting('100000'))],
  ])('leaves what the node says: it %s', async (_what, gas) => {
    const { node, look } = await setup(gas);
    const levels = await look();
    expect(levels.source).toBe('fee-history');
    expect(levels).not.toHaveProperty('passedOver');
    // The check did not measure how long a block takes, by which waits are told.
    expect(askedOf(node)).toStrictEqual([
      'eth_feeHistory',
      'eth_feeHistory',
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
    ]);
  });

  it('leaves how the node fails where that does, too', async () => {
    const { look } = await setup(answering({}, 403), {
      eth_feeHistory: undefined as never,
      eth_gasPrice: refuses({ code: -32000, message: 'no price today' }),
    });
    await expect(look()).rejects.toThrow('no price today');
  });
});

describe('a node without a fee history', () => {
  const lookWith = async (answers: NodeAnswers): Promise<Record<string, Json>> => {
    const absent = { eth_feeHistory: undefined as never };
    const { look } = await setup(answering({}, 403), { ...absent, ...answers });
    return look();
  };
  const at = (gwei: bigint): string => `0x${(gwei * GWEI).toString(16)}`;
  const pairOf = (max: bigint, priority: bigint): object => ({
    maxFeePerGas: at(max),
    maxPriorityFeePerGas: at(priority),
  });

  it('tells fees by its base fee, and by what its gas price has above it', async () => {
    const { low, medium, high, ...levels } = await lookWith({
      eth_baseFee: at(100n),
      eth_gasPrice: at(103n),
    });
    expect(levels).toMatchObject({ source: 'base-fee', estimatedBaseFee: at(100n) });
    const pairs = [low, medium, high] as Record<string, Hex>[];
    expect(pairs.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)).toStrictEqual(
      [at(3n), at(3n), at(3n)],
    );
    const maxima = pairs.map(({ maxFeePerGas }) => BigInt(maxFeePerGas ?? 0));
    expect(maxima[0]).toBeGreaterThanOrEqual(103n * GWEI);
    expect(maxima[1]).toBeGreaterThanOrEqual(maxima[0] ?? 0n);
    expect(maxima[2]).toBeGreaterThan(maxima[1] ?? 0n);
  });

  it('has the usual priority fees where its gas price is no higher', async () => {
    const levels = await lookWith({ eth_baseFee: at(100n), eth_gasPrice: at(50n) });
    expect(levels.source).toBe('base-fee');
    const { maxPriorityFeePerGas } = levels.low as Record<string, string>;
    expect(BigInt(maxPriorityFeePerGas ?? 0)).toBeGreaterThan(0n);
  });

  it.each<[string, NodeAnswers]>([
    ['contradicts its gas price', { eth_baseFee: at(15n) }],
    ['is zero', { eth_baseFee: '0x0' }],
    ['is none', { eth_baseFee: 'much' }],
    ['cannot be had', { eth_baseFee: refuses({ code: -32000, message: 'No.' }) }],
    ['is not served', {}],
  ])('tells its gas price alone where its base fee %s', async (_what, answers) => {
    const levels = await lookWith({ eth_gasPrice: at(7n), ...answers });
    expect(levels).toMatchObject({
      source: 'gas-price',
      estimatedBaseFee: '0x0',
      high: pairOf(7n, 7n),
    });
  });
});
