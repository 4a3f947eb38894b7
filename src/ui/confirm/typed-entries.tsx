// Confirmation of eth_signTypedData_v1: every name, type and value. These data never say which
// contract or chain they are for.
import type { Json } from '@metamask/utils';

import type { TypedEntry } from '../../eth/typed-data-v1';
import { listTypedValues } from '../../eth/typed-tree';
import { toPagedView } from '../components/Confirmation';
import type { PagedView } from '../pages';
import { lookAlikeNotices } from './look-alike-notices';
import type { TypedDataView } from './typed-data';
import { writeTypedAlert } from './typed-notices';
import { toValuePages } from './typed-values';

/** Draw the confirmation of typed data of version 1. */
export function TypedEntriesConfirmation(
  view: TypedDataView<readonly TypedEntry[]>,
): PagedView {
  const { translate, origin, account, data, alerts = [], lookAlikes = [] } = view;
  // Names can be the same: the place of an entry tells it from others.
  const names = data.map(({ name }, index) => `${index + 1}. ${name}`);
  const fields = data.map(({ type }, index) => ({ name: names[index] ?? '', type }));
  const values = data.map(
    ({ value }, index) => [names[index], value] as [string, Json],
  );
  const groups = listTypedValues({ '': fields }, '', Object.fromEntries(values));
  return toPagedView({
    translate,
    title: 'typedData.title',
    origin,
    account,
    chain: translate('chain.every'),
    notices: [
      ...alerts.map((alert) => writeTypedAlert(alert, translate)),
      ...lookAlikeNotices(lookAlikes, translate),
    ],
    pages: toValuePages(groups, { translate }),
    raw: JSON.stringify(data),
  });
}
