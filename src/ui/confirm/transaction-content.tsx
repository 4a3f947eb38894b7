// What a transaction does: whom it is for, with what value, which function it calls with
// which arguments, and whose code it lets run.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { findTokenUnit } from '../../eth/known-tokens';
import type { Transaction, TransactionRequest } from '../../eth/transaction';
import { CallData } from '../components/CallData';
import { Field } from '../components/Field';
import { toShownChain, toShownCoins, toShownCount } from '../format';
import type { TextKey, Translate } from '../i18n';

/** More authorisations are counted. */
const MAX_DELEGATES = 10;

/** Draw what a transaction does, on a CAIP-2 chain. */
export function drawContent(
  transaction: Transaction,
  translate: Translate,
  chain: string,
): SectionElement {
  const { to, value, data } = transaction;
  return (
    <Section>
      {drawRecipient(transaction, translate('field.to'), translate)}
      <Field
        label={translate('field.value')}
        value={toShownCoins(value, translate, chain)}
      />
      <CallData
        translate={translate}
        data={data}
        isCode={to === null}
        unit={findTokenUnit(chain, to)}
      />
      {countLists(transaction).map(([label, count]) => (
        <Field label={translate(label)} value={toShownCount(count, translate)} />
      ))}
      {drawDelegates(transaction, translate)}
    </Section>
  );
}

/** Draw whom a transaction is for, or that it creates a contract. */
export function drawRecipient(
  { to }: Transaction,
  label: string,
  translate: Translate,
): RowElement {
  return (
    <Row label={label}>
      {to === null ? (
        <Text>{translate('field.creation')}</Text>
      ) : (
        <Address address={to} />
      )}
    </Row>
  );
}

/** Draw each contract whose code a transaction lets accounts run, and where. */
export function drawDelegates(
  transaction: Transaction,
  translate: Translate,
): RowElement[] {
  const { authorizationList = [] }: TransactionRequest = transaction;
  return authorizationList.slice(0, MAX_DELEGATES).flatMap(({ address, chainId }) => [
    <Row label={translate('field.delegate')}>
      <Address address={address} />
    </Row>,
    <Field
      label={translate('field.delegateChain')}
      value={
        chainId === 0n
          ? translate('delegate.everyChain')
          : toShownChain(`eip155:${chainId}`, translate)
      }
    />,
  ]);
}

function countLists(transaction: Transaction): [TextKey, number][] {
  const lists: TransactionRequest = transaction;
  const counts: [TextKey, number][] = [
    ['field.accessList', lists.accessList?.length ?? 0],
    ['field.blobs', lists.blobVersionedHashes?.length ?? 0],
    ['field.authorizations', lists.authorizationList?.length ?? 0],
  ];
  return counts.filter(([, count]) => count > 0);
}
