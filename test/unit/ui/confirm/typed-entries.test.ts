import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { parseTypedEntries } from '../../../../src/eth/typed-data-v1';
import { ENTRY_ALERTS } from '../../../../src/eth/typed-domain-alerts';
import { TypedEntriesConfirmation } from '../../../../src/ui/confirm/typed-entries';
import { drawPage, textOf, textsOf, translate } from '../../../support/view';

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const entries = [
  { name: 'Message', type: 'string', value: 'Hi, Alice!' },
  { name: 'A number', type: 'uint32', value: '1337' },
];

const draw = (list: unknown): JSXElement =>
  drawPage(
    TypedEntriesConfirmation({
      translate,
      origin: 'https://dapp.example',
      account: ACCOUNT,
      chainId: undefined,
      data: parseTypedEntries(list, 'data'),
      alerts: ENTRY_ALERTS,
    }),
  );

describe('the confirmation of typed data of version 1', () => {
  it('shows who asks, the account, and every value as it is signed', () => {
    const texts = textsOf(draw(entries));
    expect(texts.slice(0, 11)).toStrictEqual([
      textOf('typedData.title'),
      textOf('warning.title'),
      textOf('typed.everyChain'),
      textOf('warning.title'),
      textOf('warning.domain'),
      textOf('field.origin'),
      'https://dapp.example',
      textOf('field.account'),
      ACCOUNT,
      textOf('field.chain'),
      textOf('chain.every'),
    ]);
    expect(texts.slice(11, 15)).toStrictEqual([
      '1. Message',
      'Hi, Alice!',
      '2. A number',
      '1,337',
    ]);
    const whole = texts[texts.indexOf(textOf('raw.title')) + 1] ?? '';
    expect(JSON.parse(whole)).toStrictEqual(entries);
  });

  it('makes visible what names and values hide', () => {
    const content = draw([{ name: 'a\u202eb', type: 'string', value: 'c\u200bd' }]);
    const shown = textsOf(content).join('');
    expect(shown).toContain(String.raw`a\u{202e}b`);
    expect(shown).toContain(String.raw`c\u{200b}d`);
  });
});
