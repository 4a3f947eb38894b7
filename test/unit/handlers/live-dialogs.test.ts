import type { LiveConfirmation } from '../../../src/methods';
import { createDialogBench, draw, ID } from '../../support/dialog-bench';
import { settle } from '../../support/gate';
import { translate } from '../../support/view';

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
    const { dialogs, screens, answer } = createDialogBench();
    const shown = dialogs.show(() => draw('still'), translate);
    await dialogs.input(ID, { name: 'more' });
    answer({ approved: true });
    expect(await shown).toStrictEqual({ approved: true });
    expect([...screens.values()]).toStrictEqual([draw('still')]);
  });
});

describe('a dialog that changes', () => {
  it('is drawn anew when an input changes it', async () => {
    const { dialogs, screens, answer } = createDialogBench();
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
    const { dialogs, screens, answer } = createDialogBench();
    const shown = dialogs.show(counter(), translate);
    await settle();
    const before = screens.get(ID);
    await dialogs.input(ID, { name: 'less', value: 'x' });
    expect(screens.get(ID)).toBe(before);
    answer(null);
    await shown;
  });

  it('takes no input once it is answered', async () => {
    const { dialogs, screens, answer } = createDialogBench();
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
    const { dialogs, slept, answer, pass } = createDialogBench();
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
