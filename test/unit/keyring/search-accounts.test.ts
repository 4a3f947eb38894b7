import { refuses } from '../../support/fake-node';
import { createRestoreBench } from '../../support/keyring-bench';

const idsOf = (accounts: readonly { id: string }[]): string[] =>
  accounts.map(({ id }) => id);

describe('the search for accounts', () => {
  it('ends after a gap of unused ones', async () => {
    const { create, restore, lose, used, metamask } = createRestoreBench();
    const [near, far] = [await create({ index: 2 }), await create({ index: 6 })];
    used.add(near.address).add(far.address);
    metamask.accounts.clear();
    lose();
    const first = await restore();
    expect(first.accounts.map(({ options }) => options.index)).toStrictEqual([0, 1, 2]);
    const second = await restore({ gap: 4 });
    expect(second.accounts.map(({ options }) => options.index)).toStrictEqual([
      3, 4, 5, 6,
    ]);
    expect(idsOf(second.unchanged)).toStrictEqual(idsOf(first.accounts));
  });

  it('goes through another entropy source if it is named', async () => {
    const { create, restore, lose, metamask } = createRestoreBench();
    const account = await create({ entropySource: 'second', index: 1 });
    lose();
    expect((await restore()).recovered).toStrictEqual([]);
    const { recovered } = await restore({ entropySource: 'second' });
    expect(recovered).toStrictEqual([account]);
    expect(metamask.accounts.size).toBe(1);
  });

  it('ends though a node says that every account is used', async () => {
    const { restore, app } = createRestoreBench();
    app.edges.wallet.answers.eth_getTransactionCount = '0x1';
    const restored = await restore({ gap: 100 });
    expect(restored.accounts).toHaveLength(100);
    expect(restored.skipped.length).toBeGreaterThan(900);
    expect(restored.isComplete).toBe(false);
  });

  it('ends after 45 seconds though a slow node goes on to say so', async () => {
    const { restore, app } = createRestoreBench();
    const { answers, calls } = app.edges.wallet;
    answers.eth_getTransactionCount = '0x1';
    answers.eth_blockNumber = '0x1';
    answers.eth_chainId = () => {
      app.edges.clock.time += 23_000;
      return '0x1';
    };
    const { accounts, isComplete } = await restore({ gap: 1 });
    expect(isComplete).toBe(false);
    expect(accounts.length).toBeGreaterThan(0);
    const indices = new Set(accounts.map(({ options }) => options.index));
    expect(indices.size).toBeLessThanOrEqual(2);
    expect(calls.length).toBeLessThan(40);
    answers.eth_getTransactionCount = '0x0';
    answers.eth_chainId = '0x1';
    expect((await restore({ gap: 1 })).isComplete).toBe(true);
  });

  it('asks a chain that failed no more, though the search goes on', async () => {
    const { restore, lose, app } = createRestoreBench();
    const { answers, calls } = app.edges.wallet;
    answers.eth_getBalance = refuses({ code: 1, message: 'down' });
    const countAsked = async (): Promise<number> => {
      calls.length = 0;
      expect(await restore({ gap: 1 })).toMatchObject({
        unreachable: ['eip155:1'],
        isComplete: true,
      });
      return calls.filter(({ method }) => method === 'eth_getBalance').length;
    };
    const unused = await countAsked();
    answers.eth_getTransactionCount = '0x1';
    lose();
    expect(await countAsked()).toBe(unused);
  });
});
