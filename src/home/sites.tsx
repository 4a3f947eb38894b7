// The tab of sites: which of them may see accounts, and ways to revoke that.
import { Address, Box, Button, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../eth/hex';
import { toShownCount, toShownLine } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { inform, ListPage, toPage } from './tab';
import type { ListView, Tab } from './tab';

/** Most accounts of a site that are listed. */
const MAX_ACCOUNTS = 10;

type ShownSite = { origin: string; accounts: readonly { id: string; address: Hex }[] };

export const sitesTab: Tab = {
  label: 'home.tab.sites',
  isLive: true,
  load: async ({ page }, { grants }) => {
    const { rows, ...where } = toPage(await grants.listAll(), page);
    const sites = rows.map(({ origin, accounts }) => ({
      origin,
      accounts: accounts.map(({ id, address }) => ({ id, address: address as Hex })),
    }));
    return ({ translate }) => SitesTab({ translate, sites, ...where });
  },
  actions: {
    revoke: async ({ argument: origin = '', translate }, place, { grants }) => {
      await grants.revoke(origin);
      const values = { origin: toShownLine(origin) };
      return inform(place, translate('sites.revoked', values));
    },
    // The argument is the account's id and the origin.
    revokeOne: async ({ argument = '', translate }, place, { grants }) => {
      const [, id = '', origin = ''] = /^(\S+) (.*)$/su.exec(argument) ?? [];
      const before = await grants.list(origin);
      await grants.revoke(origin, id);
      const address = before.find((account) => account.id === id)?.address ?? id;
      const values = { origin: toShownLine(origin), address };
      return inform(place, translate('sites.revokedOne', values));
    },
  },
};

/** Draws a page of sites. */
export function SitesTab(view: ListView & { sites: readonly ShownSite[] }): BoxElement {
  const items = view.sites.map((site) => drawSite(site, view.translate));
  return <ListPage {...view} name="sites" items={items} />;
}

function drawSite(
  { origin, accounts }: ShownSite,
  translate: Translate,
): SectionElement {
  const hidden = accounts.length - MAX_ACCOUNTS;
  return (
    <Section>
      <Text fontWeight="bold">{toShownLine(origin)}</Text>
      {accounts.length === 0 ? <Text>{translate('sites.noAccounts')}</Text> : null}
      {accounts.slice(0, MAX_ACCOUNTS).map(({ id, address }) => (
        <Box direction="horizontal" alignment="space-between">
          <Address address={address} />
          <Button name={`home.sites.revokeOne:${id} ${origin}`} size="sm">
            {translate('sites.revokeOne')}
          </Button>
        </Box>
      ))}
      {hidden > 0 ? (
        <Text>
          {translate('sites.hidden', { count: toShownCount(hidden, translate) })}
        </Text>
      ) : null}
      <Button name={`home.sites.revoke:${origin}`} variant="destructive">
        {translate('sites.revoke')}
      </Button>
    </Section>
  );
}
