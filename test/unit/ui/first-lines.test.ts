// Words of a descriptor never come before the warnings of a dialog.
import { FIRST_FRAME, toPagedView } from '../../../src/ui/confirmation';
import { info, warning } from '../../../src/ui/warnings';
import { textOf, translate, writeView } from '../../support/view';

const SENTENCE = 'Swap 1 ETH for at least 3,000 USDC';

const draw = (warnings: ReturnType<typeof info>[]): string =>
  writeView(
    toPagedView({
      translate,
      title: 'Swap',
      sentence: SENTENCE,
      origin: 'https://dapp.example',
      warnings,
      raw: '{}',
    }).draw(FIRST_FRAME),
  );

it('begins with the sentence of a descriptor', () => {
  const shown = draw([info('shape.permit')]);
  expect(shown.indexOf(SENTENCE)).toBeGreaterThan(
    shown.indexOf(textOf('shape.permit')),
  );
  expect(shown.indexOf(SENTENCE)).toBeLessThan(shown.indexOf(textOf('field.origin')));
});

it('puts that sentence below the request where there is a warning', () => {
  const shown = draw([warning('alert.unchecked')]);
  expect(shown.indexOf(SENTENCE)).toBeGreaterThan(
    shown.indexOf(textOf('field.origin')),
  );
});
