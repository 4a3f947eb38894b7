import { Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { createLiveDialogs } from '../../../src/handlers/live-dialogs';
import type { LiveDialogs } from '../../../src/handlers/live-dialogs';
import type { LiveConfirmation } from '../../../src/methods';
import { createFakeInterfaces, createScreens } from '../../support/fake-interfaces';
import { createGate, settle } from '../../support/gate';
import { translate } from '../../support/view';

const draw = (text: string): JSXElement => Text({ children: text });

type Bench = {
  dialogs: LiveDialogs;
  screens: Map<string, JSXElement>;
  /** Answer the dialog. */
  answer: (value: Json) => void;
  /** Let the time of a refresh pass. */
  pass: () => Promise<void>;
  slept: number[];
};

function setup(): Bench {
  const screens = createScreens();
  const slept: number[] = [];
  let wake = (): void => undefined;
  const gate = createGate();
  let answered: Json = null;
  const dialogs = createLiveDialogs({
    interfaces: createFakeInterfaces(screens),
    showDialog: async () => {
      await gate.opened;
      return answered;
    },
    sleep: (ms) => {
      slept.push(ms);
      return new Promise((resolve) => (wake = resolve));
    },
  });
  return {
    dialogs,
    screens,
    slept,
    answer: (value) => {
      answered = value;
      gate.open();
    },
    pass: async () => {
      wake();
      await settle();
    },
  };
}

const ID = 'interface-1';

/** A dialog that counts. */
function counter(every?: () => Promise<boolean>): LiveConfirmation {
  let count = 0;
  return {
    render: () => draw(String(count)),
    onInput: ({ name }) => {
      if (name !== 'more') return false;
      count += 1;
      return true;
    },
    ...(every === undefined ? {} : { refresh: { everyMs: 5, run: every } }),
  };
}

describe('a dialog that stands still', () => {
  it('is drawn once, and gives its answer', async () => {
    const { dialogs, screens, answer } = setup();
    const shown = dialogs.show(() => draw('still'), translate);
    await dialogs.input(ID, { name: 'more' });
    answer({ approved: true });
    expect(await shown).toStrictEqual({ approved: true });
    expect([...screens.values()]).toStrictEqual([draw('still')]);
  });
});

describe('a dialog that changes', () => {
  it('is drawn anew when an input changes it', async () => {
    const { dialogs, screens, answer } = setup();
    const shown = dialogs.show(counter(), translate);
    await settle();
    expect(screens.get(ID)).toStrictEqual(draw('0'));
    await dialogs.input(ID, { name: 'more' });
    expect(screens.get(ID)).toStrictEqual(draw('1'));
    await dialogs.input('other', { name: 'more' });
    expect(screens.get(ID)).toStrictEqual(draw('1'));
    answer(null);
    expect(await shown).toBeNull();
  });

  it('stays as it is for what is none of its inputs', async () => {
    const { dialogs, screens, answer } = setup();
    const shown = dialogs.show(counter(), translate);
    await settle();
    const before = screens.get(ID);
    await dialogs.input(ID, { name: 'less', value: 'x' });
    expect(screens.get(ID)).toBe(before);
    answer(null);
    await shown;
  });

  it('takes no input once it is answered', async () => {
    const { dialogs, screens, answer } = setup();
    const shown = dialogs.show(counter(), translate);
    await settle();
    answer(null);
    await shown;
    await dialogs.input(ID, { name: 'more' });
    expect(screens.get(ID)).toStrictEqual(draw('0'));
  });

  it('is refreshed while it is open, a failure notwithstanding', async () => {
    const outcomes = [
      (): boolean => true,
      (): boolean => {
        throw new Error('down');
      },
      (): boolean => false,
    ];
    let runs = 0;
    const { dialogs, slept, answer, pass } = setup();
    const shown = dialogs.show(
      counter(async () => {
        runs += 1;
        await Promise.resolve();
        return outcomes[runs - 1]?.() ?? false;
      }),
      translate,
    );
    await settle();
    for (let time = 0; time < 3; time += 1) await pass();
    expect(runs).toBe(3);
    expect(slept).toStrictEqual([5, 5, 5, 5]);
    answer(null);
    await shown;
    await pass();
    expect(runs).toBe(3);
  });
});

describe('a dialog that is approved', () => {
  /** A dialog that says what is on the screen, and takes only what it is told to. */
  function watched(): { confirmation: LiveConfirmation; shown: string[]; now: string } {
    const state = { shown: [] as string[], now: 'a' };
    const confirmation: LiveConfirmation = {
      render: () => draw(state.now),
      onInput: ({ name }) => {
        state.now = name;
        return true;
      },
      onShown: () => state.shown.push(state.now),
      accept: ({ wanted }) => wanted === state.now,
    };
    return Object.assign(state, { confirmation });
  }

  it('gives what is filled in, and is not drawn any more', async () => {
    const { dialogs, screens, answer } = setup();
    const state = watched();
    const shown = dialogs.show(state.confirmation, translate);
    await settle();
    await dialogs.input(ID, { name: 'b' });
    expect(state.shown).toStrictEqual(['b']);
    const fetchValues = (): Promise<Record<string, Json>> =>
      Promise.resolve({ wanted: 'b' });
    expect(await dialogs.approve(ID, fetchValues)).toStrictEqual({ wanted: 'b' });
    await dialogs.input(ID, { name: 'c' });
    expect(screens.get(ID)).toStrictEqual(draw('b'));
    expect(state.shown).toStrictEqual(['b']);
    answer(null);
    await shown;
  });

  it('is drawn anew, and stays open, where it shows something else', async () => {
    const { dialogs, screens, answer } = setup();
    const state = watched();
    const shown = dialogs.show(state.confirmation, translate);
    await settle();
    state.now = 'b';
    const refused = await dialogs.approve(ID, () => Promise.resolve({ wanted: 'x' }));
    expect(refused).toBeUndefined();
    expect(screens.get(ID)).toStrictEqual(draw('b'));
    await dialogs.input(ID, { name: 'c' });
    expect(state.shown).toStrictEqual(['b', 'c']);
    answer(null);
    await shown;
  });

  it('does not count what lands while it is approved', async () => {
    const { dialogs, answer } = setup();
    const state = watched();
    const shown = dialogs.show(state.confirmation, translate);
    await settle();
    const drawing = dialogs.input(ID, { name: 'b' });
    await dialogs.approve(ID, () => Promise.resolve({ wanted: 'b' }));
    await drawing;
    expect(state.shown).toStrictEqual([]);
    answer(null);
    await shown;
  });

  it('gives what is filled in where nothing can change', async () => {
    const { dialogs } = setup();
    const values = { a: 1 };
    expect(await dialogs.approve('other', () => Promise.resolve(values))).toBe(values);
  });
});
