// The calls of a user operation, one section each, page by page.
import { Address, Row, Section } from '@metamask/snaps-sdk/jsx';
import type { JSXElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Call } from '../../eth/account-calls';
import { computeDeployment } from '../../eth/deployment';
import type { Hex } from '../../eth/hex';
import { findTokenUnit } from '../../eth/known-tokens';
import { CallData, weighCall, writeCallRange } from '../components/CallData';
import { Field } from '../components/Field';
import { toShownCoins } from '../format';
import type { Translate } from '../i18n';
import { toPages } from '../pages';

/** Lays calls on a CAIP-2 chain out on pages. */
export function toCallPages(
  calls: readonly Call[],
  translate: Translate,
  chain: string,
): (() => JSXElement[])[] {
  const numbered = calls.map((call, index) => ({ call, number: index + 1 }));
  const pages = toPages(numbered, ({ call }) => weighCall(call));
  return pages.map((page, index) => () => [
    ...writeCallRange(pages, index, translate),
    ...page.map(({ call, number }) => drawCall(call, number, { translate, chain })),
  ]);
}

/** Draw call data that are none of the account's own calls. */
export function drawOpaque(callData: Hex, translate: Translate): SectionElement {
  return (
    <Section>
      <CallData translate={translate} data={callData} />
    </Section>
  );
}

function drawCall(
  call: Call,
  number: number,
  { translate, chain }: { translate: Translate; chain: string },
): SectionElement {
  const { to, value, data } = call;
  const deployment = computeDeployment(call);
  return (
    <Section>
      <Row label={translate('userOperation.call', { number: String(number) })}>
        <Address address={to} />
      </Row>
      {deployment ? (
        <Row label={translate('field.creation')}>
          <Address address={deployment.address} />
        </Row>
      ) : null}
      <Field
        label={translate('field.value')}
        value={toShownCoins(value, translate, chain)}
      />
      <CallData translate={translate} data={data} unit={findTokenUnit(chain, to)} />
    </Section>
  );
}
