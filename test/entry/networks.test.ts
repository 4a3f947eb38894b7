// MetaMask's networks, which serve the chains without configuration.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import { serveNetworks, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { refusalOf, expectRefusal } from '../support/refusal';
import { createTestApp, DAPP } from '../support/test-app';

const answersWith = (price: string): NodeAnswers => ({
  eth_gasPrice: price,
  eth_feeHistory: refuses({ code: -32601, message: 'unknown' }),
});

/** Sets up MetaMask with chains 7, 8 and 9, of which 7 is selected. */
function setup() {
  const app = createTestApp();
  const { wallet } = app.edges;
  const metamask = serveNetworks(wallet, {
    7: answersWith('0x700000000'),
    8: answersWith('0x800000000'),
    9: answersWith('0x900000000'),
  });
  const selections = (): Json[] =>
    wallet.calls
      .filter(({ method }) => method === 'wallet_switchEthereumChain')
      .map(({ params }) => params[0] ?? null);
  return Object.assign(metamask, { ...callersOf(app), wallet, selections });
}

async function lowFee({ rpc }: Callers, chainId?: number): Promise<string> {
  const scope = chainId === undefined ? {} : { scope: `eip155:${chainId}` };
  const levels = await rpc(DAPP, 'tollkeeper_getFeeLevels', { ...scope, params: [] });
  return (levels as { low: { maxFeePerGas: string } }).low.maxFeePerGas;
}

describe('a chain without configuration', () => {
  it('is served by its network in MetaMask, even after another one', async () => {
    const bench = setup();
    const [eight, nine] = [await lowFee(bench, 8), await lowFee(bench, 9)];
    expect([eight.slice(0, 3), nine.slice(0, 3)]).toStrictEqual(['0x8', '0x9']);
    expect(bench.selections()).toStrictEqual([{ chainId: '0x8' }, { chainId: '0x9' }]);
  });

  it('does not become the default chain', async () => {
    const bench = setup();
    await lowFee(bench, 8);
    expect(bench.selected).toBe(8n);
    expect((await lowFee(bench)).slice(0, 3)).toBe('0x7');
  });

  it('gets its own answers when several chains are requested at once', async () => {
    const bench = setup();
    const chains = [8, 9, 7, 8, 8, 9, 7, 7, 9, 8];
    const prices = await Promise.all(chains.map(async (id) => lowFee(bench, id)));
    expect(prices.map((price) => Number(price[2]))).toStrictEqual(chains);
  });

  it('waits for open requests to another network', async () => {
    const bench = setup();
    const gate = createGate();
    const answer = (): Json => gate.opened.then(() => '0x800000000') as never;
    bench.networks.set(8n, { ...answersWith('0x8'), eth_gasPrice: answer });
    const order: number[] = [];
    const readFee = async (id: number): Promise<void> => {
      await lowFee(bench, id);
      order.push(id);
    };
    const first = readFee(8);
    await settle();
    const other = readFee(9);
    await settle();
    expect([order, bench.selected]).toStrictEqual([[], 8n]);
    gate.open();
    await Promise.all([first, other]);
    expect(order).toStrictEqual([8, 9]);
  });

  it('is named in the error if MetaMask does not have it', async () => {
    const bench = setup();
    const reason = 'MetaMask does not have the network eip155:10.';
    await expectRefusal(lowFee(bench, 10), -32002, reason);
    expect((await lowFee(bench, 9)).slice(0, 3)).toBe('0x9');
  });

  it('is usable again after MetaMask fails', async () => {
    const bench = setup();
    const switched = bench.wallet.answers;
    bench.wallet.answers = { eth_chainId: refuses({ code: -32603, message: 'down' }) };
    expect(await refusalOf(lowFee(bench, 9))).toHaveProperty('code');
    bench.wallet.answers = switched;
    expect((await lowFee(bench, 9)).slice(0, 3)).toBe('0x9');
  });

  it("is reported with MetaMask's error, not as unknown, if it cannot be selected", async () => {
    const bench = setup();
    const switching = { code: -32603, message: 'Internal error.' };
    const answers = bench.wallet.answers;
    bench.wallet.answers = {
      eth_chainId: '0x7',
      wallet_switchEthereumChain: refuses(switching),
    };
    const { message } = await refusalOf(lowFee(bench, 9));
    expect(message).toContain('wallet_switchEthereumChain');
    expect(message).toContain('Internal error.');
    bench.wallet.answers = answers;
    expect((await lowFee(bench)).slice(0, 3)).toBe('0x7');
  });

  it('is reported as unknown if MetaMask keeps another network selected', async () => {
    const bench = setup();
    const { answers } = bench.wallet;
    bench.wallet.answers = {
      ...answersWith('0x700000000'),
      eth_chainId: '0x7',
      wallet_switchEthereumChain: null,
    };
    const reason = 'MetaMask does not have the network eip155:9.';
    await expectRefusal(lowFee(bench, 9), -32002, reason);
    bench.wallet.answers = answers;
    expect((await lowFee(bench, 9)).slice(0, 3)).toBe('0x9');
  });

  it('is no longer the default chain after the user removes it', async () => {
    const bench = setup();
    await lowFee(bench, 8);
    bench.networks.delete(7n);
    await expect(lowFee(bench)).rejects.toThrow('eip155:7');
    expect((await lowFee(bench)).slice(0, 3)).toBe('0x8');
  });
});
