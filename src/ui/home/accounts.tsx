// The accounts, ten a page, with what there is to do about accounts as such.
import { Address, Box, Button, Heading, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import type { EntryPointVersion } from '../../eth/user-operation';
import { Field } from '../components/Field';
import { toShownCount, toShownDecimal } from '../format';
import type { TextKey, Translate } from '../i18n';
import { ChainChoice } from './chain-choice';
import { Pager } from './pager';
import { drawProgress } from './progress';
import type { ShownProgress } from './progress';

/** Whether a smart account's contract is there. */
export type ShownDeployment = 'deployed' | 'absent' | 'unknown';

/** An account as it is shown; nothing secret is in it. */
export type ShownAccount = {
  id: string;
  name: string;
  address: Hex;
  /** Of a smart account. */
  entryPoint?: EntryPointVersion;
  /** Number of its key, from 0 on; undefined if the key was imported. */
  index?: number;
  /** On the chain that was chosen; undefined if no node tells. */
  balance?: { amount: string; unit: string };
  deployment?: ShownDeployment;
};

/** A page of accounts. */
export type AccountListView = {
  translate: Translate;
  accounts: readonly ShownAccount[];
  page: number;
  pages: number;
  /** The chain that was chosen, CAIP-2; undefined if no node is there. */
  chain: string | undefined;
  chains: readonly string[];
  progress: ShownProgress | undefined;
};

/** What is said of a smart account's contract. */
export const deploymentKeys: Record<ShownDeployment, TextKey> = {
  deployed: 'accounts.deployed',
  absent: 'accounts.absent',
  unknown: 'accounts.unknown',
};

/** Draw a page of accounts. */
export function AccountList(view: AccountListView): BoxElement {
  const { translate, accounts, page, pages, chain, chains, progress } = view;
  return (
    <Box>
      <Heading>{translate('accounts.title')}</Heading>
      {progress ? drawProgress(progress, translate) : null}
      {accounts.length === 0 ? <Text>{translate('accounts.none')}</Text> : null}
      {accounts.length > 0 && chain !== undefined ? (
        <ChainChoice
          translate={translate}
          name="home.accounts.chain"
          chains={chains}
          value={chain}
        />
      ) : null}
      {accounts.map((account) => drawAccount(account, translate))}
      <Pager translate={translate} page={page} pages={pages} />
      <Button name="home.accounts.step:create">{translate('accounts.create')}</Button>
      <Button name="home.accounts.step:import">{translate('accounts.import')}</Button>
      <Button name="home.accounts.step:restore">{translate('accounts.restore')}</Button>
    </Box>
  );
}

function drawAccount(account: ShownAccount, translate: Translate): SectionElement {
  return (
    <Section>
      <Text fontWeight="bold">{account.name}</Text>
      <Address address={account.address} />
      {drawFacts(account, translate)}
      <Button name={`home.accounts.show:${account.id}`} size="sm">
        {translate('accounts.details')}
      </Button>
    </Section>
  );
}

/** Draw what is known of an account beside its name and address. */
export function drawFacts(account: ShownAccount, translate: Translate): BoxElement {
  const { entryPoint, index, balance, deployment } = account;
  const type =
    entryPoint === undefined
      ? translate('accounts.eoa')
      : translate('accounts.smart', { version: entryPoint });
  const key =
    index === undefined
      ? translate('accounts.imported')
      : translate('accounts.derived', { number: toShownCount(index + 1, translate) });
  const amount = balance
    ? `${toShownDecimal(balance.amount, translate)} ${balance.unit}`
    : translate('accounts.unknown');
  return (
    <Box>
      <Field label={translate('accounts.type')} value={type} />
      <Field label={translate('accounts.key')} value={key} />
      <Field label={translate('accounts.balance')} value={amount} />
      {deployment === undefined ? null : (
        <Field
          label={translate('accounts.contract')}
          value={translate(deploymentKeys[deployment])}
        />
      )}
    </Box>
  );
}
