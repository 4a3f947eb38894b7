// The calls of a user operation, one section each, as many as anyone looks at.
import { Address, Row, Section } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Call } from '../../eth/account-calls';
import { computeDeployment } from '../../eth/deployment';
import type { Hex } from '../../eth/hex';
import { findTokenUnit } from '../../eth/known-tokens';
import { CallData } from '../components/CallData';
import { Field } from '../components/Field';
import { toShownCoins, toShownCount } from '../format';
import type { Translate } from '../i18n';
import { warning } from '../notice';
import type { Notice } from '../notice';

/** A dialog of a thousand texts takes half a second to open; a call has up to 25. */
export const MAX_SHOWN_CALLS = 20;

/** Draw the first calls, on a CAIP-2 chain. */
export function drawCalls(
  calls: readonly Call[],
  translate: Translate,
  chain: string,
): SectionElement[] {
  return calls
    .slice(0, MAX_SHOWN_CALLS)
    .map((call, index) => drawCall(call, index + 1, { translate, chain }));
}

/** Warn of what is not drawn. */
export function warnOfMore(calls: readonly unknown[], translate: Translate): Notice[] {
  if (calls.length <= MAX_SHOWN_CALLS) return [];
  const counts = {
    shown: toShownCount(MAX_SHOWN_CALLS, translate),
    count: toShownCount(calls.length, translate),
  };
  return [warning(translate('warning.calls', counts))];
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
