import { GetAccountBalancesResponseStruct } from '@metamask/keyring-api';
import { is } from '@metamask/superstruct';

import { fetchBalances } from '../../../src/chains/balances';
import { createChainBench } from '../../support/chain-bench';
import type { ChainBench } from '../../support/chain-bench';
import { askedOf, createFakeNode } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { contextOf, refusalOf } from '../../support/refusal';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const ETHER = 'eip155:1/slip44:60';
const POL = 'eip155:137/slip44:966';

type Bench = ChainBench & {
  ethereum: FakeNode;
  polygon: FakeNode;
  ask: (...assets: string[]) => Promise<unknown>;
};

/** Two chains that answer, and chain 10, whose node is gone. */
async function setup(): Promise<Bench> {
  const ethereum = createFakeNode({ eth_getBalance: '0x14d1120d7b160000' });
  const polygon = createFakeNode({ eth_getBalance: '0x1' });
  const bench = await createChainBench({ 1: ethereum, 10: undefined, 137: polygon });
  const ask: Bench['ask'] = (...assets) => fetchBalances(bench.chains, ADDRESS, assets);
  return { ...bench, ethereum, polygon, ask };
}

describe('balances', () => {
  it('are the amounts of whole coins, to the last wei', async () => {
    const { ask } = await setup();
    const balances = await ask(ETHER, POL);
    expect(balances).toStrictEqual({
      [ETHER]: { amount: '1.5', unit: 'ETH' },
      [POL]: { amount: '0.000000000000000001', unit: 'POL' },
    });
    expect(is(balances, GetAccountBalancesResponseStruct)).toBe(true);
  });

  it.each([
    ['0x0', '0'],
    ['0xde0b6b3a7640000', '1'],
    ['0x20000000000001', '0.009007199254740993'],
    [
      `0x${'f'.repeat(64)}`,
      '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
    ],
  ])('of %s wei are %s', async (wei, amount) => {
    const { ethereum, ask } = await setup();
    ethereum.answers.eth_getBalance = wei;
    const balances = await ask(ETHER);
    expect(balances).toStrictEqual({ [ETHER]: { amount, unit: 'ETH' } });
    expect(is(balances, GetAccountBalancesResponseStruct)).toBe(true);
  });

  it('are asked for at the latest block, once each', async () => {
    const { ethereum, ask } = await setup();
    await ask(ETHER, POL, ETHER);
    expect(ethereum.calls).toMatchObject([
      { method: 'eth_getBalance', params: [ADDRESS, 'latest'] },
    ]);
  });

  it("are the wallet's where no node is configured", async () => {
    const { wallet, ask } = await setup();
    wallet.answers = { eth_chainId: '0x7', eth_getBalance: '0x0' };
    expect(await ask('eip155:7/slip44:60')).toStrictEqual({
      'eip155:7/slip44:60': { amount: '0', unit: 'ETH' },
    });
  });

  it('of no assets are none', async () => {
    const { ask, network } = await setup();
    expect(await ask()).toStrictEqual({});
    expect(network.sent).toStrictEqual([]);
  });

  it('leave out the chains that cannot be asked', async () => {
    const { ask } = await setup();
    const assets = ['eip155:10/slip44:60', 'eip155:5/slip44:60', POL];
    expect(await ask(...assets)).toStrictEqual({
      [POL]: { amount: '0.000000000000000001', unit: 'POL' },
    });
  });

  it('leave out a chain that answers with no quantity', async () => {
    const { ethereum, ask } = await setup();
    ethereum.answers.eth_getBalance = '1.5';
    expect(await ask(ETHER, POL)).toStrictEqual({
      [POL]: { amount: '0.000000000000000001', unit: 'POL' },
    });
  });

  it('fail with the first failure if none can be had', async () => {
    const { ask } = await setup();
    const call = ask('eip155:10/slip44:60', 'eip155:5/slip44:60');
    expect(await refusalOf(call)).toStrictEqual({
      code: -32002,
      message:
        'eth_getBalance at https://node-10.example could not be reached. ' +
        'Check the address and the connection.',
    });
  });
});

describe('an asset that is not native', () => {
  it.each([
    ['a token', 'eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f'],
    ["another family's coin", 'bip122:000000000019d6689c085ae165831e93/slip44:0'],
    ['a long text', 'x'.repeat(1_000_000)],
  ])('is refused by its position, nobody being asked: %s', async (_what, asset) => {
    const { ethereum, ask } = await setup();
    expect(await refusalOf(ask(ETHER, asset))).toStrictEqual({
      code: -32602,
      message:
        "params.assets[1] must be an EVM chain's native asset, such as eip155:1/slip44:60.",
    });
    expect(await contextOf(ask(ETHER, asset))).toStrictEqual({
      path: 'params.assets[1]',
    });
    expect(askedOf(ethereum)).toStrictEqual([]);
  });

  it('is refused by their number where there are too many', async () => {
    const { ask } = await setup();
    const assets = Array<string>(1_001).fill(ETHER);
    expect(await refusalOf(ask(...assets))).toStrictEqual({
      code: -32602,
      message: 'params.assets must be an array of 0 to 1000 entries.',
    });
  });
});
