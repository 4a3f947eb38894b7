import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { ConnectConfirmation } from '../../../../src/ui/confirm/connect';
import type { AccountChoice } from '../../../../src/ui/confirm/connect';
import { elementsOf, namesOf, textOf, textsOf, translate } from '../../../support/view';

const one = { id: 'id-1', label: 'Tollkeeper 1 (0x1…)', isChosen: false };
const two = { id: 'id-2', label: 'Tollkeeper 2 (0x2…)', isChosen: false };

const draw = (...accounts: AccountChoice[]): JSXElement =>
  ConnectConfirmation({ translate, origin: 'https://dapp.example', accounts });

const checkedOf = (content: JSXElement): unknown[] =>
  elementsOf(content)
    .filter(({ type }) => type === 'Checkbox')
    .map(({ props }) => props.checked);

describe('the choice of accounts', () => {
  it('shows who asks, what it means, and a box for each account by its id', () => {
    const content = draw(one, two);
    expect(textsOf(content)).toStrictEqual([
      textOf('connect.title'),
      textOf('field.origin'),
      'https://dapp.example',
      textOf('connect.choose'),
      one.label,
      two.label,
      textOf('action.refuse'),
      textOf('action.connect'),
    ]);
    expect(namesOf(content, 'Checkbox')).toStrictEqual(['id-1', 'id-2']);
    expect(namesOf(content, 'Button')).toStrictEqual(['refuse', 'approve:1']);
  });

  it('has chosen what is there already, and an only account', () => {
    expect(checkedOf(draw(one, two))).toStrictEqual([false, false]);
    expect(checkedOf(draw(one, { ...two, isChosen: true }))).toStrictEqual([
      false,
      true,
    ]);
    expect(checkedOf(draw(one))).toStrictEqual([true]);
  });
});
