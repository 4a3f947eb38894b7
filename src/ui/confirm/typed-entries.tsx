// Confirmation of eth_signTypedData_v1: every name, type and value. These data never say which
// contract or chain they are for.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { toCaip2 } from '../../eth/chain';
import type { TypedEntry } from '../../eth/typed-data-v1';
import { listTypedValues } from '../../eth/typed-tree';
import { Confirmation } from '../components/Confirmation';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownText } from '../foreign-text';
import { warning } from '../notice';
import { lookAlikeNotices } from './look-alike-notices';
import type { TypedDataView } from './typed-data';
import { writeTypedAlert } from './typed-notices';
import { hiddenValues, TypedValues } from './typed-values';

/** Draw the confirmation of typed data of version 1. */
export function TypedEntriesConfirmation(
  view: TypedDataView<readonly TypedEntry[]>,
): JSXElement {
  const { translate, origin, account, chainId, data } = view;
  const { alerts = [], lookAlikes = [] } = view;
  // Names can be the same: the place of an entry tells it from others.
  const names = data.map(({ name }, index) => `${index + 1}. ${name}`);
  const fields = data.map(({ type }, index) => ({ name: names[index] ?? '', type }));
  const values = data.map(
    ({ value }, index) => [names[index], value] as [string, Json],
  );
  const tree = listTypedValues({ '': fields }, '', Object.fromEntries(values));
  const raw = JSON.stringify(data);
  return (
    <Confirmation
      translate={translate}
      title="typedData.title"
      origin={origin}
      account={account}
      chain={chainId === undefined ? undefined : toCaip2(chainId)}
      notices={[
        ...alerts.map((alert) => writeTypedAlert(alert, translate)),
        warning(translate('warning.domain')),
        ...lookAlikeNotices(lookAlikes, translate),
        ...hiddenValues(tree, translate),
        ...cutWarnings({ ...toShownText(raw), isFolded: false }, translate),
      ]}
    >
      <TypedValues translate={translate} tree={tree} />
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}
