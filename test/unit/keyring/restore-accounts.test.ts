import type { Json } from '@metamask/utils';

import type { Restored } from '../../../src/keyring/restore-accounts';
import { callersOf } from '../../support/callers';
import { refuses } from '../../support/fake-node';
import { createKeyringBench } from '../../support/keyring-bench';
import type { KeyringBench } from '../../support/keyring-bench';
import { createMemoryBackend } from '../../support/memory-backend';
import { IMPORTED_KEY } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { COMPANION } from '../../support/test-app';

type Bench = KeyringBench & {
  restore: (options?: Record<string, Json>) => Promise<Restored>;
  /** Addresses that the wallet's chain has seen. */
  used: Set<string>;
  /** Lose the snap's state, as removing the snap does. */
  lose: () => void;
};

const idsOf = (accounts: readonly { id: string }[]): string[] =>
  accounts.map(({ id }) => id);

function setup(): Bench {
  const bench = createKeyringBench();
  const used = new Set<string>();
  bench.app.edges.wallet.answers.eth_getBalance = ([address]) =>
    used.has(address as string) ? '0x1' : '0x0';
  return Object.assign(bench, {
    used,
    restore: async (options = {}) =>
      (await callersOf(bench.app).rpc(COMPANION, 'tollkeeper_restoreAccounts', [
        { gap: 3, ...options },
      ])) as unknown as Restored,
    lose: () => {
      bench.app.edges.backend = createMemoryBackend();
      bench.app.edges.publicBackend = createMemoryBackend();
      bench.restart();
    },
  });
}

describe('restoring accounts', () => {
  it('brings back what MetaMask still holds, without a question', async () => {
    const { create, restore, lose, metamask, sides } = setup();
    const made = [
      await create(),
      await create({ index: 3 }),
      await create({ type: 'eip155:erc4337', scopes: ['eip155:1'], index: 1 }),
    ];
    const asked = metamask.asked.length;
    lose();
    const restored = await restore();
    expect(idsOf(restored.recovered).sort()).toStrictEqual(idsOf(made).sort());
    expect(restored).toMatchObject({ accounts: [], declined: [], unreachable: [] });
    expect(metamask.asked).toHaveLength(asked);
    const { snap, metamask: held } = await sides();
    expect(snap).toStrictEqual(held);
    expect([...metamask.accounts.values()]).toStrictEqual(made);
  });

  it('makes used accounts again, and those before them, of which MetaMask asks', async () => {
    const { create, restore, lose, used, metamask, sides } = setup();
    const made = [await create(), await create(), await create()];
    const smart = await create({
      type: 'eip155:erc4337',
      entryPoint: '0.7',
      scopes: ['eip155:1'],
    });
    used.add(String(made[2]?.address)).add(smart.address);
    metamask.accounts.clear();
    lose();
    const restored = await restore();
    expect(idsOf(restored.accounts).sort()).toStrictEqual(
      idsOf([...made, smart]).sort(),
    );
    expect([...metamask.accounts.values()]).toStrictEqual(
      expect.arrayContaining([...made, smart]),
    );
    expect((await sides()).snap).toHaveLength(4);
  });

  it('ends the search after a gap of unused ones', async () => {
    const { create, restore, lose, used, metamask } = setup();
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

  it('announces again what MetaMask lacks, imported keys too', async () => {
    const { create, restore, metamask, sides } = setup();
    const made = [await create(), await create({ privateKey: IMPORTED_KEY })];
    const kept = await create();
    for (const { id } of made) metamask.accounts.delete(id);
    const restored = await restore();
    expect(restored.accounts).toStrictEqual(made);
    expect(restored.unchanged).toStrictEqual([kept]);
    const { snap, metamask: held } = await sides();
    expect(held).toStrictEqual(snap);
  });

  it('goes on after one that is declined, and after one that fails', async () => {
    const { create, restore, metamask } = setup();
    const made = [await create(), await create(), await create()];
    metamask.accounts.clear();
    metamask.elsewhere.add(String(made[1]?.address));
    let asked = 0;
    metamask.decide = () => Promise.resolve((asked += 1) !== 1);
    const restored = await restore();
    expect(restored.accounts).toStrictEqual([made[2]]);
    expect(restored.declined).toStrictEqual([
      { name: 'Tollkeeper 1', address: made[0]?.address },
    ]);
    expect(restored.failed).toStrictEqual([
      {
        name: 'Tollkeeper 2',
        address: made[1]?.address,
        code: -32602,
        message:
          `MetaMask holds an account with the address ${made[1]?.address} already, ` +
          'outside of Tollkeeper.',
      },
    ]);
  });

  it('searches another entropy source if it is named', async () => {
    const { create, restore, lose, metamask } = setup();
    const account = await create({ entropySource: 'second', index: 1 });
    lose();
    expect((await restore()).recovered).toStrictEqual([]);
    const { recovered } = await restore({ entropySource: 'second' });
    expect(recovered).toStrictEqual([account]);
    expect(metamask.accounts.size).toBe(1);
  });

  it('names the chains that could not be asked, and restores what it can', async () => {
    const { create, restore, lose, app } = setup();
    const account = await create();
    app.edges.wallet.answers.eth_getBalance = refuses({ code: 1, message: 'down' });
    lose();
    expect(await restore()).toMatchObject({
      recovered: [account],
      unreachable: ['eip155:1'],
    });
  });

  it('restores what MetaMask holds though the wallet has no network at all', async () => {
    const { create, restore, lose, app } = setup();
    const account = await create();
    app.edges.wallet.answers.eth_chainId = refuses({ code: 1, message: 'down' });
    lose();
    expect((await restore()).recovered).toStrictEqual([account]);
  });

  it('ends though a node says that every account is used', async () => {
    const { restore, app } = setup();
    app.edges.wallet.answers.eth_getTransactionCount = '0x1';
    const restored = await restore({ gap: 100 });
    expect(restored.accounts).toHaveLength(100);
    expect(restored.skipped.length).toBeGreaterThan(900);
  }, 60_000);

  it.each<[string, Json]>([
    ['gap must be an integer from 1 to 100', { gap: 0 }],
    ['gap must be an integer from 1 to 100', { gap: 101 }],
    ['depth is not expected here', { depth: 1 }],
  ])('refuses options of which %s', async (reason, options) => {
    const { restore } = setup();
    expect(await refusalOf(restore(options as Record<string, Json>))).toStrictEqual({
      code: -32602,
      message: `tollkeeper_restoreAccounts: params.${reason}.`,
    });
  });
});
