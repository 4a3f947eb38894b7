import type { Json } from '@metamask/utils';

import { refuses } from '../../support/fake-node';
import { createRestoreBench } from '../../support/keyring-bench';
import { IMPORTED_KEY } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const idsOf = (accounts: readonly { id: string }[]): string[] =>
  accounts.map(({ id }) => id);

describe('restoring accounts', () => {
  it('brings back what MetaMask still holds, without a question', async () => {
    const { create, restore, lose, metamask, sides } = createRestoreBench();
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
    const { create, restore, lose, used, metamask, sides } = createRestoreBench();
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

  it('announces again what MetaMask lacks, imported keys too', async () => {
    const { create, restore, metamask, sides } = createRestoreBench();
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
    const { create, restore, metamask } = createRestoreBench();
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

  it('names the chains that could not be asked, and restores what it can', async () => {
    const { create, restore, lose, app } = createRestoreBench();
    const account = await create();
    app.edges.wallet.answers.eth_getBalance = refuses({ code: 1, message: 'down' });
    lose();
    expect(await restore()).toMatchObject({
      recovered: [account],
      unreachable: ['eip155:1'],
    });
  });

  it('restores what MetaMask holds though the wallet has no network at all', async () => {
    const { create, restore, lose, app } = createRestoreBench();
    const account = await create();
    app.edges.wallet.answers.eth_chainId = refuses({ code: 1, message: 'down' });
    lose();
    expect((await restore()).recovered).toStrictEqual([account]);
  });

  it.each<[string, Json]>([
    ['gap must be an integer from 1 to 100', { gap: 0 }],
    ['gap must be an integer from 1 to 100', { gap: 101 }],
    ['depth is not expected here', { depth: 1 }],
  ])('refuses options of which %s', async (reason, options) => {
    const { restore } = createRestoreBench();
    expect(await refusalOf(restore(options as Record<string, Json>))).toStrictEqual({
      code: -32602,
      message: `tollkeeper_restoreAccounts: params.${reason}.`,
    });
  });
});
