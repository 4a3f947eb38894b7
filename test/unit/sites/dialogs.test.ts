// Dangers need an extra step: users can approve only after they have acknowledged every danger on
// the screen. Dangers that appear later are acknowledged separately.
import { tasksOf } from '../../../src/core/approval';
import { createDialogs } from '../../../src/core/dialog';
import type { Frame, Press } from '../../../src/core/frame';
import { toPaddedHex } from '../../../src/core/hex';
import { toAccountRef } from '../../../src/state/account-record';
import { toPagedView } from '../../../src/ui/confirmation';
import { danger, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { createFakeInterfaces, createScreens } from '../../support/fake-interfaces';
import { settle } from '../../support/gate';
import { derivedRecord } from '../../support/records';
import { elementsOf, translate } from '../../support/view';

// The message contains the number of warnings on its screen.
const messageOf = (count: number) =>
  ({ kind: 'message', bytes: toPaddedHex(BigInt(count), 1) }) as const;

function open(first: readonly Warning[], pages = 1) {
  let warnings = first;
  const screens = createScreens();
  let answer: (value: unknown) => void = () => undefined;
  const dialogs = createDialogs({
    interfaces: createFakeInterfaces(screens),
    showDialog: async () => new Promise((resolve) => (answer = resolve as never)),
    answerDialog: async (_id, value) => Promise.resolve(answer(value)),
    sleep: async () => new Promise(() => undefined),
  });
  const account = toAccountRef(derivedRecord());
  const takeSnapshot = () => {
    const view = toPagedView({
      translate,
      title: 'Sign a message',
      origin: 'https://dapp.example',
      warnings,
      pages: Array.from({ length: pages }, () => () => []),
    });
    const draw = (frame: Frame) => view.draw({ ...frame, changes: [] });
    return {
      tasks: [{ account, payload: messageOf(warnings.length) }],
      draw: () => ({ ...view, draw }),
    };
  };
  const shown = dialogs
    .show({ takeSnapshot, onInput: () => true })
    .then((answer) => answer && tasksOf(answer.approval)[0]?.payload);
  const id = 'interface-1';
  const content = (): unknown => screens.get(id);
  return {
    shown,
    press: async (action: Press['action'], number = 1, page = 0) =>
      dialogs.press(id, { action, number, page }),
    redrawWith: async (next: readonly Warning[]) => {
      warnings = next;
      await dialogs.input(id, { name: 'any', value: '' });
    },
    asks: () =>
      elementsOf(content()).some(
        ({ type, props }) => type === 'Checkbox' && props.checked === false,
      ),
    canApprove: () =>
      elementsOf(content()).some(
        ({ props }) => String(props.name).startsWith('approve:') && !props.disabled,
      ),
  };
}

const [one, two] = [danger('disguise.operation'), danger('alert.opaque')];

it('allows approval immediately if there are no dangers', async () => {
  const { shown, press, asks, canApprove } = open([warning('alert.unchecked')]);
  await settle();
  expect([asks(), canApprove()]).toStrictEqual([false, true]);
  await press('approve');
  expect(await shown).toStrictEqual(messageOf(1));
});

it('prevents approval until the dangers are acknowledged', async () => {
  const { shown, press, asks, canApprove } = open([one, two]);
  await settle();
  expect([asks(), canApprove()]).toStrictEqual([true, false]);
  await press('approve');
  expect(canApprove()).toBe(false);
  await press('acknowledge', 2);
  expect([asks(), canApprove()]).toStrictEqual([false, true]);
  await press('approve', 3);
  expect(await shown).toStrictEqual(messageOf(2));
});

it('prevents approval after the box is cleared', async () => {
  const { press, asks, canApprove } = open([one, two]);
  await settle();
  await press('acknowledge');
  await press('clear', 2);
  expect([asks(), canApprove()]).toStrictEqual([true, false]);
});

it('asks again if a danger has appeared', async () => {
  const { shown, press, redrawWith, asks, canApprove } = open([one]);
  await settle();
  await redrawWith([one, two]);
  // This acknowledges only the dangers of the pressed screen.
  await press('acknowledge', 1);
  expect([asks(), canApprove()]).toStrictEqual([true, false]);
  await press('acknowledge', 3);
  expect(canApprove()).toBe(true);
  await press('approve', 4);
  expect(await shown).toStrictEqual(messageOf(2));
});

it('prevents approval on every page until the dangers are acknowledged', async () => {
  const { shown, press, asks, canApprove } = open([one], 3);
  await settle();
  for (const page of [1, 2]) {
    await press('page', page, page);
    expect([page, asks(), canApprove()]).toStrictEqual([page, true, false]);
  }
  // Every page has been seen, and the last one is shown.
  await press('approve', 3);
  expect(canApprove()).toBe(false);
  await press('acknowledge', 4);
  expect([asks(), canApprove()]).toStrictEqual([false, true]);
  await press('approve', 5);
  expect(await shown).toStrictEqual(messageOf(1));
});

it('prevents approval until every page has been seen, even with acknowledged dangers', async () => {
  const { shown, press, asks, canApprove } = open([one], 3);
  await settle();
  await press('acknowledge');
  await press('page', 2, 2);
  expect([asks(), canApprove()]).toStrictEqual([false, false]);
  await press('approve', 3);
  await press('page', 4, 1);
  expect(canApprove()).toBe(true);
  await press('approve', 5);
  expect(await shown).toStrictEqual(messageOf(1));
});
