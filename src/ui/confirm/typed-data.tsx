// Confirmation of eth_signTypedData_v4 and _v3: what it allows, for which contract, then the
// message value by value.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';

import { toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { NodeAddressStruct } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import type { LookAlike } from '../../eth/look-alike';
import type { TypedAlert } from '../../eth/typed-alerts';
import type { TypedData } from '../../eth/typed-data';
import { listTypedValues } from '../../eth/typed-tree';
import { findTypedUnit } from '../../eth/typed-units';
import { matches } from '../../schema/parse';
import { toPagedView } from '../components/Confirmation';
import { toShownLine } from '../foreign-text';
import type { Translate } from '../i18n';
import type { PagedView } from '../pages';
import { lookAlikeNotices } from './look-alike-notices';
import { writeTypedAlert } from './typed-notices';
import { toValuePages } from './typed-values';

/** Typed data to sign: a document, or what came before documents. */
export type TypedDataView<Data = TypedData> = {
  translate: Translate;
  origin: string;
  account: Hex;
  /** The chain that is signed; undefined if the signature is valid on every one. */
  chainId: ChainId | undefined;
  data: Data;
  alerts?: readonly TypedAlert[];
  lookAlikes?: readonly LookAlike[];
};

/** Draw the confirmation of a typed-data document. */
export function TypedDataConfirmation(view: TypedDataView): PagedView {
  const { translate, origin, account, chainId, data } = view;
  const { alerts = [], lookAlikes = [] } = view;
  const { domain, types, primaryType, message } = data;
  const chain = chainId === undefined ? undefined : toCaip2(chainId);
  const contract = domain.verifyingContract;
  const name = typeof domain.name === 'string' ? `${domain.name}: ` : '';
  return toPagedView({
    translate,
    title: 'typedData.title',
    origin,
    account,
    chain: chain ?? translate('chain.every'),
    notices: [
      ...alerts.map((alert) => writeTypedAlert(alert, translate)),
      ...lookAlikeNotices(lookAlikes, translate),
    ],
    head: [
      <Section>
        <Row label={translate('field.primaryType')}>
          <Text>{toShownLine(`${name}${primaryType}`)}</Text>
        </Row>
        {matches(contract, NodeAddressStruct) ? (
          <Row label={translate('field.contract')}>
            <Address address={contract} />
          </Row>
        ) : null}
      </Section>,
    ],
    pages: toValuePages(listTypedValues(types, primaryType, message), {
      translate,
      chain,
      unitOf: (value) => findTypedUnit(data, value),
    }),
    raw: JSON.stringify(data),
  });
}
