import type { Json } from '@metamask/utils';

import { openHome, pass } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { textOf } from '../../../support/view';

const HOME = 'tollkeeper_home';

/** A home page whose figures have come once. */
async function setup(): Promise<HomeBench> {
  const home = await openHome();
  await home.wake();
  return home;
}

describe('drawing the home page anew', () => {
  it.each<[string, (home: HomeBench) => void]>([
    ['it is gone', ({ app, id }) => app.edges.screens.delete(id)],
    ['nobody touched it for 15 minutes', ({ app }) => pass(app.edges, 15 * 60_000)],
  ])('ends once %s', async (_when, end) => {
    const home = await setup();
    end(home);
    await home.wake();
    expect(home.app.edges.wakes).toStrictEqual([]);
  });

  it('goes on once it is touched', async () => {
    const home = await setup();
    pass(home.app.edges, 15 * 60_000);
    await home.wake();
    await home.click('home.frame.refresh');
    expect(home.app.edges.wakes).toStrictEqual([[HOME, home.id, 10]]);
  });

  it.each<Json>([null, [], [7], {}])(
    'lets be an event with the params %j',
    async (params) => {
      const home = await setup();
      const before = home.page();
      await home.app.services.home.refresh(params);
      expect(home.page()).toBe(before);
    },
  );

  it('does not undo what its user did while figures were loaded', async () => {
    const home = await openHome();
    const { ledger } = home.app.services;
    const { listPending } = ledger;
    ledger.listPending = async () => {
      ledger.listPending = listPending;
      await home.click('home.frame.tab:sites');
      return listPending();
    };
    await home.wake();
    expect(home.place().tab).toBe('sites');
    expect(home.texts()).toContain(textOf('sites.title'));
    expect(home.texts()).not.toContain(textOf('gas.title'));
  });

  it('shows what was clicked last, though the click before still loads', async () => {
    const home = await setup();
    const { ledger } = home.app.services;
    const { listPending } = ledger;
    let clicked: Promise<unknown> | undefined;
    ledger.listPending = async () => {
      ledger.listPending = listPending;
      clicked = home.click('home.frame.tab:sites');
      await clicked;
      return listPending();
    };
    await home.click('home.frame.tab:activity');
    expect(clicked).toBeDefined();
    expect(home.place().tab).toBe('sites');
    expect(home.texts()).toContain(textOf('sites.title'));
  });

  it.each([
    ['stays where its user went', 'sites', undefined],
    ['comes back to tell what failed', 'gas', new Error('It is over.')],
  ])('%s while something else was done', async (_what, tab, failure) => {
    const home = await setup();
    const { keyring } = home.app.services;
    const { settle } = keyring;
    keyring.settle = async () => {
      keyring.settle = settle;
      await home.click('home.frame.tab:sites');
      if (failure) throw failure;
    };
    await home.click('home.frame.tab:activity');
    expect(home.place().tab).toBe(tab);
  });
});
