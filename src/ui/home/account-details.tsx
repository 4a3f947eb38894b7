// One account: what it is, which sites see it, and the steps of giving its key away or
// deleting it, each with its consequences.
import {
  Address,
  Box,
  Button,
  Copyable,
  Field as FormField,
  Form,
  Heading,
  Input,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { Field } from '../components/Field';
import { drawNotices } from '../components/Notices';
import { toShownChain, toShownCount, toShownLine } from '../format';
import type { Translate } from '../i18n';
import { danger, warning } from '../notice';
import { deploymentKeys, drawFacts } from './accounts';
import type { ShownAccount, ShownDeployment } from './accounts';
import { ChainChoice } from './chain-choice';
import { emptySecret } from './typed';
import type { FormState } from './typed';

/** Most sites of an account that are listed. */
const MAX_ORIGINS = 20;

/** Most chains of a smart account that are listed. */
const MAX_CHAINS = 20;

/** Names of the form that asks for a password, and of its fields. */
export const EXPORT_FORM = 'home.accounts.export';

/** Name of the form that adds a network. */
export const ADD_CHAIN_FORM = 'home.accounts.addChain';

/** An account with all that is known of it. */
export type AccountDetails = ShownAccount & {
  /** Of a smart account: owner, factory, and its chains (CAIP-2) with its state there. */
  contract?: {
    owner: Hex;
    factory: Hex;
    chains: readonly (readonly [string, ShownDeployment])[];
    /** Chains that it could serve as well. */
    others: readonly string[];
  };
  /** Sites that may see it. */
  origins: readonly string[];
};

/** What is shown of an account. */
export type AccountView = {
  translate: Translate;
  account: AccountDetails;
  step: 'show' | 'export' | 'exported' | 'delete';
  /** The account's key as a keystore file, once it was made. */
  keystore: string | undefined;
  form: FormState;
  minPassword: number;
};

/** Draw an account, or a question about it. */
export function AccountPage(view: AccountView): BoxElement {
  const { translate, account } = view;
  return (
    <Box>
      <Heading>{account.name}</Heading>
      <Address address={account.address} />
      {steps[view.step](view)}
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

const steps: Record<AccountView['step'], (view: AccountView) => BoxElement> = {
  show: drawAll,
  export: drawExport,
  exported: drawKeystore,
  delete: drawDeletion,
};

function drawAll({ translate, account }: AccountView): BoxElement {
  return (
    <Box>
      {drawFacts(account, translate)}
      {account.contract ? drawContract(account.contract, translate) : null}
      {drawOrigins(account.origins, translate)}
      <Button name="home.accounts.ask:export">{translate('accounts.export')}</Button>
      <Button name="home.accounts.ask:delete" variant="destructive">
        {translate('accounts.delete')}
      </Button>
    </Box>
  );
}

function drawContract(
  { owner, factory, chains, others }: NonNullable<AccountDetails['contract']>,
  translate: Translate,
): SectionElement {
  const [other] = others;
  return (
    <Section>
      <Row label={translate('field.owner')}>
        <Address address={owner} />
      </Row>
      <Row label={translate('field.factory')}>
        <Address address={factory} />
      </Row>
      {chains.slice(0, MAX_CHAINS).map(([chain, state]) => (
        <Box>
          <Field
            label={toShownChain(chain, translate)}
            value={translate(deploymentKeys[state])}
          />
          {chains.length > 1 ? (
            <Button name={`home.accounts.removeChain:${chain}`} size="sm">
              {translate('settings.remove')}
            </Button>
          ) : null}
        </Box>
      ))}
      {chains.length > MAX_CHAINS ? (
        <Text>
          {translate('accounts.moreChains', {
            count: toShownCount(chains.length - MAX_CHAINS, translate),
          })}
        </Text>
      ) : null}
      {other === undefined ? null : (
        <Form name={ADD_CHAIN_FORM}>
          <ChainChoice
            translate={translate}
            name="chain"
            chains={others}
            value={other}
          />
          <Button name="home.accounts.submit" type="submit">
            {translate('accounts.addChain')}
          </Button>
        </Form>
      )}
    </Section>
  );
}

function drawOrigins(origins: readonly string[], translate: Translate): SectionElement {
  const hidden = origins.length - MAX_ORIGINS;
  return (
    <Section>
      <Text fontWeight="bold">{translate('accounts.sites')}</Text>
      {origins.length === 0 ? <Text>{translate('accounts.noSites')}</Text> : null}
      {origins.slice(0, MAX_ORIGINS).map((origin) => (
        <Box direction="horizontal" alignment="space-between">
          <Text>{toShownLine(origin)}</Text>
          <Button name={`home.accounts.revoke:${origin}`} size="sm">
            {translate('sites.revokeOne')}
          </Button>
        </Box>
      ))}
      {hidden > 0 ? (
        <Text>
          {translate('accounts.moreSites', { count: toShownCount(hidden, translate) })}
        </Text>
      ) : null}
    </Section>
  );
}

function drawExport({
  translate,
  account,
  form,
  minPassword,
}: AccountView): BoxElement {
  const least = toShownCount(minPassword, translate);
  const secret = emptySecret(form);
  return (
    <Box>
      {drawNotices([danger(translate('export.warning'))], translate)}
      <Text>{translate('export.keystore')}</Text>
      {account.contract ? <Text>{translate('export.owner')}</Text> : null}
      <Form name={EXPORT_FORM}>
        <FormField label={translate('export.password', { least })}>
          <Input name="password" type="password" {...secret} />
        </FormField>
        <FormField label={translate('export.again')}>
          <Input name="again" type="password" {...secret} />
        </FormField>
        <Button name="home.accounts.submit" type="submit" variant="destructive">
          {translate('export.make')}
        </Button>
      </Form>
    </Box>
  );
}

function drawKeystore({ translate, keystore = '' }: AccountView): BoxElement {
  return (
    <Box>
      {drawNotices([warning(translate('export.keep'))], translate)}
      <Copyable value={keystore} />
    </Box>
  );
}

function drawDeletion({ translate, account }: AccountView): BoxElement {
  const isImported = account.index === undefined;
  const notice = isImported
    ? danger(translate('delete.imported'))
    : warning(translate('delete.derived'));
  return (
    <Box>
      {drawNotices([notice], translate)}
      <Text>{translate('delete.meaning')}</Text>
      <Button name="home.accounts.delete" variant="destructive">
        {translate(isImported ? 'delete.forEver' : 'delete.really')}
      </Button>
    </Box>
  );
}
