// Choosing one of the chains that are reached.
import { Dropdown, Field, Option } from '@metamask/snaps-sdk/jsx';
import type { FieldElement } from '@metamask/snaps-sdk/jsx';

import { toShownChain } from '../format';
import type { TextKey, Translate } from '../i18n';

/** Draw the choice of a chain; its value is the chain's CAIP-2 id. */
export function ChainChoice({
  translate,
  name,
  label = 'field.chain',
  chains,
  value,
}: {
  translate: Translate;
  name: string;
  label?: TextKey;
  chains: readonly string[];
  value: string;
}): FieldElement {
  return (
    <Field label={translate(label)}>
      <Dropdown name={name} value={value}>
        {chains.map((chain) => (
          <Option value={chain}>{toShownChain(chain, translate)}</Option>
        ))}
      </Dropdown>
    </Field>
  );
}
