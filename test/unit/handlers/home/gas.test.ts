import type { Json } from '@metamask/utils';

import { openHome, pass } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createTestApp } from '../../../support/test-app';
import type { TestApp } from '../../../support/test-app';
import { elementsOf, textOf } from '../../../support/view';

const SCOPE = 'eip155:10';

/** A node of OP Mainnet behind an address, whose base fee is a gwei. */
function serveOther({ edges }: TestApp): void {
  const results: Record<string, Json> = {
    eth_chainId: '0xa',
    eth_feeHistory: {
      oldestBlock: '0x1',
      baseFeePerGas: ['0x77359400', '0x77359400'],
      gasUsedRatio: [1],
      reward: [['0x1', '0x1', '0x1']],
    },
  };
  const answer = ({ id, method }: { id: Json; method: string }): Json => ({
    jsonrpc: '2.0',
    id,
    result: results[method] ?? null,
  });
  edges.network.serve('https://op.example', ({ body = '' }) => {
    const asked = JSON.parse(body) as Parameters<typeof answer>[0];
    const answers = Array.isArray(asked) ? asked.map(answer) : answer(asked);
    return Response.json(answers);
  });
}

async function configure({ services }: TestApp): Promise<void> {
  const row = {
    rpcUrl: 'https://op.example',
    gasBaseUrl: 'https://gas.example',
    apiKey: 'k',
  };
  await services.store.update((state) => ({
    ...state,
    chains: { ...state.chains, [SCOPE]: row },
  }));
}

async function setup(): Promise<HomeBench> {
  const app = createTestApp();
  serveOther(app);
  await configure(app);
  const home = await openHome(app);
  await home.wake();
  return home;
}

/** Get the value beside a label. */
function valueOf(home: HomeBench, label: string): string | undefined {
  const texts = home.texts();
  const index = texts.indexOf(label);
  return index < 0 ? undefined : texts[index + 1];
}

describe('the tab of the gas market', () => {
  it('says that nothing is known before anything was asked', async () => {
    const home = await openHome();
    expect(home.texts()).toContain(textOf('gas.noChain'));
  });

  it("shows the snap's own network with its figures", async () => {
    const home = await setup();
    expect(valueOf(home, textOf('gas.baseFee'))).toBe('1 gwei');
    expect(valueOf(home, textOf('gas.congestion'))).toBe('50 %');
    expect(valueOf(home, textOf('gas.source'))).toBe(textOf('source.feeHistory'));
    const [image] = elementsOf(home.page()).filter(({ type }) => type === 'Image');
    expect(image?.props.src).toMatch(/^<svg .*polyline.*<\/svg>$/su);
  });

  it('draws at once what was known, and says how old it is', async () => {
    const home = await setup();
    pass(home.app.edges, 120_000);
    const again = await openHome(home.app);
    expect(again.texts()).toContain(textOf('gas.asOf', { age: '2 min' }));
    expect(elementsOf(again.page()).some(({ type }) => type === 'Image')).toBe(true);
  });

  it('shows another network that is chosen, and what is configured for it', async () => {
    const home = await setup();
    await home.choose('home.gas.chain', SCOPE);
    expect(home.place()).toMatchObject({ tab: 'gas', chain: SCOPE });
    expect(valueOf(home, textOf('gas.baseFee'))).toBe('2 gwei');
    expect(valueOf(home, textOf('server.gas'))).toBe(textOf('server.configured'));
    const [chosen] = elementsOf(home.page()).filter(({ type }) => type === 'Dropdown');
    expect(chosen?.props.value).toBe(SCOPE);
    // The gas API is not there; the node tells the fees.
    const age = '0 sec';
    const failed = textOf('server.unreachable', { age });
    expect(valueOf(home, textOf('server.gasAnswer'))).toBe(failed);
    expect(valueOf(home, textOf('server.nodeAnswer'))).toBe(
      textOf('server.ok', { age }),
    );
    expect(home.notices()).toStrictEqual([]);
  });

  it.each<Json>(['', 'eip155:x', 7])(
    'stays where it is if %j is chosen',
    async (value) => {
      const home = await setup();
      await home.choose('home.gas.chain', value as string);
      expect(home.place()).not.toHaveProperty('chain');
    },
  );

  it('shows offline what was known, and says what is wrong', async () => {
    const home = await setup();
    const { wallet } = home.app.edges;
    wallet.answers = { eth_chainId: '0x1' };
    pass(home.app.edges, 60_000);
    await home.click('home.frame.refresh');
    expect(valueOf(home, textOf('gas.baseFee'))).toBe('1 gwei');
    expect(home.notices()).toHaveLength(1);
    const failed = textOf('server.failed', { age: '0 sec' });
    expect(valueOf(home, textOf('server.nodeAnswer'))).toBe(failed);
  });

  it('says that no network can be reached where none can', async () => {
    const app = createTestApp();
    app.edges.wallet.answers = {};
    const home = await openHome(app);
    await home.wake();
    expect(home.texts()).toContain(textOf('gas.noChain'));
  });
});
