// The home page's tab of sites: who may see which accounts, and taking that back.
import type { Hex } from '../../eth/hex';
import { toShownLine } from '../../ui/format';
import { SitesTab } from '../../ui/home/sites';
import type { SitesView } from '../../ui/home/sites';
import { info } from '../../ui/notice';
import { toPage } from './paging';
import { defineTab } from './tab';

/** Connected sites. */
export const sitesTab = defineTab<Omit<SitesView, 'translate'>>({
  label: 'home.tab.sites',
  isLive: true,
  load: async ({ page }, { grants }) => {
    const { rows, ...where } = toPage(await grants.listAll(), page);
    const sites = rows.map(({ origin, accounts }) => ({
      origin,
      accounts: accounts.map(({ id, address }) => ({ id, address: address as Hex })),
    }));
    return { ...where, sites };
  },
  draw: (data, { translate }) => SitesTab({ translate, ...data }),
  actions: {
    revoke: async ({ argument: origin = '' }, place, { grants, loadTranslate }) => {
      await grants.revoke(origin);
      const translate = await loadTranslate();
      const words = translate('sites.revoked', { origin: toShownLine(origin) });
      return { ...place, notices: [info(words)] };
    },
    // The argument is the account's id and the origin.
    revokeOne: async ({ argument = '' }, place, { grants, loadTranslate }) => {
      const [, id = '', origin = ''] = /^(\S+) (.*)$/su.exec(argument) ?? [];
      const before = await grants.list(origin);
      await grants.revoke(origin, id);
      const address = before.find((account) => account.id === id)?.address ?? id;
      const translate = await loadTranslate();
      const values = { origin: toShownLine(origin), address };
      return { ...place, notices: [info(translate('sites.revokedOne', values))] };
    },
  },
});
