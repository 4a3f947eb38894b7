// A danger costs a step: nothing is approved before the user has acknowledged each danger that the
// screen shows, and one that comes later is acknowledged separately.
import { createLiveDialogs } from '../../../src/sites/dialogs';
import { toPagedView } from '../../../src/ui/confirmation';
import type { Press } from '../../../src/ui/confirmation';
import { danger, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { createFakeInterfaces, createScreens } from '../../support/fake-interfaces';
import { settle } from '../../support/gate';
import { buttonOf, elementsOf, translate } from '../../support/view';

function open(first: readonly Warning[], pages = 1) {
  let warnings = first;
  const screens = createScreens();
  let answer: (value: unknown) => void = () => undefined;
  const dialogs = createLiveDialogs({
    interfaces: createFakeInterfaces(screens),
    showDialog: async () => new Promise((resolve) => (answer = resolve as never)),
    answerDialog: async (_id, value) => Promise.resolve(answer(value)),
    sleep: async () => new Promise(() => undefined),
  });
  const shown = dialogs.show(
    {
      takeSnapshot: () => ({
        draw: (each) =>
          toPagedView({
            translate: each,
            title: 'Sign a message',
            origin: 'https://dapp.example',
            warnings,
            pages: Array.from({ length: pages }, () => () => []),
          }),
        approve: () => warnings.length,
      }),
      onInput: () => true,
    },
    translate,
  );
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
    asks: () => buttonOf(content(), 'acknowledge') !== 'acknowledge',
    canApprove: () =>
      elementsOf(content()).some(
        ({ props }) => String(props.name).startsWith('approve:') && !props.disabled,
      ),
  };
}

const [one, two] = [danger('disguise.operation'), danger('alert.opaque')];

it('is approved at once where there is no danger', async () => {
  const { shown, press, asks, canApprove } = open([warning('alert.unchecked')]);
  await settle();
  expect([asks(), canApprove()]).toStrictEqual([false, true]);
  await press('approve');
  expect(await shown).toStrictEqual({ approved: 1 });
});

it('is not approved before its dangers are acknowledged', async () => {
  const { shown, press, asks, canApprove } = open([one, two]);
  await settle();
  expect([asks(), canApprove()]).toStrictEqual([true, false]);
  await press('approve');
  expect(canApprove()).toBe(false);
  await press('acknowledge', 2);
  expect([asks(), canApprove()]).toStrictEqual([false, true]);
  await press('approve', 3);
  expect(await shown).toStrictEqual({ approved: 2 });
});

it('asks again for a danger that has come since', async () => {
  const { shown, press, redrawWith, asks, canApprove } = open([one]);
  await settle();
  await redrawWith([one, two]);
  // It acknowledges the warnings of the pressed screen.
  await press('acknowledge', 1);
  expect([asks(), canApprove()]).toStrictEqual([true, false]);
  await press('acknowledge', 3);
  expect(canApprove()).toBe(true);
  await press('approve', 4);
  expect(await shown).toStrictEqual({ approved: 2 });
});

it('is not approved on any page before its dangers are acknowledged', async () => {
  const { shown, press, asks, canApprove } = open([one], 3);
  await settle();
  for (const page of [1, 2]) {
    await press('page', page, page);
    expect([page, asks(), canApprove()]).toStrictEqual([page, true, false]);
  }
  // Every page was seen, the last one is shown.
  await press('approve', 3);
  expect(canApprove()).toBe(false);
  await press('acknowledge', 4);
  expect([asks(), canApprove()]).toStrictEqual([false, true]);
  await press('approve', 5);
  expect(await shown).toStrictEqual({ approved: 1 });
});

it('is not approved before every page was seen, though its dangers are acknowledged', async () => {
  const { shown, press, asks, canApprove } = open([one], 3);
  await settle();
  await press('acknowledge');
  await press('page', 2, 2);
  expect([asks(), canApprove()]).toStrictEqual([false, false]);
  await press('approve', 3);
  await press('page', 4, 1);
  expect(canApprove()).toBe(true);
  await press('approve', 5);
  expect(await shown).toStrictEqual({ approved: 1 });
});
