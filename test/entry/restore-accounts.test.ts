// Restoring accounts: what the search finds, and the result for each account.
import type { KeyringAccount } from '@metamask/keyring-api';

import { refuses } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeChains } from '../support/given';
import { createRestoreBench } from '../support/keyring-bench';
import { IMPORTED_KEY } from '../support/records';
import { refusalOf } from '../support/refusal';

const idsOf = (accounts: readonly { id: string }[]): string[] =>
  accounts.map(({ id }) => id).sort();

const indicesOf = (accounts: readonly KeyringAccount[]): unknown[] =>
  accounts.map(({ options }) => options.index);

const smart = { type: 'eip155:erc4337', entryPoint: '0.7', scopes: ['eip155:1'] };

const down = refuses({ code: 1, message: 'down' });

describe('restored accounts', () => {
  it('include those that MetaMask still holds, without asking the user', async () => {
    const { create, restore, loseState, metamask, listBothSides } =
      createRestoreBench();
    const made = [
      await create(),
      await create({ index: 3 }),
      await create({ ...smart, index: 1 }),
    ];
    const asked = metamask.asked.length;
    loseState();
    const restored = await restore();
    expect(idsOf(restored.recovered)).toStrictEqual(idsOf(made));
    expect(restored).toMatchObject({ accounts: [], declined: [], unreachable: [] });
    expect(metamask.asked).toHaveLength(asked);
    expect((await listBothSides()).snap).toStrictEqual(idsOf(made));
    expect([...metamask.accounts.values()]).toStrictEqual(made);
  });

  it('include used accounts and those with lower indices, if the user agrees in MetaMask', async () => {
    const { create, restore, loseState, used, metamask, listBothSides } =
      createRestoreBench();
    const made = [await create(), await create(), await create(), await create(smart)];
    used.add(String(made[2]?.address)).add(String(made[3]?.address));
    metamask.accounts.clear();
    loseState();
    expect(idsOf((await restore()).accounts)).toStrictEqual(idsOf(made));
    expect([...metamask.accounts.values()]).toStrictEqual(expect.arrayContaining(made));
    expect((await listBothSides()).snap).toHaveLength(4);
  });

  it('include those that MetaMask lacks, even imported keys', async () => {
    const { create, restore, metamask, listBothSides } = createRestoreBench();
    const made = [await create(), await create({ privateKey: IMPORTED_KEY })];
    const kept = await create();
    for (const { id } of made) metamask.accounts.delete(id);
    const { accounts, unchanged } = await restore();
    expect([accounts, unchanged]).toStrictEqual([made, [kept]]);
    const { snap, metamask: held } = await listBothSides();
    expect(held).toStrictEqual(snap);
  });

  it('include accounts after a declined and a failed one', async () => {
    const { create, restore, metamask } = createRestoreBench();
    const made = [await create(), await create(), await create()];
    metamask.accounts.clear();
    metamask.elsewhere.add(String(made[1]?.address));
    let asked = 0;
    metamask.decide = () => Promise.resolve((asked += 1) !== 1);
    const [first, second] = made.map(({ address }) => address);
    expect(await restore()).toMatchObject({
      accounts: [made[2]],
      declined: [{ name: 'Tollkeeper 1', address: first }],
      failed: [{ name: 'Tollkeeper 2', address: second, code: -32602 }],
    });
  });

  it.each<[string, string[]]>([
    ['eth_getBalance', ['eip155:1']],
    ['eth_chainId', []],
  ])('include those that MetaMask holds if %s fails', async (method, unreachable) => {
    const { create, restore, loseState, app } = createRestoreBench();
    const account = await create();
    app.edges.wallet.answers[method] = down;
    loseState();
    expect(await restore()).toMatchObject({ recovered: [account], unreachable });
  });

  it('are reported as unchecked after the search is cancelled', async () => {
    const { create, restore, app, metamask } = createRestoreBench();
    const [first, second, third] = [await create(), await create(), await create()];
    // MetaMask lacks the third account, but the search is cancelled before it notices.
    metamask.accounts.delete(third.id);
    app.edges.events.take = async (event, params) => {
      app.services.progress.cancel();
      await metamask.take(event, params);
    };
    expect(await restore()).toMatchObject({
      accounts: [],
      unchanged: [{ id: first.id }],
      unchecked: [second, third].map(({ address }) => ({ address })),
      isComplete: false,
    });
  });

  it('come from one search at a time', async () => {
    const { create, restore, metamask, app } = createRestoreBench();
    const account = await create();
    metamask.accounts.clear();
    const { opened, open } = createGate();
    metamask.decide = async () => opened.then(() => true);
    const first = restore();
    await settle();
    await settle();
    expect(app.services.progress.find()).toMatchObject({ done: 0, total: 1 });
    expect(await refusalOf(restore())).toStrictEqual({
      code: -32005,
      message:
        "Accounts are already being restored. Tollkeeper's page in MetaMask shows the progress.",
    });
    open();
    expect(await first).toMatchObject({ accounts: [account] });
    expect(app.services.progress.find()).toBeUndefined();
    expect(await restore()).toMatchObject({ unchanged: [account] });
  });

  it('are reported as unchecked if MetaMask does not answer', async () => {
    const { create, restore, app } = createRestoreBench();
    const { address } = await create();
    app.edges.events.take = async () =>
      Promise.reject(new Error('The wallet is closing.'));
    expect(await restore()).toMatchObject({
      unchanged: [],
      // Four indices have six accounts each.
      unchecked: Array.from({ length: 24 }, (_none, at) =>
        at === 0 ? { name: 'Tollkeeper 1', address } : {},
      ),
      isComplete: true,
    });
  });

  it('are reported as unchecked if they are unused smart accounts and no network is known', async () => {
    const { create, restore, loseState, app } = createRestoreBench();
    const { address } = await create(smart);
    app.edges.wallet.answers.eth_chainId = down;
    loseState();
    const { recovered, unchecked } = await restore({ gap: 1 });
    expect([recovered.length, unchecked.length]).toStrictEqual([0, 5]);
    expect(unchecked).toContainEqual({ name: 'Tollkeeper Smart 1', address });
  });
});

