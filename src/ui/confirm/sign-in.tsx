// The fields of a sign-in (EIP-4361), one by one.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import type { SiweMessage } from '../../eth/message';
import { Field } from '../components/Field';
import { toShownLine } from '../foreign-text';
import { toShownChain, toShownTime } from '../format';
import type { TextKey, Translate } from '../i18n';

/** Most resources that are listed; the message is shown whole below. */
const MAX_RESOURCES = 10;

/** Draw the fields of a sign-in. */
export function SignIn({
  translate,
  message,
}: {
  translate: Translate;
  message: SiweMessage;
}): SectionElement {
  const { scheme, domain, address, statement, resources } = message;
  const site = scheme === undefined ? domain : `${scheme}://${domain}`;
  return (
    <Section>
      <Field label={translate('siwe.domain')} value={toShownLine(site)} />
      <Row label={translate('siwe.address')}>
        <Address address={address} />
      </Row>
      {statement === undefined ? null : <Text>{toShownLine(statement, 2_000)}</Text>}
      {listFields(message, translate).map(([label, value]) => (
        <Field label={translate(label)} value={toShownLine(value)} />
      ))}
      {resources.slice(0, MAX_RESOURCES).map((resource) => (
        <Field label={translate('siwe.resource')} value={toShownLine(resource)} />
      ))}
      {resources.length > MAX_RESOURCES ? (
        <Text>
          {translate('list.more', { count: String(resources.length - MAX_RESOURCES) })}
        </Text>
      ) : null}
    </Section>
  );
}

function listFields(message: SiweMessage, translate: Translate): [TextKey, string][] {
  const { uri, version, chainId, nonce, issuedAt, requestId } = message;
  const { expirationTime, notBefore } = message;
  const toTime = (time: number | undefined): string | undefined =>
    time === undefined ? undefined : toShownTime(time, translate);
  const fields: [TextKey, string | undefined][] = [
    ['siwe.uri', uri],
    ['siwe.version', version],
    ['siwe.chain', toShownChain(`eip155:${chainId}`, translate)],
    ['siwe.nonce', nonce],
    ['siwe.issuedAt', toTime(issuedAt)],
    ['siwe.expirationTime', toTime(expirationTime)],
    ['siwe.notBefore', toTime(notBefore)],
    ['siwe.requestId', requestId],
  ];
  return fields.flatMap(([label, value]) =>
    value === undefined ? [] : [[label, value] as [TextKey, string]],
  );
}
