// The gallery draws every view in its relevant states.
import * as components from '@metamask/snaps-sdk/jsx';
import { renderToStaticMarkup } from 'react-dom/server';

import { drawScreen } from '../../../dev/gallery/draw';
import { FIRST_FRAME, nameOf } from '../../../dev/gallery/screen';
import { allScreens } from '../../../dev/gallery/screens';
import { FRIEND, ROUTER } from '../../../dev/gallery/screens/people';
import { toPagedView } from '../../../src/ui/confirmation';
import { translatePseudo } from '../../support/pseudo-locale';
import { elementsOf, textOf, textsOf, translate } from '../../support/view';

describe('the gallery', () => {
  it.each(allScreens.map((screen) => [nameOf(screen), screen] as const))(
    'draws %s in any language',
    async (_name, screen) => {
      const content = await screen.draw(translate);
      expect(components.isJSXElement(content)).toBe(true);
      const drawn = renderToStaticMarkup(drawScreen(content));
      expect(drawn).toContain('class="container');
      const pseudo = drawScreen(await screen.draw(translatePseudo));
      expect(renderToStaticMarkup(pseudo)).toContain('[');
    },
  );
});

describe('the buttons', () => {
  it.each([
    ['transaction-that-cancels', 'Back', 'Cancel the transaction'],
    ['transaction-that-speeds-up', 'Cancel', 'Speed up'],
    ['transaction-that-is-revoked', 'Back', 'Revoke'],
    ['transaction-that-is-revoked-and-another-account-pays', 'Back', 'Revoke'],
    [
      'transaction-that-is-replaced-and-tokens-move-to-the-account-that-pays',
      'Back',
      'Rescue tokens',
    ],
    ['transaction-that-pays', 'Cancel', 'Send'],
  ])('for %s say “%s” and “%s”', async (name, ...labels) => {
    const screen = allScreens.find((each) => nameOf(each) === name);
    const content = await screen?.draw(translate);
    const [footer] = elementsOf(content).filter(({ type }) => type === 'Footer');
    expect(textsOf(footer)).toStrictEqual(labels);
  });
});

it("renames the button that rejects if a descriptor's word is “Cancel”", () => {
  const origin = 'https://app.example';
  const props = {
    translate,
    title: 'Cancel order',
    approve: { word: 'Cancel' },
    origin,
  };
  const [footer] = elementsOf(toPagedView(props).draw(FIRST_FRAME)).filter(
    ({ type }) => type === 'Footer',
  );
  expect(textsOf(footer)).toStrictEqual(['Back', 'Cancel']);
});

it.each<[name: string, ...shown: string[]]>([
  [
    'transaction-that-delegates',
    `${textOf('field.delegator')} (${textOf('notSelf')})`,
    FRIEND,
  ],
  ['described-order-before', textOf('changes.othersReceive'), '1 WETH'],
  ['described-order-before', textOf('field.tokensTo'), ROUTER],
])('%s shows which account it concerns', async (name, label, value) => {
  const screen = allScreens.find((each) => nameOf(each) === name);
  const texts = textsOf(await screen?.draw(translate));
  expect(texts[texts.indexOf(label) + 1]).toBe(value);
});
