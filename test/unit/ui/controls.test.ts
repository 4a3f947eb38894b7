// Every button and field that a view has is used in a test on the built snap.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { allScreens } from '../../../dev/gallery/screens';
import { toFields } from '../../../src/handlers/home/chain-fields';
import {
  drawFeeSection,
  FEE_CHOICE,
  feeInputs,
} from '../../../src/ui/confirm/fee-section';
import { ChainForm, REMOVE_SUFFIX } from '../../../src/ui/home/chain-form';
import { elementsOf, translate } from '../../support/view';

/** Controls whose names tests take from the code, or find by their beginning. */
const named: Record<string, string> = {
  'approve:': "'approve'",
  [FEE_CHOICE]: 'FEE_CHOICE',
  ...Object.fromEntries(
    Object.entries(feeInputs).map(([fee, name]) => [name, `feeInputs.${fee}`]),
  ),
};

/** Boxes that are named by their accounts' ids are used by those. */
const isOfAccount = (name: string): boolean => /[^\w.:-]/u.test(name);

/** Boxes that remove a value are all alike. */
const removalOf = (name: string): string =>
  name.endsWith(REMOVE_SUFFIX) ? `apiKey${REMOVE_SUFFIX}` : name;

const form = { typed: {}, hasFailed: false };

const chainForm = ChainForm({
  translate,
  chain: 'eip155:1',
  fields: toFields({}, translate),
  form,
});

const feeSection = drawFeeSection(
  {
    options: [],
    inputs: (['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const).map(
      (name) => ({ name }),
    ),
    source: 'gas-price',
    age: 0,
  },
  translate,
);

/** List the names of controls, without what stands behind a colon. */
function listControls(): string[] {
  const views = [
    chainForm,
    feeSection,
    ...allScreens.map(({ draw }) => draw(translate)),
  ];
  const names = views
    .flatMap(elementsOf)
    .filter(({ type }) => type !== 'Form')
    .flatMap(({ props: { name } }) => (typeof name === 'string' ? [name] : []))
    .filter((name) => !isOfAccount(name.replace(/:.*$/su, '')));
  return [...new Set(names.map((name) => removalOf(name.replace(/:.*$/su, ':'))))];
}

const tests = readdirSync('test/snap')
  .map((name) => readFileSync(join('test/snap', name), 'utf8'))
  .join('\n');

function isUsed(name: string): boolean {
  const word = (named[name] ?? name).replaceAll('.', '\\.');
  return new RegExp(
    `(?<![\\w.])${word}${word.endsWith(':') ? '' : '(?![\\w.])'}`,
    'u',
  ).test(tests);
}

it.each(listControls())('is used in test/snap: %s', (name) => {
  expect(isUsed(name)).toBe(true);
});

it('finds controls of every page', () => {
  expect(listControls()).toEqual(
    expect.arrayContaining(['approve:', 'page:', 'fee.choice', 'home.frame.tab:']),
  );
  expect(isUsed('home.frame.nonsense')).toBe(false);
});
