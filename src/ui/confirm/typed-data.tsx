// Confirmation of eth_signTypedData_v4 and _v3: what it is, for which contract, then the message.
import { Address, Copyable, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { NodeAddressStruct } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import type { TypedData } from '../../eth/typed-data';
import { matches } from '../../parse';
import { Confirmation } from '../components/Confirmation';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownLine, toShownText } from '../format';
import type { Translate } from '../i18n';
import { warning } from '../notice';

/** Typed data to sign: a document, or what came before documents. */
export type TypedDataView<Data = TypedData> = {
  translate: Translate;
  origin: string;
  account: Hex;
  chainId: ChainId | undefined;
  data: Data;
};

/** Draw the confirmation of a typed-data document. */
export function TypedDataConfirmation(view: TypedDataView): JSXElement {
  const { translate, origin, account, chainId, data } = view;
  const { domain, primaryType, message } = data;
  const contract = domain.verifyingContract;
  const isContract = matches(contract, NodeAddressStruct);
  const shown = toShownText(JSON.stringify(message, null, 2));
  const raw = JSON.stringify(data);
  const notices = cutWarnings(shown.isCut ? shown : toShownText(raw), translate);
  if (!isContract) notices.push(warning(translate('warning.domain')));
  const name = typeof domain.name === 'string' ? `${domain.name}: ` : '';
  return (
    <Confirmation
      translate={translate}
      title="typedData.title"
      origin={origin}
      account={account}
      chain={chainId === undefined ? undefined : toCaip2(chainId)}
      notices={notices}
    >
      <Section>
        <Row label={translate('field.primaryType')}>
          <Text>{toShownLine(`${name}${primaryType}`)}</Text>
        </Row>
        {isContract ? (
          <Row label={translate('field.contract')}>
            <Address address={contract} />
          </Row>
        ) : null}
      </Section>
      <Copyable value={shown.text} />
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}
