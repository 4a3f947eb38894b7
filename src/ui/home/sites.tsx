// The sites that may see accounts, each with its accounts and ways to take them back.
import { Address, Box, Button, Heading, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { toShownCount, toShownLine } from '../format';
import type { Translate } from '../i18n';
import { Pager } from './pager';

/** Most accounts of a site that are listed. */
const MAX_ACCOUNTS = 10;

/** A site and its accounts. */
export type ShownSite = {
  origin: string;
  accounts: readonly { id: string; address: Hex }[];
};

/** A page of sites. */
export type SitesView = {
  translate: Translate;
  sites: readonly ShownSite[];
  page: number;
  pages: number;
};

/** Draw the sites. */
export function SitesTab({ translate, sites, page, pages }: SitesView): BoxElement {
  return (
    <Box>
      <Heading>{translate('sites.title')}</Heading>
      {sites.length === 0 ? <Text>{translate('sites.none')}</Text> : null}
      {sites.map((site) => drawSite(site, translate))}
      <Pager translate={translate} page={page} pages={pages} />
    </Box>
  );
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
      {accounts
        .slice(0, MAX_ACCOUNTS)
        .map((account) => drawAccount(account, { origin, translate }))}
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

function drawAccount(
  { id, address }: ShownSite['accounts'][number],
  { origin, translate }: { origin: string; translate: Translate },
): BoxElement {
  return (
    <Box direction="horizontal" alignment="space-between">
      <Address address={address} />
      <Button name={`home.sites.revokeOne:${id} ${origin}`} size="sm">
        {translate('sites.revokeOne')}
      </Button>
    </Box>
  );
}
