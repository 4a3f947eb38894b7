import type { Hex } from '../../../../src/eth/hex';
import { SitesTab } from '../../../../src/ui/home/sites';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createAccount, createTestApp, DAPP } from '../../../support/test-app';
import { elementsOf, textOf, translate } from '../../../support/view';

const OTHER = 'https://other.example';

type Bench = { home: HomeBench; ids: string[]; addresses: Hex[] };

/** Two accounts; the dapp sees both, another site the second. */
async function setup(): Promise<Bench> {
  const app = createTestApp();
  const accounts = [await createAccount(app), await createAccount(app)];
  const ids = accounts.map(({ id }) => id);
  await app.services.grants.set(DAPP, ids);
  await app.services.grants.set(OTHER, ids.slice(1));
  const home = await openHome(app);
  await home.app.services.home.input(home.id, {
    type: 'ButtonClickEvent' as never,
    name: 'home.frame.tab:sites',
  });
  return { home, ids, addresses: accounts.map(({ address }) => address as Hex) };
}

describe('the tab of sites', () => {
  it('lists the sites with their accounts', async () => {
    const { home, ids, addresses } = await setup();
    const [first, second] = ids.map((id, index) => ({ id, address: addresses[index] }));
    const sites = [
      { origin: DAPP, accounts: [first, second] },
      { origin: OTHER, accounts: [second] },
    ];
    expect(elementsOf(home.page())).toContainEqual(
      SitesTab({ translate, sites: sites as never, page: 0, pages: 1 }),
    );
  });

  it('takes back all that a site sees, after the snap was stopped as well', async () => {
    const { home } = await setup();
    home.restart();
    await home.click(`home.sites.revoke:${DAPP}`);
    const { grants } = home.app.services;
    expect((await grants.listAll()).map(({ origin }) => origin)).toStrictEqual([OTHER]);
    expect(home.notices()).toStrictEqual([textOf('sites.revoked', { origin: DAPP })]);
    expect(home.texts()).not.toContain(DAPP);
  });

  it('takes back one account of a site', async () => {
    const { home, ids, addresses } = await setup();
    const [id = '', kept] = ids;
    await home.click(`home.sites.revokeOne:${id} ${DAPP}`);
    const left = await home.app.services.grants.list(DAPP);
    expect(left.map((account) => account.id)).toStrictEqual([kept]);
    const [address = ''] = addresses;
    const values = { origin: DAPP, address };
    expect(home.notices()).toStrictEqual([textOf('sites.revokedOne', values)]);
  });

  it('says that there are none', async () => {
    const { home } = await setup();
    await home.click(`home.sites.revoke:${DAPP}`);
    await home.click(`home.sites.revoke:${OTHER}`);
    expect(home.texts()).toContain(textOf('sites.none'));
  });
});
