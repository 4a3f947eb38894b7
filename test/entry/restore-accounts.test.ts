// Restoring accounts: what is reported of those of which MetaMask was not asked.
import { callersOf } from '../support/callers';
import { createRestoreBench } from '../support/keyring-bench';
import { COMPANION } from '../support/test-app';

describe('accounts that are restored', () => {
  it('are reported as not checked once the search is cancelled', async () => {
    const { create, restore, app, metamask } = createRestoreBench();
    const [first, second, third] = [await create(), await create(), await create()];
    // MetaMask lacks the last, which nobody learns.
    metamask.accounts.delete(third.id);
    app.edges.events.take = async (event, params) => {
      await callersOf(app).rpc(COMPANION, 'tollkeeper_cancelProgress');
      await metamask.take(event, params);
    };
    expect(await restore()).toMatchObject({
      accounts: [],
      unchanged: [{ id: first.id }],
      unchecked: [second, third].map(({ address }) => ({ address })),
      isComplete: false,
    });
  });

  it('are reported as not checked if MetaMask does not say', async () => {
    const { create, restore, app } = createRestoreBench();
    const { address } = await create();
    app.edges.events.take = async () =>
      Promise.reject(new Error('The wallet is closing.'));
    expect(await restore()).toMatchObject({
      unchanged: [],
      unchecked: [{ name: 'Tollkeeper 1', address }],
      isComplete: true,
    });
  });
});
