// MetaMask's networks, as the snap uses them for chains that are not configured.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import { giveNetworks, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { refusalOf, expectRefusal } from '../support/refusal';
import { createTestApp, DAPP } from '../support/test-app';

const priceOf = (price: string): NodeAnswers => ({
  eth_gasPrice: price,
  eth_feeHistory: refuses({ code: -32601, message: 'unknown' }),
});

/** A wallet whose snap was installed on chain 7, with two other networks. */
function setup() {
  const app = createTestApp();
  const { wallet } = app.edges;
  const given = giveNetworks(wallet, {
    7: priceOf('0x700000000'),
    8: priceOf('0x800000000'),
    9: priceOf('0x900000000'),
  });
  const moves = (): Json[] =>
    wallet.calls
      .filter(({ method }) => method === 'wallet_switchEthereumChain')
      .map(({ params }) => params[0] ?? null);
  return Object.assign(given, {
    ...callersOf(app),
    wallet /** The snap's selections, in order. */,
    moves,
  });
}

/** Gets the low fee level of a chain, by default of the wallet's. */
async function lowOf({ rpc }: Callers, chainId?: number): Promise<string> {
  const scope = chainId === undefined ? {} : { scope: `eip155:${chainId}` };
  const levels = await rpc(DAPP, 'tollkeeper_getFeeLevels', { ...scope, params: [] });
  return (levels as { low: { maxFeePerGas: string } }).low.maxFeePerGas;
}

describe("a chain that is one of MetaMask's networks", () => {
  it('is used without configuration, and another one after it', async () => {
    const bench = setup();
    const [eight, nine] = [await lowOf(bench, 8), await lowOf(bench, 9)];
    expect([eight.slice(0, 3), nine.slice(0, 3)]).toStrictEqual(['0x8', '0x9']);
    expect(bench.moves()).toStrictEqual([{ chainId: '0x8' }, { chainId: '0x9' }]);
  });

  it('does not become the default chain', async () => {
    const bench = setup();
    await lowOf(bench, 8);
    expect(bench.selected).toBe(8n);
    expect((await lowOf(bench)).slice(0, 3)).toBe('0x7');
  });

  it('gets its own answers, however many chains are requested at once', async () => {
    const bench = setup();
    const chains = [8, 9, 7, 8, 8, 9, 7, 7, 9, 8];
    const prices = await Promise.all(chains.map(async (id) => lowOf(bench, id)));
    expect(prices.map((price) => Number(price[2]))).toStrictEqual(chains);
  });

  it('waits for open requests to another one', async () => {
    const bench = setup();
    const gate = createGate();
    const answer = (): Json => gate.opened.then(() => '0x800000000') as never;
    bench.networks.set(8n, { ...priceOf('0x8'), eth_gasPrice: answer });
    const order: number[] = [];
    const ask = async (id: number): Promise<void> => {
      await lowOf(bench, id);
      order.push(id);
    };
    const first = ask(8);
    await settle();
    const other = ask(9);
    await settle();
    expect([order, bench.selected]).toStrictEqual([[], 8n]);
    gate.open();
    await Promise.all([first, other]);
    expect(order).toStrictEqual([8, 9]);
  });

  it('is named in the error if MetaMask does not have it', async () => {
    const bench = setup();
    const reason = 'MetaMask does not have the network eip155:10.';
    await expectRefusal(lowOf(bench, 10), -32002, reason);
    expect((await lowOf(bench, 9)).slice(0, 3)).toBe('0x9');
  });

  it('is found again after MetaMask fails', async () => {
    const bench = setup();
    const switched = bench.wallet.answers;
    bench.wallet.answers = { eth_chainId: refuses({ code: -32603, message: 'down' }) };
    expect(await refusalOf(lowOf(bench, 9))).toHaveProperty('code');
    bench.wallet.answers = switched;
    expect((await lowOf(bench, 9)).slice(0, 3)).toBe('0x9');
  });

  it('is not reported as unknown if MetaMask fails to select it', async () => {
    const bench = setup();
    const switching = { code: -32603, message: 'Internal error.' };
    const answers = bench.wallet.answers;
    bench.wallet.answers = {
      eth_chainId: '0x7',
      wallet_switchEthereumChain: refuses(switching),
    };
    const { message } = await refusalOf(lowOf(bench, 9));
    expect(message).toContain('wallet_switchEthereumChain');
    expect(message).toContain('Internal error.');
    bench.wallet.answers = answers;
    expect((await lowOf(bench)).slice(0, 3)).toBe('0x7');
  });

  it('is not requested from another network that stays selected in MetaMask', async () => {
    const bench = setup();
    const { answers } = bench.wallet;
    bench.wallet.answers = {
      ...priceOf('0x700000000'),
      eth_chainId: '0x7',
      wallet_switchEthereumChain: null,
    };
    const reason = 'MetaMask does not have the network eip155:9.';
    await expectRefusal(lowOf(bench, 9), -32002, reason);
    bench.wallet.answers = answers;
    expect((await lowOf(bench, 9)).slice(0, 3)).toBe('0x9');
  });

  it('is replaced by another one if the user removes it', async () => {
    const bench = setup();
    await lowOf(bench, 8);
    bench.networks.delete(7n);
    await expect(lowOf(bench)).rejects.toThrow('eip155:7');
    expect((await lowOf(bench)).slice(0, 3)).toBe('0x8');
  });
});
