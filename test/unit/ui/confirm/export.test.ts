import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { ExportConfirmation } from '../../../../src/ui/confirm/export';
import type { ExportView } from '../../../../src/ui/confirm/export';
import { namesOf, textOf, textsOf, translate, warningsOf } from '../../../support/view';

const ORIGIN = 'http://localhost:8000';
const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const OWNER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const draw = (changes: Partial<ExportView> = {}): JSXElement =>
  ExportConfirmation({
    translate,
    origin: ORIGIN,
    account: ACCOUNT,
    name: 'Tollkeeper 1',
    ...changes,
  });

describe('the question whether a key may be given away', () => {
  it('warns first, then shows who asks for which account, and what it means', () => {
    const content = draw();
    expect(textsOf(content)).toStrictEqual([
      textOf('export.title'),
      textOf('danger.title'),
      textOf('export.warning'),
      textOf('field.origin'),
      ORIGIN,
      textOf('field.account'),
      ACCOUNT,
      textOf('field.name'),
      'Tollkeeper 1',
      textOf('export.meaning'),
      textOf('action.refuse'),
      textOf('action.export'),
    ]);
    expect(warningsOf(content)).toStrictEqual([textOf('export.warning')]);
    expect(namesOf(content, 'Button')).toStrictEqual(['refuse', 'approve:1']);
  });

  it('shows the owner of a smart account after its name', () => {
    const texts = textsOf(draw({ name: 'Tollkeeper Smart 1', owner: OWNER }));
    const at = texts.indexOf('Tollkeeper Smart 1');
    expect(texts.slice(at + 1, at + 3)).toStrictEqual([textOf('field.owner'), OWNER]);
  });

  it('says more on its button than the one that signs', () => {
    expect(textsOf(draw())).not.toContain(textOf('action.approve'));
  });

  it('makes visible what an origin hides', () => {
    const texts = textsOf(draw({ origin: 'https://evil\u202e.example' }));
    expect(texts).toContain(String.raw`https://evil\u{202e}.example`);
  });
});