describe('the search for accounts', () => {
  it('ends after a gap of unused indices', async () => {
    const { create, restore, loseState, used, metamask } = createRestoreBench();
    const [near, far] = [await create({ index: 2 }), await create({ index: 6 })];
    used.add(near.address).add(far.address);
    metamask.accounts.clear();
    loseState();
    const first = await restore();
    expect(indicesOf(first.accounts)).toStrictEqual([0, 1, 2]);
    const second = await restore({ gap: 4 });
    expect(indicesOf(second.accounts)).toStrictEqual([3, 4, 5, 6]);
    expect(idsOf(second.unchanged)).toStrictEqual(idsOf(first.accounts));
  });

  it('ends after 45 seconds even if a slow node keeps reporting used accounts', async () => {
    const { restore, app } = createRestoreBench();
    const { answers } = app.edges.wallet;
    Object.assign(answers, { eth_getTransactionCount: '0x1', eth_blockNumber: '0x1' });
    answers.eth_chainId = () => {
      app.edges.clock.time += 23_000;
      return '0x1';
    };
    const { accounts, skipped, isComplete } = await restore({ gap: 20 });
    // Each index has up to six accounts, and the search offers at most 100 to MetaMask.
    expect([accounts.length, skipped.length, isComplete]).toStrictEqual([
      100,
      20,
      false,
    ]);
    Object.assign(answers, { eth_getTransactionCount: '0x0', eth_chainId: '0x1' });
    expect((await restore({ gap: 1 })).isComplete).toBe(true);
  });

  it('continues where it was cancelled, unless the networks have changed', async () => {
    const bench = createRestoreBench();
    const { create, restore, loseState, used, metamask, app } = bench;
    const far = await create({ index: 30 });
    used.add(far.address);
    metamask.accounts.clear();
    loseState();
    const { answers, calls } = app.edges.wallet;
    const listAsked = (): unknown[] =>
      calls
        .splice(0)
        .flatMap(({ method, params }) => (method === 'eth_getCode' ? [params[0]] : []));
    const cancelEarly = async (): Promise<unknown[]> => {
      answers.eth_getCode = () => {
        bench.app.services.progress.cancel();
        return '0x';
      };
      expect(await restore({ gap: 60 })).toMatchObject({ isComplete: false });
      answers.eth_getCode = '0x';
      return listAsked();
    };
    const first = await cancelEarly();
    // Each index has six accounts.
    expect(first).toHaveLength(20 * 6);
    await storeChains(bench.app, { 'eip155:10': { rpcUrl: 'https://node.example' } });
    expect(await cancelEarly()).toStrictEqual(first);
    const restored = await restore({ gap: 60 });
    expect(restored).toMatchObject({ isComplete: true, unreachable: ['eip155:10'] });
    expect(indicesOf(restored.accounts)).toStrictEqual([...Array(31).keys()]);
    const asked = listAsked();
    expect(asked).toHaveLength((91 - 20) * 6);
    expect(asked.filter((address) => first.includes(address))).toStrictEqual([]);
    await restore({ gap: 1 });
    expect(listAsked()).toStrictEqual(expect.arrayContaining(first));
  });

  it('continues without another request to a failed chain', async () => {
    const { restore, loseState, app } = createRestoreBench();
    const { answers, calls } = app.edges.wallet;
    answers.eth_getBalance = down;
    const countAsked = async (): Promise<number> => {
      calls.length = 0;
      const end = { unreachable: ['eip155:1'], isComplete: true };
      expect(await restore({ gap: 1 })).toMatchObject(end);
      return calls.filter(({ method }) => method === 'eth_getBalance').length;
    };
    const unused = await countAsked();
    answers.eth_getTransactionCount = '0x1';
    loseState();
    expect(await countAsked()).toBe(unused);
  });
});
