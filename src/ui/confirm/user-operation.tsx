// Confirmation of a user operation: the calls it makes, who pays, what it can cost.
import { Section } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import { decodeCalls } from '../../eth/account-calls';
import type { Call } from '../../eth/account-calls';
import type { OperationAlert } from '../../eth/alerts';
import { toUserOperationJson } from '../../eth/user-operation';
import { toPagedView } from '../components/Confirmation';
import { Field } from '../components/Field';
import { toShownCoins } from '../format';
import type { Translate } from '../i18n';
import type { Notice } from '../notice';
import type { PagedView } from '../pages';
import { writeOperationAlerts } from './alerts';
import { drawOpaque, toCallPages } from './operation-calls';
import { drawOperationCost, drawValidity } from './operation-cost';
import type { OperationCost } from './operation-cost';

/** What is done with the operation when it is approved. */
export type OperationTitle =
  'userOperation.title' | 'userOperation.send' | 'userOperation.batch';

/** An operation to sign. */
export type UserOperationView = OperationCost & {
  origin: string;
  /** What is remarkable about it, the worst first. */
  alerts: readonly OperationAlert[];
  title?: OperationTitle;
  /** What else is to be known, such as of whom its calls are for. */
  notices?: readonly Notice[];
};

/** Draw the confirmation of a user operation. */
export function UserOperationConfirmation(view: UserOperationView): PagedView {
  const { translate, origin, chain, entryPoint, operation, alerts } = view;
  const { title = 'userOperation.title', notices = [] } = view;
  const calls = decodeCalls(entryPoint, operation.callData);
  return toPagedView({
    translate,
    title,
    origin,
    account: operation.sender,
    chain,
    notices: [...writeOperationAlerts(alerts, translate, chain), ...notices],
    pages: calls
      ? toCallPages(calls, translate, chain)
      : [() => [drawOpaque(operation.callData, translate)]],
    foot: [
      ...(calls && calls.length > 1 ? [drawTotal(calls, translate, chain)] : []),
      drawOperationCost({
        ...view,
        isSponsorMissing: alerts.some(({ kind }) => kind === 'sponsor'),
      }),
      drawValidity(view),
    ],
    raw: JSON.stringify(toUserOperationJson(operation)),
  });
}

function drawTotal(
  calls: readonly Call[],
  translate: Translate,
  chain: string,
): SectionElement {
  const total = calls.reduce((sum, { value }) => sum + value, 0n);
  return (
    <Section>
      <Field
        label={translate('field.totalValue')}
        value={toShownCoins(total, translate, chain)}
      />
    </Section>
  );
}
