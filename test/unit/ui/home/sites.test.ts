import { SitesTab } from '../../../../src/ui/home/sites';
import type { ShownSite } from '../../../../src/ui/home/sites';
import { namesOf, textOf, textsOf, translate } from '../../../support/view';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const siteOf = (count: number): ShownSite => ({
  origin: 'https://dapp.example',
  accounts: Array.from({ length: count }, (_, n) => ({
    id: `id-${n}`,
    address: ADDRESS,
  })),
});

describe('the view of connected sites', () => {
  it('lists ten accounts of a site, and counts the others', () => {
    const drawn = SitesTab({ translate, sites: [siteOf(100)], page: 0, pages: 1 });
    expect(textsOf(drawn).filter((text) => text === ADDRESS)).toHaveLength(10);
    expect(textsOf(drawn)).toContain(textOf('sites.hidden', { count: '90' }));
  });

  it('offers to disconnect a site whose accounts were all deleted', () => {
    const drawn = SitesTab({ translate, sites: [siteOf(0)], page: 0, pages: 1 });
    expect(textsOf(drawn)).toContain(textOf('sites.noAccounts'));
    expect(namesOf(drawn, 'Button')).toStrictEqual([
      'home.sites.revoke:https://dapp.example',
    ]);
  });

  it('shows characters that play tricks in the name of a site', () => {
    const site = { origin: 'https://a\u202eb.example', accounts: [] };
    const drawn = SitesTab({ translate, sites: [site], page: 0, pages: 1 });
    expect(textsOf(drawn)).toContain('https://a\\u{202e}b.example');
  });

  it('offers the pages before and after', () => {
    const drawn = SitesTab({ translate, sites: [], page: 1, pages: 3 });
    expect(textsOf(drawn)).toContain(textOf('pager.page', { page: '2', pages: '3' }));
    expect(namesOf(drawn, 'Button')).toStrictEqual([
      'home.frame.page:0',
      'home.frame.page:2',
    ]);
  });
});
