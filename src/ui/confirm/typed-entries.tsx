// Confirmation of eth_signTypedData_v1: every name, type and value. These data never say which
// contract or chain they are for.
import { Copyable } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { toCaip2 } from '../../eth/chain';
import type { TypedEntry } from '../../eth/typed-data-v1';
import { Confirmation } from '../components/Confirmation';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownText } from '../format';
import { warning } from '../notice';
import type { TypedDataView } from './typed-data';

/** Draw the confirmation of typed data of version 1. */
export function TypedEntriesConfirmation(
  view: TypedDataView<readonly TypedEntry[]>,
): JSXElement {
  const { translate, origin, account, chainId, data } = view;
  const shown = toShownText(JSON.stringify(data, null, 2));
  return (
    <Confirmation
      translate={translate}
      title="typedData.title"
      origin={origin}
      account={account}
      chain={chainId === undefined ? undefined : toCaip2(chainId)}
      notices={[...cutWarnings(shown, translate), warning(translate('warning.domain'))]}
    >
      <Copyable value={shown.text} />
      <Raw translate={translate} value={JSON.stringify(data)} />
    </Confirmation>
  );
}
