// Sites' grants in the tab of permissions: which sites may see accounts, and ways to revoke that.
import { Address, Box, Button, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../eth/hex';
import type { GrantRow } from '../sites/grants';
import { toShownCount, toShownLine } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { inform } from './tab';
import type { Action } from './tab';

/** Most accounts of a site that are listed. */
const MAX_ACCOUNTS = 10;

export const siteActions: Record<string, Action> = {
  disconnect: async ({ argument: origin = '', translate }, place, { grants }) => {
    await grants.revoke(origin);
    const values = { origin: toShownLine(origin) };
    return inform(place, translate('sites.revoked', values));
  },
  // The argument is the account's id and the origin.
  disconnectOne: async ({ argument = '', translate }, place, { grants }) => {
    const [, id = '', origin = ''] = /^(\S+) (.*)$/su.exec(argument) ?? [];
    const before = await grants.list(origin);
    await grants.revoke(origin, id);
    const address = before.find((account) => account.id === id)?.address ?? id;
    const values = { origin: toShownLine(origin), address };
    return inform(place, translate('sites.revokedOne', values));
  },
};

/** Draws a site and the accounts that it may see. */
export function drawSite(
  { origin, accounts }: GrantRow,
  translate: Translate,
): SectionElement {
  const hidden = accounts.length - MAX_ACCOUNTS;
  return (
    <Section>
      <Text fontWeight="bold">{toShownLine(origin)}</Text>
      {accounts.length === 0 ? <Text>{translate('sites.noAccounts')}</Text> : null}
      {accounts.slice(0, MAX_ACCOUNTS).map(({ id, address }) => (
        <Box direction="horizontal" alignment="space-between">
          <Address address={address as Hex} />
          <Button name={`home.permissions.disconnectOne:${id} ${origin}`} size="sm">
            {translate('sites.revokeOne')}
          </Button>
        </Box>
      ))}
      {hidden > 0 ? (
        <Text>
          {translate('sites.hidden', { count: toShownCount(hidden, translate) })}
        </Text>
      ) : null}
      <Button name={`home.permissions.disconnect:${origin}`} variant="destructive">
        {translate('sites.revoke')}
      </Button>
    </Section>
  );
}
