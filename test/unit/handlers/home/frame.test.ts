import { InternalError, UnavailableError } from '../../../../src/errors';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createTestApp } from '../../../support/test-app';
import type { TestApp } from '../../../support/test-app';
import { elementsOf, textOf, textsOf } from '../../../support/view';

const HOME = 'tollkeeper_home';

const asked = ({ edges }: TestApp): unknown => [
  edges.backend.loads,
  edges.wallet.calls,
  edges.network.sent,
];

/** A home page whose figures have come once. */
async function setup(): Promise<HomeBench> {
  const home = await openHome();
  await home.wake();
  return home;
}

describe('the home page', () => {
  it('is drawn at once: nothing encrypted is read, and nobody is asked', async () => {
    const home = await openHome();
    expect(asked(home.app)).toStrictEqual([0, [], []]);
    expect(home.texts()).toContain(textOf('gas.title'));
    expect(home.app.edges.wakes).toStrictEqual([[HOME, home.id, 1]]);
  });

  it('is drawn while nothing can be scheduled', async () => {
    const app = createTestApp();
    app.services.wakes.add = () => Promise.reject(new Error('no'));
    const home = await openHome(app);
    expect(home.texts()).toContain(textOf('gas.title'));
  });

  it('loads fresh figures soon, again and again, and arms the follower', async () => {
    const home = await openHome();
    const { edges, services } = home.app;
    let armed = 0;
    services.tracker.arm = () => Promise.resolve(void (armed += 1));
    await home.wake();
    expect(home.texts()).toContain(textOf('gas.fresh'));
    expect(edges.wakes).toStrictEqual([[HOME, home.id, 10]]);
    await home.wake();
    expect(edges.wakes).toStrictEqual([[HOME, home.id, 10]]);
    expect(armed).toBe(2);
  });

  it('goes to each tab, also after the snap was stopped', async () => {
    const home = await setup();
    for (const tab of ['activity', 'requests', 'sites', 'gas']) {
      home.restart();
      await home.click(`home.frame.tab:${tab}`);
      expect(home.place()).toMatchObject({ tab, page: 0, notices: [] });
      const open = elementsOf(home.page()).find(
        ({ props }) => props.name === `home.frame.tab:${tab}`,
      );
      expect(open?.props.disabled).toBe(true);
    }
  });

  it('shows while locked what stands in the clear, and asks nobody to unlock', async () => {
    const home = await setup();
    home.app.edges.clock.isLocked = true;
    home.restart();
    const { loads } = home.app.edges.backend;
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('home.locked'));
    expect(home.texts()).toContain(textOf('level.medium'));
    await home.click('home.frame.tab:sites');
    expect(home.texts()).toContain(textOf('home.locked'));
    expect(home.texts()).not.toContain(textOf('sites.title'));
    await home.wake();
    expect(home.app.edges.backend.loads).toBe(loads);
  });

  it('tells once of a document that is damaged, and still draws the gas', async () => {
    const home = await setup();
    home.app.edges.backend.document = { version: 99 };
    home.restart();
    await home.click('home.frame.refresh');
    expect(home.notices()).toStrictEqual([
      'The stored encrypted state was written by a newer version of Tollkeeper (99, this ' +
        'one knows 1) and was left as it is: update the snap.',
    ]);
    expect(home.texts()).toContain(textOf('level.medium'));
    await home.click('home.frame.tab:sites');
    expect(home.notices()).toHaveLength(1);
    expect(home.texts()).not.toContain(textOf('sites.title'));
  });

  it('works with a damaged public document', async () => {
    const app = createTestApp();
    app.edges.publicBackend.document = { version: 99 };
    const home = await openHome(app);
    expect(home.texts()).toContain(textOf('gas.title'));
    await home.wake();
    expect(home.texts()).toContain(textOf('gas.unknown'));
    expect(home.notices()).toHaveLength(1);
  });

  it('tells in words of its own what is none of the user’s', async () => {
    const home = await setup();
    home.app.services.grants.revoke = () => Promise.reject(new InternalError('x1'));
    await home.app.services.grants.set('https://a.example', []);
    await home.app.services.home.input(home.id, {
      type: 'ButtonClickEvent' as never,
      name: 'home.sites.revoke:https://a.example',
    });
    expect(home.notices()).toStrictEqual([textOf('home.failed')]);
  });

  it('stays where it is when an action fails, until the next one', async () => {
    const home = await setup();
    home.app.services.grants.revoke = () =>
      Promise.reject(new UnavailableError('It is not to be had.'));
    await home.app.services.home.input(home.id, {
      type: 'ButtonClickEvent' as never,
      name: 'home.sites.revoke:x',
    });
    expect(home.place().tab).toBe('gas');
    expect(home.notices()).toStrictEqual(['It is not to be had.']);
    await home.wake();
    expect(home.notices()).toStrictEqual(['It is not to be had.']);
    await home.click('home.frame.refresh');
    expect(home.notices()).toStrictEqual([]);
  });

  it.each([
    'home.x.y',
    'home.sites.toString',
    'home.frame.constructor',
    'home.',
    'home.gas',
  ])('lets be a button that is none of its own: %j', async (name) => {
    const home = await setup();
    const before = home.page();
    const event = { type: 'ButtonClickEvent' as never, name };
    await home.app.services.home.input(home.id, event);
    expect(home.page()).toBe(before);
  });

  it('begins anew where its place cannot be read', async () => {
    const home = await setup();
    home.app.edges.screens.contexts.set(home.id, { tab: 'of another version' });
    await home.click('home.frame.refresh');
    expect(home.place()).toMatchObject({ tab: 'gas', page: 0 });
  });

  it('counts what waits for its user', async () => {
    const app = createTestApp();
    app.services.ledger.listPending = () => Promise.resolve([{}, {}] as never);
    const home = await openHome(app);
    await home.wake();
    const totals = elementsOf(home.page())
      .filter(({ type }) => type === 'Row')
      .map((row) => textsOf(row))
      .slice(0, 2);
    expect(totals).toStrictEqual([
      [textOf('home.totalRequests'), '0'],
      [textOf('home.totalPending'), '2'],
    ]);
  });

  it('counts nothing where nothing waits', async () => {
    const home = await setup();
    expect(home.texts()).not.toContain(textOf('home.totalRequests'));
  });
});
