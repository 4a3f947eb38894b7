import type { Json } from '@metamask/utils';

import type { LiveConfirmation } from '../../../src/methods';
import { createDialogBench, draw, ID } from '../../support/dialog-bench';
import { settle } from '../../support/gate';
import { translate } from '../../support/view';

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
    const { dialogs, screens, answer } = createDialogBench();
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
    const { dialogs, screens, answer } = createDialogBench();
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
    const { dialogs, answer } = createDialogBench();
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
    const { dialogs } = createDialogBench();
    const values = { a: 1 };
    expect(await dialogs.approve('other', () => Promise.resolve(values))).toBe(values);
  });
});
